// Queries on teams and the repos they were given.
import { type RawBuilder, sql } from 'kysely';
import { DEFAULT_TEAM } from '../../domain/teams/default-team.ts';
import { foldUsagesOfTeam } from '../ai/submitted/fold-usages.ts';
import type { Database } from '../database/handle.ts';
import type { Row } from '../database/schema.ts';
import type { ShownName } from '../database/shown-name.ts';

export type TeamRow = Row<'teams'>;

export const findTeamBySlug = (db: Database, entityId: number, slug: string): Promise<TeamRow | undefined> =>
  db
    .selectFrom('teams')
    .selectAll()
    .where('entity_id', '=', entityId)
    .where('slug', '=', slug.trim().toLowerCase())
    .executeTakeFirst();

/** By the slugs as they were written; those that exist. */
export async function findTeamsBySlug(
  db: Database,
  entityId: number,
  slugs: readonly string[],
): Promise<Map<string, TeamRow>> {
  if (slugs.length === 0) return new Map();
  const keyOf = (slug: string): string => slug.trim().toLowerCase();
  const teams = await db
    .selectFrom('teams')
    .selectAll()
    .where('entity_id', '=', entityId)
    .where('slug', '=', sql<string>`any(${[...new Set(slugs.map(keyOf))]}::text[])`)
    .execute();
  const bySlug = new Map(teams.map((team) => [team.slug, team]));
  return new Map(slugs.flatMap((slug) => (bySlug.has(keyOf(slug)) ? [[slug, bySlug.get(keyOf(slug))!]] : [])));
}

/** By name whatever its case, or by slug. */
export async function findTeam(db: Database, entityId: number, nameOrSlug: string): Promise<TeamRow | undefined> {
  const { rows } = await sql<TeamRow>`
    select * from teams where entity_id = ${entityId}
      and (lower(name) = lower(${nameOrSlug}) or slug = lower(${nameOrSlug}))
    order by (lower(name) = lower(${nameOrSlug})) desc limit 1`.execute(db);
  return rows[0];
}

export const listTeams = (db: Database, entityId: number): Promise<TeamRow[]> =>
  db
    .selectFrom('teams')
    .selectAll()
    .where('entity_id', '=', entityId)
    .orderBy('is_default', 'desc')
    .orderBy('name')
    .orderBy('id')
    .execute();

export interface ChartedTeam extends Pick<TeamRow, 'id' | 'slug' | 'name' | 'is_default'> {
  /** Of the people asked for, where some are. */
  readonly has_members: boolean;
}

/** Teams in the order of their slugs, each with whether one of the people is or was in it; null: anybody. */
export async function listChartedTeams(
  db: Database,
  entityId: number,
  people: readonly number[] | null,
): Promise<ChartedTeam[]> {
  const { rows } = await sql<ChartedTeam>`
    select t.id, t.slug, t.name, t.is_default, exists (
      select 1 from team_members m
      where m.entity_id = t.entity_id and m.team_id = t.id and m.committer_id is not null
        and (${people}::bigint[] is null or exists (
          select 1 from committers x
          where x.entity_id = m.entity_id and x.id = m.committer_id and x.root_committer_id = any(${people}::bigint[])))
      ) as has_members
    from teams t where t.entity_id = ${entityId} order by t.slug`.execute(db);
  return rows;
}

export async function listTeamNames(db: Database, entityId: number, ids: readonly number[]): Promise<ShownName[]> {
  const { rows } = await sql<ShownName>`
    select id, name as short, slug as long from teams
    where entity_id = ${entityId} and id = any(${ids}::bigint[])`.execute(db);
  return rows;
}

const TEAM_LOCK_SPACE = 7_080_004;

/** Changes of one entity's teams come one after another: they are rare, and each decides by what it has read. */
export async function lockTeams(db: Database, entityId: number): Promise<void> {
  await sql`select pg_advisory_xact_lock(${TEAM_LOCK_SPACE}, ${entityId % 2_147_483_648}::int)`.execute(db);
}

/** Made together with the entity; an entity that is older gets it when its teams are first read. */
export async function ensureDefaultTeam(db: Database, entityId: number): Promise<void> {
  await db
    .insertInto('teams')
    .values({ entity_id: entityId, ...DEFAULT_TEAM, is_default: true })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** The wanted slug, with -2, -3 … where it is taken. Call it with the teams locked. */
export async function insertTeam(
  db: Database,
  team: { entity_id: number; slug: string; name: string; project_board_id: string | null },
  now: Date,
): Promise<TeamRow> {
  const { rows } = await sql<{ slug: string }>`
    select slug from teams where entity_id = ${team.entity_id}
      and (slug = ${team.slug} or regexp_replace(slug, '-\\d+$', '') = ${team.slug})`.execute(db);
  const taken = new Set(rows.map(({ slug }) => slug));
  let { slug } = team;
  for (let number = 2; taken.has(slug); number += 1) slug = `${team.slug}-${number}`;
  return db
    .insertInto('teams')
    .values({ ...team, slug, external_source_em: 'source_api_instantiated', created_at: now, updated_at: now })
    .returningAll()
    .executeTakeFirstOrThrow();
}

export async function touchTeam(
  db: Database,
  team: Pick<TeamRow, 'entity_id' | 'id' | 'project_board_id'>,
  now: Date,
): Promise<void> {
  await db
    .updateTable('teams')
    .set({ project_board_id: team.project_board_id, updated_at: now })
    .where('entity_id', '=', team.entity_id)
    .where('id', '=', team.id)
    .execute();
}

/** With its members and repos. Its usage of AI stays, attributed to nobody; the caller lets one change of it at a time pass. */
export async function deleteTeam(db: Database, team: Pick<TeamRow, 'entity_id' | 'id'>): Promise<void> {
  await foldUsagesOfTeam(db, team.entity_id, team.id);
  await db.deleteFrom('teams').where('entity_id', '=', team.entity_id).where('id', '=', team.id).execute();
}

export interface RepoSlugs {
  readonly organization: string;
  readonly repo: string;
}

export async function addTeamRepos(
  db: Database,
  { entity_id, id }: Pick<TeamRow, 'entity_id' | 'id'>,
  repos: readonly RepoSlugs[],
): Promise<void> {
  if (repos.length === 0) return;
  await sql`
    insert into team_repos (entity_id, team_id, organization_slug, repo_slug)
    select ${entity_id}, ${id}, o, r
    from unnest(${repos.map((r) => r.organization)}::text[], ${repos.map((r) => r.repo)}::text[]) as t(o, r)
    on conflict (entity_id, team_id, organization_slug, repo_slug) do nothing`.execute(db);
}

export async function removeTeamRepos(
  db: Database,
  { entity_id, id }: Pick<TeamRow, 'entity_id' | 'id'>,
  repos: readonly RepoSlugs[],
): Promise<void> {
  await sql`
    delete from team_repos
    using (select * from unnest(${repos.map((r) => r.organization)}::text[], ${repos.map((r) => r.repo)}::text[])
           as t(o, r)) gone
    where entity_id = ${entity_id} and team_id = ${id} and organization_slug = gone.o and repo_slug = gone.r`.execute(
    db,
  );
}

export interface TeamRepoRow {
  readonly team_id: number;
  readonly repo_path: string;
}

export async function listTeamRepos(
  db: Database,
  entityId: number,
  teamIds: readonly number[],
): Promise<TeamRepoRow[]> {
  const { rows } = await sql<TeamRepoRow>`
    select team_id, organization_slug || '/' || repo_slug as repo_path from team_repos
    where entity_id = ${entityId} and team_id = any(${teamIds}) order by team_id, repo_path`.execute(db);
  return rows;
}

export interface AssociatedRepoRow {
  /** Null while a repo that the team was given is not imported. */
  readonly id: number | null;
  readonly repo_path: string;
  readonly name: string;
  readonly is_explicit: boolean;
}

/** Repos the team was given; without any, those that its developers have commits in. */
function associated(team: TeamRow, day: string): RawBuilder<unknown> {
  const { entity_id: entity, id } = team;
  const worked = team.is_default
    ? sql`true`
    : sql`exists (
        select from team_members m
        join committers c on c.entity_id = ${entity} and c.id = m.committer_id
        join committers i on i.entity_id = ${entity} and i.root_committer_id = c.root_committer_id
        join commits k on k.entity_id = ${entity} and k.author_id = i.id and k.repo_id = r.id
        where m.entity_id = ${entity} and m.team_id = ${id} and m.role_em = 'committer_role'
          and (m.until_on is null or m.until_on > ${day}::date))`;
  return sql`
    with given as (select * from team_repos where entity_id = ${entity} and team_id = ${id}),
    known as (
      select r.id, r.name, o.slug as organization_slug, r.slug as repo_slug
      from repos r join organizations o on o.entity_id = ${entity} and o.id = r.organization_id
      where r.entity_id = ${entity} and (exists (select from given) or ${worked})
    ), found as (
      select k.id, coalesce(k.name, g.repo_slug) as name, g.organization_slug, g.repo_slug, true as is_explicit
      from given g left join known k on k.organization_slug = g.organization_slug and k.repo_slug = g.repo_slug
      union all
      select k.id, k.name, k.organization_slug, k.repo_slug, false from known k where not exists (select from given)
    )`;
}

export async function listAssociatedRepos(
  db: Database,
  team: TeamRow,
  day: string,
  page: { limit: number; offset: number },
): Promise<{ rows: AssociatedRepoRow[]; total: number }> {
  const [list, count] = await Promise.all([
    sql<AssociatedRepoRow>`${associated(team, day)}
      select id, organization_slug || '/' || repo_slug as repo_path, name, is_explicit from found
      order by organization_slug, repo_slug limit ${page.limit} offset ${page.offset}`.execute(db),
    sql<{ total: number }>`${associated(team, day)} select count(*) as total from found`.execute(db),
  ]);
  return { rows: list.rows, total: count.rows[0]?.total ?? 0 };
}
