// Organizations and repos as resource paths name them.
import { sql } from 'kysely';
import type { ResourcePath } from '../../domain/resource-path.ts';
import type { Database } from '../database/handle.ts';
import { findRepo } from '../repos/repos.ts';

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
    if (row !== undefined) return { organization_id: row.organization_id, repo_id: row.id };
  } else {
    const row = await db
      .selectFrom('organizations')
      .select('id')
      .where('entity_id', '=', entityId)
      .where('slug', '=', organization)
      .executeTakeFirst();
    if (row !== undefined) return { organization_id: row.id, repo_id: null };
  }
  return findByOtherReading(db, entityId, organization, repo);
}

/** The name in another case, or a group in a group: an organization whose path looks like that of a repo. */
async function findByOtherReading(
  db: Database,
  entityId: number,
  organization: string,
  repo: string | null,
): Promise<ResourceIds | null> {
  const { rows } = await sql<ResourceIds>`
    select organization_id, repo_id from (
      select o.id as organization_id, r.id as repo_id
      from organizations o join repos r on r.entity_id = o.entity_id and r.organization_id = o.id
      where o.entity_id = ${entityId} and lower(o.slug) = lower(${organization}::text)
        and lower(r.slug) = lower(${repo}::text)
      union all
      select o.id, null from organizations o
      where o.entity_id = ${entityId} and lower(o.slug) = lower(concat_ws('/', ${organization}::text, ${repo}::text))
    ) found order by repo_id nulls last, organization_id limit 1`.execute(db);
  return rows[0] ?? null;
}
