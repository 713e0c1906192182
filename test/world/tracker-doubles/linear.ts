// Linear: every query is run against what was cut from its published schema, so that nothing else can be asked for or
// answered.
import { readFileSync } from 'node:fs';
import { buildSchema, execute, parse, validate } from 'graphql';
import {
  current,
  doneAt,
  type Member,
  startedAt,
  TRACKED_STATUSES,
  type TrackedChange,
  type TrackedIssue,
  type TrackedStatus,
  type TrackerCompany,
} from '../company/tracker-company.ts';
import { startTrackerDouble, TRACKER_TOKEN, type TrackerDouble } from './tracker-double.ts';

const PAGE = 30;
/** Small, so that most histories take several pages. */
const HISTORY_PAGE = 3;
const TYPES = { new: 'unstarted', in_progress: 'started', done: 'completed' } as const;
const TEAM = { id: 'team-1', name: 'Blue' };

export const slugOf = ({ id }: TrackedIssue): string => `slug${id}`;

export const startLinear = (company: TrackerCompany): Promise<TrackerDouble> =>
  startTrackerDouble(company, () => {
    const schema = buildSchema(readFileSync(new URL('linear-schema.graphql', import.meta.url), 'utf8'));
    return async (request) => {
      if (request.headers.authorization !== TRACKER_TOKEN) {
        return { status: 400, body: { errors: [{ message: 'no', extensions: { code: 'AUTHENTICATION_ERROR' } }] } };
      }
      const { query, variables } = JSON.parse(request.body) as { query: string; variables: Record<string, unknown> };
      const document = parse(query);
      const problems = validate(schema, document);
      if (problems.length > 0) throw problems[0];
      const result = await execute({ schema, document, rootValue: rootOf(company), variableValues: variables });
      if (result.errors !== undefined) throw result.errors[0];
      return { body: result };
    };
  });

interface Paging {
  readonly first: number;
  readonly after?: string | null;
}

function connection<T>(items: readonly T[], { first, after }: Paging, most: number) {
  const start = after == null ? 0 : Number(after);
  const nodes = items.slice(start, start + Math.min(first, most));
  const end = start + nodes.length;
  return { nodes, pageInfo: { hasNextPage: end < items.length, endCursor: String(end) } };
}

interface Changed extends Paging {
  readonly filter?: { readonly updatedAt: { readonly gte: string } } | null;
}

function newestFirst(issues: readonly TrackedIssue[], { filter }: Changed): TrackedIssue[] {
  return issues
    .filter(({ updatedAt }) => filter == null || updatedAt >= filter.updatedAt.gte)
    .sort((a, b) => (a.updatedAt < b.updatedAt ? 1 : -1));
}

function rootOf(company: TrackerCompany) {
  const ordinary = company.issues.filter(({ type }) => type !== 'Epic');
  const epics = company.issues.filter(({ type }) => type === 'Epic');
  return {
    viewer: { ...userOf(company.members[0]!), organization: { name: 'Works', urlKey: 'works' } },
    teams: () => ({ nodes: [TEAM] }),
    issues: (wanted: Changed) => connection(newestFirst(ordinary, wanted).map(issueOf), wanted, PAGE),
    issue: ({ id }: { id: string }) => issueOf(ordinary.find((issue) => String(issue.id) === id)!),
    projects: (wanted: Changed) => connection(newestFirst(epics, wanted).map(projectOf), wanted, PAGE),
    workflowStates: (wanted: Paging) =>
      connection((Object.keys(TRACKED_STATUSES) as TrackedStatus[]).map(stateOf), wanted, 2),
    cycles: (wanted: Paging) =>
      connection(company.sprints.filter(({ startsAt }) => startsAt !== null).map(cycleOf), wanted, 2),
  };
}

const userOf = (member: Member | null) =>
  member === null
    ? null
    : {
        id: member.id,
        name: member.name,
        displayName: member.name.toLowerCase(),
        email: member.email,
        active: true,
        app: false,
      };

const stateOf = (status: TrackedStatus) => ({
  id: `state-${status}`,
  name: status,
  type: TYPES[TRACKED_STATUSES[status] ?? 'new'],
});

const cycleOf = (sprint: TrackerCompany['sprints'][number]) => ({
  id: `cycle-${sprint.id}`,
  number: sprint.id,
  name: sprint.name,
  startsAt: sprint.startsAt,
  endsAt: sprint.endsAt,
  completedAt: sprint.completedAt,
  team: TEAM,
});

const estimate = (points: unknown): number | null => (typeof points === 'number' ? points : null);

function issueOf(issue: TrackedIssue) {
  const sprint = current(issue, 'sprints').at(-1);
  const key = current(issue, 'key');
  return {
    id: String(issue.id),
    identifier: key,
    previousIdentifiers: key === issue.first.key ? [] : [issue.first.key],
    title: issue.title,
    estimate: estimate(current(issue, 'points')),
    priorityLabel: issue.priority,
    url: `https://linear.app/works/issue/${key}`,
    createdAt: issue.createdAt,
    updatedAt: issue.updatedAt,
    startedAt: startedAt(issue),
    completedAt: doneAt(issue, null),
    state: stateOf(current(issue, 'status')),
    team: TEAM,
    cycle: sprint === undefined ? null : { id: `cycle-${sprint}` },
    project: issue.epic === null ? null : { slugId: slugOf(issue.epic) },
    parent: null,
    assignee: userOf(current(issue, 'assignee')),
    creator: userOf(issue.by),
    labels: { nodes: [...issue.labels, ...(issue.type === 'Bug' ? ['bug'] : [])].map((name) => ({ name })) },
    // Newest first, as Linear shows it.
    history: (wanted: Paging) => connection([...issue.changes].reverse().map(entryOf), wanted, HISTORY_PAGE),
  };
}

function entryOf(change: TrackedChange) {
  const { field, before, after } = change;
  const entry = { id: `entry-${change.id}`, createdAt: change.at, actor: userOf(change.by) };
  const pair = (name: string, from: unknown, to: unknown) => ({ ...entry, [`from${name}`]: from, [`to${name}`]: to });
  const cycle = (value: unknown): string | null => {
    const id = (value as number[]).at(-1);
    return id === undefined ? null : `cycle-${id}`;
  };
  switch (field) {
    case 'status':
      return pair('StateId', `state-${before}`, `state-${after}`);
    case 'sprints':
      return pair('CycleId', cycle(before), cycle(after));
    case 'points':
      return pair('Estimate', estimate(before), estimate(after));
    case 'assignee':
      return pair('AssigneeId', (before as Member | null)?.id ?? null, (after as Member | null)?.id ?? null);
    default:
      return entry;
  }
}

const projectOf = (issue: TrackedIssue) => ({
  id: String(issue.id),
  slugId: slugOf(issue),
  name: issue.title,
  url: 'https://linear.app/works/project/x',
  createdAt: issue.createdAt,
  updatedAt: issue.updatedAt,
  startedAt: startedAt(issue),
  completedAt: doneAt(issue, null),
  status: {
    name: current(issue, 'status'),
    type: doneAt(issue, null) !== null ? 'completed' : startedAt(issue) === null ? 'planned' : 'started',
  },
  lead: userOf(current(issue, 'assignee')),
  creator: userOf(issue.by),
});
