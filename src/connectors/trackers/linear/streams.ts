// Issues with their history, projects, workflow states and cycles.
import { needTime, readTime } from '../../../domain/collect/read-time.ts';
import type { ItemFetcher, Page, PageRequest, Stream } from '../../../domain/collect/stream.ts';
import { HostError } from '../../../domain/repos/code-host.ts';
import type { CollectedIssue, CollectedSprint } from '../../../domain/work/issue.ts';
import {
  cyclesPage,
  historyPage,
  issuesPage,
  type LinearEntry,
  type LinearIssue,
  oneIssueAnswer,
  projectsPage,
  statesPage,
} from './answers.ts';
import type { LinearClient } from './client.ts';
import { normaliseIssue, normaliseProject, readState } from './normalise.ts';
import { CYCLES, HISTORY_OF_ISSUE, ISSUES, ONE_ISSUE, PROJECTS, STATES } from './queries.ts';

type Request = PageRequest<LinearClient>;

const common = { scope: 'tracker', resource: 'core', overlapMinutes: 5 } as const;
const ENTRIES_AT_ONCE = 50;
const right = { needs: 'an API key with read access', brings: 'issues, their estimates, history and cycles' };

const variablesOf = ({ cursor, pageSize, since }: Request) => ({
  first: pageSize,
  after: typeof cursor?.after === 'string' ? cursor.after : null,
  filter: since === null ? null : { updatedAt: { gte: since.toISOString() } },
});

interface PageInfo {
  readonly hasNextPage: boolean;
  readonly endCursor?: string | null | undefined;
}

const nextOf = ({ hasNextPage, endCursor }: PageInfo) =>
  hasNextPage && endCursor != null ? { after: endCursor } : null;

/** Newest change first: what changes meanwhile comes again, and nothing is passed over. */
function newestFirst(nodes: readonly { readonly updatedAt: string }[], pageInfo: PageInfo): Omit<Page, 'collected'> {
  const times = nodes.map(({ updatedAt }) => Date.parse(updatedAt));
  return {
    next: nextOf(pageInfo),
    itemCount: nodes.length,
    oldest: times.length === 0 ? null : new Date(Math.min(...times)),
    newest: times.length === 0 ? null : new Date(Math.max(...times)),
  };
}

export const issues: Stream<LinearClient> = {
  ...common,
  name: 'issues',
  order: 'newest_first',
  priority: 2,
  everyMinutes: 10,
  pageSize: { first: 25, most: 50 },
  right,
  async page(request) {
    const { client, signal } = request;
    const { issues: found } = await client.query(ISSUES, variablesOf(request), issuesPage, signal);
    const list: CollectedIssue[] = [];
    for (const issue of found.nodes) list.push(normaliseIssue(issue, await wholeHistory(client, issue, signal)));
    return {
      ...newestFirst(found.nodes, found.pageInfo),
      collected: { issues: list, statuses: found.nodes.map(({ state }) => readState(state)) },
    };
  },
};

export const oneIssue: ItemFetcher<LinearClient> = {
  kind: 'issue',
  scope: 'tracker',
  resource: 'core',
  async fetch({ client, key, signal }) {
    const { issue } = await client.query(ONE_ISSUE, { id: key }, oneIssueAnswer, signal);
    const history = await wholeHistory(client, issue, signal);
    return { issues: [normaliseIssue(issue, history)], statuses: [readState(issue.state)] };
  },
};

async function wholeHistory(client: LinearClient, issue: LinearIssue, signal: AbortSignal): Promise<LinearEntry[]> {
  const entries = [...issue.history.nodes];
  let { pageInfo } = issue.history;
  while (pageInfo.hasNextPage) {
    const after = pageInfo.endCursor ?? null;
    const variables = { id: issue.id, first: ENTRIES_AT_ONCE, after };
    const { issue: more } = await client.query(HISTORY_OF_ISSUE, variables, historyPage, signal);
    if (more.history.pageInfo.hasNextPage && more.history.pageInfo.endCursor === after) {
      throw new HostError('unexpected_answer', `Linear leads to the same history of ${issue.identifier} again`);
    }
    entries.push(...more.history.nodes);
    pageInfo = more.history.pageInfo;
  }
  return entries;
}

export const projects: Stream<LinearClient> = {
  ...common,
  name: 'projects',
  order: 'newest_first',
  priority: 2,
  everyMinutes: 30,
  pageSize: { first: 50, most: 50 },
  right,
  async page(request) {
    const { client, signal } = request;
    const { projects: found } = await client.query(PROJECTS, variablesOf(request), projectsPage, signal);
    return { ...newestFirst(found.nodes, found.pageInfo), collected: { issues: found.nodes.map(normaliseProject) } };
  },
};

export const states: Stream<LinearClient> = {
  ...common,
  name: 'statuses',
  order: 'census',
  priority: 1,
  everyMinutes: 24 * 60,
  pageSize: { first: 100, most: 100 },
  right,
  async page({ client, cursor, pageSize, signal }) {
    const variables = { first: pageSize, after: cursor?.after ?? null };
    const { workflowStates } = await client.query(STATES, variables, statesPage, signal);
    return {
      collected: { statuses: workflowStates.nodes.map(readState) },
      next: nextOf(workflowStates.pageInfo),
      itemCount: workflowStates.nodes.length,
      oldest: null,
      newest: null,
    };
  },
};

export const cycles: Stream<LinearClient> = {
  ...common,
  name: 'sprints',
  order: 'census',
  priority: 2,
  everyMinutes: 60,
  pageSize: { first: 100, most: 100 },
  right,
  async page({ client, cursor, pageSize, signal }) {
    const variables = { first: pageSize, after: cursor?.after ?? null };
    const { cycles: found } = await client.query(CYCLES, variables, cyclesPage, signal);
    const now = client.now().toISOString();
    const sprints = found.nodes.map((cycle): CollectedSprint => {
      const starts_at = needTime(cycle.startsAt, 'a cycle');
      const completed_at = readTime(cycle.completedAt);
      return {
        external_id: cycle.id,
        board_id: cycle.team.id,
        name: cycle.name ? cycle.name : `${cycle.team.name} cycle ${cycle.number}`,
        state: completed_at !== null ? 'closed' : starts_at > now ? 'future' : 'active',
        starts_at,
        ends_at: needTime(cycle.endsAt, 'a cycle'),
        completed_at,
      };
    });
    return {
      collected: { sprints },
      next: nextOf(found.pageInfo),
      itemCount: found.nodes.length,
      oldest: null,
      newest: null,
    };
  },
};
