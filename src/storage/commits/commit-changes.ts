// Changes to commits that are stored already: presence, the default branch, and copies found later.
// Each recounts what it touches, in the caller's transaction.
import { sql } from 'kysely';
import type { Database } from '../database/handle.ts';
import type { Row } from '../database/schema.ts';
import { reconcileRollups } from './rollups.ts';
import { splitShas } from './sha-list.ts';
import { reconcileShared } from './shared-commits.ts';

const toBytes = (shas: Iterable<string>): Buffer[] => [...shas].map((sha) => Buffer.from(sha, 'hex'));

export interface RepoKey {
  readonly entityId: number;
  readonly repoId: number;
}

export interface CopyLink {
  readonly sha: string;
  readonly not_counted: string | null;
  readonly derived_from: string | null;
}

/** Which commits count and which repeat them. */
export async function storeCopyLinks(db: Database, key: RepoKey, links: readonly CopyLink[]): Promise<void> {
  if (links.length === 0) return;
  const { rows } = await sql<{ id: number }>`
    update commits set not_counted = t.reason::not_counted_reason, derived_from = decode(t.original, 'hex')
    from unnest(${links.map((l) => l.sha)}::text[], ${links.map((l) => l.not_counted)}::text[],
                ${links.map((l) => l.derived_from)}::text[]) as t(sha, reason, original)
    where commits.entity_id = ${key.entityId} and commits.repo_id = ${key.repoId}
      and commits.sha = decode(t.sha, 'hex')
      and (commits.not_counted is distinct from t.reason::not_counted_reason
           or commits.derived_from is distinct from decode(t.original, 'hex'))
    returning commits.id`.execute(db);
  const commitIds = rows.map((row) => row.id);
  await reconcileRollups(db, key.entityId, { commitIds });
  await reconcileShared(db, key.entityId, { commitIds });
}

/** Sets which of the repo's commits are on the default branch. Returns how many changed. */
export async function storeDefaultBranch(db: Database, key: RepoKey, onDefault: ReadonlySet<string>): Promise<number> {
  const stored = await db
    .selectFrom('commits')
    .select(['id', 'sha', 'on_default_branch'])
    .where('entity_id', '=', key.entityId)
    .where('repo_id', '=', key.repoId)
    .execute();
  const changed = stored.filter((row) => onDefault.has(row.sha.toString('hex')) !== row.on_default_branch);
  if (changed.length === 0) return 0;
  await sql`
    update commits set on_default_branch = not on_default_branch
    where entity_id = ${key.entityId} and id = any(${changed.map((row) => row.id)})`.execute(db);
  return changed.length;
}

/** The same for a default branch that has only grown, by what it leads to since. */
export async function addToDefaultBranch(db: Database, key: RepoKey, shas: readonly string[]): Promise<number> {
  if (shas.length === 0) return 0;
  const { numAffectedRows } = await sql`
    update commits set on_default_branch = true
    where entity_id = ${key.entityId} and repo_id = ${key.repoId} and not on_default_branch
      and sha = any(${shas.map((sha) => Buffer.from(sha, 'hex'))})`.execute(db);
  return Number(numAffectedRows ?? 0);
}

/**
 * Makes the commits that branches lead to present and all others of the repo not. A commit whose work
 * lives on in another is `rewritten`, one that only left-out branches lead to `branch_left_out`, else `removed`. Returns
 * how many changed.
 */
export async function storePresence(
  db: Database,
  key: RepoKey,
  reachable: ReadonlySet<string>,
  leftOut: ReadonlySet<string>,
): Promise<number> {
  const stored = await db
    .selectFrom('commits')
    .select(['id', 'sha', 'presence', 'derived_from', 'patch_id', 'parents'])
    .where('entity_id', '=', key.entityId)
    .where('repo_id', '=', key.repoId)
    .execute();
  const living = new Set<string>();
  for (const row of stored) {
    if (row.patch_id !== null && reachable.has(row.sha.toString('hex'))) living.add(row.patch_id.toString('hex'));
  }
  const [found, lost] = [new Map<string, string[]>(), new Map<string, string[]>()];
  const changes: Record<Row<'commits'>['presence'], number[]> = {
    existent: [],
    rewritten: [],
    branch_left_out: [],
    off_branch: [],
    removed: [],
  };
  for (const row of stored) {
    const sha = row.sha.toString('hex');
    const isHere = reachable.has(sha);
    const livesOn =
      (row.patch_id !== null && living.has(row.patch_id.toString('hex'))) ||
      (row.derived_from !== null && reachable.has(row.derived_from.toString('hex')));
    const gone = leftOut.has(sha) ? 'branch_left_out' : livesOn ? 'rewritten' : 'removed';
    // What only a tag or a pull request led to never was on a branch, and cannot be lost there.
    const presence = isHere ? 'existent' : row.presence === 'off_branch' ? 'off_branch' : gone;
    if (presence === row.presence) continue;
    changes[presence].push(row.id);
    for (const parent of splitShas(row.parents)) {
      const side = isHere ? found : lost;
      side.set(parent, [...(side.get(parent) ?? []), row.sha.toString('hex')]);
    }
  }
  let changed = 0;
  for (const [presence, ids] of Object.entries(changes)) {
    if (ids.length === 0) continue;
    await sql`update commits set presence = ${presence}::commit_presence
              where entity_id = ${key.entityId} and id = any(${ids})`.execute(db);
    await reconcileRollups(db, key.entityId, { commitIds: ids });
    await reconcileShared(db, key.entityId, { commitIds: ids });
    changed += ids.length;
  }
  await storeFurtherChildren(db, key, found, lost);
  return changed;
}

/** Adds children found later to commits that are stored already, and takes lost ones away. */
export async function storeFurtherChildren(
  db: Database,
  key: RepoKey,
  further: ReadonlyMap<string, readonly string[]>,
  lost: ReadonlyMap<string, readonly string[]> = new Map(),
): Promise<void> {
  const parents = new Set([...further.keys(), ...lost.keys()]);
  if (parents.size === 0) return;
  const rows = await db
    .selectFrom('commits')
    .select(['id', 'sha', 'children'])
    .where('entity_id', '=', key.entityId)
    .where('repo_id', '=', key.repoId)
    .where((row) => sql<boolean>`${row.ref('sha')} = any(${toBytes(parents)})`)
    .execute();
  const changed: { readonly id: number; readonly children: Buffer }[] = [];
  for (const row of rows) {
    const sha = row.sha.toString('hex');
    const before = splitShas(row.children);
    const gone = new Set(lost.get(sha));
    const after = [...new Set([...before, ...(further.get(sha) ?? [])])].filter((child) => !gone.has(child)).sort();
    if (after.join() === before.join()) continue;
    changed.push({ id: row.id, children: Buffer.from(after.join(''), 'hex') });
  }
  if (changed.length === 0) return;
  await sql`
    update commits set children = t.children
    from unnest(${changed.map((row) => row.id)}::bigint[], ${changed.map((row) => row.children)}::bytea[])
         as t(id, children)
    where commits.entity_id = ${key.entityId} and commits.id = t.id`.execute(db);
}
