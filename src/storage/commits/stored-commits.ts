// What is already stored of a repo's commits: ids and states by sha, and counts.
import { sql } from 'kysely';
import type { Database } from '../database/handle.ts';
import type { RepoKey } from './commit-changes.ts';

export interface StoredCommit {
  readonly id: number;
  readonly isComplete: boolean;
}

export async function findStoredCommits(
  db: Database,
  { entityId, repoId }: RepoKey,
  shas: readonly string[],
): Promise<Map<string, StoredCommit>> {
  const found = new Map<string, StoredCommit>();
  for (let start = 0; start < shas.length; start += SHAS_PER_QUERY) {
    const part = shas.slice(start, start + SHAS_PER_QUERY).map((sha) => Buffer.from(sha, 'hex'));
    const { rows } = await sql<{ id: number; sha: Buffer; state: string }>`
      select id, sha, state from commits
      where entity_id = ${entityId} and repo_id = ${repoId} and sha = any(${part})`.execute(db);
    for (const row of rows) {
      found.set(row.sha.toString('hex'), { id: row.id, isComplete: row.state === 'analysis_complete' });
    }
  }
  return found;
}

const SHAS_PER_QUERY = 5000;

/** Complete commits of the repo that removed lines of an origin which is not stored, or was not looked for. */
export async function listWithoutOrigin(db: Database, { entityId, repoId }: RepoKey): Promise<Set<string>> {
  const { rows } = await sql<{ sha: Buffer }>`
    select c.sha from commits c
    where c.entity_id = ${entityId} and c.repo_id = ${repoId} and c.state = 'analysis_complete' and exists (
      select from line_flows f
      where f.entity_id = ${entityId} and f.commit_id = c.id and f.origin_commit_id is null)`.execute(db);
  return new Set(rows.map(({ sha }) => sha.toString('hex')));
}

/** Commits of the repo that were stored as beginnings of its history. */
export async function listRoots(db: Database, { entityId, repoId }: RepoKey): Promise<string[]> {
  const { rows } = await sql<{ sha: string }>`
    select encode(sha, 'hex') as sha from commits
    where entity_id = ${entityId} and repo_id = ${repoId} and parents = ''`.execute(db);
  return rows.map(({ sha }) => sha);
}

export async function reserveCommitIds(db: Database, count: number): Promise<number[]> {
  if (count === 0) return [];
  const { rows } = await sql<{ id: number }>`
    select nextval('commits_id_seq') as id from generate_series(1, ${count}::int)`.execute(db);
  return rows.map((row) => row.id);
}

export interface StoredCounts {
  readonly processed: number;
  readonly complete: number;
  readonly skipped: number;
  readonly off_default: number;
}

export async function countStoredCommits(db: Database, { entityId, repoId }: RepoKey): Promise<StoredCounts> {
  const { rows } = await sql<StoredCounts>`
    select count(*) as processed,
           count(*) filter (where state = 'analysis_complete') as complete,
           count(*) filter (where not on_default_branch) as off_default,
           (select count(distinct sha) from skipped_commits
            where entity_id = ${entityId} and repo_id = ${repoId}) as skipped
    from commits where entity_id = ${entityId} and repo_id = ${repoId}`.execute(db);
  return rows[0] ?? { processed: 0, complete: 0, skipped: 0, off_default: 0 };
}

/** Commits that were stored as lacking objects, at most so many, always the same ones first. */
export async function listMissingCommits(db: Database, { entityId, repoId }: RepoKey, most: number): Promise<string[]> {
  const { rows } = await sql<{ sha: string }>`
    select distinct encode(sha, 'hex') as sha from skipped_commits
    where entity_id = ${entityId} and repo_id = ${repoId} and reason = 'object_missing'
    order by 1 limit ${most}`.execute(db);
  return rows.map(({ sha }) => sha);
}

export interface SkippedCommit {
  readonly repo_id: number;
  readonly sha: string;
  readonly reason: string;
  readonly path: string;
}

/** Commits of the repos that were not wholly looked at, at most so many of each, those seen last first. */
export async function listSkippedCommits(
  db: Database,
  entityId: number,
  repoIds: readonly number[],
  mostOfEach: number,
): Promise<SkippedCommit[]> {
  const { rows } = await sql<SkippedCommit>`
    select repo_id, encode(sha, 'hex') as sha, reason, path
    from (select s.*, row_number() over (partition by repo_id order by seen_at desc, sha, reason, path) as position
          from skipped_commits s where entity_id = ${entityId} and repo_id = any(${repoIds})) ranked
    where position <= ${mostOfEach} order by repo_id, position`.execute(db);
  return rows;
}

/** Days on which the repo has a commit of this time. */
export async function listCommitDays(
  db: Database,
  { entityId, repoId }: RepoKey,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<string[]> {
  const { rows } = await sql<{ authored_on: string }>`
    select distinct authored_on from commits
    where entity_id = ${entityId} and repo_id = ${repoId}
      and authored_at between ${from}::timestamptz and ${to}::timestamptz`.execute(db);
  return rows.map((row) => row.authored_on);
}
