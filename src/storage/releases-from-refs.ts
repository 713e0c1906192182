// Releases that nobody tells: from tags, and from pushes and messages where the entity has a rule for it.
import { sql } from 'kysely';
import type { ReleaseTrigger } from '../domain/release-triggers.ts';
import type { Database } from './handle.ts';

interface SeenRelease {
  readonly name: string | null;
  readonly sha: Buffer;
  readonly released_at: string;
}

/** Makes the tags whose name matches into releases, and removes those of tags that are gone. Returns the changes. */
export async function releaseTags(db: Database, entityId: number, repoId: number, pattern: string): Promise<number> {
  const isRelease = pattern === '' ? null : new RegExp(pattern, 'u');
  // Of several tags on a commit, the first made is the release. Tags of commits outside the window are no use.
  const { rows } = await sql<SeenRelease & { name: string }>`
    select t.name, t.sha, t.tagged_at as released_at from tags t
    join commits c on c.entity_id = t.entity_id and c.repo_id = t.repo_id and c.sha = t.sha
    where t.entity_id = ${entityId} and t.repo_id = ${repoId} and t.deleted_at is null
    order by t.tagged_at desc, t.name desc`.execute(db);
  const wanted = new Map(rows.filter(({ name }) => isRelease?.test(name)).map((tag) => [tag.sha.toString('hex'), tag]));
  const stored = await db
    .selectFrom('releases')
    .select(['id', 'release_sha', 'name', 'released_at'])
    .where('entity_id', '=', entityId)
    .where('repo_id', '=', repoId)
    .where('triggered_by', '=', 'git_tag')
    .execute();
  let changes = 0;
  for (const { id, release_sha, name, released_at } of stored) {
    const tag = release_sha === null ? undefined : wanted.get(release_sha.toString('hex'));
    if (tag === undefined) {
      await db.deleteFrom('releases').where('entity_id', '=', entityId).where('id', '=', id).execute();
      changes++;
    } else if (tag.name !== name || tag.released_at !== released_at) {
      await db
        .updateTable('releases')
        .set({ name: tag.name, released_at: tag.released_at })
        .where('entity_id', '=', entityId)
        .where('id', '=', id)
        .execute();
      changes++;
    }
  }
  return changes + (await addReleases(db, entityId, repoId, 'git_tag', [...wanted.values()]));
}

/** A commit that is released already stays as it is. */
async function addReleases(
  db: Database,
  entityId: number,
  repoId: number,
  trigger: ReleaseTrigger,
  seen: readonly SeenRelease[],
): Promise<number> {
  if (seen.length === 0) return 0;
  const { numAffectedRows = 0n } = await sql`
    insert into releases (entity_id, repo_id, name, release_sha, released_at, triggered_by)
    select ${entityId}::bigint, ${repoId}::bigint, n, decode(s, 'hex'), a, ${trigger}
    from unnest(${seen.map(({ name }) => name)}::text[], ${seen.map(({ sha }) => sha.toString('hex'))}::text[],
                ${seen.map(({ released_at }) => released_at)}::timestamptz[]) as t(n, s, a)
    on conflict (entity_id, repo_id, release_sha) where release_sha is not null do nothing`.execute(db);
  return Number(numAffectedRows);
}
