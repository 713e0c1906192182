// Pull requests of Azure DevOps in the shape that all hosts share. Threads hold what people wrote, and what happened: votes
// and changes of state have a time only there.
import { fingerprintOf } from '../../../domain/collect/fingerprint.ts';
import { needTime, readTime } from '../../../domain/collect/read-time.ts';
import {
  type CollectedComment,
  type CollectedPullRequest,
  type CollectedReview,
  type MergeMethod,
  openedAt,
  type PullRequestEvent,
} from '../../../domain/reviews/pull-request.ts';
import { incompleteDetail } from '../../collect/item-lists.ts';
import { identityToAccount } from './accounts.ts';
import type { AzurePullRequest, AzureThread, commits, iterations, workItems } from './collect-answers.ts';

export interface PullRequestLists {
  readonly external_id: string;
  readonly threads: readonly AzureThread[];
  /** Newest first, as Azure DevOps lists them. */
  readonly commits: ReturnType<typeof commits.parse>['value'];
  readonly iterations: ReturnType<typeof iterations.parse>['value'];
  readonly work_items: ReturnType<typeof workItems.parse>['value'];
  /** What could not be fetched. */
  readonly missing: readonly string[];
}

const plainBranch = (ref: string): string => ref.replace(/^refs\/heads\//, '');

/** Threads are part of it while the pull request is open. */
export const fingerprintOfRequest = (item: AzurePullRequest, threads: readonly AzureThread[] | null): string =>
  fingerprintOf({
    state: [item.status, item.closedDate, item.isDraft, item.title, item.targetRefName],
    head: item.lastMergeSourceCommit?.commitId,
    votes: item.reviewers?.map(({ id, vote }) => [id, vote]),
    labels: item.labels?.map(({ name }) => name),
    threads: threads?.map(({ id, lastUpdatedDate, status, comments }) => [
      id,
      lastUpdatedDate,
      status,
      comments.length,
    ]),
  });

const STRATEGIES: Readonly<Record<string, MergeMethod>> = {
  noFastForward: 'merge',
  squash: 'squash',
  rebase: 'rebase',
  rebaseMerge: 'merge',
};

function methodOf({ completionOptions: options }: AzurePullRequest): MergeMethod {
  const named = STRATEGIES[options?.mergeStrategy ?? ''];
  return named ?? (options?.squashMerge === true ? 'squash' : 'merge');
}

export function normalisePullRequest(item: AzurePullRequest, lists: PullRequestLists): CollectedPullRequest {
  const created = needTime(item.creationDate, 'a pull request');
  const closed = item.status === 'active' ? null : readTime(item.closedDate);
  const isMerged = item.status === 'completed';
  // Attempts to merge leave a commit on open and abandoned ones as well.
  const landing = isMerged ? (item.lastMergeCommit?.commitId ?? null) : null;
  const method = isMerged ? methodOf(item) : null;
  const times = lists.threads.map(({ lastUpdatedDate }) => readTime(lastUpdatedDate));
  const reviews = readVotes(lists.threads);
  const events = [...readEvents(lists.threads), ...readPushes(lists)];
  return {
    external_id: lists.external_id,
    number: item.pullRequestId,
    title: item.title ?? '',
    url: null,
    branch_name: plainBranch(item.sourceRefName),
    base_branch: plainBranch(item.targetRefName),
    head_sha: item.lastMergeSourceCommit?.commitId ?? null,
    is_draft: item.isDraft ?? false,
    created_at: created,
    // There is no time of the last change: the latest that is known.
    updated_at: [created, closed, ...times]
      .filter((time) => time !== null)
      .sort()
      .at(-1)!,
    opened_at: openedAt(created, events),
    closed_at: closed,
    merged_at: isMerged ? closed : null,
    merge_sha: landing,
    squash_sha: method === 'squash' ? landing : null,
    merge_method: method,
    author: identityToAccount(item.createdBy),
    merged_by: isMerged ? identityToAccount(item.closedBy) : null,
    assignees: [],
    labels: (item.labels ?? []).map(({ name }) => name),
    closes_keys: lists.work_items.map(({ id }) => `AB#${id}`),
    fingerprint: fingerprintOfRequest(item, item.status === 'active' ? lists.threads : null),
    children: {
      commits: [...lists.commits]
        .reverse()
        .map(({ commitId, author }) => ({ sha: commitId, authored_at: readTime(author?.date), author: null })),
      reviews,
      events,
      threads: lists.threads.filter(isPeoples).map(({ id, status, lastUpdatedDate }) => ({
        external_id: String(id),
        is_resolved: RESOLVED.includes(status ?? ''),
        resolved_at: RESOLVED.includes(status ?? '') ? readTime(lastUpdatedDate) : null,
      })),
      comments: lists.threads.filter(isPeoples).flatMap((thread) => readComments(thread, item.pullRequestId, lists)),
      incomplete_detail: incompleteDetail('Azure DevOps', lists.missing),
    },
  };
}

const RESOLVED = ['fixed', 'closed', 'wontFix', 'byDesign'];
const kindOf = ({ properties }: AzureThread): string => String(properties?.CodeReviewThreadType?.$value ?? '');
const isPeoples = (thread: AzureThread): boolean =>
  kindOf(thread) === '' && thread.comments.some(({ commentType }) => commentType !== 'system');

/** A property names its person by a key into the thread's identities. */
const identityOf = ({ properties, identities }: AzureThread, property: string) =>
  identityToAccount(identities?.[String(properties?.[property]?.$value ?? '')]);

const timeOf = (thread: AzureThread): string =>
  needTime(thread.publishedDate ?? thread.comments[0]?.publishedDate, 'a thread');

function readVotes(threads: readonly AzureThread[]): CollectedReview[] {
  const reviews: CollectedReview[] = [];
  const lastOf = new Map<string, number>();
  const votes = threads.filter((thread) => kindOf(thread) === 'VoteUpdate');
  for (const thread of votes.sort((a, b) => timeOf(a).localeCompare(timeOf(b)) || a.id - b.id)) {
    const reviewer = identityOf(thread, 'CodeReviewVotedByIdentity') ?? identityToAccount(thread.comments[0]?.author);
    if (reviewer?.kind === 'team') continue;
    const vote = Number(thread.properties?.CodeReviewVoteResult?.$value);
    const who = reviewer?.external_id ?? '';
    const last = lastOf.get(who);
    if (vote === 0) {
      // It keeps the time of the vote that was taken back.
      if (last !== undefined) reviews[last] = { ...reviews[last]!, state: 'dismissed' };
      lastOf.delete(who);
    } else if (Number.isFinite(vote)) {
      const state = vote > 0 ? 'approved' : 'changes_requested';
      const external_id = `thread:${thread.id}`;
      const submitted_at = timeOf(thread);
      lastOf.set(who, reviews.push({ external_id, reviewer, state, submitted_at, commit_sha: null }) - 1);
    }
  }
  return reviews;
}

const STATUS_EVENTS: Readonly<Record<string, PullRequestEvent['kind']>> = {
  Active: 'reopened',
  Abandoned: 'closed',
  Completed: 'merged',
};

/** Versions write it as a number or as a word. */
const DRAFT_IS_SET = /^(?:1|true)$/i;

function readEvents(threads: readonly AzureThread[]): PullRequestEvent[] {
  return threads.flatMap((thread): PullRequestEvent[] => {
    const kind = kindOf(thread);
    if (kind !== 'StatusUpdate' && kind !== 'ReviewersUpdate' && kind !== 'IsDraftUpdate') return [];
    const event = {
      external_id: `thread:${thread.id}`,
      occurred_at: timeOf(thread),
      actor: identityToAccount(thread.comments[0]?.author),
      before: null,
      after: null,
    };
    if (kind === 'ReviewersUpdate') {
      const subject = identityOf(thread, 'CodeReviewReviewersUpdatedAddedIdentity');
      return subject === null || subject.kind === 'team' ? [] : [{ ...event, kind: 'review_requested', subject }];
    }
    if (kind === 'IsDraftUpdate') {
      const isSet = DRAFT_IS_SET.test(String(thread.properties?.CodeReviewIsDraftNowSet?.$value ?? ''));
      const actor = identityOf(thread, 'CodeReviewIsDraftUpdatedByIdentity') ?? event.actor;
      return [{ ...event, actor, kind: isSet ? 'draft' : 'ready', subject: null }];
    }
    const became = STATUS_EVENTS[String(thread.properties?.CodeReviewStatus?.$value ?? '')];
    return became === undefined ? [] : [{ ...event, kind: became, subject: null }];
  });
}

const readPushes = ({ iterations: passes }: PullRequestLists): PullRequestEvent[] =>
  passes.flatMap((pass, index) =>
    pass.reason !== 'forcePush' && pass.reason !== 'rebase'
      ? []
      : [
          {
            external_id: `iteration:${pass.id}`,
            kind: 'force_pushed' as const,
            occurred_at: needTime(pass.createdDate, 'an iteration'),
            actor: identityToAccount(pass.author),
            subject: null,
            before: passes[index - 1]?.sourceRefCommit?.commitId ?? null,
            after: pass.sourceRefCommit?.commitId ?? null,
          },
        ],
  );

function readComments(thread: AzureThread, number: number, lists: PullRequestLists): CollectedComment[] {
  const place = thread.threadContext;
  const right = place?.rightFileStart?.line ?? null;
  const line = right ?? place?.leftFileStart?.line ?? null;
  const pass = thread.pullRequestThreadContext?.iterationContext?.secondComparingIteration;
  const commit = lists.iterations.find(({ id }) => id === pass)?.sourceRefCommit?.commitId ?? null;
  const path = place?.filePath?.replace(/^\//, '') ?? null;
  return thread.comments
    .filter(({ commentType }) => commentType !== 'system')
    .map((comment) => {
      const created = needTime(comment.publishedDate, 'a comment');
      const updated = readTime(comment.lastUpdatedDate) ?? created;
      return {
        external_id: `${thread.id}.${comment.id}`,
        pull_request_number: number,
        author: identityToAccount(comment.author),
        is_review_comment: path !== null,
        body: comment.content ?? '',
        path,
        line,
        side: line === null ? null : right === null ? 'left' : 'right',
        commit_sha: path === null ? null : commit,
        thread_id: String(thread.id),
        review_external_id: null,
        created_at: created,
        updated_at: updated,
        resolved_at: null,
        deleted_at: comment.isDeleted === true || thread.isDeleted === true ? updated : null,
      };
    });
}
