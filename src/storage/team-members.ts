// Members of teams. A membership names a committer, or an identifier that will become one; whoever reads
// members goes through the committer's root, so that merged people stay in their teams.
import { sql } from 'kysely';
import type { Database } from './handle.ts';
import type { Row } from './schema.ts';

export type RoleEm = Row<'team_members'>['role_em'];
export type TeamMemberRow = Row<'team_members'>;

export interface DeveloperTeamRow {
  /** The root committer. */
  readonly committer_id: number;
  readonly role_em: RoleEm;
  readonly team_id: number;
  readonly team_name: string;
  readonly team_slug: string;
}

/** Teams that people are in on a day. The team of everybody is not listed. */
export async function listTeamsOfDevelopers(
  db: Database,
  entityId: number,
  rootIds: readonly number[],
  day: string,
): Promise<DeveloperTeamRow[]> {
  if (rootIds.length === 0) return [];
  const { rows } = await sql<DeveloperTeamRow>`
    select distinct c.root_committer_id as committer_id, m.role_em, t.id as team_id, t.name as team_name,
           t.slug as team_slug
    from committers c
    join team_members m on m.entity_id = ${entityId} and m.committer_id = c.id
    join teams t on t.entity_id = ${entityId} and t.id = m.team_id
    where c.entity_id = ${entityId} and c.root_committer_id = any(${rootIds})
      and (m.from_on is null or m.from_on <= ${day}::date) and (m.until_on is null or m.until_on > ${day}::date)
    order by team_name, role_em`.execute(db);
  return rows;
}
