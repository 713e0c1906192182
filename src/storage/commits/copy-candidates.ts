// What finding copies needs of a repo's present commits: of all of them, or of the few that can repeat others.
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
  readonly message: string;
  readonly patch_id: string | null;
  readonly min_hash: Buffer | null;
  readonly not_counted: string | null;
  readonly derived_from: string | null;
}

/** An abbreviation that fits two commits names none: a third makes no difference. */
const MOST_NAMED = 2;
const SHORTEST_SHA = 40;
const LONGEST_SHA = 64;

const isPresent = ({ entityId, repoId }: RepoKey): RawBuilder<unknown> => sql`
  c.entity_id = ${sql.lit(entityId)} and c.repo_id = ${sql.lit(repoId)} and c.presence = 'existent'`;

/** Whether all present commits are on the default branch. */
export async function hasOneBranch(db: Database, key: RepoKey): Promise<boolean> {
  const { rows } = await sql<{ other: boolean }>`
    select exists (select from commits c where ${isPresent(key)} and not c.on_default_branch) as other`.execute(db);
  return !rows[0]!.other;
}

/** All present commits of the repo. */
export async function readCopyCandidates(
  { client, db }: ReadingSession,
  key: RepoKey,
  onCandidate: (candidate: StoredCandidate) => void,
): Promise<void> {
  const query = candidateQuery(key, sql`true`).compile(db).sql;
  await readBinaryRows(client, query, (row) => onCandidate(readCandidate(row)));
}

/** In the order of the columns. */
function readCandidate(row: BinaryRow): StoredCandidate {
  return {
    sha: row.text('hex')!,
    parents: splitShas(row.bytes()!),
    on_default_branch: row.boolean(),
    author_key: row.text()!,
    co_author_keys: row.texts() ?? [],
    authored_at: row.number(),
    committed_at: row.number(),
    message: row.text()!,
    patch_id: row.text('hex'),
    min_hash: row.bytes(),
    not_counted: row.text(),
    derived_from: row.text('hex'),
  };
}

export interface OneBranchFilter {
  /** A regular expression: a message that names a commit that this one was copied from has one of these words. */
  readonly words: string;
  /** Commits of which something else says that they belong together. */
  readonly shas: readonly string[];
}

/**
 * Where all commits are on one branch: those with a patch and an authored time that another one has, those that may name
 * another in their message, and those that are stored as copies. All others but merges count, whatever these are.
 */
export async function readOneBranchCandidates(
  session: ReadingSession,
  key: RepoKey,
  { words, shas }: OneBranchFilter,
): Promise<readonly StoredCandidate[]> {
  const { db } = session;
  const ids = [...(await listNaming(db, key, words)), ...(await listTelling(session, key))];
  const named = shas.map((sha) => Buffer.from(sha, 'hex'));
  return selectCandidates(db, key, sql`(c.sha = any(${named}) or c.id = any(${ids}))`);
}

/** By itself: an index holds these commits, which the other conditions would make a scan of all of them. */
async function listNaming(db: Database, key: RepoKey, words: string): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select c.id from commits c where ${isPresent(key)} and c.message ~* ${sql.lit(words)}`.execute(db);
  return rows.map(({ id }) => id);
}

/**
 * Commits that are stored as copies, or have a patch and an authored time that another one has: looked for here, because the
 * database takes longer to group them.
 */
async function listTelling({ client, db }: ReadingSession, key: RepoKey): Promise<readonly number[]> {
  const query = sql`
    select c.id,
      c.derived_from is not null or coalesce(c.not_counted in ('rebase_copy', 'cherry_pick_copy', 'squash_source'), false)
        or c.is_merge <> (c.not_counted is not distinct from 'merge'),
      c.patch_id || timestamptz_send(c.authored_at)
    from commits c where ${isPresent(key)}`;
  const first = new Map<string, number>();
  const telling = new Set<number>();
  await readBinaryRows(client, query.compile(db).sql, (row) => {
    const id = row.number();
    if (row.boolean()) telling.add(id);
    const work = row.text('latin1');
    const same = work === null ? undefined : first.get(work);
    if (same !== undefined) telling.add(same).add(id);
    else if (work !== null) first.set(work, id);
  });
  return [...telling];
}

/** The commits that begin with each of these names, as far as they tell whether a name is unique. */
export async function readNamedCandidates(
  db: Database,
  key: RepoKey,
  names: readonly string[],
): Promise<readonly StoredCandidate[]> {
  if (names.length === 0) return [];
  const whole = names.filter((name) => name.length >= SHORTEST_SHA).map((name) => Buffer.from(name, 'hex'));
  const ids = await listAbbreviated(
    db,
    key,
    names.filter((name) => name.length < SHORTEST_SHA),
  );
  const filter = sql`(c.sha = any(${whole}) or c.id = any(${ids}))`;
  return selectCandidates(db, key, filter);
}

/** By itself: as a part of the filter, a database that knows nothing of the table yet looks for it again for every commit. */
async function listAbbreviated(db: Database, key: RepoKey, names: readonly string[]): Promise<number[]> {
  const ids: number[] = [];
  for (const name of names) {
    const from = Buffer.from(name.length % 2 === 0 ? name : `${name}0`, 'hex');
    const to = Buffer.from(name.padEnd(LONGEST_SHA, 'f'), 'hex');
    const { rows } = await sql<{ id: number }>`
      select c.id from commits c
      where ${isPresent(key)} and c.sha between ${from} and ${to} limit ${MOST_NAMED}`.execute(db);
    ids.push(...rows.map(({ id }) => id));
  }
  return ids;
}

async function selectCandidates(
  db: Database,
  key: RepoKey,
  filter: RawBuilder<unknown>,
): Promise<readonly StoredCandidate[]> {
  const { rows } = await candidateQuery(key, filter).execute(db);
  return rows.map((row) => ({
    ...row,
    sha: row.sha.toString('hex'),
    parents: splitShas(row.parents),
    co_author_keys: row.co_author_keys ?? [],
    patch_id: row.patch_id?.toString('hex') ?? null,
    derived_from: row.derived_from?.toString('hex') ?? null,
  }));
}

interface CandidateRow extends Pick<StoredCandidate, 'on_default_branch' | 'author_key' | 'message' | 'not_counted'> {
  readonly sha: Buffer;
  readonly parents: Buffer;
  readonly co_author_keys: string[] | null;
  readonly authored_at: number;
  readonly committed_at: number;
  readonly patch_id: Buffer | null;
  readonly min_hash: Buffer | null;
  readonly derived_from: Buffer | null;
}

const candidateQuery = (key: RepoKey, filter: RawBuilder<unknown>): RawBuilder<CandidateRow> => sql<CandidateRow>`
  select c.sha, c.parents, c.on_default_branch, s.address_key as author_key,
         case when c.co_author_signature_ids is null then null else array(
           select a.address_key from signatures a
           where a.entity_id = ${sql.lit(key.entityId)} and a.id = any(c.co_author_signature_ids)) end as co_author_keys,
         extract(epoch from c.authored_at)::bigint as authored_at,
         extract(epoch from c.committed_at)::bigint as committed_at,
         c.message, c.patch_id, c.min_hash, c.not_counted::text, c.derived_from
  from commits c join signatures s on s.entity_id = c.entity_id and s.id = c.author_signature_id
  where ${isPresent(key)} and ${filter}`;
