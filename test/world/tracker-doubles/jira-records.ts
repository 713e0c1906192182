// The company in the words of Jira, Cloud and Data Center.
import {
  current,
  type Member,
  TRACKED_STATUSES,
  TRACKED_TYPES,
  type TrackedChange,
  type TrackedIssue,
  type TrackedStatus,
  type TrackerCompany,
} from '../company/tracker-company.ts';

export const SPRINT_FIELD = 'customfield_10020';
export const POINTS_FIELD = 'customfield_10016';

export interface JiraFlavour {
  readonly isCloud: boolean;
  readonly site: string;
}

const STATUS_IDS: Readonly<Record<TrackedStatus, string>> = {
  todo: '10000',
  doing: '3',
  review: '10002',
  done: '10003',
  closed: '6',
  legacy: '10999',
};
const CATEGORY_KEYS = { new: 'new', in_progress: 'indeterminate', done: 'done' } as const;

/** Jira writes times with its own offset. */
export const jiraTime = (at: string): string => {
  const shifted = new Date(Date.parse(at) + 2 * 3_600_000).toISOString();
  return shifted.replace('Z', '+0200');
};

export const statusOf = (status: TrackedStatus) => ({
  self: `https://example.test/status/${STATUS_IDS[status]}`,
  id: STATUS_IDS[status],
  name: `Status ${status}`,
  statusCategory: { id: 2, key: CATEGORY_KEYS[TRACKED_STATUSES[status] ?? 'in_progress'], name: 'shown' },
});

export const livingStatuses = (Object.keys(STATUS_IDS) as TrackedStatus[]).filter(
  (status) => TRACKED_STATUSES[status] !== null,
);

export const userOf = (member: Member | null, { isCloud }: JiraFlavour) => {
  if (member === null) return null;
  const shared = { displayName: member.name, active: true };
  if (isCloud) return { ...shared, accountId: member.id, accountType: 'atlassian' };
  return { ...shared, key: `JIRAUSER${member.id}`, name: member.name.toLowerCase(), emailAddress: member.email };
};

const typeOf = (type: TrackedIssue['type'], { isCloud }: JiraFlavour) => ({
  id: `1000${Object.keys(TRACKED_TYPES).indexOf(type)}`,
  name: isCloud ? TRACKED_TYPES[type].shown : type,
  subtask: TRACKED_TYPES[type].level < 0,
  ...(isCloud ? { untranslatedName: type, hierarchyLevel: TRACKED_TYPES[type].level } : {}),
});

export function issueOf(issue: TrackedIssue, company: TrackerCompany, flavour: JiraFlavour) {
  const status = current(issue, 'status');
  const sprints = current(issue, 'sprints').map((id) => company.sprints.find((sprint) => sprint.id === id)!);
  const fields = {
    summary: issue.title,
    issuetype: typeOf(issue.type, flavour),
    status: statusOf(status),
    priority: { id: '2', name: issue.priority },
    labels: issue.labels,
    assignee: userOf(current(issue, 'assignee'), flavour),
    creator: userOf(issue.by, flavour),
    reporter: userOf(issue.by, flavour),
    created: jiraTime(issue.createdAt),
    updated: jiraTime(issue.updatedAt),
    resolutiondate: null,
    project: { id: '10001', key: 'PAY', name: company.project.name },
    [POINTS_FIELD]: current(issue, 'points'),
    [SPRINT_FIELD]:
      sprints.length === 0
        ? null
        : sprints.map(({ id, name, boardId, state }) =>
            flavour.isCloud
              ? { id, name, boardId, state }
              : `com.atlassian.greenhopper.service.sprint.Sprint@1f[completeDate=<null>,id=${id},rapidViewId=${boardId},state=${state.toUpperCase()},name=${name}]`,
          ),
    ...parentOf(issue, flavour),
  };
  return { id: String(issue.id), key: current(issue, 'key'), self: `${flavour.site}/rest/issue/${issue.id}`, fields };
}

function parentOf({ epic }: TrackedIssue, flavour: JiraFlavour) {
  if (epic === null) return {};
  const key = current(epic, 'key');
  if (!flavour.isCloud) return { customfield_10014: key };
  return { parent: { id: String(epic.id), key, fields: { issuetype: typeOf('Epic', flavour) } } };
}

const text = (value: unknown): string | null => (value === null ? null : String(value));

export function historyOf(change: TrackedChange, flavour: JiraFlavour) {
  return {
    id: String(change.id),
    author: userOf(change.by, flavour),
    created: jiraTime(change.at),
    items: [itemOf(change, flavour)],
  };
}

function itemOf({ field, before, after }: TrackedChange, flavour: JiraFlavour) {
  const item = (name: string, fieldId: string, values: readonly (string | null)[]) => {
    const [from = null, fromString = null, to = null, shown = null] = values;
    const own = { field: name, fieldtype: 'jira', from, fromString, to, toString: shown };
    return flavour.isCloud ? { ...own, fieldId } : own;
  };
  const id = (member: unknown): string | null => {
    const user = userOf(member as Member | null, flavour);
    return user === null ? null : 'accountId' in user ? user.accountId : user.key;
  };
  switch (field) {
    case 'status':
      return item('status', 'status', [
        STATUS_IDS[before as TrackedStatus],
        `Status ${before}`,
        STATUS_IDS[after as TrackedStatus],
        `Status ${after}`,
      ]);
    case 'sprints': {
      const list = (value: unknown) => (value as number[]).join(', ');
      return item('Sprint', SPRINT_FIELD, [list(before), 'names, with commas', list(after), 'more, names']);
    }
    case 'points':
      return item('Story Points', POINTS_FIELD, [null, text(before), null, text(after)]);
    case 'assignee':
      return item('assignee', 'assignee', [id(before), 'x', id(after), 'y']);
    default:
      return item('Key', 'Key', [null, text(before), null, text(after)]);
  }
}

export const FIELDS = [
  { id: 'summary', name: 'Summary', custom: false, schema: { type: 'string', system: 'summary' } },
  {
    id: SPRINT_FIELD,
    name: 'Sprint',
    custom: true,
    schema: { type: 'array', items: 'json', custom: 'com.pyxis.greenhopper.jira:gh-sprint', customId: 10_020 },
  },
  {
    id: 'customfield_10014',
    name: 'Epic Link',
    custom: true,
    schema: { type: 'any', custom: 'com.pyxis.greenhopper.jira:gh-epic-link', customId: 10_014 },
  },
  {
    id: POINTS_FIELD,
    name: 'Story Points',
    custom: true,
    schema: { type: 'number', custom: 'com.atlassian.jira.plugin.system.customfieldtypes:float', customId: 10_016 },
  },
];
