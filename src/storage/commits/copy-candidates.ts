// What finding copies needs of a repo's present commits: of all of them, or of the few that can repeat others.
import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../database/handle.ts';
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

const CANDIDATES_PER_QUERY = 5000;
/** An abbreviation that fits two commits names none: a third makes no difference. */
const MOST_NAMED = 2;
const SHORTEST_SHA = 40;
const LONGEST_SHA = 64;

const isPresent = ({ entityId, repoId }: RepoKey): RawBuilder<unknown> => sql`
  c.entity_id = ${entityId} and c.repo_id = ${repoId} and c.presence = 'existent'`;

/** Whether all present commits are on the default branch. */
export async function hasOneBranch(db: Database, key: RepoKey): Promise<boolean> {
  const { rows } = await sql<{ other: boolean }>`
    select exists (select from commits c where ${isPresent(key)} and not c.on_default_branch) as other`.execute(db);
  return !rows[0]!.other;
}

/** All present commits of the repo. The database finds the next ones while these are looked at. */
export async function* readCopyCandidates(db: Database, key: RepoKey): AsyncGenerator<StoredCandidate, void, void> {
  const select = (after: number) => selectCandidates(db, key, sql`c.id > ${after}`, CANDIDATES_PER_QUERY);
  let next = select(0);
  for (;;) {
    const { candidates, lastId } = await next;
    const isLast = candidates.length < CANDIDATES_PER_QUERY;
    if (!isLast) {
      next = select(lastId);
      next.catch(() => {}); // awaited above
    }
    yield* candidates;
    if (isLast) return;
  }
}

export interface OneBranchFilter {
  /** Only a message with one of these, in small letters, names a commit that it was copied from. */
  readonly words: readonly string[];
  /** Commits of which something else says that they belong together. */
  readonly shas: readonly string[];
}

/**
 * Where all commits are on one branch: those with a patch and an authored time that another one has, those that may name
 * another in their message, and those that are stored as copies. All others but merges count, whatever these are.
 */
export async function readOneBranchCandidates(
  db: Database,
  key: RepoKey,
  { words, shas }: OneBranchFilter,
): Promise<readonly StoredCandidate[]> {
  // The collation makes small letters of A to Z only, which is how the words are looked for in the text.
  const filter = sql`(
    c.derived_from is not null
    or c.not_counted in ('rebase_copy', 'cherry_pick_copy', 'squash_source')
    or c.is_merge <> (c.not_counted is not distinct from 'merge')
    or c.sha = any(${shas.map((sha) => Buffer.from(sha, 'hex'))})
    or lower(c.message collate "C") like any(${words.map((word) => `%${word}%`)})
    or c.id = any(${await listRepeated(db, key)}))`;
  return (await selectCandidates(db, key, filter, null)).candidates;
}

/**
 * Commits with a patch and an authored time that another one has. By itself: as a part of the filter, a database that knows
 * nothing of the table yet looks for it again for every commit.
 */
async function listRepeated(db: Database, key: RepoKey): Promise<number[]> {
  const { rows } = await sql<{ ids: number[] }>`
    select array_agg(c.id) as ids from commits c
    where ${isPresent(key)} and c.patch_id is not null
    group by c.patch_id, c.authored_at having count(*) > 1`.execute(db);
  return rows.flatMap(({ ids }) => ids);
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
  return (await selectCandidates(db, key, filter, null)).candidates;
}

/** By itself, for the reason of `listRepeated`. */
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
  most: number | null,
): Promise<{ readonly candidates: readonly StoredCandidate[]; readonly lastId: number }> {
  const { rows } = await sql<{
    id: number;
    sha: Buffer;
    parents: Buffer;
    on_default_branch: boolean;
    author_key: string;
    co_author_keys: string[] | null;
    authored_at: number;
    committed_at: number;
    message: string;
    patch_id: Buffer | null;
    min_hash: Buffer | null;
    not_counted: string | null;
    derived_from: Buffer | null;
  }>`
    select c.id, c.sha, c.parents, c.on_default_branch, s.address_key as author_key,
           extract(epoch from c.authored_at)::bigint as authored_at,
           extract(epoch from c.committed_at)::bigint as committed_at,
           c.message, c.patch_id, c.min_hash, c.not_counted, c.derived_from,
           case when c.co_author_signature_ids is null then null else array(
             select a.address_key from signatures a
             where a.entity_id = ${key.entityId} and a.id = any(c.co_author_signature_ids)) end as co_author_keys
    from commits c join signatures s on s.entity_id = c.entity_id and s.id = c.author_signature_id
    where ${isPresent(key)} and ${filter}
    order by c.id limit ${most}`.execute(db);
  const candidates = rows.map(({ id: _, ...row }) => ({
    ...row,
    sha: row.sha.toString('hex'),
    parents: splitShas(row.parents),
    co_author_keys: row.co_author_keys ?? [],
    patch_id: row.patch_id?.toString('hex') ?? null,
    derived_from: row.derived_from?.toString('hex') ?? null,
  }));
  return { candidates, lastId: rows.at(-1)?.id ?? 0 };
}
