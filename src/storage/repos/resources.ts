// Organizations and repos as resource paths name them: the one place that decides what a path means.
import { sql } from 'kysely';
import type { ResourcePath } from '../../domain/resource-path.ts';
import type { Database } from '../database/handle.ts';
import type { ShownName } from '../database/shown-name.ts';
import { isSameRepoName } from './repo-key.ts';

/** What a path names: the entity where both are null. */
export interface ResourceIds {
  readonly organization_id: number | null;
  readonly repo_id: number | null;
}

export interface FoundResource extends ResourceIds {
  /** The path as it was understood: what looks like a repo may be a group in a group, which is an organization. */
  readonly path: ResourcePath;
}

/**
 * In the order of the paths, null for what the entity does not have. A name may be written in another way; one that is
 * written exactly so goes first, and a repo goes before a group in a group.
 */
export async function findResources(
  db: Database,
  entityId: number,
  paths: readonly ResourcePath[],
): Promise<(FoundResource | null)[]> {
  if (paths.every(({ organization }) => organization === null)) return paths.map(wholeEntity);
  const { rows } = await sql<ResourceIds & { place: number }>`
    select distinct on (w.place) w.place::int - 1 as place, f.organization_id, f.repo_id
    from unnest(${paths.map((path) => path.organization)}::text[], ${paths.map((path) => path.repo)}::text[])
         with ordinality as w(organization, repo, place)
    cross join lateral (
      select o.id as organization_id, r.id as repo_id, o.slug = w.organization and r.slug = w.repo as is_exact
      from organizations o join repos r on r.entity_id = o.entity_id and r.organization_id = o.id
      where o.entity_id = ${entityId} and ${isSameRepoName('o.slug', 'w.organization')} and ${isSameRepoName('r.slug', 'w.repo')}
      union all
      select o.id, null, o.slug = concat_ws('/', w.organization, w.repo) from organizations o
      where o.entity_id = ${entityId} and ${isSameRepoName('o.slug', "concat_ws('/', w.organization, w.repo)")}
    ) f
    order by w.place, f.repo_id is null, f.is_exact desc, f.organization_id, f.repo_id`.execute(db);
  const byPlace = new Map(rows.map((row) => [row.place, row]));
  return paths.map((path, place) => {
    if (path.organization === null) return wholeEntity(path);
    const row = byPlace.get(place);
    if (row === undefined) return null;
    const { organization_id, repo_id } = row;
    const isGroup = path.repo !== null && repo_id === null;
    const understood = isGroup ? { ...path, organization: `${path.organization}/${path.repo}`, repo: null } : path;
    return { organization_id, repo_id, path: understood };
  });
}

const wholeEntity = (path: ResourcePath): FoundResource => ({ organization_id: null, repo_id: null, path });

/** For the error about a path that names nothing: the repos of its organization, or else the organizations. */
export async function listNamesBeside(
  db: Database,
  entityId: number,
  { organization, repo }: ResourcePath,
): Promise<{ readonly kind: 'repo' | 'organization'; readonly names: string[] }> {
  const { rows } = await sql<{ organization: string; repo: string | null }>`
    select o.slug as organization, r.slug as repo
    from organizations o left join repos r on r.entity_id = o.entity_id and r.organization_id = o.id
    where o.entity_id = ${entityId} order by o.slug, r.slug`.execute(db);
  const own = rows.filter((row) => row.organization.toLowerCase() === organization?.toLowerCase());
  if (repo !== null && own.length > 0) return { kind: 'repo', names: own.flatMap((row) => row.repo ?? []) };
  return { kind: 'organization', names: [...new Set(rows.map((row) => row.organization))] };
}

/** The repos that resources name, or null when one of them is the whole entity. */
export async function listRepoIds(
  db: Database,
  entityId: number,
  resources: readonly ResourceIds[],
): Promise<number[] | null> {
  if (resources.some(({ organization_id }) => organization_id === null)) return null;
  const organizations = resources.flatMap((r) => (r.repo_id === null ? [r.organization_id!] : []));
  const repos = resources.flatMap((r) => (r.repo_id === null ? [] : [r.repo_id]));
  const { rows } = await sql<{ id: number }>`
    select id from repos where entity_id = ${entityId}
      and (id = any(${repos}::bigint[]) or organization_id = any(${organizations}::bigint[]))`.execute(db);
  return rows.map(({ id }) => id);
}

export async function listRepoNames(db: Database, entityId: number, ids: readonly number[]): Promise<ShownName[]> {
  const { rows } = await sql<ShownName>`
    select r.id, r.name as short, o.slug || '/' || r.slug as long
    from repos r join organizations o on o.entity_id = r.entity_id and o.id = r.organization_id
    where r.entity_id = ${entityId} and r.id = any(${ids}::bigint[])`.execute(db);
  return rows;
}
