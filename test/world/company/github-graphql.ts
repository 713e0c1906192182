// A repo of the company as GitHub's GraphQL shows it: objects that the published schema resolves by their names.
import { Buffer } from 'node:buffer';
import type { Company, CompanyRepo, Deployed, Person, Pull, PullEvent } from './company.ts';
import { type Bounds, connection } from './github-connection.ts';

/** By the last item's own place in the order, so that what moves to the front meanwhile shifts nothing. */
function keyset<T>(all: readonly T[], { first = 30, after }: Bounds, keyOf: (item: T) => string) {
  const afterKey = after == null ? null : Buffer.from(after, 'base64').toString('utf8');
  const left = afterKey === null ? all : all.filter((item) => keyOf(item) < afterKey);
  const nodes = left.slice(0, first);
  const last = nodes.at(-1);
  return {
    totalCount: all.length,
    nodes,
    pageInfo: {
      hasNextPage: left.length > nodes.length,
      endCursor: last === undefined ? null : Buffer.from(keyOf(last)).toString('base64'),
      hasPreviousPage: false,
      startCursor: null,
    },
  };
}

const actor = (person: Person | null) =>
  person === null
    ? null
    : {
        __typename: person.isBot ? 'Bot' : 'User',
        login: person.login.replace('[bot]', ''),
        databaseId: person.id,
        name: person.name,
      };

const EVENTS: Readonly<Record<PullEvent['kind'], readonly [type: string, item: string]>> = {
  ready: ['ReadyForReviewEvent', 'READY_FOR_REVIEW_EVENT'],
  draft: ['ConvertToDraftEvent', 'CONVERT_TO_DRAFT_EVENT'],
  review_requested: ['ReviewRequestedEvent', 'REVIEW_REQUESTED_EVENT'],
  closed: ['ClosedEvent', 'CLOSED_EVENT'],
  reopened: ['ReopenedEvent', 'REOPENED_EVENT'],
  force_pushed: ['HeadRefForcePushedEvent', 'HEAD_REF_FORCE_PUSHED_EVENT'],
};

function pullRequest(company: Company, repo: CompanyRepo, pull: Pull) {
  const threads = pull.comments.filter(({ place, answers }) => place !== null && answers === null);
  const landed = pull.mergeSha;
  const last = pull.commits.at(-1)!;
  return {
    __typename: 'PullRequest',
    fullDatabaseId: String(pull.id),
    databaseId: pull.id,
    number: pull.number,
    title: pull.title,
    state: pull.mergedAt !== null ? 'MERGED' : pull.closedAt !== null ? 'CLOSED' : 'OPEN',
    isDraft: pull.isDraft,
    createdAt: pull.createdAt,
    updatedAt: pull.updatedAt,
    closedAt: pull.closedAt,
    mergedAt: pull.mergedAt,
    url: `https://github.example.com/${company.organization}/${repo.name}/pull/${pull.number}`,
    headRefName: pull.branch,
    baseRefName: pull.base,
    headRefOid: last.sha,
    author: actor(pull.author),
    mergedBy: actor(pull.mergedBy),
    // GitHub shows a test merge of open ones as well.
    mergeCommit: {
      oid: landed ?? 'e'.repeat(40),
      authoredDate: pull.mergeMethod === 'rebase' ? last.at : (pull.mergedAt ?? pull.createdAt),
      parents: { totalCount: pull.mergeMethod === 'merge' || landed === null ? 2 : 1 },
    },
    labels: (bounds: Bounds) =>
      connection(
        pull.labels.map((name) => ({ name })),
        bounds,
      ),
    assignees: (bounds: Bounds) => connection(pull.assignees.map(actor), bounds),
    closingIssuesReferences: (bounds: Bounds) =>
      connection(
        pull.closes.map((number) => ({
          number,
          repository: { nameWithOwner: `${company.organization}/${repo.name}` },
        })),
        bounds,
      ),
    commits: (bounds: Bounds) =>
      connection(
        pull.commits.map(({ sha, at, by }) => ({
          commit: { oid: sha, authoredDate: at, author: { email: by.email, user: by.isBot ? null : actor(by) } },
        })),
        bounds,
      ),
    reviews: (bounds: Bounds) =>
      connection(
        pull.reviews.map(({ id, by, state, at }) => ({
          fullDatabaseId: String(id),
          databaseId: id,
          state: state.toUpperCase(),
          submittedAt: at,
          author: actor(by),
          commit: { oid: last.sha },
        })),
        bounds,
      ),
    reviewThreads: (bounds: Bounds) =>
      connection(
        threads.map(({ id }) => ({
          isResolved: pull.resolved.has(id),
          comments: (inner: Bounds) => connection([{ fullDatabaseId: String(id), databaseId: id }], inner),
        })),
        bounds,
      ),
    timelineItems: ({ itemTypes, ...bounds }: Bounds & { itemTypes: readonly string[] }) =>
      connection(
        pull.events
          .filter(({ kind }) => itemTypes.includes(EVENTS[kind][1]))
          .map(({ id, kind, at, by, of }) => ({
            __typename: EVENTS[kind][0],
            id: `EV_${id}`,
            createdAt: at,
            actor: actor(by),
            requestedReviewer: actor(of),
          })),
        bounds,
      ),
  };
}

const deployment = (made: Deployed) => ({
  id: `DE_${made.id}`,
  environment: made.environment,
  commitOid: made.sha,
  state: made.state === 'success' ? 'ACTIVE' : 'FAILURE',
  createdAt: made.createdAt,
  updatedAt: made.finishedAt,
  ref: { name: 'main' },
  creator: actor(made.by),
  statuses: (bounds: Bounds) =>
    connection([{ state: made.state.toUpperCase(), createdAt: made.finishedAt, environmentUrl: null }], bounds),
});

/** Any number that differs from repo to repo. */
export const pastYearCommits = (repo: CompanyRepo): number => repo.pulls.length * 3 + 1;

export function graphqlRepository(company: Company, repo: CompanyRepo) {
  const byChange = ({ updatedAt, number }: Pull) => `${updatedAt} ${String(number).padStart(9, '0')}`;
  const newestFirst = <T>(items: readonly T[], keyOf: (item: T) => string) =>
    [...items].sort((a, b) => (keyOf(a) < keyOf(b) ? 1 : -1));
  return {
    databaseId: repo.id,
    defaultBranchRef: {
      target: { __typename: 'Commit', history: () => ({ totalCount: pastYearCommits(repo) }) },
    },
    pullRequests(bounds: Bounds) {
      const page = keyset(newestFirst(repo.pulls, byChange), bounds, byChange);
      return { ...page, nodes: page.nodes.map((pull) => pullRequest(company, repo, pull)) };
    },
    pullRequest({ number }: { number: number }) {
      const pull = repo.pulls.find((candidate) => candidate.number === number);
      return pull === undefined ? null : pullRequest(company, repo, pull);
    },
    issues(bounds: Bounds) {
      const keyOf = ({ updatedAt, id }: { readonly updatedAt: string; readonly id: number }) => `${updatedAt} ${id}`;
      return keyset(newestFirst(repo.issues, keyOf), bounds, keyOf);
    },
    deployments(bounds: Bounds) {
      const keyOf = ({ createdAt, id }: Deployed) => `${createdAt} ${id}`;
      const page = keyset(newestFirst(repo.deployments, keyOf), bounds, keyOf);
      return { ...page, nodes: page.nodes.map(deployment) };
    },
  };
}
