// Releases that no call records: from tags, and from pushes and messages where the entity has a rule for it.
import { sql } from 'kysely';
import type { ReleaseTrigger } from '../../domain/delivery/release-triggers.ts';
import type { Database } from '../../storage/database/handle.ts';

interface SeenRelease {
  readonly name: string | null;
  readonly sha: Buffer;
  readonly released_at: string;
}

/** Makes the tags whose name matches into releases, and removes those of tags that are gone. Returns the changes. */
export async function releaseTags(db: Database, entityId: number, repoId: number, pattern: string): Promise<number> {
  const isRelease = pattern === '' ? null : new RegExp(pattern, 'u');
  // Of several tags on a commit, the first made is the release. Tags of commits outside the window are no use, and those to
  // which no branch leads would ship work that does not count.
  const { rows } = await sql<SeenRelease & { name: string }>`
    select t.name, t.sha, t.tagged_at as released_at from tags t
    join commits c on c.entity_id = t.entity_id and c.repo_id = t.repo_id and c.sha = t.sha and c.presence = 'existent'
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

export interface ReleaseRules {
  readonly release_branches: readonly string[];
  readonly release_branch_prefixes: readonly string[];
  readonly release_message_pattern: string;
}

/**
 * Pushes and messages that the entity's rules call releases. A rule is not applied to the past: it sees only
 * commits that were committed after it was set. Returns how many are new.
 */
export async function releaseByRules(
  db: Database,
  entityId: number,
  repoId: number,
  rules: ReleaseRules,
): Promise<number> {
  const since = await readTimesOfSettings(db, entityId);
  let added = 0;
  const pushes: readonly [ReleaseTrigger, string | undefined, (branch: string) => boolean][] = [
    ['branch_push', since.get('release_branches'), (branch) => rules.release_branches.includes(branch)],
    [
      'branch_prefix',
      since.get('release_branch_prefixes'),
      (branch) => rules.release_branch_prefixes.some((prefix) => branch.startsWith(prefix)),
    ],
  ];
  for (const [trigger, time, isRelease] of pushes) {
    if (time === undefined) continue;
    const { rows } = await sql<SeenRelease & { name: string }>`
      select b.name, c.sha, c.committed_at as released_at from branches b
      join commits c on c.entity_id = b.entity_id and c.repo_id = b.repo_id and c.sha = b.head_sha
      where b.entity_id = ${entityId} and b.repo_id = ${repoId} and b.deleted_at is null
        and c.committed_at >= ${time}::timestamptz
      order by b.name`.execute(db);
    added += await addReleases(
      db,
      entityId,
      repoId,
      trigger,
      rows
        .filter(({ name }) => isRelease(name))
        // Every push to a branch of one name would bear the same name.
        .map((row) => (trigger === 'branch_push' ? { ...row, name: null } : row)),
    );
  }
  const messagesSince = since.get('release_message_pattern');
  if (messagesSince === undefined || rules.release_message_pattern === '') return added;
  const pattern = new RegExp(rules.release_message_pattern, 'u');
  const { rows } = await sql<SeenRelease & { message: string }>`
    select null as name, sha, committed_at as released_at, message from commits
    where entity_id = ${entityId} and repo_id = ${repoId} and on_default_branch and presence = 'existent'
      and committed_at >= ${messagesSince}::timestamptz`.execute(db);
  const named = rows.filter(({ message }) => pattern.test(message));
  return added + (await addReleases(db, entityId, repoId, 'commit_message', named));
}

const RULE_KEYS = ['release_branches', 'release_branch_prefixes', 'release_message_pattern'];

/** Key → when it was last set; a rule that was never set has no time. */
async function readTimesOfSettings(db: Database, entityId: number): Promise<Map<string, string>> {
  const rows = await db
    .selectFrom('entity_settings')
    .select(['key', 'updated_at'])
    .where('entity_id', '=', entityId)
    .where('key', 'in', RULE_KEYS)
    .execute();
  return new Map(rows.map(({ key, updated_at }) => [key, updated_at]));
}

/** A commit that is released already stays as it is. Of several at one commit, the first is taken. */
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
