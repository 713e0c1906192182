// Pull requests of Bitbucket Data Center in the shape that all hosts share. What happened is told by activities.
import { fingerprintOf } from '../../../domain/collect/fingerprint.ts';
import { needTime, readTime } from '../../../domain/collect/read-time.ts';
import type { Scope } from '../../../domain/collect/stream.ts';
import type {
  CollectedComment,
  CollectedPullRequest,
  CollectedReview,
  MergeMethod,
  PullRequestEvent,
} from '../../../domain/reviews/pull-request.ts';
import { incompleteDetail } from '../../collect/item-lists.ts';
import { serverUserToAccount } from './accounts.ts';
import type { ServerActivity, ServerComment, ServerCommit, ServerPullRequest } from './collect-answers.ts';

export interface PullRequestLists {
  readonly activities: readonly ServerActivity[];
  /** Newest first, as Bitbucket lists them. */
  readonly commits: readonly ServerCommit[];
  readonly landing: ServerCommit | null;
  /** What could not be fetched. */
  readonly missing: readonly string[];
}

/** Numbers are unique within a repo. */
export const externalId = (scope: Scope, { id }: ServerPullRequest): string => `${scope.external_id}/${id}`;

export const fingerprintOfRequest = (item: ServerPullRequest): string =>
  fingerprintOf({
    version: [item.version, item.updatedDate, item.state, item.draft],
    head: item.fromRef.latestCommit,
    votes: item.reviewers?.map(({ user, status }) => [user?.name, status]),
    counts: [item.properties?.commentCount, item.properties?.openTaskCount, item.properties?.resolvedTaskCount],
  });

const branchOf = ({ id, displayId }: ServerPullRequest['fromRef']): string =>
  displayId ?? id.replace(/^refs\/heads\//, '');

export function normalisePullRequest(
  scope: Scope,
  item: ServerPullRequest,
  lists: PullRequestLists,
): CollectedPullRequest {
  const activities = [...lists.activities].sort((a, b) => a.createdDate - b.createdDate || a.id - b.id);
  const isMerged = item.state === 'MERGED';
  const merge = activities.find(({ action }) => action === 'MERGED');
  const closed = item.state === 'OPEN' ? null : readTime(item.closedDate ?? merge?.createdDate ?? item.updatedDate);
  const landing = isMerged ? (merge?.commit?.id ?? null) : null;
  const method = isMerged ? methodOf(landing, lists) : null;
  const created = needTime(item.createdDate, 'a pull request');
  // It may not move when somebody writes a comment.
  const latest = Math.max(item.updatedDate, ...activities.map(({ createdDate }) => createdDate));
  return {
    external_id: externalId(scope, item),
    number: item.id,
    title: item.title,
    url: item.links?.self?.[0]?.href ?? null,
    branch_name: branchOf(item.fromRef),
    base_branch: branchOf(item.toRef),
    head_sha: item.fromRef.latestCommit ?? null,
    is_draft: item.draft ?? false,
    created_at: created,
    updated_at: needTime(latest, 'a pull request'),
    opened_at: created,
    closed_at: closed,
    merged_at: isMerged ? closed : null,
    merge_sha: landing,
    squash_sha: method === 'squash' ? landing : null,
    merge_method: method,
    author: serverUserToAccount(item.author?.user),
    merged_by: isMerged ? serverUserToAccount(merge?.user) : null,
    assignees: [],
    labels: [],
    closes_keys: [],
    fingerprint: fingerprintOfRequest(item),
    children: {
      commits: [...lists.commits]
        .reverse()
        .map(({ id, authorTimestamp }) => ({ sha: id, authored_at: readTime(authorTimestamp), author: null })),
      reviews: readReviews(activities),
      events: activities.flatMap(readEvents),
      ...readComments(activities, item.id),
      incomplete_detail: incompleteDetail('Bitbucket Data Center', lists.missing),
    },
  };
}

/**
 * By the commit that landed: a merge has two parents; a fast-forward is one of the commits; a rebase keeps the message of
 * the last of them, and a squash is written anew.
 */
function methodOf(landing: string | null, { landing: found, commits }: PullRequestLists): MergeMethod | null {
  if (landing === null) return null;
  if (commits.some(({ id }) => id === landing)) return 'fast_forward';
  if (found === null) return null;
  if ((found.parents ?? []).length > 1) return 'merge';
  const [last] = commits;
  return commits.length > 1 && last?.message != null && last.message === found.message ? 'rebase' : 'squash';
}

/** Oldest first. */
function readReviews(activities: readonly ServerActivity[]): CollectedReview[] {
  const reviews: CollectedReview[] = [];
  const lastOf = new Map<string, number>();
  for (const { id, action, user, createdDate } of activities) {
    const reviewer = serverUserToAccount(user);
    const who = reviewer?.external_id ?? '';
    const last = lastOf.get(who);
    if (action === 'UNAPPROVED') {
      // It keeps the time of what was taken back.
      if (last !== undefined) reviews[last] = { ...reviews[last]!, state: 'dismissed' };
      lastOf.delete(who);
    } else if (action === 'APPROVED' || action === 'REVIEWED') {
      const state = action === 'APPROVED' ? 'approved' : 'changes_requested';
      const submitted_at = needTime(createdDate, 'an activity');
      lastOf.set(who, reviews.push({ external_id: String(id), reviewer, state, submitted_at, commit_sha: null }) - 1);
    }
  }
  return reviews;
}

const EVENTS: Readonly<Record<string, PullRequestEvent['kind']>> = {
  DECLINED: 'closed',
  REOPENED: 'reopened',
  MERGED: 'merged',
};

function readEvents({ id, action, user, createdDate, addedReviewers }: ServerActivity): PullRequestEvent[] {
  const event = {
    occurred_at: needTime(createdDate, 'an activity'),
    actor: serverUserToAccount(user),
    before: null,
    after: null,
  };
  const kind = EVENTS[action];
  if (kind !== undefined) return [{ ...event, external_id: String(id), kind, subject: null }];
  return (addedReviewers ?? []).map((reviewer, index) => ({
    ...event,
    external_id: `${id}:${index}`,
    kind: 'review_requested',
    subject: serverUserToAccount(reviewer),
  }));
}

const answersTo = ({ comments }: ServerComment): number[] =>
  (comments ?? []).flatMap((answer) => [answer.id, ...answersTo(answer)]);

/** Answers nest in what they answer. A comment is shown by each activity on it: the newest has its text of today. */
function readComments(activities: readonly ServerActivity[], number: number) {
  const roots = new Map<number, ServerActivity & { comment: ServerComment }>();
  const gone = new Map<number, number>();
  for (const activity of activities) {
    if (activity.action !== 'COMMENTED' || activity.comment == null) continue;
    const { comment } = activity;
    if (activity.commentAction === 'DELETED') gone.set(comment.id, activity.createdDate);
    const known = roots.get(comment.id);
    // An outdated one may lose its place.
    roots.set(comment.id, { ...activity, comment, commentAnchor: known?.commentAnchor ?? activity.commentAnchor });
  }
  // Some versions show an answer by itself as well.
  const nested = new Set([...roots.values()].flatMap(({ comment }) => answersTo(comment)));
  for (const id of nested) roots.delete(id);
  const comments: CollectedComment[] = [];
  for (const { comment: root, commentAnchor: anchor } of roots.values()) {
    const side: CollectedComment['side'] =
      anchor?.line == null ? null : anchor.fileType === 'FROM' || anchor.lineType === 'REMOVED' ? 'left' : 'right';
    const add = (comment: ServerComment): void => {
      const created = needTime(comment.createdDate, 'a comment');
      comments.push({
        external_id: String(comment.id),
        pull_request_number: number,
        author: serverUserToAccount(comment.author),
        is_review_comment: anchor?.path != null,
        body: comment.text ?? '',
        path: anchor?.path ?? null,
        line: anchor?.line ?? null,
        side,
        commit_sha: anchor?.toHash ?? null,
        thread_id: String(root.id),
        review_external_id: null,
        created_at: created,
        updated_at: readTime(comment.updatedDate) ?? created,
        resolved_at: null,
        deleted_at: readTime(gone.get(comment.id)),
      });
      for (const answer of comment.comments ?? []) add(answer);
    };
    add(root);
  }
  const threads = [...roots.values()].map(({ comment }) => ({
    external_id: String(comment.id),
    is_resolved: comment.threadResolved === true,
    resolved_at: comment.threadResolved === true ? readTime(comment.threadResolvedDate) : null,
  }));
  return { comments, threads };
}
