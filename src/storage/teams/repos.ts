// The repos of a team: those it was given by name or, without any, those its members have commits in.
import { sql } from 'kysely';
import type { Database } from '../database/handle.ts';
import { isSameRepoName } from '../repos/repo-key.ts';
import type { RepoSlugs } from './teams.ts';

/** The names as imported repos have them; others as they are. */
export async function spellRepos(db: Database, entityId: number, repos: readonly RepoSlugs[]): Promise<RepoSlugs[]> {
  if (repos.length === 0) return [];
  const { rows } = await sql<RepoSlugs & { readonly place: number }>`
    select distinct on (t.place) t.place, o.slug as organization, r.slug as repo
    from unnest(${repos.map(({ organization }) => organization)}::text[], ${repos.map(({ repo }) => repo)}::text[])
      with ordinality as t(organization, repo, place)
    join organizations o on o.entity_id = ${entityId} and ${isSameRepoName('o.slug', 't.organization')}
    join repos r on r.entity_id = o.entity_id and r.organization_id = o.id and ${isSameRepoName('r.slug', 't.repo')}
    order by t.place, o.slug = t.organization and r.slug = t.repo desc, r.id`.execute(db);
  const byPlace = new Map(rows.map(({ place, ...found }) => [place, found]));
  return repos.map((named, index) => byPlace.get(index + 1) ?? named);
}

/** Those that are not imported, as `<organization>/<repo>`. */
export async function listUnknownRepos(db: Database, entityId: number, repos: readonly RepoSlugs[]): Promise<string[]> {
  if (repos.length === 0) return [];
  const { rows } = await sql<{ repo_path: string }>`
    select t.o || '/' || t.r as repo_path
    from unnest(${repos.map((r) => r.organization)}::text[], ${repos.map((r) => r.repo)}::text[]) with ordinality as t(o, r, place)
    where not exists (
      select from organizations o join repos r on r.entity_id = o.entity_id and r.organization_id = o.id
      where o.entity_id = ${entityId} and o.slug = t.o and r.slug = t.r)
    order by t.place`.execute(db);
  return rows.map(({ repo_path }) => repo_path);
}

export async function listTeamRepoIds(db: Database, entityId: number, teamId: number): Promise<number[]> {
  const given = await sql<{ id: number | null }>`
    select r.id from team_repos t
    left join organizations o on o.entity_id = t.entity_id and o.slug = t.organization_slug
    left join repos r on r.entity_id = t.entity_id and r.organization_id = o.id and r.slug = t.repo_slug
    where t.entity_id = ${entityId} and t.team_id = ${teamId}`.execute(db);
  if (given.rows.length > 0) return given.rows.flatMap(({ id }) => id ?? []);
  const worked = await sql<{ id: number }>`
    select distinct c.repo_id as id
    from team_members m
    join committers p on p.entity_id = m.entity_id and p.id = m.committer_id
    join committers i on i.entity_id = p.entity_id and i.root_committer_id = p.root_committer_id
    join commits c on c.entity_id = i.entity_id and c.author_id = i.id
    where m.entity_id = ${entityId} and m.team_id = ${teamId}`.execute(db);
  return worked.rows.map(({ id }) => id);
}
