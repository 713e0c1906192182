// Pull requests and what hangs on them, as every host's normaliser returns them. Times are ISO 8601 in UTC (see
// domain/collect/read-time.ts), hashes 40 or 64 hexadecimal digits.
import type { Account } from '../people/account.ts';

export const MERGE_METHODS = ['merge', 'squash', 'rebase', 'fast_forward'] as const;
export type MergeMethod = (typeof MERGE_METHODS)[number];

export interface CollectedPullRequest {
  /** Unique at the host, and stable. */
  readonly external_id: string;
  /** As people call it within the repo. */
  readonly number: number;
  readonly title: string;
  readonly url: string | null;
  /** Without `refs/heads/`. */
  readonly branch_name: string;
  readonly base_branch: string;
  readonly head_sha: string | null;
  readonly is_draft: boolean;
  readonly created_at: string;
  /** The host's time of the last change; decides which of two versions is newer. */
  readonly updated_at: string;
  /** Ready for review: the first ready event where it began as a draft, else the creation. See `openedAt`. */
  readonly opened_at: string;
  readonly closed_at: string | null;
  readonly merged_at: string | null;
  /** The commit that landed it on the base branch; null unless merged, whatever the host's test merges say. */
  readonly merge_sha: string | null;
  /** The same commit where it is a squash, else null. */
  readonly squash_sha: string | null;
  readonly merge_method: MergeMethod | null;
  readonly author: Account | null;
  readonly merged_by: Account | null;
  readonly assignees: readonly Account[];
  readonly labels: readonly string[];
  /** Keys of issues that the host says it closes, as in `CollectedIssue.key`. */
  readonly closes_keys: readonly string[];
  /** Of what is stored and of the numbers of children: see `fingerprintOf`. */
  readonly fingerprint: string;
  /** Null: unchanged since they were last stored, by the fingerprint. */
  readonly children: PullRequestChildren | null;
}

/** Complete lists: what is stored and not in them is gone at the host. */
export interface PullRequestChildren {
  /** Oldest first. */
  readonly commits: readonly PullRequestCommit[];
  readonly reviews: readonly CollectedReview[];
  /** Where the host forgets what was taken back: a review that is not in the list any more was dismissed. */
  readonly forgets_dismissed?: true;
  readonly events: readonly PullRequestEvent[];
  /** Null where the host tells resolution with each comment. */
  readonly threads: readonly ReviewThread[] | null;
  /** Null where comments come by a stream of their own. */
  readonly comments: readonly CollectedComment[] | null;
  /** What could not be collected, in words; null when the lists are complete. Lists then only add. */
  readonly incomplete_detail: string | null;
}

export interface PullRequestCommit {
  readonly sha: string;
  readonly authored_at: string | null;
  /** Whom the host takes the commit's author for, with the address of the commit among `commit_emails`. */
  readonly author: Account | null;
}

export const REVIEW_STATES = ['approved', 'changes_requested', 'commented', 'dismissed'] as const;
export type ReviewState = (typeof REVIEW_STATES)[number];

export interface CollectedReview {
  /** Unique within the pull request. */
  readonly external_id: string;
  readonly reviewer: Account | null;
  readonly state: ReviewState;
  readonly submitted_at: string;
  readonly commit_sha: string | null;
  /** Withdrawn later; hosts that forget such reviews keep what was seen. */
  readonly withdrawn_at?: string;
}

export const PULL_REQUEST_EVENTS = [
  'ready',
  'draft',
  'review_requested',
  'closed',
  'reopened',
  'merged',
  'force_pushed',
  'retargeted',
] as const;

export interface PullRequestEvent {
  /** Unique within the pull request. */
  readonly external_id: string;
  readonly kind: (typeof PULL_REQUEST_EVENTS)[number];
  readonly occurred_at: string;
  readonly actor: Account | null;
  /** Who was asked for a review; null for a team. */
  readonly subject: Account | null;
  readonly before: string | null;
  readonly after: string | null;
}

export interface ReviewThread {
  /** The same as `thread_id` of its comments. */
  readonly external_id: string;
  readonly is_resolved: boolean;
  /** Null where the host does not say when: the first sight of it is taken, and marked as approximate. */
  readonly resolved_at: string | null;
}

export interface CollectedComment {
  /** Unique within the pull request. Line comments and others must not share a number: prefix where the host does. */
  readonly external_id: string;
  readonly pull_request_number: number;
  readonly author: Account | null;
  /** On a line of code, as against the conversation. */
  readonly is_review_comment: boolean;
  readonly body: string;
  readonly path: string | null;
  /** Counted from 1, in the version that was commented on. */
  readonly line: number | null;
  readonly side: 'left' | 'right' | null;
  /** The commit that was looked at when it was written. */
  readonly commit_sha: string | null;
  readonly thread_id: string | null;
  readonly review_external_id: string | null;
  readonly created_at: string;
  readonly updated_at: string;
  /** Where the host says it with the comment. */
  readonly resolved_at: string | null;
  readonly deleted_at: string | null;
}

/** When it became ready for review: its first ready event, unless something made it a draft only before that. */
export function openedAt(createdAt: string, events: readonly Pick<PullRequestEvent, 'kind' | 'occurred_at'>[]): string {
  const [first] = events
    .filter(({ kind }) => kind === 'ready' || kind === 'draft')
    .sort((a, b) => Date.parse(a.occurred_at) - Date.parse(b.occurred_at));
  return first?.kind === 'ready' ? first.occurred_at : createdAt;
}
