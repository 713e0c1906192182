// Comments on pull requests. One that comes before its pull request waits in early_comments, so that the order in which
// streams are walked does not matter.
import { type RawBuilder, sql } from 'kysely';
import { cleanText, LONGEST_BODY } from '../../domain/collect/clean-text.ts';
import type { CollectedComment } from '../../domain/reviews/pull-request.ts';
import { rowsOf } from '../collect/rows.ts';
import type { Database } from '../database/handle.ts';
import type { KnownAccounts } from '../people/host-accounts.ts';
import type { ReviewPlace } from './place.ts';

const LOCK_SPACE = 7_080_011;

/** One transaction at a time stores reviews of a repo: a comment and its pull request must not miss each other. */
export async function lockReviews(db: Database, { repoId }: ReviewPlace): Promise<void> {
  await sql`select pg_advisory_xact_lock(${LOCK_SPACE}, ${repoId % 2_147_483_648}::int)`.execute(db);
}

const COLUMNS = {
  number: 'int',
  external_id: 'text',
  author_id: 'bigint',
  is_bot: 'boolean',
  is_review_comment: 'boolean',
  body: 'text',
  body_length: 'int',
  path: 'text',
  line: 'int',
  side: 'text',
  commit_sha: 'text',
  thread_id: 'text',
  review_external_id: 'text',
  commented_at: 'timestamptz',
  updated_at: 'timestamptz',
  resolved_at: 'timestamptz',
  deleted_at: 'timestamptz',
} as const;

/** In the caller's transaction. */
export async function storeComments(
  db: Database,
  place: ReviewPlace,
  given: readonly CollectedComment[],
  known: KnownAccounts,
): Promise<void> {
  if (given.length === 0) return;
  await lockReviews(db, place);
  const rows = [...newestOfEach(given).values()].map((comment) => {
    const account = comment.author === null ? undefined : known.get(comment.author.external_id);
    return {
      number: comment.pull_request_number,
      external_id: comment.external_id,
      author_id: account?.committer_id ?? null,
      is_bot: account?.is_bot === true,
      is_review_comment: comment.is_review_comment,
      body: cleanText(comment.body, LONGEST_BODY),
      body_length: comment.body.length,
      path: comment.path === null ? null : cleanText(comment.path, LONGEST_PATH),
      line: comment.line,
      side: comment.side,
      commit_sha: comment.commit_sha,
      thread_id: comment.thread_id,
      review_external_id: comment.review_external_id,
      commented_at: comment.created_at,
      updated_at: comment.updated_at,
      resolved_at: comment.resolved_at,
      deleted_at: comment.deleted_at,
    };
  });
  const list = rowsOf(rows, COLUMNS);
  await insertComments(db, place, list);
  await sql`
    insert into early_comments (entity_id, repo_id, pull_request_number, external_id, is_review_comment, comment)
    select ${place.entityId}::bigint, ${place.repoId}::bigint, t.number, t.external_id, t.is_review_comment, to_jsonb(t)
    from ${list}
    where t.number not in (
      select p.number from pull_requests p where p.entity_id = ${place.entityId} and p.repo_id = ${place.repoId})
    on conflict (entity_id, repo_id, pull_request_number, external_id) do update set comment = excluded.comment`.execute(
    db,
  );
  const { rows: parents } = await sql<{ id: number }>`
    select id from pull_requests where entity_id = ${place.entityId} and repo_id = ${place.repoId}
      and number = any(${[...new Set(rows.map(({ number }) => number))]}::int[])`.execute(db);
  await resolveComments(
    db,
    place.entityId,
    parents.map(({ id }) => id),
  );
}

const LONGEST_PATH = 4_096;

function newestOfEach(comments: readonly CollectedComment[]): Map<string, CollectedComment> {
  const byId = new Map<string, CollectedComment>();
  for (const comment of comments) {
    const key = `${comment.pull_request_number} ${comment.external_id}`;
    const other = byId.get(key);
    if (other === undefined || Date.parse(other.updated_at) <= Date.parse(comment.updated_at)) byId.set(key, comment);
  }
  return byId;
}

/** Those of `list` whose pull request is known. An outdated comment may lose its place at the host: the first stays. */
async function insertComments(
  db: Database,
  { entityId, repoId }: ReviewPlace,
  list: RawBuilder<unknown>,
): Promise<void> {
  await sql`
    insert into pull_request_comments (entity_id, pull_request_id, external_id, author_id, is_bot, is_by_author,
      is_review_comment, body, body_length, path, line, side, commit_sha, thread_id, review_external_id, commented_at,
      updated_at, resolved_at, deleted_at)
    select p.entity_id, p.id, t.external_id, t.author_id, t.is_bot, coalesce(t.author_id = p.author_id, false),
      t.is_review_comment, t.body, t.body_length, t.path, t.line, t.side, decode(t.commit_sha, 'hex'), t.thread_id,
      t.review_external_id, t.commented_at, t.updated_at, t.resolved_at, t.deleted_at
    from ${list}
    join pull_requests p on p.entity_id = ${entityId} and p.repo_id = ${repoId} and p.number = t.number
    on conflict (entity_id, pull_request_id, external_id) do update
      set author_id = coalesce(excluded.author_id, pull_request_comments.author_id), is_bot = excluded.is_bot,
          body = excluded.body, body_length = excluded.body_length,
          path = coalesce(pull_request_comments.path, excluded.path),
          line = coalesce(pull_request_comments.line, excluded.line),
          side = coalesce(pull_request_comments.side, excluded.side),
          commit_sha = coalesce(pull_request_comments.commit_sha, excluded.commit_sha),
          thread_id = coalesce(excluded.thread_id, pull_request_comments.thread_id),
          review_external_id = coalesce(excluded.review_external_id, pull_request_comments.review_external_id),
          commented_at = excluded.commented_at, updated_at = excluded.updated_at,
          resolved_at = coalesce(excluded.resolved_at, pull_request_comments.resolved_at),
          deleted_at = excluded.deleted_at
    where pull_request_comments.updated_at is null or excluded.updated_at >= pull_request_comments.updated_at`.execute(
    db,
  );
}

/** Of these pull requests, which are known now. */
export async function moveEarlyComments(db: Database, place: ReviewPlace, ids: readonly number[]): Promise<void> {
  const { rows } = await sql<{ comment: string }>`
    delete from early_comments e
    where e.entity_id = ${place.entityId} and e.repo_id = ${place.repoId} and e.pull_request_number in (
      select p.number from pull_requests p where p.entity_id = ${place.entityId} and p.id = any(${ids}::bigint[]))
    returning e.comment`.execute(db);
  if (rows.length === 0) return;
  const typed = Object.entries(COLUMNS).map(([name, type]) => sql`${sql.id(name)} ${sql.raw(type)}`);
  const json = JSON.stringify(rows.map(({ comment }) => comment));
  await insertComments(db, place, sql`json_to_recordset(${json}::json) as t(${sql.join(typed)})`);
}

/** Resolution is told of threads; reports read it of comments. */
export async function resolveComments(db: Database, entityId: number, ids: readonly number[]): Promise<void> {
  await sql`
    update pull_request_comments set resolved_at = t.resolved_at, is_resolved_at_approximate = t.is_resolved_at_approximate
    from pull_request_threads t
    where pull_request_comments.entity_id = ${entityId} and pull_request_comments.pull_request_id = any(${ids}::bigint[])
      and t.entity_id = pull_request_comments.entity_id and t.pull_request_id = pull_request_comments.pull_request_id
      and t.external_id = pull_request_comments.thread_id
      and pull_request_comments.resolved_at is distinct from t.resolved_at`.execute(db);
}
