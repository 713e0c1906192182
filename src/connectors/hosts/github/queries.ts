// The GraphQL queries. test/connectors/hosts/github-graphql.test.ts validates each against GitHub's published schema and
// against those of Enterprise Server from 3.10 on.

const ACTOR = `__typename login
      ... on User { databaseId name }
      ... on Bot { databaseId }
      ... on Mannequin { databaseId }`;

/** Enterprise Server up to 3.12 has no 64-bit ids. */
export type IdField = 'fullDatabaseId' | 'databaseId';

interface NestedList {
  /** With the pull request itself; the rest is fetched by itself. */
  readonly first: number;
  readonly argument?: string;
  selection(id: IdField): string;
}

/** Lists of a pull request. Each tells its total, so that what does not fit is noticed. */
export const PULL_REQUEST_LISTS = {
  labels: { first: 20, selection: () => 'name' },
  assignees: { first: 10, selection: () => '__typename login databaseId name' },
  closingIssuesReferences: { first: 10, selection: () => 'number repository { nameWithOwner }' },
  commits: {
    first: 50,
    selection: () => 'commit { oid authoredDate author { email user { __typename login databaseId name } } }',
  },
  reviews: {
    first: 30,
    selection: (id) => `${id} state submittedAt author { ${ACTOR} } commit { oid }`,
  },
  reviewThreads: {
    first: 30,
    selection: (id) => `isResolved comments(first: 1) { nodes { ${id} } }`,
  },
  timelineItems: {
    first: 30,
    argument:
      'itemTypes: [READY_FOR_REVIEW_EVENT, CONVERT_TO_DRAFT_EVENT, REVIEW_REQUESTED_EVENT, CLOSED_EVENT, REOPENED_EVENT, HEAD_REF_FORCE_PUSHED_EVENT, BASE_REF_CHANGED_EVENT]',
    selection: () => `__typename
      ... on ReadyForReviewEvent { id createdAt actor { ${ACTOR} } }
      ... on ConvertToDraftEvent { id createdAt actor { ${ACTOR} } }
      ... on ReviewRequestedEvent { id createdAt actor { ${ACTOR} } requestedReviewer { __typename
        ... on User { login databaseId name } ... on Mannequin { login databaseId } } }
      ... on ClosedEvent { id createdAt actor { ${ACTOR} } }
      ... on ReopenedEvent { id createdAt actor { ${ACTOR} } }
      ... on HeadRefForcePushedEvent { id createdAt actor { ${ACTOR} } beforeCommit { oid } afterCommit { oid } }
      ... on BaseRefChangedEvent { id createdAt actor { ${ACTOR} } previousRefName currentRefName }`,
  },
} as const satisfies Record<string, NestedList>;

export type PullRequestList = keyof typeof PULL_REQUEST_LISTS;
export const PULL_REQUEST_LIST_NAMES = Object.keys(PULL_REQUEST_LISTS) as PullRequestList[];

const list = (name: PullRequestList, id: IdField, bounds: string): string => {
  const { argument, selection }: NestedList = PULL_REQUEST_LISTS[name];
  const args = [bounds, ...(argument === undefined ? [] : [argument])].join(', ');
  return `${name}(${args}) { totalCount pageInfo { hasNextPage endCursor } nodes { ${selection(id)} } }`;
};

const PULL_REQUEST = (id: IdField) => `${id} number title state isDraft createdAt updatedAt closedAt mergedAt url
    headRefName baseRefName headRefOid author { ${ACTOR} } mergedBy { ${ACTOR} }
    mergeCommit { oid authoredDate parents { totalCount } }`;

const lists = (id: IdField): string =>
  PULL_REQUEST_LIST_NAMES.map((name) => list(name, id, `first: ${PULL_REQUEST_LISTS[name].first}`)).join('\n    ');

/** Newest change first. `isLight` leaves the lists out, which are then fetched one by one. */
export const pullRequestsQuery = (id: IdField, isLight: boolean): string => `
query ($owner: String!, $name: String!, $first: Int!, $after: String, $isFirst: Boolean!, $yearAgo: GitTimestamp!) {
  repository(owner: $owner, name: $name) {
    databaseId
    defaultBranchRef @include(if: $isFirst) {
      target { __typename ... on Commit { history(since: $yearAgo) { totalCount } } }
    }
    pullRequests(first: $first, after: $after, orderBy: { field: UPDATED_AT, direction: DESC }) {
      totalCount
      pageInfo { hasNextPage endCursor }
      nodes {
    ${PULL_REQUEST(id)}
    ${isLight ? '' : lists(id)}
      }
    }
  }
}`;

export const pullRequestQuery = (id: IdField): string => `
query ($owner: String!, $name: String!, $number: Int!) {
  repository(owner: $owner, name: $name) {
    databaseId
    pullRequest(number: $number) {
    ${PULL_REQUEST(id)}
    ${lists(id)}
    }
  }
}`;

/** What of one list did not fit. */
export const pullRequestListQuery = (name: PullRequestList, id: IdField): string => `
query ($owner: String!, $name: String!, $number: Int!, $first: Int!, $after: String) {
  repository(owner: $owner, name: $name) {
    databaseId
    pullRequest(number: $number) {
    ${list(name, id, 'first: $first, after: $after')}
    }
  }
}`;

export const deploymentsQuery = (): string => `
query ($owner: String!, $name: String!, $first: Int!, $after: String) {
  repository(owner: $owner, name: $name) {
    databaseId
    deployments(first: $first, after: $after, orderBy: { field: CREATED_AT, direction: DESC }) {
      totalCount
      pageInfo { hasNextPage endCursor }
      nodes {
        id environment commitOid state createdAt updatedAt ref { name } creator { ${ACTOR} }
        statuses(first: 20) { totalCount nodes { state createdAt environmentUrl } }
      }
    }
  }
}`;

/** Of many repos at once: what changed last. The names are places in `$`-variables, so that no path is part of the text. */
export function probeQuery(count: number): string {
  const numbers = Array.from({ length: count }, (_, index) => index);
  const variables = numbers.map((n) => `$o${n}: String!, $n${n}: String!`).join(', ');
  const parts = numbers.map(
    (n) => `r${n}: repository(owner: $o${n}, name: $n${n}) {
    databaseId
    pullRequests(first: 1, orderBy: { field: UPDATED_AT, direction: DESC }) { nodes { updatedAt } }
    issues(first: 1, orderBy: { field: UPDATED_AT, direction: DESC }) { nodes { updatedAt } }
  }`,
  );
  return `query (${variables}) {\n  ${parts.join('\n  ')}\n}`;
}
