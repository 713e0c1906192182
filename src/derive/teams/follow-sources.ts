// Teams of the entity that follow teams of code hosts and boards of trackers. Whom a host counts among its team's members,
// and who was assigned issues of a board's sprints, is a member. What people changed about such a team stays.
import { sql } from 'kysely';
import { todayIn } from '../../domain/calendar/date-range.ts';
import type { Database } from '../../storage/database/handle.ts';
import { insertTeam, lockTeams } from '../../storage/teams/teams.ts';

interface SourceTeam {
  readonly source_key: string;
  readonly slug: string;
  readonly name: string;
  readonly external_source_em: 'source_hostC' | 'source_tracker_a' | null;
  readonly project_board_id: string | null;
  readonly is_gone: boolean;
}

/**
 * Boards of trackers that were connected: hosts have teams of their own. A board waits until one of its issues is known, whose
 * project its name bears. Words for GitHub and Jira are all that the contract has; teams of others bear none.
 */
const readSources = (db: Database, entityId: number, collectedTrackers: readonly number[]) =>
  sql<SourceTeam>`
  select 'team:' || h.id as source_key, h.slug, h.name,
    case when h.host_key like 'hostC:%' then 'source_hostC' end as external_source_em, null as project_board_id,
    h.deleted_at is not null as is_gone
  from host_teams h where h.entity_id = ${entityId}
  union all
  select 'board:' || s.tracker_id || ':' || s.board_id, null, coalesce(s.project_name || ' ', '') || 'board ' || s.board_id,
    case when t.kind in ('jira', 'jira_server') then 'source_tracker_a' end, s.board_id, false
  from (
    select s.tracker_id, s.board_id, mode() within group (order by i.project_name) as project_name,
      count(i.id) > 0 as has_issues
    from sprints s
    left join sprint_issues n on n.entity_id = s.entity_id and n.sprint_id = s.id
    left join issues i on i.entity_id = n.entity_id and i.id = n.issue_id
    where s.entity_id = ${entityId} and s.tracker_id is not null and s.deleted_at is null
    group by s.tracker_id, s.board_id) s
  join trackers t on t.entity_id = ${entityId} and t.id = s.tracker_id and t.repo_id is null and t.site_url is not null
  where s.has_issues or t.id = any(${collectedTrackers}::bigint[])
  order by 1`.execute(db);

const members = (entityId: number) => sql`
  select t.id as team_id, c.id as committer_id, lower(coalesce(a.login, c.committer_user_name)) as identifier
  from teams t
  join host_teams h on h.entity_id = t.entity_id and t.source_key = 'team:' || h.id and h.deleted_at is null
  join host_team_members m on m.entity_id = h.entity_id and m.team_id = h.id
  join host_accounts a on a.entity_id = m.entity_id and a.id = m.account_id
  join committers c on c.entity_id = a.entity_id and c.id = a.committer_id
  join committers r on r.entity_id = c.entity_id and r.id = c.root_committer_id and not r.is_bot and not r.is_ai_agent
  where t.entity_id = ${entityId}
  union
  select t.id, c.id, lower(c.committer_user_name)
  from teams t
  join sprints s on s.entity_id = t.entity_id and t.source_key = 'board:' || s.tracker_id || ':' || s.board_id
  join sprint_issues n on n.entity_id = s.entity_id and n.sprint_id = s.id
  join issues i on i.entity_id = n.entity_id and i.id = n.issue_id
  join committers c on c.entity_id = i.entity_id and c.id = i.assignee_id
  join committers r on r.entity_id = c.entity_id and r.id = c.root_committer_id and not r.is_bot and not r.is_ai_agent
  where t.entity_id = ${entityId}`;

/**
 * Returns how many rows changed. `collectedTrackers` are those whose history had been collected before stays in sprints were
 * derived from it: until then every look at a board is still the first. Whom the first look finds has always belonged; later
 * joiners belong from the day of `now` in the entity's zone. Memberships that a host decides let nobody see more: no admin of the entity made them.
 */
export async function followSources(
  db: Database,
  entityId: number,
  {
    now,
    timeZone,
    collectedTrackers,
  }: { readonly now: Date; readonly timeZone: string; readonly collectedTrackers: readonly number[] },
): Promise<number> {
  const { rows: sources } = await readSources(db, entityId, collectedTrackers);
  if (sources.length === 0) return 0;
  await lockTeams(db, entityId);
  const today = todayIn(timeZone, now);
  let changed = 0;
  const teams = await db.selectFrom('teams').selectAll().where('entity_id', '=', entityId).execute();
  const known = new Map(teams.map((team) => [team.source_key, team]));
  const names = new Set(teams.map(({ name }) => name.toLowerCase()));
  for (const source of sources) {
    // A board that somebody gave to a team of their own has its team.
    const isTaken = teams.some(
      ({ project_board_id, source_key }) => project_board_id === source.project_board_id && source_key === null,
    );
    if (known.has(source.source_key) || source.is_gone || (source.project_board_id !== null && isTaken)) continue;
    let name = source.name;
    for (let number = 2; names.has(name.toLowerCase()); number += 1) name = `${source.name} ${number}`;
    names.add(name.toLowerCase());
    const { external_source_em, source_key, project_board_id } = source;
    const slug = slugOf(source.slug ?? source.name);
    const team = await insertTeam(db, { entity_id: entityId, slug, name, project_board_id }, now);
    await db
      .updateTable('teams')
      .set({ external_source_em, source_key })
      .where('entity_id', '=', entityId)
      .where('id', '=', team.id)
      .execute();
    changed += 1;
  }
  const gone = await sql`
    update team_members set until_on = ${today}::date
    where entity_id = ${entityId} and is_derived and until_on is null
      and (team_id, committer_id) not in (select f.team_id, f.committer_id from (${members(entityId)}) f)`.execute(db);
  const joined = await sql`
    insert into team_members (entity_id, team_id, committer_id, identifier, role_em, from_on, gives_sight, is_derived, created_at)
    select ${entityId}::bigint, f.team_id, f.committer_id, min(f.identifier), 'committer_role',
      case when t.is_source_collected then ${today}::date end, false, true, ${now.toISOString()}::timestamptz
    from (${members(entityId)}) f
    join teams t on t.entity_id = ${entityId} and t.id = f.team_id
    where not exists (
      select from team_members m where m.entity_id = ${entityId} and m.team_id = f.team_id
        and m.committer_id = f.committer_id and m.role_em = 'committer_role' and (m.until_on is null or m.until_on > ${today}::date))
    group by f.team_id, f.committer_id, t.is_source_collected`.execute(db);
  await noteCollected(db, entityId, collectedTrackers);
  return [gone, joined].reduce((sum, { numAffectedRows = 0n }) => sum + Number(numAffectedRows), changed);
}

/** A host's team comes with all its members. A tracker that goes further back is looked at for the first time again. */
async function noteCollected(db: Database, entityId: number, collectedTrackers: readonly number[]): Promise<void> {
  const isCollected = sql`(t.source_key like 'team:%'
    or split_part(t.source_key, ':', 2) = any(${collectedTrackers.map(String)}::text[]))`;
  await sql`
    update teams t set is_source_collected = ${isCollected}
    where t.entity_id = ${entityId} and t.source_key is not null and t.is_source_collected <> ${isCollected}`.execute(
    db,
  );
}

const slugOf = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 60) || 'team';
