// Organizations and repos as resource paths name them.
import type { ResourcePath } from '../domain/resource-path.ts';
import type { Database } from './handle.ts';
import { findRepo } from './repos.ts';

/** What a path names: the entity where both are null. */
export interface ResourceIds {
  readonly organization_id: number | null;
  readonly repo_id: number | null;
}

/** Null when the entity has no such organization or repo. */
export async function findResourceIds(
  db: Database,
  entityId: number,
  { organization, repo }: ResourcePath,
): Promise<ResourceIds | null> {
  if (organization === null) return { organization_id: null, repo_id: null };
  if (repo !== null) {
    const row = await findRepo(db, entityId, organization, repo);
    return row === undefined ? null : { organization_id: row.organization_id, repo_id: row.id };
  }
  const row = await db
    .selectFrom('organizations')
    .select('id')
    .where('entity_id', '=', entityId)
    .where('slug', '=', organization)
    .executeTakeFirst();
  return row === undefined ? null : { organization_id: row.id, repo_id: null };
}
