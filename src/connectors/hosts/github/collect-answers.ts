// What we read of GitHub's answers while collecting.
import { z } from 'zod';
import { graphqlActor, restUser } from './accounts.ts';

export const restRepository = z.object({ id: z.int(), full_name: z.string() });
export const graphqlRepository = z.object({ repository: z.looseObject({ databaseId: z.int() }).nullable() });

export const pageInfo = z.object({ hasNextPage: z.boolean(), endCursor: z.string().nullish() });
/** GitHub leaves a null in the place of what it could not give. */
const listOf = <T extends z.ZodType>(node: T) =>
  z.object({ totalCount: z.int(), pageInfo, nodes: z.array(node.nullable()).nullish() });

const id = { fullDatabaseId: z.coerce.string().optional(), databaseId: z.coerce.string().optional() };
const oid = z.object({ oid: z.string() }).nullish();

export const LIST_NODES = {
  labels: z.object({ name: z.string() }),
  assignees: graphqlActor.unwrap().unwrap(),
  closingIssuesReferences: z.object({ number: z.int(), repository: z.object({ nameWithOwner: z.string() }) }),
  commits: z.object({
    commit: z.object({
      oid: z.string(),
      authoredDate: z.string().nullish(),
      author: z.object({ email: z.string().nullish(), user: graphqlActor }).nullish(),
    }),
  }),
  reviews: z.object({ ...id, state: z.string(), submittedAt: z.string().nullish(), author: graphqlActor, commit: oid }),
  reviewThreads: z.object({
    isResolved: z.boolean(),
    comments: z.object({ nodes: z.array(z.object(id).nullable()).nullish() }),
  }),
  timelineItems: z.object({
    __typename: z.string(),
    id: z.string().optional(),
    createdAt: z.string().optional(),
    actor: graphqlActor,
    requestedReviewer: graphqlActor,
    beforeCommit: oid,
    afterCommit: oid,
    previousRefName: z.string().nullish(),
    currentRefName: z.string().nullish(),
  }),
} as const;

const pullRequestFields = {
  ...id,
  number: z.int(),
  title: z.string(),
  isDraft: z.boolean(),
  createdAt: z.string(),
  updatedAt: z.string(),
  closedAt: z.string().nullish(),
  mergedAt: z.string().nullish(),
  url: z.string(),
  headRefName: z.string(),
  baseRefName: z.string(),
  headRefOid: z.string().nullish(),
  author: graphqlActor,
  mergedBy: graphqlActor,
  mergeCommit: z
    .object({ oid: z.string(), authoredDate: z.string().nullish(), parents: z.object({ totalCount: z.int() }) })
    .nullish(),
};

/** The lists are absent from a light answer, and null where GitHub could not give one. */
export const graphqlPullRequest = z.object({
  ...pullRequestFields,
  labels: listOf(LIST_NODES.labels).nullish(),
  assignees: listOf(LIST_NODES.assignees).nullish(),
  closingIssuesReferences: listOf(LIST_NODES.closingIssuesReferences).nullish(),
  commits: listOf(LIST_NODES.commits).nullish(),
  reviews: listOf(LIST_NODES.reviews).nullish(),
  reviewThreads: listOf(LIST_NODES.reviewThreads).nullish(),
  timelineItems: listOf(LIST_NODES.timelineItems).nullish(),
});
export type GraphqlPullRequest = z.infer<typeof graphqlPullRequest>;

export const graphqlPullRequests = z.object({
  /** Null for a repo without a commit; absent where it was not asked for, or too much to count. */
  defaultBranchRef: z
    .object({ target: z.object({ history: z.object({ totalCount: z.int() }).nullish() }).nullish() })
    .nullish(),
  pullRequests: z.object({ totalCount: z.int(), pageInfo, nodes: z.array(graphqlPullRequest.nullable()) }),
});
export const graphqlOnePullRequest = z.object({ pullRequest: graphqlPullRequest.nullable() });

export const graphqlDeployments = z.object({
  deployments: z.object({
    totalCount: z.int(),
    pageInfo,
    nodes: z.array(
      z
        .object({
          id: z.string(),
          environment: z.string().nullish(),
          commitOid: z.string(),
          state: z.string().nullish(),
          createdAt: z.string(),
          updatedAt: z.string(),
          ref: z.object({ name: z.string() }).nullish(),
          creator: graphqlActor,
          statuses: z
            .object({
              nodes: z.array(
                z.object({ state: z.string(), createdAt: z.string(), environmentUrl: z.string().nullish() }).nullable(),
              ),
            })
            .nullish(),
        })
        .nullable(),
    ),
  }),
});

export const restReviewComments = z.array(
  z.object({
    id: z.int(),
    pull_request_review_id: z.int().nullish(),
    in_reply_to_id: z.int().nullish(),
    pull_request_url: z.string(),
    path: z.string(),
    line: z.int().nullish(),
    original_line: z.int().nullish(),
    side: z.string().nullish(),
    commit_id: z.string().nullish(),
    original_commit_id: z.string().nullish(),
    body: z.string(),
    user: restUser,
    created_at: z.string(),
    updated_at: z.string(),
  }),
);

export const restIssueComments = z.array(
  z.object({
    id: z.int(),
    html_url: z.string(),
    issue_url: z.string(),
    body: z.string().nullish(),
    user: restUser,
    created_at: z.string(),
    updated_at: z.string(),
  }),
);

export const restIssue = z.object({
  id: z.int(),
  number: z.int(),
  title: z.string(),
  state: z.string(),
  state_reason: z.string().nullish(),
  html_url: z.string(),
  repository_url: z.string(),
  labels: z.array(z.union([z.string(), z.object({ name: z.string().nullish() })])),
  assignee: restUser,
  user: restUser,
  type: z.object({ name: z.string() }).nullish(),
  parent_issue_url: z.string().nullish(),
  pull_request: z.unknown().optional(),
  created_at: z.string(),
  updated_at: z.string(),
  closed_at: z.string().nullish(),
});
export const restIssues = z.array(restIssue);
export type RestIssue = z.infer<typeof restIssue>;

export const restIssueEvents = z.array(
  z.object({
    id: z.int(),
    event: z.string(),
    created_at: z.string(),
    actor: restUser,
    assignee: restUser,
    issue: z.object({ id: z.int(), pull_request: z.unknown().optional() }).nullish(),
  }),
);

export const restRuns = z.object({
  total_count: z.int(),
  workflow_runs: z.array(
    z.object({
      id: z.int(),
      name: z.string().nullish(),
      path: z.string().optional(),
      head_branch: z.string().nullish(),
      head_sha: z.string(),
      event: z.string(),
      status: z.string().nullish(),
      conclusion: z.string().nullish(),
      run_attempt: z.int().optional(),
      created_at: z.string(),
      updated_at: z.string(),
      run_started_at: z.string().optional(),
      html_url: z.string(),
      actor: restUser,
    }),
  ),
});

export const restTeams = z.array(
  z.object({ id: z.int(), slug: z.string(), name: z.string(), parent: z.object({ id: z.int() }).nullish() }),
);
export const restMembers = z.array(restUser.unwrap().unwrap());
