// A team as the API shows it.
import type { Database } from '../../storage/database/handle.ts';
import { countMembers, listMembers, type ShownMemberRow } from '../../storage/teams/members.ts';
import { listTeamRepos, type TeamRow } from '../../storage/teams/teams.ts';

export type TeamMemberRecord = Omit<ShownMemberRow, 'team_id'>;

export interface TeamRecord {
  readonly id: number;
  readonly name: string;
  readonly slug: string;
  readonly external_source_em: TeamRow['external_source_em'];
  readonly project_board_id: string | null;
  readonly committers_total_count: number;
  readonly committers_active_count: number;
  readonly committers_seated: readonly string[];
  readonly developer_members: readonly TeamMemberRecord[];
  readonly manager_members: readonly TeamMemberRecord[];
  readonly repo_paths: readonly string[];
  readonly created_at: string;
  readonly updated_at: string;
}

/** In the order of the rows, with three queries for all of them. */
export async function readTeamRecords(
  db: Database,
  entityId: number,
  teams: readonly TeamRow[],
  today: string,
  areSeatsPaid: boolean,
): Promise<TeamRecord[]> {
  const ids = teams.map(({ id }) => id);
  const [members, counts, repos] = await Promise.all([
    listMembers(db, entityId, ids, today),
    countMembers(db, entityId, ids, today, areSeatsPaid),
    listTeamRepos(db, entityId, ids),
  ]);
  const countsById = new Map(counts.map((row) => [row.team_id, row]));
  const membersById = new Map<number, ShownMemberRow[]>(ids.map((id) => [id, []]));
  for (const member of members) membersById.get(member.team_id)?.push(member);
  return teams.map((team) => {
    const own = membersById.get(team.id) ?? [];
    const inRole = (role: ShownMemberRow['role_em']): TeamMemberRecord[] =>
      own.filter(({ role_em }) => role_em === role).map(({ team_id: _team, ...member }) => member);
    const count = countsById.get(team.id);
    return {
      id: team.id,
      name: team.name,
      slug: team.slug,
      external_source_em: team.external_source_em,
      project_board_id: team.project_board_id,
      committers_total_count: count?.committers_total_count ?? 0,
      committers_active_count: count?.committers_active_count ?? 0,
      committers_seated: count?.committers_seated ?? [],
      developer_members: inRole('committer_role'),
      manager_members: inRole('manager_role'),
      repo_paths: repos.filter(({ team_id }) => team_id === team.id).map(({ repo_path }) => repo_path),
      created_at: team.created_at,
      updated_at: team.updated_at,
    };
  });
}
