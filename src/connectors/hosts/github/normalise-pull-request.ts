// Pull requests of GitHub in the shape that all hosts share.
import { fingerprintOf } from '../../../domain/collect/fingerprint.ts';
import { needTime, readTime } from '../../../domain/collect/read-time.ts';
import {
  type CollectedPullRequest,
  type CollectedReview,
  type MergeMethod,
  openedAt,
  type PullRequestCommit,
  type PullRequestEvent,
  type ReviewState,
} from '../../../domain/reviews/pull-request.ts';
import { incompleteDetail } from '../../collect/item-lists.ts';
import type { AccountReader } from './accounts.ts';
import type { GraphqlPullRequest } from './collect-answers.ts';

type Lists = {
  readonly [K in
    | 'labels'
    | 'assignees'
    | 'closingIssuesReferences'
    | 'commits'
    | 'reviews'
    | 'reviewThreads'
    | 'timelineItems']: readonly NonNullable<NonNullable<NonNullable<GraphqlPullRequest[K]>['nodes']>[number]>[];
};

/** With all lists complete; `missing` names those that could not be fetched. */
export function normalisePullRequest(
  node: GraphqlPullRequest,
  lists: Lists,
  missing: readonly string[],
  accounts: AccountReader,
): CollectedPullRequest {
  const commits = lists.commits.map(({ commit }): PullRequestCommit => {
    const author = accounts.actor(commit.author?.user);
    const email = commit.author?.email ?? null;
    return {
      sha: commit.oid,
      authored_at: readTime(commit.authoredDate),
      author:
        author === null || email === null ? author : { ...author, commit_emails: [...author.commit_emails, email] },
    };
  });
  const events = lists.timelineItems.flatMap((item): PullRequestEvent[] => readEvent(item, accounts));
  const mergedAt = readTime(node.mergedAt);
  const landing = mergedAt === null ? null : (node.mergeCommit ?? null);
  const method = landing === null ? null : mergeMethod(landing, commits);
  const createdAt = needTime(node.createdAt, 'a pull request');
  const id = idOf(node);
  return {
    external_id: id,
    number: node.number,
    title: node.title,
    url: node.url,
    branch_name: node.headRefName,
    base_branch: node.baseRefName,
    head_sha: node.headRefOid ?? null,
    is_draft: node.isDraft,
    created_at: createdAt,
    updated_at: needTime(node.updatedAt, 'a pull request'),
    opened_at: openedAt(createdAt, events),
    closed_at: readTime(node.closedAt),
    merged_at: mergedAt,
    merge_sha: landing?.oid ?? null,
    squash_sha: method === 'squash' ? landing!.oid : null,
    merge_method: method,
    author: accounts.actor(node.author),
    merged_by: accounts.actor(node.mergedBy),
    assignees: lists.assignees.map((actor) => accounts.actor(actor)).filter((account) => account !== null),
    labels: lists.labels.map(({ name }) => name),
    closes_keys: lists.closingIssuesReferences.map(({ number, repository }) => `${repository.nameWithOwner}#${number}`),
    fingerprint: fingerprintOf({
      updated: node.updatedAt,
      state: [node.closedAt, node.mergedAt],
      counts: Object.values(lists).map(({ length }) => length),
    }),
    children: {
      commits,
      reviews: lists.reviews.flatMap((review): CollectedReview[] => {
        const state = REVIEW_STATES[review.state];
        const submitted = readTime(review.submittedAt);
        // A pending one is a draft of the token's owner.
        if (state === undefined || submitted === null) return [];
        return [
          {
            external_id: idOf(review),
            reviewer: accounts.actor(review.author),
            state,
            submitted_at: submitted,
            commit_sha: review.commit?.oid ?? null,
          },
        ];
      }),
      events,
      threads: lists.reviewThreads.flatMap(({ isResolved, comments }) => {
        const first = comments.nodes?.[0];
        if (first == null) return [];
        return [{ external_id: `r${idOf(first)}`, is_resolved: isResolved, resolved_at: null }];
      }),
      comments: null,
      incomplete_detail: incompleteDetail('GitHub', missing),
    },
  };
}

export function idOf({
  fullDatabaseId,
  databaseId,
}: {
  fullDatabaseId?: string | undefined;
  databaseId?: string | undefined;
}): string {
  const id = fullDatabaseId ?? databaseId;
  if (id === undefined) throw new Error('GitHub gives no id');
  return id;
}

const REVIEW_STATES: Readonly<Record<string, ReviewState>> = {
  APPROVED: 'approved',
  CHANGES_REQUESTED: 'changes_requested',
  COMMENTED: 'commented',
  DISMISSED: 'dismissed',
};

/**
 * By the commit that landed: a merge has two parents; a fast-forward is one of the pull request's own commits; a rebase
 * keeps the author date of the last of them, and a squash is written anew.
 */
function mergeMethod(
  landing: NonNullable<GraphqlPullRequest['mergeCommit']>,
  commits: readonly PullRequestCommit[],
): MergeMethod {
  if (landing.parents.totalCount > 1) return 'merge';
  if (commits.some(({ sha }) => sha === landing.oid)) return 'fast_forward';
  const last = commits.at(-1)?.authored_at ?? null;
  return commits.length > 1 && last !== null && last === readTime(landing.authoredDate) ? 'rebase' : 'squash';
}

const EVENT_KINDS: Readonly<Record<string, PullRequestEvent['kind']>> = {
  ReadyForReviewEvent: 'ready',
  ConvertToDraftEvent: 'draft',
  ReviewRequestedEvent: 'review_requested',
  ClosedEvent: 'closed',
  ReopenedEvent: 'reopened',
  HeadRefForcePushedEvent: 'force_pushed',
  BaseRefChangedEvent: 'retargeted',
};

function readEvent(item: Lists['timelineItems'][number], accounts: AccountReader): PullRequestEvent[] {
  const kind = EVENT_KINDS[item.__typename];
  const occurred = readTime(item.createdAt);
  if (kind === undefined || occurred === null || item.id === undefined) return [];
  return [
    {
      external_id: item.id,
      kind,
      occurred_at: occurred,
      actor: accounts.actor(item.actor),
      subject: accounts.actor(item.requestedReviewer),
      before: item.beforeCommit?.oid ?? item.previousRefName ?? null,
      after: item.afterCommit?.oid ?? item.currentRefName ?? null,
    },
  ];
}
