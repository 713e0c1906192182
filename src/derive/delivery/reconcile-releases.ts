// Which release shipped a commit first. All releases of a repo are walked in the order of time, each to
// those ancestors that no earlier one holds; only what differs from what is stored is written.
import { sql } from 'kysely';
import { assignCommits, type HistoryCommit, type ReleasePoint } from '../../domain/delivery/release-commits.ts';
import { splitShas } from '../../storage/commits/sha-list.ts';
import { readBinaryRows } from '../../storage/database/binary-rows.ts';
import type { Database } from '../../storage/database/handle.ts';
import type { ReadingSession } from '../../storage/database/session.ts';
import { findPrecedingCommit, findRelease } from '../../storage/delivery/releases.ts';

/** Returns how many rows changed. */
export async function reconcileReleases(session: ReadingSession, entityId: number, repoId: number): Promise<number> {
  const { db } = session;
  let changed = await findMissingCommits(db, entityId, repoId);
  const releases = await db
    .selectFrom('releases')
    .select(['id', 'release_sha', 'is_baseline', 'commit_count'])
    .where('entity_id', '=', entityId)
    .where('repo_id', '=', repoId)
    .orderBy('released_at')
    .orderBy('id')
    .execute();
  if (releases.length === 0) return changed;
  const points = releases.map(
    ({ id, release_sha }): ReleasePoint => ({ id, sha: release_sha?.toString('hex') ?? null }),
  );
  const { byCommit, byRelease } = assignCommits(points, await readCommits(session, entityId, repoId));

  const stored = sql`
    select c.commit_id, c.release_id from release_commits c
    join releases r on r.entity_id = c.entity_id and r.id = c.release_id
    where c.entity_id = ${sql.lit(entityId)} and r.repo_id = ${sql.lit(repoId)}`;
  const gone: number[] = [];
  await readBinaryRows(session.client, stored.compile(db).sql, (row) => {
    const commitId = row.number();
    const release = byCommit.get(commitId);
    if (release === undefined) gone.push(commitId);
    else if (release === row.number()) byCommit.delete(commitId);
  });
  if (gone.length > 0) {
    await sql`delete from release_commits where entity_id = ${entityId} and commit_id = any(${gone})`.execute(db);
  }
  if (byCommit.size > 0) {
    await sql`
      insert into release_commits (entity_id, commit_id, release_id)
      select ${entityId}::bigint, c, r
      from unnest(${[...byCommit.keys()]}::bigint[], ${[...byCommit.values()]}::bigint[]) as t(c, r)
      on conflict (entity_id, commit_id) do update set release_id = excluded.release_id`.execute(db);
  }
  changed += gone.length + byCommit.size;
  for (const { id, is_baseline, commit_count } of releases) {
    const { isBaseline, commitCount } = byRelease.get(id)!;
    if (is_baseline === isBaseline && commit_count === commitCount) continue;
    await db
      .updateTable('releases')
      .set({ is_baseline: isBaseline, commit_count: commitCount })
      .where('entity_id', '=', entityId)
      .where('id', '=', id)
      .execute();
    changed++;
  }
  return changed;
}

/** A release may be recorded before the commit that it followed is imported. */
async function findMissingCommits(db: Database, entityId: number, repoId: number): Promise<number> {
  const releases = await db
    .selectFrom('releases')
    .select(['id', 'released_at'])
    .where('entity_id', '=', entityId)
    .where('repo_id', '=', repoId)
    .where('release_sha', 'is', null)
    .execute();
  let found = 0;
  for (const { id, released_at } of releases) {
    const commit = await findPrecedingCommit(db, entityId, repoId, new Date(released_at));
    if (commit === null || (await findRelease(db, entityId, repoId, commit.sha, null)) !== undefined) continue;
    await db
      .updateTable('releases')
      .set({ release_sha: commit.sha })
      .where('entity_id', '=', entityId)
      .where('id', '=', id)
      .execute();
    found++;
  }
  return found;
}

async function readCommits(
  { client, db }: ReadingSession,
  entityId: number,
  repoId: number,
): Promise<ReadonlyMap<string, HistoryCommit>> {
  const query = sql`
    select id, sha, parents, not_counted is null and presence = 'existent' from commits
    where entity_id = ${sql.lit(entityId)} and repo_id = ${sql.lit(repoId)}`;
  const commits = new Map<string, HistoryCommit>();
  await readBinaryRows(client, query.compile(db).sql, (row) => {
    const id = row.number();
    const sha = row.text('hex')!;
    commits.set(sha, { id, parents: splitShas(row.bytes()!), isCounted: row.boolean() });
  });
  return commits;
}
