// Looks up what a request names: repos of paths, a team, people, and whose statistics the caller may see.
import { StrataError } from '../domain/errors.ts';
import { formatResourcePath, type ResourcePath } from '../domain/resource-path.ts';
import { nearestName } from '../kit/nearest-name.ts';
import type { Store } from '../storage/handle.ts';

export interface RepoScope {
  readonly repoIds: readonly number[] | null;
  readonly organizationIds: readonly number[];
  readonly repoCount: number;
}

export async function readRepoScope(
  store: Store,
  entityId: number,
  paths: readonly ResourcePath[],
): Promise<RepoScope> {
  const { rows } = await store.pool.query<{
    id: number | null;
    organization_id: number;
    organization: string;
    repo: string | null;
  }>(
    `select r.id, o.id as organization_id, o.slug as organization, r.slug as repo
     from organizations o left join repos r on r.entity_id = o.entity_id and r.organization_id = o.id
     where o.entity_id = $1`,
    [entityId],
  );
  if (paths.some(({ organization }) => organization === null)) {
    return { repoIds: null, organizationIds: [], repoCount: rows.filter(({ id }) => id !== null).length };
  }
  const repoIds = new Set<number>();
  const organizationIds = new Set<number>();
  for (const path of paths) {
    const organization = path.organization!.toLowerCase();
    const inOrganization = rows.filter((row) => row.organization.toLowerCase() === organization);
    const found = inOrganization.filter(
      ({ repo }) => path.repo === null || repo?.toLowerCase() === path.repo.toLowerCase(),
    );
    if (found.length === 0) {
      const known =
        inOrganization.length > 0 ? inOrganization.map(({ repo }) => repo ?? '') : rows.map((row) => row.organization);
      const nearest = nearestName(inOrganization.length > 0 ? (path.repo ?? '') : organization, [...new Set(known)]);
      throw new StrataError(
        'not_found',
        `there is no "${formatResourcePath(path)}"${nearest === null || nearest === '' ? '' : `; did you mean "${nearest}"?`}`,
      );
    }
    for (const { id, organization_id } of found) {
      if (id !== null) repoIds.add(id);
      if (path.repo === null) organizationIds.add(organization_id);
    }
  }
  return { repoIds: [...repoIds], organizationIds: [...organizationIds], repoCount: repoIds.size };
}

export interface TeamRow {
  readonly id: number;
  readonly slug: string;
  readonly name: string;
  readonly is_default: boolean;
  readonly member_count: number;
}

export async function readTeams(store: Store, entityId: number): Promise<TeamRow[]> {
  const { rows } = await store.pool.query<TeamRow>(
    `select t.id, t.slug, t.name, t.is_default,
       (select count(*) from team_members m where m.entity_id = t.entity_id and m.team_id = t.id
         and m.committer_id is not null) as member_count
     from teams t where t.entity_id = $1 order by t.slug`,
    [entityId],
  );
  return rows;
}

export function findTeam(teams: readonly TeamRow[], slug: string): TeamRow {
  const team = teams.find((row) => row.slug === slug.toLowerCase() || row.name === slug);
  if (team !== undefined) return team;
  const known = teams.map((row) => row.slug);
  const list = known.length === 0 ? 'there are none' : `there are ${known.join(', ')}`;
  throw new StrataError('not_found', `there is no team "${slug}"; ${list}`, {
    errors: { team_slug: [`"${slug}" is unknown; ${list}`] },
  });
}

/** Root committers by user name, host id, address or child identity, in that order. */
export async function findPeople(
  store: Store,
  entityId: number,
  field: string,
  names: readonly string[],
): Promise<number[]> {
  const { rows } = await store.pool.query<{ name: string; root_id: number | null }>(
    `select n.name, coalesce(
       (select root_committer_id from committers where entity_id = $1 and committer_user_name = n.name limit 1),
       (select root_committer_id from committers where entity_id = $1 and git_provider_id = n.name limit 1),
       (select root_committer_id from committers where entity_id = $1 and lower(email) = lower(n.name) limit 1),
       (select c.root_committer_id from committer_identities i
          join committers c on c.entity_id = i.entity_id and c.id = i.committer_id
          where i.entity_id = $1 and i.address_key = lower(n.name) limit 1)) as root_id
     from unnest($2::text[]) as n (name)`,
    [entityId, names],
  );
  const unknown = rows.filter(({ root_id }) => root_id === null).map(({ name }) => `"${name}"`);
  if (unknown.length > 0) {
    const message = `${unknown.join(', ')} is no committer of this entity; expected a user name, a host id or an e-mail address`;
    throw new StrataError('not_found', message, { errors: { [field]: [message] } });
  }
  return [...new Set(rows.map(({ root_id }) => root_id!))];
}

export type StatsAccess = 'open' | 'team' | 'private';

/** Root committers whose statistics a user may see who is no admin; null: all. Past memberships give no sight. */
export async function readVisiblePeople(
  store: Store,
  entityId: number,
  userId: number,
  access: StatsAccess,
): Promise<readonly number[] | null> {
  if (access === 'open') return null;
  const { rows } = await store.pool.query<{ root_id: number }>(
    `with self as (
       select c.root_committer_id as root_id from committers c join users u on u.id = $2
       where c.entity_id = $1 and (c.user_id = u.id or lower(c.email) = u.email)
     ), mine as (
       select m.team_id from team_members m
       left join committers c on c.entity_id = m.entity_id and c.id = m.committer_id
       where m.entity_id = $1 and ($3::text = 'team' or m.role_em = 'manager_role')
         and (m.until_on is null or m.until_on > (now() at time zone 'UTC')::date)
         and (c.root_committer_id in (select root_id from self)
           or lower(coalesce(m.email, m.identifier)) = (select email from users where id = $2))
     )
     select root_id from self
     union
     select c.root_committer_id from team_members m
     join teams t on t.entity_id = m.entity_id and t.id = m.team_id and not t.is_default
     join committers c on c.entity_id = m.entity_id and c.id = m.committer_id
     where m.entity_id = $1 and m.team_id in (select team_id from mine)
       and (m.until_on is null or m.until_on > (now() at time zone 'UTC')::date)`,
    [entityId, userId, access],
  );
  return rows.map(({ root_id }) => root_id);
}

/** How many contributors are asked for, and how many of them the caller sees. */
export async function countContributors(
  store: Store,
  entityId: number,
  asked: readonly number[] | null,
  visible: readonly number[] | null,
  teamId: number | null,
): Promise<{ covered: number; total: number }> {
  const { rows } = await store.pool.query<{ covered: number; total: number }>(
    `select count(*) as total, count(*) filter (where $3::bigint[] is null or r.id = any($3::bigint[])) as covered
     from committers r
     where r.entity_id = $1 and r.root_committer_id = r.id and r.processing_status = 'processing_stats'
       and ($2::bigint[] is null or r.id = any($2::bigint[]))
       and ($4::bigint is null or exists (
         select 1 from team_members m join committers c on c.entity_id = m.entity_id and c.id = m.committer_id
         where m.entity_id = r.entity_id and m.team_id = $4::bigint and c.root_committer_id = r.id))`,
    [entityId, asked, visible, teamId],
  );
  return rows[0] ?? { covered: 0, total: 0 };
}

export async function readDaysOff(store: Store, entityId: number, rootId: number): Promise<ReadonlySet<string>> {
  const { rows } = await store.pool.query<{ off_on: string }>(
    `select d.off_on from days_off d join committers c on c.entity_id = d.entity_id and c.id = d.committer_id
     where d.entity_id = $1 and c.root_committer_id = $2`,
    [entityId, rootId],
  );
  return new Set(rows.map(({ off_on }) => off_on));
}
