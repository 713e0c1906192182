// What a list of defects or releases is narrowed to: resource paths, a team, and a page.
import { StrataError } from '../../domain/errors.ts';
import type { Database } from '../../storage/database/handle.ts';
import { listTeamRepoIds } from '../../storage/teams/repos.ts';
import { findTeamBySlug } from '../../storage/teams/teams.ts';
import type { Grant } from '../access/grant.ts';
import { findResources, type ResourceIds } from '../repos/find-resources.ts';

export const PER_PAGE = 50;
const EVERYBODY = 'all-contributors';

export interface ListScope {
  readonly resources: readonly ResourceIds[];
  /** Only records of these repos; null for all. */
  readonly repoIds: readonly number[] | null;
}

export async function resolveListScope(
  db: Database,
  { entity, paths }: Grant<'member'>,
  teamSlug: string | undefined,
): Promise<ListScope> {
  const resources = await findResources(db, entity.id, paths);
  if (teamSlug === undefined || teamSlug.toLowerCase() === EVERYBODY) return { resources, repoIds: null };
  const team = await findTeamBySlug(db, entity.id, teamSlug);
  if (team === undefined) {
    const message = `there is no team "${teamSlug.slice(0, 100)}" in ${entity.slug}`;
    throw new StrataError('not_found', message, { errors: { team_slug: [message] } });
  }
  const repoIds = team.is_default ? null : await listTeamRepoIds(db, entity.id, team.id);
  return { resources, repoIds };
}

export interface Paging {
  readonly page: number;
  readonly page_count: number;
  readonly per_page: number;
  readonly total_count: number;
}

export const pagingOf = (page: number, totalCount: number): Paging => ({
  page,
  page_count: Math.ceil(totalCount / PER_PAGE),
  per_page: PER_PAGE,
  total_count: totalCount,
});
