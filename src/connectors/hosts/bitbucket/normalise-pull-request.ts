// Pull requests of Bitbucket Cloud in the shape that all hosts share. When one was merged or declined, and when people
// approved it, is told by its activity only.
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
import { addressOf, bitbucketToAccount } from './accounts.ts';
import type { BitbucketActivity, BitbucketComment, BitbucketCommit, BitbucketPullRequest } from './collect-answers.ts';
import { isWhole } from './collect-client.ts';

export interface PullRequestLists {
  readonly activity: readonly BitbucketActivity[];
  readonly comments: readonly BitbucketComment[];
  /** Newest first, as Bitbucket lists them. */
  readonly commits: readonly BitbucketCommit[];
  readonly landing: BitbucketCommit | null;
  /** What could not be fetched. */
  readonly missing: readonly string[];
}

export const LANDING = 'the commit that landed';

/** Numbers are unique within a repo. */
export const externalId = (scope: Scope, { id }: BitbucketPullRequest): string => `${scope.external_id}/${id}`;

export const fingerprintOfRequest = (item: BitbucketPullRequest): string =>
  fingerprintOf({
    updated: item.updated_on,
    state: [item.state, item.draft, item.title],
    head: item.source.commit?.hash,
    counts: [item.comment_count, item.task_count],
    votes: item.participants?.map(({ user, approved, state }) => [user?.uuid, approved, state]),
  });

export function normalisePullRequest(
  scope: Scope,
  item: BitbucketPullRequest,
  lists: PullRequestLists,
): CollectedPullRequest {
  const commits = [...lists.commits].reverse().map(({ hash, date, author }) => ({
    sha: hash,
    authored_at: readTime(date),
    author: bitbucketToAccount(author?.user, addressOf(author?.raw)),
  }));
  const isMerged = item.state === 'MERGED';
  const closed = item.state === 'OPEN' ? null : closedAt(item, lists);
  const landing = isMerged ? lists.landing : null;
  const missing = new Set([...lists.missing, ...(isMerged && landing === null ? [LANDING] : [])]);
  const method = isMerged ? methodOf(lists) : null;
  const head = item.source.commit?.hash ?? null;
  const created = needTime(item.created_on, 'a pull request');
  return {
    external_id: externalId(scope, item),
    number: item.id,
    title: item.title,
    url: item.links?.html?.href ?? null,
    branch_name: item.source.branch.name,
    base_branch: item.destination.branch.name,
    // Twelve digits: the whole hash is that of the last commit.
    head_sha:
      head === null ? null : (commits.find(({ sha }) => sha.startsWith(head))?.sha ?? (isWhole(head) ? head : null)),
    is_draft: item.draft ?? false,
    created_at: created,
    updated_at: needTime(item.updated_on, 'a pull request'),
    opened_at: created,
    closed_at: closed,
    merged_at: isMerged ? closed : null,
    merge_sha: landing?.hash ?? null,
    squash_sha: method === 'squash' ? (landing?.hash ?? null) : null,
    merge_method: method,
    author: bitbucketToAccount(item.author),
    merged_by: isMerged ? bitbucketToAccount(item.closed_by) : null,
    assignees: [],
    labels: [],
    closes_keys: [],
    fingerprint: fingerprintOfRequest(item),
    children: {
      commits,
      reviews: readReviews(lists.activity),
      forgets_dismissed: true,
      events: readEvents(lists.activity),
      threads: readThreads(lists.comments),
      comments: readComments(lists.comments, item.id),
      incomplete_detail: incompleteDetail('Bitbucket', [...missing]),
    },
  };
}

/** The first entry with the state; later edits repeat it. */
function closedAt(item: BitbucketPullRequest, { activity, landing }: PullRequestLists): string {
  const times = activity.flatMap(({ update }) => (update?.state === item.state ? (readTime(update.date) ?? []) : []));
  return times.sort()[0] ?? readTime(landing?.date) ?? needTime(item.updated_on, 'a pull request');
}

/**
 * By the commit that landed: a merge has two parents; a fast-forward is one of the commits; a rebase keeps the message of
 * the last of them, and a squash is written anew.
 */
function methodOf({ landing, commits }: PullRequestLists): MergeMethod | null {
  if (landing === null) return null;
  if ((landing.parents ?? []).length > 1) return 'merge';
  if (commits.some(({ hash }) => hash === landing.hash)) return 'fast_forward';
  const [last] = commits;
  return commits.length > 1 && last?.message != null && last.message === landing.message ? 'rebase' : 'squash';
}

function readReviews(activity: readonly BitbucketActivity[]): CollectedReview[] {
  return activity.flatMap(({ approval, changes_requested: refusal }): CollectedReview[] => {
    const vote = approval ?? refusal;
    if (vote == null) return [];
    const reviewer = bitbucketToAccount(vote.user);
    const state = approval == null ? 'changes_requested' : 'approved';
    const submitted_at = needTime(vote.date, 'a review');
    // Entries have no ids: a person can say one thing once at a time.
    const external_id = `${state}:${reviewer?.external_id ?? 'ghost'}:${submitted_at}`;
    return [{ external_id, reviewer, state, submitted_at, commit_sha: null }];
  });
}

/** Whose name is new among the reviewers was asked for a review. */
function readEvents(activity: readonly BitbucketActivity[]): PullRequestEvent[] {
  const updates = activity
    .flatMap(({ update }) => (update == null ? [] : [update]))
    .sort((a, b) => Date.parse(a.date) - Date.parse(b.date));
  const events: PullRequestEvent[] = [];
  const known = new Set<string>();
  let isDeclined = false;
  for (const update of updates) {
    const event = {
      occurred_at: needTime(update.date, 'an update'),
      actor: bitbucketToAccount(update.author),
      before: null,
      after: null,
    };
    for (const subject of (update.reviewers ?? []).map((user) => bitbucketToAccount(user))) {
      if (subject === null || known.has(subject.external_id)) continue;
      known.add(subject.external_id);
      const external_id = `reviewer:${subject.external_id}`;
      events.push({ ...event, external_id, kind: 'review_requested', subject });
    }
    if (update.state === 'DECLINED' && !isDeclined) {
      isDeclined = true;
      events.push({ ...event, external_id: 'declined', kind: 'closed', subject: null });
    }
  }
  return events;
}

/** Answers to answers belong to the thread of the first. */
function rootsOf(comments: readonly BitbucketComment[]): (comment: BitbucketComment) => BitbucketComment {
  const byId = new Map(comments.map((comment) => [comment.id, comment]));
  return (comment) => {
    let root = comment;
    for (let hop = 0; hop < comments.length; hop += 1) {
      const parent = root.parent == null ? undefined : byId.get(root.parent.id);
      if (parent === undefined) break;
      root = parent;
    }
    return root;
  };
}

const readThreads = (comments: readonly BitbucketComment[]) =>
  comments
    .filter(({ parent }) => parent == null)
    .map(({ id, resolution }) => ({
      external_id: String(id),
      is_resolved: resolution != null,
      resolved_at: readTime(resolution?.created_on),
    }));

function readComments(comments: readonly BitbucketComment[], number: number): CollectedComment[] {
  const rootOf = rootsOf(comments);
  return comments
    .filter(({ pending }) => pending !== true)
    .map((comment) => {
      const root = rootOf(comment);
      const place = comment.inline ?? root.inline ?? null;
      const line = place?.to ?? place?.from ?? null;
      const created = needTime(comment.created_on, 'a comment');
      const updated = readTime(comment.updated_on) ?? created;
      return {
        external_id: String(comment.id),
        pull_request_number: number,
        author: bitbucketToAccount(comment.user),
        is_review_comment: place !== null,
        body: comment.content?.raw ?? '',
        path: place?.path ?? null,
        line,
        side: line === null ? null : place?.to == null ? 'left' : 'right',
        commit_sha: null,
        thread_id: String(root.id),
        review_external_id: null,
        created_at: created,
        updated_at: updated,
        resolved_at: null,
        deleted_at: comment.deleted === true ? updated : null,
      };
    });
}
