// What finding copies needs of a repo's present commits.
import { type RawBuilder, sql } from 'kysely';
import { type BinaryRow, readBinaryRows } from '../database/binary-rows.ts';
import type { Database } from '../database/handle.ts';
import type { ReadingSession } from '../database/session.ts';
import type { RepoKey } from './commit-changes.ts';
import { splitShas } from './sha-list.ts';

export interface StoredCandidate {
  readonly sha: string;
  readonly parents: readonly string[];
  readonly on_default_branch: boolean;
  /** Identity keys. */
  readonly author_key: string;
  readonly co_author_keys: readonly string[];
  readonly authored_at: number;
  readonly committed_at: number;
  /** As a whole, or no more than the subject. */
  readonly message: string;
  readonly is_revert: boolean;
  readonly patch_id: string | null;
  readonly min_hash: Buffer | null;
  readonly not_counted: string | null;
  readonly derived_from: string | null;
}

const isPresent = ({ entityId, repoId }: RepoKey): RawBuilder<unknown> => sql`
  c.entity_id = ${sql.lit(entityId)} and c.repo_id = ${sql.lit(repoId)} and c.presence = 'existent'`;

/** The commits with these ids, or those off the default branch but these. */
export type CandidateScope = { readonly ids: readonly number[] } | { readonly offDefaultBranchBut: readonly number[] };

/** What is read of messages: in nearly all only the first line matters, which is not the subject where it is blank. */
const MESSAGES = {
  whole: sql`c.message`,
  subject: sql`case when ascii(c.message) between ascii('!') and ascii('~') then split_part(c.message, E'\n', 1) else c.message end`,
} as const;

export async function readCopyCandidates(
  { client, db }: ReadingSession,
  key: RepoKey,
  scope: CandidateScope & { readonly message: keyof typeof MESSAGES },
  onCandidate: (candidate: StoredCandidate) => void,
): Promise<void> {
  if ('ids' in scope && scope.ids.length === 0) return;
  const areIds = (ids: readonly number[]): RawBuilder<unknown> =>
    sql`c.id = any(${sql.lit(`{${ids.join(',')}}`)}::bigint[])`;
  const isWanted =
    'ids' in scope ? areIds(scope.ids) : sql`not c.on_default_branch and not ${areIds(scope.offDefaultBranchBut)}`;
  const query = sql`
    select c.sha, c.parents, c.on_default_branch, s.address_key as author_key,
           case when c.co_author_signature_ids is null then null else array(
             select a.address_key from signatures a
             where a.entity_id = ${sql.lit(key.entityId)} and a.id = any(c.co_author_signature_ids)) end as co_author_keys,
           c.authored_at, c.committed_at, ${MESSAGES[scope.message]}, c.reverts is not null, c.patch_id, c.min_hash, c.not_counted::text, c.derived_from
    from commits c join signatures s on s.entity_id = c.entity_id and s.id = c.author_signature_id
    where ${isPresent(key)} and ${isWanted}`;
  await readBinaryRows(client, query.compile(db).sql, (row) => onCandidate(readCandidate(row)));
}

/** In the order of the columns. */
function readCandidate(row: BinaryRow): StoredCandidate {
  return {
    sha: row.text('hex')!,
    parents: splitShas(row.bytes()!),
    on_default_branch: row.boolean(),
    author_key: row.text()!,
    co_author_keys: row.texts() ?? [],
    authored_at: row.seconds(),
    committed_at: row.seconds(),
    message: row.text()!,
    is_revert: row.boolean(),
    patch_id: row.text('hex'),
    min_hash: row.bytes(),
    not_counted: row.text(),
    derived_from: row.text('hex'),
  };
}

/** The ids of commits whose messages have one of the words, a regular expression. An index holds these. */
export async function listNamingCommits(db: Database, key: RepoKey, words: string): Promise<readonly number[]> {
  const { rows } = await sql<{ id: number }>`
    select c.id from commits c where ${isPresent(key)} and c.message ~* ${sql.lit(words)}`.execute(db);
  return rows.map(({ id }) => id);
}

/** Commits of the default branch as far as most of them are needed: one value of each, in the same order. */
export interface StoredColumns {
  readonly ids: Float64Array;
  /** 1 where another verdict is stored than the one that nearly all have. */
  readonly said: Uint8Array;
  /** 20 bytes each. */
  readonly shas: Uint8Array;
  /** The first 8 bytes of each; zeros where there is none. */
  readonly patches: Uint8Array;
  readonly authoredAt: Float64Array;
  readonly committedAt: Float64Array;
  readonly parents: Uint8Array;
  /** Where the parents of each end. */
  readonly parentEnds: Int32Array;
  /** First lines of messages. */
  readonly subjects: readonly string[];
}

/**
 * All commits of the default branch; where there is no other branch, without `committedAt` and what follows it. Null if there
 * are none. The database puts the values of all together, which takes a fraction of reading them commit by commit.
 */
export async function readDefaultBranch(
  { client, db }: ReadingSession,
  key: RepoKey,
  { hasOthers }: { readonly hasOthers: boolean },
): Promise<StoredColumns | null> {
  const standing = hasOthers
    ? sql`string_agg(timestamptz_send(c.committed_at), ''), string_agg(c.parents, ''),
        string_agg(int4send(octet_length(c.parents)), ''), array_agg(split_part(c.message, E'\\n', 1))`
    : sql`''::bytea, ''::bytea, ''::bytea, '{}'::text[]`;
  const query = sql`
    select string_agg(int8send(c.id), ''),
      string_agg(case when c.derived_from is not null
          or coalesce(c.not_counted in ('rebase_copy', 'cherry_pick_copy', 'squash_source'), false)
          or c.is_merge <> (c.not_counted is not distinct from 'merge') then '\\x01'::bytea else '\\x00'::bytea end, ''),
      string_agg(c.sha, ''), string_agg(coalesce(substring(c.patch_id from 1 for 8), ${NO_PATCH}), ''),
      string_agg(timestamptz_send(c.authored_at), ''), ${standing}
    from commits c where ${isPresent(key)} and c.on_default_branch
    having count(*) > 0`;
  let columns: StoredColumns | null = null;
  await readBinaryRows(client, query.compile(db).sql, (row) => {
    columns = {
      ids: row.numbers(),
      said: row.bytes()!,
      shas: row.bytes()!,
      patches: row.bytes()!,
      authoredAt: row.manySeconds(),
      committedAt: row.manySeconds(),
      parents: row.bytes()!,
      parentEnds: endsOf(row.bytes()!),
      subjects: row.texts()!,
    };
  });
  return columns;
}

/** Commits have up to 4 kB of lines each. */
const SLICE = sql.lit(10_000);
const NO_PATCH = sql`'\\x0000000000000000'::bytea`;
/** By lengths, of four bytes each. */
function endsOf(lengths: Buffer): Int32Array {
  const ends = new Int32Array(lengths.length / 4);
  let end = 0;
  for (let i = 0; i < ends.length; i++) {
    end += lengths.readInt32BE(4 * i);
    ends[i] = end;
  }
  return ends;
}

/**
 * The min-hashes of the default branch but of what takes other commits back, each from the end of the one before it on. They hold until the next
 * slice.
 */
export async function readLinesOfDefaultBranch(
  { client, db }: ReadingSession,
  key: RepoKey,
  onSlice: (ids: Float64Array, minHashes: Buffer, ends: Int32Array) => void,
): Promise<void> {
  const query = sql`
    select string_agg(int8send(c.id), ''), string_agg(c.min_hash, ''), string_agg(int4send(octet_length(c.min_hash)), '')
    from commits c where ${isPresent(key)} and c.on_default_branch and not c.is_merge and c.reverts is null
      and c.min_hash is not null
    group by c.id / ${SLICE}`;
  await readBinaryRows(client, query.compile(db).sql, (row) =>
    onSlice(row.numbers(), row.bytes()!, endsOf(row.bytes()!)),
  );
}
