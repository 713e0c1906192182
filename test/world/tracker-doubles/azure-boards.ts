// Azure Boards: work items by their revisions. Every answer is held against Microsoft's description.
import {
  type Member,
  TRACKED_STATUSES,
  type TrackedIssue,
  type TrackedStatus,
  type TrackerCompany,
  valueAt,
} from '../company/tracker-company.ts';
import type { DoubleAnswer, DoubleRequest } from '../host-doubles/host-double.ts';
import { readDescription } from './described.ts';
import { startTrackerDouble, TRACKER_TOKEN, type TrackerDouble } from './tracker-double.ts';

const PAGE = 90;
const PROJECT = 'Payments';
const ROOT_NODE = 5;
const TYPES: Readonly<Record<TrackedIssue['type'], string>> = {
  Story: 'User Story',
  // By its category a bug, whatever it is called.
  Bug: 'Fault',
  'Sub-task': 'Task',
  Epic: 'Epic',
};
const CATEGORIES = { new: 'Proposed', in_progress: 'InProgress', done: 'Completed' } as const;
const STATES = (Object.keys(TRACKED_STATUSES) as TrackedStatus[]).flatMap((status) => {
  const category = TRACKED_STATUSES[status];
  return category === null ? [] : [{ name: status, color: 'b2b2b2', category: CATEGORIES[category] }];
});

export const startAzureBoards = (company: TrackerCompany): Promise<TrackerDouble> =>
  startTrackerDouble(company, (clock) => {
    const description = readDescription('azure-openapi.json');
    return (request) => {
      if (request.headers.authorization !== `Basic ${Buffer.from(`:${TRACKER_TOKEN}`).toString('base64')}`) {
        return { status: 302, headers: { location: '/_signin' }, body: 'sign in' };
      }
      const [name, answer] = answerOf(request, company, clock());
      if (name !== null) {
        description.checkRequest(name, request.query, null);
        description.checkAnswer(name, answer.body);
      }
      return answer;
    };
  });

function answerOf(request: DoubleRequest, company: TrackerCompany, now: Date): readonly [string | null, DoubleAnswer] {
  const { path, query } = request;
  const wit = '/{project}/_apis/wit';
  const list = (value: readonly unknown[]): DoubleAnswer => ({ body: { count: value.length, value } });
  switch (path) {
    case '/acme/_apis/connectionData':
      return [null, { body: { authenticatedUser: { id: 'd6245f20', providerDisplayName: 'Ada Example' } } }];
    case '/acme/_apis/projects':
      return [null, list([{ id: '6ce954b1', name: PROJECT }])];
    case '/acme/_apis/wit/reporting/workitemrevisions':
    case `/acme/${PROJECT}/_apis/wit/reporting/workitemrevisions`:
      return [`get ${wit}/reporting/workitemrevisions`, { body: revisions(query, company, request.origin, now) }];
    case `/acme/${PROJECT}/_apis/wit/workitemtypes`:
      return [`get ${wit}/workitemtypes`, list(Object.values(TYPES).map((name) => ({ name, states: STATES })))];
    case `/acme/${PROJECT}/_apis/wit/workitemtypecategories`:
      return [
        `get ${wit}/workitemtypecategories`,
        list([
          { name: 'Bugs', referenceName: 'Microsoft.BugCategory', workItemTypes: [{ name: TYPES.Bug }] },
          { name: 'Epics', referenceName: 'Microsoft.EpicCategory', workItemTypes: [{ name: TYPES.Epic }] },
        ]),
      ];
    case `/acme/${PROJECT}/_apis/wit/classificationnodes/iterations`:
      return [`get ${wit}/classificationnodes/iterations`, { body: iterations(company) }];
    default:
      throw new Error(`${path} is not known here`);
  }
}

function iterations({ sprints }: TrackerCompany) {
  return {
    id: ROOT_NODE,
    name: PROJECT,
    structureType: 'iteration',
    hasChildren: true,
    children: sprints.map(({ id, name, startsAt, endsAt }) => ({
      id,
      name,
      structureType: 'iteration',
      hasChildren: false,
      ...(startsAt === null
        ? {}
        : { attributes: { startDate: startsAt, finishDate: `${endsAt!.slice(0, 10)}T00:00:00Z` } }),
    })),
  };
}

interface Revision {
  readonly issue: TrackedIssue;
  readonly rev: number;
  readonly at: string;
  readonly by: Member | null;
}

/** One for each moment at which something changed, in the order of time. */
function allRevisions({ issues }: TrackerCompany): Revision[] {
  return issues
    .flatMap((issue) => {
      const moments = [...new Map(issue.changes.map((change) => [change.at, change.by]))];
      return [
        { issue, rev: 1, at: issue.createdAt, by: issue.by },
        ...moments.map(([at, by], place) => ({ issue, rev: place + 2, at, by })),
      ];
    })
    .sort((a, b) => (a.at === b.at ? a.issue.id - b.issue.id : a.at < b.at ? -1 : 1));
}

function revisions(query: URLSearchParams, company: TrackerCompany, origin: string, now: Date) {
  const token = query.get('continuationToken');
  const since = query.get('startDateTime');
  if (token !== null && since !== null) throw new Error('a start and a token together lose changes');
  const all = allRevisions(company).filter(({ at }) => Date.parse(at) <= now.getTime());
  const from = token === null ? all.findIndex(({ at }) => since === null || at >= since) : Number(token.split(';')[0]);
  const start = from < 0 ? all.length : from;
  const page = all.slice(start, start + Math.min(PAGE, Number(query.get('$maxPageSize'))));
  const end = start + page.length;
  const next = `${end};0;0`;
  return {
    values: page.map((revision) => ({
      id: revision.issue.id,
      rev: revision.rev,
      fields: Object.fromEntries(
        Object.entries(fieldsOf(revision)).filter(
          ([name, value]) => value !== null && query.get('fields')!.split(',').includes(name),
        ),
      ),
    })),
    isLastBatch: end >= all.length,
    nextLink: `${origin}/acme/_apis/wit/reporting/workItemRevisions?continuationToken=${next}`,
  };
}

const identity = (member: Member | null) =>
  member === null ? null : { id: member.id, displayName: member.name, uniqueName: member.email };

function fieldsOf({ issue, at, by }: Revision): Record<string, unknown> {
  const sprint = valueAt(issue, 'sprints', at)!.at(-1);
  return {
    'System.Title': issue.title,
    'System.WorkItemType': TYPES[issue.type],
    'System.State': valueAt(issue, 'status', at),
    'System.CreatedDate': issue.createdAt,
    'System.CreatedBy': identity(issue.by),
    'System.ChangedDate': at,
    'System.ChangedBy': identity(by),
    'System.AssignedTo': identity(valueAt(issue, 'assignee', at)),
    'System.Tags': issue.labels.join('; '),
    'System.IterationId': sprint ?? ROOT_NODE,
    'System.TeamProject': PROJECT,
    'System.Parent': issue.epic?.id ?? null,
    'Microsoft.VSTS.Common.Priority': 2,
    'Microsoft.VSTS.Scheduling.StoryPoints': valueAt(issue, 'points', at),
  };
}
