// Jira Cloud and Jira Data Center. Every request and answer of Cloud is held against Atlassian's description; Data
// Center answers the same records by its own calls.
import type { TrackerCompany } from '../company/tracker-company.ts';
import type { DoubleAnswer, DoubleRequest } from '../host-doubles/host-double.ts';
import { readDescription } from './described.ts';
import { FIELDS, historyOf, type JiraFlavour, jiraTime, livingStatuses, statusOf, userOf } from './jira-records.ts';
import { search } from './jira-search.ts';
import { startTrackerDouble, TRACKER_EMAIL, TRACKER_TOKEN, type TrackerDouble } from './tracker-double.ts';

/** Small, so that one page of issues takes several of changes. */
const CHANGES_PAGE = 60;
const AUTHORIZATION = {
  cloud: `Basic ${Buffer.from(`${TRACKER_EMAIL}:${TRACKER_TOKEN}`).toString('base64')}`,
  server: `Bearer ${TRACKER_TOKEN}`,
};

export const startJira = (
  company: TrackerCompany,
  { isCloud }: { readonly isCloud: boolean },
): Promise<TrackerDouble> =>
  startTrackerDouble(company, (clock) => {
    const description = isCloud ? readDescription('jira-openapi.json') : null;
    return (request) => {
      const expected = isCloud ? AUTHORIZATION.cloud : AUTHORIZATION.server;
      if (request.headers.authorization !== expected) return { status: 401, body: 'Client must be authenticated' };
      const flavour = { isCloud, site: request.origin };
      const [name, answer] = answerOf(request, company, flavour, clock());
      const body: unknown = request.body === '' ? null : JSON.parse(request.body);
      description?.checkRequest(name, request.query, body);
      if ((answer.status ?? 200) === 200) description?.checkAnswer(name, answer.body);
      return answer;
    };
  });

type Named = readonly [string, DoubleAnswer];

function answerOf(request: DoubleRequest, company: TrackerCompany, flavour: JiraFlavour, now: Date): Named {
  const { path, query, method } = request;
  const named = (body: unknown, place = path): Named => [`${method.toLowerCase()} ${place}`, { body }];
  const api = flavour.isCloud ? '/rest/api/3' : '/rest/api/2';
  const start = Number(query.get('startAt') ?? 0);
  const paged = <T>(list: readonly T[], most: number) => {
    const values = list.slice(start, start + Math.min(most, Number(query.get('maxResults') ?? 50)));
    return { startAt: start, maxResults: most, isLast: start + values.length >= list.length, values };
  };
  switch (path) {
    case `${api}/serverInfo`:
      return named({ deploymentType: flavour.isCloud ? 'Cloud' : 'Server', serverTitle: 'Works', version: '10.3.1' });
    case `${api}/myself`:
      return named(userOf(company.members[0]!, flavour));
    case `${api}/project/search`: {
      const project = { id: String(company.project.id), key: company.project.key, name: company.project.name };
      const keys = query.getAll('keys');
      return named({ ...paged(keys.length === 0 || keys.includes(project.key) ? [project] : [], 50), total: 1 });
    }
    case `${api}/project`:
      return named([{ id: String(company.project.id), key: company.project.key, name: company.project.name }]);
    case `${api}/field`:
      return named(FIELDS);
    case `${api}/status`:
      return named(livingStatuses.map(statusOf));
    case `${api}/search/jql`:
    case `${api}/search`:
      return [`${method.toLowerCase()} ${path}`, search(JSON.parse(request.body), company, flavour, now)];
    case `${api}/changelog/bulkfetch`:
      return named(changelogs(JSON.parse(request.body), company, flavour));
    case '/rest/agile/1.0/board':
      return named(
        paged(
          company.boards.map(({ id, name, isKanban }) => ({ id, name, type: isKanban ? 'kanban' : 'scrum' })),
          2,
        ),
      );
    default: {
      const board = company.boards.find(({ id }) => path === `/rest/agile/1.0/board/${id}/sprint`);
      if (board === undefined) throw new Error(`${method} ${path} is not known here`);
      const place = '/rest/agile/1.0/board/{boardId}/sprint';
      if (board.isKanban) return [`get ${place}`, { status: 400, body: { errorMessages: ['no sprints'] } }];
      // Shown on both boards, made on one.
      return named(paged(company.sprints.map(sprintOf), 2), place);
    }
  }
}

const sprintOf = (sprint: TrackerCompany['sprints'][number]) => ({
  id: sprint.id,
  self: `https://example.test/rest/agile/1.0/sprint/${sprint.id}`,
  state: sprint.state,
  name: sprint.name,
  originBoardId: sprint.boardId,
  ...(sprint.startsAt === null ? {} : { startDate: jiraTime(sprint.startsAt), endDate: jiraTime(sprint.endsAt!) }),
  ...(sprint.completedAt === null ? {} : { completeDate: jiraTime(sprint.completedAt) }),
});

interface Bulk {
  readonly issueIdsOrKeys: readonly string[];
  readonly fieldIds: readonly string[];
  readonly nextPageToken?: string;
}

function changelogs({ issueIdsOrKeys, fieldIds, nextPageToken }: Bulk, company: TrackerCompany, flavour: JiraFlavour) {
  const all = company.issues
    .filter(({ id }) => issueIdsOrKeys.includes(String(id)))
    .flatMap((issue) => issue.changes.map((change) => ({ issue, history: historyOf(change, flavour) })))
    .filter(({ history }) =>
      history.items.some((item) => 'fieldId' in item && fieldIds.includes(String(item.fieldId))),
    );
  const start = Number(nextPageToken ?? 0);
  const page = all.slice(start, start + CHANGES_PAGE);
  const byIssue = new Map<number, unknown[]>();
  for (const { issue, history } of page) byIssue.set(issue.id, [...(byIssue.get(issue.id) ?? []), history]);
  const issueChangeLogs = [...byIssue].map(([id, changeHistories]) => ({ issueId: String(id), changeHistories }));
  const end = start + page.length;
  return { issueChangeLogs, ...(end < all.length ? { nextPageToken: String(end) } : {}) };
}
