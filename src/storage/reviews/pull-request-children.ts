// Commits, reviews, events and threads of pull requests, each kind in one statement for all parents.
import { sql } from 'kysely';
import type { Account } from '../../domain/people/account.ts';
import { rowsOf } from '../collect/rows.ts';
import type { Database } from '../database/handle.ts';
import type { KnownAccounts } from '../people/host-accounts.ts';
import type { ReviewPlace, StoredParent } from './place.ts';

export interface ChildTarget extends ReviewPlace {
  readonly now: Date;
}

/** Parents whose lists are complete: only there does a missing row mean that it is gone. */
const completeIds = (parents: readonly StoredParent[]): number[] =>
  parents.filter(({ children }) => children.incomplete_detail === null).map(({ id }) => id);

const committerOf = (known: KnownAccounts, account: Account | null): number | null =>
  account === null ? null : (known.get(account.external_id)?.committer_id ?? null);

/** A force push replaces the list; the replaced rows stay, marked. */
export async function storeCommits(
  db: Database,
  { entityId, repoId, now }: ChildTarget,
  parents: readonly StoredParent[],
): Promise<void> {
  const rows = parents.flatMap(({ id, children }) => {
    const bySha = new Map(children.commits.map((commit, ordinal) => [commit.sha, { ...commit, ordinal }]));
    return [...bySha.values()].map(({ sha, authored_at, ordinal }) => ({
      pull_request_id: id,
      ordinal,
      sha,
      authored_at,
    }));
  });
  const list = rowsOf(rows, { pull_request_id: 'bigint', ordinal: 'int', sha: 'text', authored_at: 'timestamptz' });
  await sql`
    update pull_request_commits set removed_at = ${now.toISOString()}::timestamptz
    where entity_id = ${entityId} and pull_request_id = any(${completeIds(parents)}::bigint[]) and removed_at is null
      and (pull_request_id, sha) not in (select t.pull_request_id, decode(t.sha, 'hex') from ${list})`.execute(db);
  await sql`
    insert into pull_request_commits (entity_id, repo_id, pull_request_id, ordinal, sha, authored_at)
    select ${entityId}::bigint, ${repoId}::bigint, t.pull_request_id, t.ordinal, decode(t.sha, 'hex'), t.authored_at
    from ${list}
    on conflict (entity_id, pull_request_id, sha) do update
      set ordinal = excluded.ordinal, authored_at = coalesce(excluded.authored_at, pull_request_commits.authored_at),
          removed_at = null`.execute(db);
}

export async function storeReviews(
  db: Database,
  { entityId, now }: ChildTarget,
  parents: readonly StoredParent[],
  known: KnownAccounts,
): Promise<void> {
  const rows = parents.flatMap(({ id, children, request }) =>
    [...new Map(children.reviews.map((review) => [review.external_id, review])).values()].map((review) => ({
      pull_request_id: id,
      external_id: review.external_id,
      reviewer_id: committerOf(known, review.reviewer),
      is_bot: review.reviewer !== null && known.get(review.reviewer.external_id)?.is_bot === true,
      is_by_author: review.reviewer !== null && review.reviewer.external_id === request.author?.external_id,
      state_em: review.state,
      submitted_at: review.submitted_at,
      commit_sha: review.commit_sha,
      deleted_at: review.withdrawn_at ?? null,
    })),
  );
  const list = rowsOf(rows, {
    pull_request_id: 'bigint',
    external_id: 'text',
    reviewer_id: 'bigint',
    is_bot: 'boolean',
    is_by_author: 'boolean',
    state_em: 'text',
    submitted_at: 'timestamptz',
    commit_sha: 'text',
    deleted_at: 'timestamptz',
  });
  const forgetful = completeIds(parents.filter(({ children }) => children.forgets_dismissed === true));
  await sql`
    update pull_request_reviews
    set state_em = case when pull_request_id = any(${forgetful}::bigint[]) then 'dismissed' else state_em end,
      deleted_at = case when pull_request_id <> all(${forgetful}::bigint[]) then ${now.toISOString()}::timestamptz end
    where entity_id = ${entityId} and pull_request_id = any(${completeIds(parents)}::bigint[]) and deleted_at is null
      and (pull_request_id, external_id) not in (select t.pull_request_id, t.external_id from ${list})`.execute(db);
  await sql`
    insert into pull_request_reviews (entity_id, pull_request_id, external_id, reviewer_id, is_bot, is_by_author, state_em,
      submitted_at, commit_sha, deleted_at)
    select ${entityId}::bigint, t.pull_request_id, t.external_id, t.reviewer_id, t.is_bot, t.is_by_author, t.state_em,
      t.submitted_at, decode(t.commit_sha, 'hex'), t.deleted_at
    from ${list}
    on conflict (entity_id, pull_request_id, external_id) do update
      set reviewer_id = coalesce(excluded.reviewer_id, pull_request_reviews.reviewer_id), is_bot = excluded.is_bot,
          state_em = excluded.state_em, submitted_at = excluded.submitted_at,
          commit_sha = coalesce(excluded.commit_sha, pull_request_reviews.commit_sha),
          deleted_at = excluded.deleted_at`.execute(db);
}

export async function storeEvents(
  db: Database,
  { entityId }: ChildTarget,
  parents: readonly StoredParent[],
  known: KnownAccounts,
): Promise<void> {
  const rows = parents.flatMap(({ id, children }) =>
    [...new Map(children.events.map((event) => [event.external_id, event])).values()].map((event) => ({
      pull_request_id: id,
      external_id: event.external_id,
      kind: event.kind,
      occurred_at: event.occurred_at,
      actor_id: committerOf(known, event.actor),
      subject_id: committerOf(known, event.subject),
      before: event.before,
      after: event.after,
    })),
  );
  if (rows.length === 0) return;
  await sql`
    insert into pull_request_events
      (entity_id, pull_request_id, external_id, kind, occurred_at, actor_id, subject_id, before, after)
    select ${entityId}::bigint, t.pull_request_id, t.external_id, t.kind, t.occurred_at, t.actor_id, t.subject_id,
      t.before, t.after
    from ${rowsOf(rows, {
      pull_request_id: 'bigint',
      external_id: 'text',
      kind: 'text',
      occurred_at: 'timestamptz',
      actor_id: 'bigint',
      subject_id: 'bigint',
      before: 'text',
      after: 'text',
    })}
    on conflict (entity_id, pull_request_id, external_id) do update
      set kind = excluded.kind, occurred_at = excluded.occurred_at,
          actor_id = coalesce(excluded.actor_id, pull_request_events.actor_id), subject_id = excluded.subject_id,
          before = excluded.before, after = excluded.after`.execute(db);
}

/** Of hosts whose comments come with the pull request: what is missing was deleted there, and stays as a tombstone. */
export async function markDeletedComments(
  db: Database,
  { entityId, now }: ChildTarget,
  parents: readonly StoredParent[],
): Promise<void> {
  const listed = parents.filter(({ children }) => children.comments !== null);
  const ids = completeIds(listed);
  if (ids.length === 0) return;
  const rows = listed.flatMap(({ id, children }) =>
    (children.comments ?? []).map(({ external_id }) => ({ pull_request_id: id, external_id })),
  );
  await sql`
    update pull_request_comments set deleted_at = ${now.toISOString()}::timestamptz
    where entity_id = ${entityId} and pull_request_id = any(${ids}::bigint[]) and deleted_at is null
      and (pull_request_id, external_id) not in (
        select t.pull_request_id, t.external_id from ${rowsOf(rows, { pull_request_id: 'bigint', external_id: 'text' })})`.execute(
    db,
  );
}

/** Where the host does not say when a thread was resolved, the pull request's last change at first sight is taken. */
export async function storeThreads(
  db: Database,
  { entityId }: ChildTarget,
  parents: readonly StoredParent[],
): Promise<void> {
  const rows = parents.flatMap(({ id, children, request }) =>
    [...new Map((children.threads ?? []).map((thread) => [thread.external_id, thread])).values()].map((thread) => ({
      pull_request_id: id,
      external_id: thread.external_id,
      is_resolved: thread.is_resolved,
      resolved_at: thread.is_resolved ? (thread.resolved_at ?? request.updated_at) : null,
      is_approximate: thread.is_resolved && thread.resolved_at === null,
    })),
  );
  if (rows.length === 0) return;
  await sql`
    insert into pull_request_threads
      (entity_id, pull_request_id, external_id, is_resolved, resolved_at, is_resolved_at_approximate)
    select ${entityId}::bigint, t.pull_request_id, t.external_id, t.is_resolved, t.resolved_at, t.is_approximate
    from ${rowsOf(rows, {
      pull_request_id: 'bigint',
      external_id: 'text',
      is_resolved: 'boolean',
      resolved_at: 'timestamptz',
      is_approximate: 'boolean',
    })}
    on conflict (entity_id, pull_request_id, external_id) do update
      set is_resolved = excluded.is_resolved,
          resolved_at = case when excluded.is_resolved and excluded.is_resolved_at_approximate
            then coalesce(pull_request_threads.resolved_at, excluded.resolved_at) else excluded.resolved_at end,
          is_resolved_at_approximate = excluded.is_resolved_at_approximate`.execute(db);
}
