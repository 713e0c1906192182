// Looks up what a request names: repos of paths, a team, people, and whose statistics the caller may see.
import { StrataError } from '../domain/errors.ts';
import { formatResourcePath, type ResourcePath } from '../domain/resource-path.ts';
import { nearestName } from '../kit/nearest-name.ts';
import type { Store } from '../storage/database/handle.ts';

export interface RepoScope {
  readonly repoIds: readonly number[] | null;
  readonly organizationIds: readonly number[];
  readonly repoCount: number;
  /** As they were understood: a group in a group is an organization. */
  readonly paths: readonly ResourcePath[];
}

interface RepoRow {
  readonly id: number | null;
  readonly organization_id: number;
  readonly organization: string;
  readonly repo: string | null;
}

export interface TeamRow {
  readonly id: number;
  readonly slug: string;
  readonly name: string;
  readonly is_default: boolean;
  /** Of the people asked for, where some are. */
  readonly has_members: boolean;
}

/** What an entity has that a report depends on. */
export interface Surroundings {
  /** Rises with everything that a report reads. */
  readonly version: number;
  readonly teams: readonly TeamRow[];
  readonly repos: RepoScope;
  /** How many contributors are asked for, and how many of them the caller sees. */
  readonly contributors: { readonly covered: number; readonly total: number };
}

export interface SurroundingsAsk {
  readonly paths: readonly ResourcePath[];
  readonly teamSlug?: string | undefined;
  /** Root committers; null: all. */
  readonly asked: readonly number[] | null;
  readonly visible: readonly number[] | null;
}

/** All in one statement, because a round trip costs more than the rows. */
const SURROUNDINGS = `
  with own_teams as (
    select t.id, t.slug, t.name, t.is_default, exists (
      select 1 from team_members m
      where m.entity_id = t.entity_id and m.team_id = t.id and m.committer_id is not null
        and ($3::bigint[] is null or exists (
          select 1 from committers x
          where x.entity_id = m.entity_id and x.id = m.committer_id and x.root_committer_id = any($3::bigint[])))
      ) as has_members
    from teams t where t.entity_id = $1
  ), asked_team as (
    select id, is_default from own_teams where slug = lower($5::text) or name = $5::text order by slug limit 1
  )
  select coalesce((select version from data_versions where entity_id = $1), 0) as version,
    (select coalesce(json_agg(t order by t.slug), '[]') from own_teams t) as teams,
    (select count(*) from repos where entity_id = $1) as repo_count,
    case when $2::boolean then (
      select json_agg(json_build_object('id', r.id, 'organization_id', o.id, 'organization', o.slug, 'repo', r.slug))
      from organizations o left join repos r on r.entity_id = o.entity_id and r.organization_id = o.id
      where o.entity_id = $1) end as repos,
    c.total, c.covered
  from (
    select count(*) as total, count(*) filter (where $4::bigint[] is null or r.id = any($4::bigint[])) as covered
    from committers r
    where r.entity_id = $1 and r.root_committer_id = r.id and r.processing_status = 'processing_stats'
      and not r.is_ai_agent and ($3::bigint[] is null or r.id = any($3::bigint[]))
      and ($5::text is null or not exists (select 1 from asked_team where not is_default) or exists (
        select 1 from team_members m join committers x on x.entity_id = m.entity_id and x.id = m.committer_id
        where m.entity_id = $1 and m.team_id = (select id from asked_team) and x.root_committer_id = r.id))) c`;

/** What tells whether surroundings are still the same; a new repo does not raise the version by itself. */
export async function readFreshness(store: Store, entityId: number): Promise<string> {
  const { rows } = await store.pool.query<{ version: number; repo_count: number }>({
    name: 'report-freshness',
    text: `select coalesce((select version from data_versions where entity_id = $1), 0) as version,
      (select count(*) from repos where entity_id = $1) as repo_count`,
    values: [entityId],
  });
  return `${rows[0]!.version} ${rows[0]!.repo_count}`;
}

export async function readSurroundings(store: Store, entityId: number, ask: SurroundingsAsk): Promise<Surroundings> {
  const isWhole = ask.paths.some(({ organization }) => organization === null);
  const { rows } = await store.pool.query<{
    version: number;
    teams: TeamRow[];
    repo_count: number;
    repos: RepoRow[] | null;
    total: number;
    covered: number;
  }>(SURROUNDINGS, [entityId, !isWhole, ask.asked, ask.visible, ask.teamSlug ?? null]);
  const { version, teams, repo_count, repos, total, covered } = rows[0]!;
  return {
    version,
    teams,
    repos: isWhole
      ? { repoIds: null, organizationIds: [], repoCount: repo_count, paths: ask.paths }
      : reposOfPaths(ask.paths, repos ?? []),
    contributors: { covered, total },
  };
}

function reposOfPaths(paths: readonly ResourcePath[], rows: readonly RepoRow[]): RepoScope {
  const repoIds = new Set<number>();
  const organizationIds = new Set<number>();
  const understood = paths.map((path) => {
    const read = rowsOfPath(path, rows);
    for (const { id, organization_id } of read.found) {
      if (id !== null) repoIds.add(id);
      if (read.path.repo === null) organizationIds.add(organization_id);
    }
    return read.path;
  });
  return {
    repoIds: [...repoIds],
    organizationIds: [...organizationIds],
    repoCount: repoIds.size,
    paths: understood,
  };
}

function rowsOfPath(path: ResourcePath, rows: readonly RepoRow[]): { path: ResourcePath; found: readonly RepoRow[] } {
  const isNamed = (name: string | null, wanted: string): boolean => name?.toLowerCase() === wanted.toLowerCase();
  const organization = path.organization!;
  const inOrganization = rows.filter((row) => isNamed(row.organization, organization));
  const found = inOrganization.filter(({ repo }) => path.repo === null || isNamed(repo, path.repo));
  if (found.length > 0) return { path, found };
  const group = `${organization}/${path.repo}`;
  const inGroup = path.repo === null ? [] : rows.filter((row) => isNamed(row.organization, group));
  if (inGroup.length > 0) return { path: { ...path, organization: group, repo: null }, found: inGroup };
  const known =
    inOrganization.length > 0 ? inOrganization.map(({ repo }) => repo ?? '') : rows.map((row) => row.organization);
  const nearest = nearestName(inOrganization.length > 0 ? (path.repo ?? '') : organization.toLowerCase(), [
    ...new Set(known),
  ]);
  throw new StrataError(
    'not_found',
    `there is no "${formatResourcePath(path)}"; ${nearest === null || nearest === '' ? listNames(known) : `did you mean "${nearest}"?`}`,
  );
}

const MOST_NAMES = 20;

function listNames(names: readonly string[]): string {
  const known = [...new Set(names)].filter((name) => name !== '').toSorted();
  if (known.length === 0) return 'there are none';
  const more = known.length > MOST_NAMES ? ` and ${known.length - MOST_NAMES} more` : '';
  return `there are ${known.slice(0, MOST_NAMES).join(', ')}${more}`;
}

export function findTeam(teams: readonly TeamRow[], slug: string): TeamRow {
  const team = teams.find((row) => row.slug === slug.toLowerCase() || row.name === slug);
  if (team !== undefined) return team;
  const list = listNames(teams.map((row) => row.slug));
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

export async function readDaysOff(store: Store, entityId: number, rootId: number): Promise<ReadonlySet<string>> {
  const { rows } = await store.pool.query<{ off_on: string }>(
    `select d.off_on from days_off d join committers c on c.entity_id = d.entity_id and c.id = d.committer_id
     where d.entity_id = $1 and c.root_committer_id = $2`,
    [entityId, rootId],
  );
  return new Set(rows.map(({ off_on }) => off_on));
}
