// Reviews of a merge request. GitLab has no record of a review: approvals and their end are system notes, the wish for
// changes is a note in newer versions and else a state of the reviewer, and the first comment of a person on each push
// stands for having looked at it.
import { needTime, readTime } from '../../../domain/collect/read-time.ts';
import type { Account } from '../../../domain/people/account.ts';
import type { CollectedReview } from '../../../domain/reviews/pull-request.ts';
import type { AccountReader } from './accounts.ts';
import type { MergeRequest, MergeRequestLists, Note } from './collect-answers.ts';

const APPROVED = /^approved this merge request/i;
const UNAPPROVED = /^unapproved this merge request/i;
const REQUESTED_CHANGES = /^requested changes/i;
const PUSHED = /^added \d+ (?:new )?commits?/i;

/** `notes` oldest first. */
export function readReviews(
  request: MergeRequest,
  notes: readonly Note[],
  lists: Pick<MergeRequestLists, 'approvals' | 'reviewers'>,
  accounts: Pick<AccountReader, 'user'>,
): CollectedReview[] {
  const author = accounts.user(request.author)?.external_id ?? null;
  const reviews: CollectedReview[] = [];
  const keyOf = (account: Account | null) => account?.external_id ?? 'ghost';
  const add = (note: Note, state: CollectedReview['state']) =>
    reviews.push({
      external_id: `note:${note.id}`,
      reviewer: accounts.user(note.author),
      state,
      submitted_at: needTime(note.created_at, 'a note'),
      commit_sha: note.position?.head_sha ?? null,
    });
  const approvedAt = new Map<string, number>();
  const seen = new Set<string>();
  const lastWord = new Map<string, string>();
  const asked = new Set<string>();
  let push = 0;
  for (const note of notes) {
    const who = keyOf(accounts.user(note.author));
    if (!note.system) {
      lastWord.set(who, note.created_at);
      if (who !== author && !seen.has(`${push} ${who}`)) add(note, 'commented');
      seen.add(`${push} ${who}`);
    } else if (PUSHED.test(note.body)) push += 1;
    else if (APPROVED.test(note.body)) approvedAt.set(who, add(note, 'approved') - 1);
    else if (REQUESTED_CHANGES.test(note.body)) {
      add(note, 'changes_requested');
      asked.add(who);
    } else if (UNAPPROVED.test(note.body)) {
      const index = approvedAt.get(who);
      // It keeps the time of the approval.
      if (index !== undefined) reviews[index] = { ...reviews[index]!, state: 'dismissed' };
    }
  }
  for (const { user, approved_at } of lists.approvals.approved_by ?? []) {
    const reviewer = accounts.user(user);
    const at = readTime(approved_at);
    if (at === null || approvedAt.has(keyOf(reviewer))) continue;
    reviews.push({
      external_id: `approval:${keyOf(reviewer)}`,
      reviewer,
      state: 'approved',
      submitted_at: at,
      commit_sha: null,
    });
  }
  for (const { user, state, created_at } of lists.reviewers) {
    const reviewer = accounts.user(user);
    const who = keyOf(reviewer);
    // The state has no time: the reviewer's last word, or else when the review was requested.
    const at = readTime(lastWord.get(who) ?? created_at);
    if (state !== 'requested_changes' || asked.has(who) || at === null) continue;
    reviews.push({
      external_id: `reviewer:${who}`,
      reviewer,
      state: 'changes_requested',
      submitted_at: at,
      commit_sha: null,
    });
  }
  return reviews;
}
