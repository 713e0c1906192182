// What filters by person and by team are resolved to before the query runs.
import { sql } from 'kysely';
import type { Database } from '../database/handle.ts';

/** All identities of root committers. */
export async function listIdentityIds(db: Database, entityId: number, rootIds: readonly number[]): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from committers
    where entity_id = ${entityId} and root_committer_id = any(${rootIds}::bigint[]) order by id`.execute(db);
  return rows.map(({ id }) => id);
}

/** Repos that a team was given by name; null when it was given none and works everywhere. */
export async function listTeamRepoIdsByName(db: Database, entityId: number, teamId: number): Promise<number[] | null> {
  const { rows } = await sql<{ id: number | null }>`
    select r.id from team_repos t
    left join organizations o on o.entity_id = t.entity_id and o.slug = t.organization_slug
    left join repos r on r.entity_id = o.entity_id and r.organization_id = o.id and r.slug = t.repo_slug
    where t.entity_id = ${entityId} and t.team_id = ${teamId}`.execute(db);
  return rows.length === 0 ? null : rows.flatMap(({ id }) => id ?? []);
}
