// A Jira issue with its changelog in the shapes of the domain.
import { needTime, readTime } from '../../../domain/collect/read-time.ts';
import type { Account } from '../../../domain/people/account.ts';
import { pointsText, readPoints, withFirstValues } from '../../../domain/work/first-values.ts';
import type { CollectedIssue, CollectedStatus, IssueChange, StatusCategory } from '../../../domain/work/issue.ts';
import { issueSprints, type JiraHistory, type JiraIssue, type JiraUser } from './answers.ts';
import type { JiraFields } from './fields.ts';

const CATEGORIES: Readonly<Record<string, StatusCategory>> = { new: 'new', indeterminate: 'in_progress', done: 'done' };
const EPIC_LEVEL = 1;
const SUBTASK_LEVEL = -1;

export const readStatus = (status: JiraIssue['fields']['status']): CollectedStatus => ({
  external_id: status.id,
  name: status.name,
  category: CATEGORIES[status.statusCategory.key] ?? 'new',
});

/** Cloud knows people by an id alone; Data Center by a key, which older versions wrote as the name. */
export function readUser(user: JiraUser | null | undefined): Account | null {
  const external_id = user?.accountId ?? user?.key ?? user?.name ?? null;
  if (user == null || external_id === null || external_id === '') return null;
  return {
    external_id,
    kind: user.accountType === 'app' ? 'app' : 'user',
    login: user.accountId == null ? (user.name ?? null) : null,
    name: user.displayName ?? null,
    // Hidden unless the person allows it.
    email: user.emailAddress ? user.emailAddress : null,
    commit_emails: [],
  };
}

export interface JiraHome {
  readonly site: string;
  readonly fields: JiraFields;
}

export function normaliseIssue(
  issue: JiraIssue,
  histories: readonly JiraHistory[],
  { site, fields }: JiraHome,
): CollectedIssue {
  const { fields: values } = issue;
  const status = readStatus(values.status);
  const level = values.issuetype.hierarchyLevel;
  const type = values.issuetype.untranslatedName ?? values.issuetype.name;
  const sprints = readSprints(fields.sprint === null ? null : values[fields.sprint.id]);
  const points = fields.points.map(({ id }) => readPoints(values[id])).find((value) => value !== null) ?? null;
  const opened_at = needTime(values.created, 'an issue');
  const assignee = readUser(values.assignee);
  const history = histories.flatMap((each) => readHistory(each, fields));
  const changes = withFirstValues(history, opened_at, {
    status: status.external_id,
    sprint: sprints.length === 0 ? null : sprints.map(({ id }) => id).join(','),
    points: pointsText(points),
    assignee: assignee?.external_id ?? null,
  });
  const isMoved = history.some(({ field }) => field === 'status');
  return {
    external_id: issue.id,
    key: issue.key,
    title: values.summary ?? '',
    type,
    is_epic: level == null ? type.toLowerCase() === 'epic' : level >= EPIC_LEVEL,
    is_subtask: level == null ? values.issuetype.subtask === true : level <= SUBTASK_LEVEL,
    status: status.name,
    status_category: status.category,
    priority: values.priority?.name ?? null,
    url: `${site}/browse/${encodeURIComponent(issue.key)}`,
    project_name: values.project?.name ?? null,
    board_id: sprints.at(-1)?.boardId ?? null,
    labels: values.labels ?? [],
    assignee,
    created_by: readUser(values.creator ?? values.reporter),
    epic_key: epicOf(issue, fields),
    parent_external_id: values.parent?.id ?? null,
    story_points: points,
    opened_at,
    updated_at: needTime(values.updated, 'an issue'),
    started_at: null,
    // Where the history has no move, the site's own date is the better word.
    resolved_at: !isMoved && status.category === 'done' ? (readTime(values.resolutiondate) ?? opened_at) : null,
    deleted_at: null,
    changes,
  };
}

function epicOf({ fields: values }: JiraIssue, { epicLink }: JiraFields): string | null {
  const { parent } = values;
  const level = parent?.fields?.issuetype?.hierarchyLevel;
  if (parent != null && (level == null ? false : level >= EPIC_LEVEL)) return parent.key;
  const linked = epicLink === null ? null : values[epicLink.id];
  return typeof linked === 'string' && linked !== '' ? linked : null;
}

/** Older versions of Data Center write a sprint as text: `…Sprint@1f[id=5820,rapidViewId=8,state=CLOSED,name=…]`. */
function readSprints(value: unknown): { id: string; boardId?: string | null | undefined }[] {
  if (!Array.isArray(value)) return [];
  const known = issueSprints.safeParse(value);
  if (known.success) return known.data;
  return value.flatMap((text) => {
    const id = /\[(?:.*?,)?id=(\d+)/.exec(String(text))?.[1];
    return id === undefined ? [] : [{ id, boardId: /[[,]rapidViewId=(\d+)/.exec(String(text))?.[1] ?? null }];
  });
}

type Item = JiraHistory['items'][number];

/** By the field's id; Data Center gives names only. */
function fieldOf(item: Item, fields: JiraFields): IssueChange['field'] | null {
  const name = item.fieldId ?? item.field;
  const is = (field: { readonly id: string; readonly name: string } | null): boolean =>
    field !== null && (name === field.id || item.field === field.name);
  if (is(fields.sprint)) return 'sprint';
  if (fields.points.some(is)) return 'points';
  if (is(fields.epicLink)) return 'epic';
  return OWN_FIELDS[name.toLowerCase()] ?? OWN_FIELDS[item.field.toLowerCase()] ?? null;
}

const OWN_FIELDS: Readonly<Record<string, IssueChange['field']>> = {
  status: 'status',
  assignee: 'assignee',
  issuetype: 'type',
  priority: 'priority',
  parent: 'epic',
  issueparentassociation: 'epic',
  key: 'key',
};

/** Of these the text is the value; of all others the id. */
const TEXT_FIELDS: readonly IssueChange['field'][] = ['key', 'points'];

function readHistory({ id, author, created, items }: JiraHistory, fields: JiraFields): IssueChange[] {
  return items.flatMap((item, place): IssueChange[] => {
    const field = fieldOf(item, fields);
    if (field === null) return [];
    const isText = TEXT_FIELDS.includes(field);
    const before = (isText ? (item.fromText ?? item.from) : item.from) || null;
    const after = (isText ? (item.toText ?? item.to) : item.to) || null;
    return [
      {
        external_id: `${id}:${place}`,
        field,
        changed_at: needTime(created, 'a change of an issue'),
        author: readUser(author),
        before: field === 'points' ? pointsText(before) : before,
        after: field === 'points' ? pointsText(after) : after,
      },
    ];
  });
}
