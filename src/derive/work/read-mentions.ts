// Keeps issue_mentions: which keys the commits and pull requests of a repo name. A message never changes, so each commit is
// read once; a pull request's title, branch and links are read anew.
import { sql } from 'kysely';
import { findBranchMentions, findMentions } from '../../domain/work/issue-mentions.ts';
import { rowsOf } from '../../storage/collect/rows.ts';
import type { Database } from '../../storage/database/handle.ts';
import type { ReviewPlace } from '../../storage/reviews/place.ts';

const PAGE = 5_000;

type Mention = Readonly<{ source_id: number; key: string }>;

/** Returns how many rows changed. */
export async function readMentions(db: Database, place: ReviewPlace): Promise<number> {
  return (await readMessages(db, place)) + (await readBranches(db, place)) + (await readPullRequests(db, place));
}

async function addCommitMentions(db: Database, { entityId, repoId }: ReviewPlace, mentions: readonly Mention[]) {
  if (mentions.length === 0) return 0;
  const { numAffectedRows = 0n } = await sql`
    insert into issue_mentions (entity_id, source, source_id, key, repo_id)
    select ${entityId}::bigint, 'commit', t.source_id, t.key, ${repoId}::bigint
    from ${rowsOf(mentions, { source_id: 'bigint', key: 'text' })}
    on conflict (entity_id, source, source_id, key) do nothing`.execute(db);
  return Number(numAffectedRows);
}

/** One import at a time writes a repo's commits, in the order of their ids. */
async function readMessages(db: Database, place: ReviewPlace): Promise<number> {
  const { entityId, repoId } = place;
  let changed = 0;
  const repo = await db
    .selectFrom('repos')
    .select('mentions_read_to')
    .where('entity_id', '=', entityId)
    .where('id', '=', repoId)
    .executeTakeFirst();
  // It may have been removed while this waited.
  if (repo === undefined) return 0;
  for (let readTo = repo.mentions_read_to; ; ) {
    const { rows } = await sql<{ id: number; message: string }>`
      select c.id, c.message from commits c
      where c.entity_id = ${entityId} and c.repo_id = ${repoId} and c.id > ${readTo}
      order by c.id limit ${PAGE}`.execute(db);
    const last = rows.at(-1);
    if (last === undefined) return changed;
    readTo = last.id;
    const mentions = rows.flatMap(({ id, message }) => findMentions(message).map((key) => ({ source_id: id, key })));
    changed += await addCommitMentions(db, place, mentions);
    await sql`update repos set mentions_read_to = ${last.id} where entity_id = ${entityId} and id = ${repoId}`.execute(
      db,
    );
  }
}

/**
 * Work on a branch that no pull request shows: down to the default branch, or to the tip of another branch that this one
 * was begun from.
 */
async function readBranches(db: Database, place: ReviewPlace): Promise<number> {
  const { entityId, repoId } = place;
  const { rows: branches } = await sql<{ name: string }>`
    select b.name from branches b
    join commits c on c.entity_id = b.entity_id and c.repo_id = b.repo_id and c.sha = b.head_sha
      and not c.on_default_branch
    where b.entity_id = ${entityId} and b.repo_id = ${repoId} and b.deleted_at is null`.execute(db);
  const named = branches.flatMap(({ name }) => findBranchMentions(name).map((key) => ({ name, key })));
  if (named.length === 0) return 0;
  const { rows } = await sql<Mention>`
    with recursive named as (
      select * from ${rowsOf(named, { name: 'text', key: 'text' })}),
    walked as (
      select n.key, n.name, c.id, c.parents, length(c.sha) as size
      from named n
      join branches b on b.entity_id = ${entityId} and b.repo_id = ${repoId} and b.name = n.name and b.deleted_at is null
      join commits c on c.entity_id = ${entityId} and c.repo_id = ${repoId} and c.sha = b.head_sha
        and not c.on_default_branch
      union
      select w.key, w.name, c.id, c.parents, w.size
      from walked w
      join commits c on c.entity_id = ${entityId} and c.repo_id = ${repoId} and not c.on_default_branch
        and c.sha = substr(w.parents, 1, w.size)
        and not exists (
          select from branches o where o.entity_id = ${entityId} and o.repo_id = ${repoId} and o.head_sha = c.sha
            and o.deleted_at is null))
    select distinct w.id as source_id, w.key from walked w
    join commits c on c.entity_id = ${entityId} and c.id = w.id
    where not exists (
      select from pull_request_commits n
      where n.entity_id = ${entityId} and n.repo_id = ${repoId} and n.sha = c.sha and n.removed_at is null)`.execute(
    db,
  );
  return addCommitMentions(db, place, rows);
}

async function readPullRequests(db: Database, { entityId, repoId }: ReviewPlace): Promise<number> {
  let changed = 0;
  let after = 0;
  for (;;) {
    const { rows } = await sql<{ id: number; title: string; branch_name: string; closes_keys: string[] }>`
      select id, title, branch_name, closes_keys from pull_requests
      where entity_id = ${entityId} and repo_id = ${repoId} and id > ${after} order by id limit ${PAGE}`.execute(db);
    const last = rows.at(-1);
    if (last === undefined) return changed;
    const found = rows.flatMap(({ id, title, branch_name, closes_keys }) => {
      const closed = closes_keys.map((key) => key.toLowerCase());
      const keys = new Set([...findMentions(title), ...findBranchMentions(branch_name), ...closed]);
      return [...keys].map((key): Mention => ({ source_id: id, key }));
    });
    changed += await storePullRequestMentions(db, { entityId, repoId }, { ids: rows.map(({ id }) => id), found });
    after = last.id;
  }
}

/** `found` are all of the pull requests `ids`. They are compared here: nearly all are stored already, and writing them again is slow. */
async function storePullRequestMentions(
  db: Database,
  { entityId, repoId }: ReviewPlace,
  { ids, found }: { readonly ids: readonly number[]; readonly found: readonly Mention[] },
): Promise<number> {
  const { rows: stored } = await sql<Mention>`
    select source_id, key from issue_mentions
    where entity_id = ${entityId} and source = 'pull_request' and source_id = any(${ids}::bigint[])`.execute(db);
  const [gone, added] = [without(stored, found), without(found, stored)];
  const columns = { source_id: 'bigint', key: 'text' } as const;
  if (gone.length > 0) {
    await sql`
      delete from issue_mentions m using ${rowsOf(gone, columns)}
      where m.entity_id = ${entityId} and m.source = 'pull_request' and m.source_id = t.source_id and m.key = t.key`.execute(
      db,
    );
  }
  if (added.length > 0) {
    await sql`
      insert into issue_mentions (entity_id, source, source_id, key, repo_id)
      select ${entityId}::bigint, 'pull_request', t.source_id, t.key, ${repoId}::bigint from ${rowsOf(added, columns)}
      on conflict (entity_id, source, source_id, key) do nothing`.execute(db);
  }
  return gone.length + added.length;
}

const nameOf = ({ source_id, key }: Mention): string => `${source_id} ${key}`;

function without(mentions: readonly Mention[], others: readonly Mention[]): Mention[] {
  const known = new Set(others.map(nameOf));
  return mentions.filter((mention) => !known.has(nameOf(mention)));
}
