// Merge requests of GitLab in the shape that all hosts share. Much of what happened to one is told by system notes only,
// which GitLab writes in English on every server.
import { fingerprintOf } from '../../../domain/collect/fingerprint.ts';
import { needTime, readTime } from '../../../domain/collect/read-time.ts';
import {
  type CollectedComment,
  type CollectedPullRequest,
  type MergeMethod,
  openedAt,
  type PullRequestChildren,
  type PullRequestEvent,
} from '../../../domain/reviews/pull-request.ts';
import { incompleteDetail } from '../../collect/item-lists.ts';
import type { AccountReader } from './accounts.ts';
import type { MergeRequest, MergeRequestLists, Note } from './collect-answers.ts';
import { readClosedKeys } from './read-closed-keys.ts';
import { readReviews } from './read-reviews.ts';

type Accounts = Pick<AccountReader, 'user'>;

/** Of what the list shows; the same one needs no look at discussions and commits. */
export const fingerprintOfRequest = (request: MergeRequest): string =>
  fingerprintOf({
    updated: request.updated_at,
    state: [request.state, request.closed_at, request.merged_at, request.draft],
    head: request.sha,
    notes: request.user_notes_count,
  });

export function normaliseMergeRequest(
  request: MergeRequest,
  lists: MergeRequestLists,
  accounts: Accounts,
): CollectedPullRequest {
  const created = needTime(request.created_at, 'a merge request');
  // The time of an earlier closing stays on one that was reopened.
  const closed = request.state === 'closed' ? readTime(request.closed_at) : null;
  const merged = request.state === 'merged' ? readTime(request.merged_at ?? request.updated_at) : null;
  const children = readChildren(request, lists, accounts);
  return {
    external_id: String(request.id),
    number: request.iid,
    title: request.title,
    url: request.web_url ?? null,
    branch_name: request.source_branch,
    base_branch: request.target_branch,
    head_sha: request.sha ?? null,
    is_draft: request.draft ?? request.work_in_progress ?? false,
    created_at: created,
    updated_at: needTime(request.updated_at, 'a merge request'),
    opened_at: openedAt(created, children.events),
    closed_at: merged ?? closed,
    merged_at: merged,
    merge_sha: merged === null ? null : (request.merge_commit_sha ?? request.squash_commit_sha ?? request.sha ?? null),
    squash_sha: merged === null ? null : (request.squash_commit_sha ?? null),
    merge_method: merged === null ? null : methodOf(request),
    author: accounts.user(request.author),
    merged_by: merged === null ? null : accounts.user(request.merge_user ?? request.merged_by),
    assignees: (request.assignees ?? []).map((user) => accounts.user(user)).filter((account) => account !== null),
    labels: request.labels,
    closes_keys: readClosedKeys({ ...request, project: projectOf(request), webUrl: request.web_url ?? null }),
    fingerprint: fingerprintOfRequest(request),
    children,
  };
}

const projectOf = ({ references }: MergeRequest): string => references?.full.replace(/!\d+$/, '') ?? '';

/** The wish to squash says nothing: a single commit is merged as it is. Without either commit the head itself landed. */
const methodOf = (request: MergeRequest): MergeMethod =>
  request.squash_commit_sha ? 'squash' : request.merge_commit_sha ? 'merge' : 'fast_forward';

function readChildren(request: MergeRequest, lists: MergeRequestLists, accounts: Accounts): PullRequestChildren {
  const notes = lists.discussions
    .flatMap(({ notes: list }) => list)
    .sort((a, b) => Date.parse(a.created_at) - Date.parse(b.created_at) || a.id - b.id);
  const states = lists.states.flatMap((event): PullRequestEvent[] => {
    const kind = STATE_EVENTS[event.state];
    if (kind === undefined) return [];
    return [
      { ...emptyEvent, ...eventOf(event.created_at, event.user, accounts), external_id: `state:${event.id}`, kind },
    ];
  });
  return {
    commits: [...lists.commits]
      .reverse()
      .map(({ id, authored_date }) => ({ sha: id, authored_at: readTime(authored_date), author: null })),
    reviews: readReviews(request, notes, lists, accounts),
    events: [...states, ...notes.flatMap((note) => readEvent(note, lists, accounts))],
    threads: null,
    comments: lists.discussions.flatMap(({ id, notes: list }) =>
      list.filter(({ system }) => !system).map((note) => toComment(note, id, request.iid, accounts)),
    ),
    incomplete_detail: incompleteDetail('GitLab', lists.missing),
  };
}

function toComment(note: Note, threadId: string, number: number, accounts: Accounts): CollectedComment {
  const { position } = note;
  const line = position?.new_line ?? position?.old_line ?? null;
  return {
    external_id: String(note.id),
    pull_request_number: number,
    author: accounts.user(note.author),
    is_review_comment: note.type === 'DiffNote' || position != null,
    body: note.body,
    path: position?.new_path ?? position?.old_path ?? null,
    line,
    side: line === null ? null : position?.new_line == null ? 'left' : 'right',
    commit_sha: position?.head_sha ?? null,
    thread_id: threadId,
    review_external_id: null,
    created_at: needTime(note.created_at, 'a note'),
    updated_at: needTime(note.updated_at, 'a note'),
    resolved_at: readTime(note.resolved_at),
    deleted_at: null,
  };
}

const STATE_EVENTS: Readonly<Record<string, PullRequestEvent['kind']>> = {
  closed: 'closed',
  reopened: 'reopened',
  merged: 'merged',
};

const emptyEvent = { subject: null, before: null, after: null };
const eventOf = (at: string, by: Note['author'], accounts: Accounts) => ({
  occurred_at: needTime(at, 'an event'),
  actor: accounts.user(by),
});

/** Older servers speak of work in progress. */
const EVENT_NOTES: readonly { readonly kind: PullRequestEvent['kind']; readonly words: RegExp }[] = [
  { kind: 'draft', words: /^marked (?:this merge request )?as (?:a )?\**(?:draft|work in progress)/i },
  {
    kind: 'ready',
    words: /^(?:marked (?:this merge request )?as \**ready|unmarked (?:this merge request )?as a \**work in progress)/i,
  },
  { kind: 'review_requested', words: /^requested review from /i },
  { kind: 'retargeted', words: /^changed target branch from `([^`]*)` to `([^`]*)`/i },
];

function readEvent(note: Note, lists: MergeRequestLists, accounts: Accounts): PullRequestEvent[] {
  if (!note.system) return [];
  for (const { kind, words } of EVENT_NOTES) {
    const found = words.exec(note.body);
    if (found === null) continue;
    const [, before = null, after = null] = found;
    const event = { ...emptyEvent, ...eventOf(note.created_at, note.author, accounts), kind, before, after };
    if (kind !== 'review_requested') return [{ ...event, external_id: `note:${note.id}` }];
    // The note has names only; whom they mean is known as long as they are reviewers.
    return [...note.body.matchAll(/@([\w.-]+)/g)].map(([, name], index) => ({
      ...event,
      external_id: `note:${note.id}:${index}`,
      subject: accounts.user(lists.reviewers.find(({ user }) => user?.username === name)?.user),
    }));
  }
  return [];
}
