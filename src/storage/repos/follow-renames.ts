// Repos that their code host gave another name or organization since: the host's id says which repo it is, and everything
// that is stored of it stays.
import { sql } from 'kysely';
import { IMPORT_FAILURES } from '../../domain/repos/import-status.ts';
import { bumpDataVersion } from '../commits/rollups.ts';
import type { Database } from '../database/handle.ts';
import { inTransaction } from '../database/in-transaction.ts';
import { lockRepoNames } from './imports.ts';
import { isRepoName, isSameRepoName } from './repo-key.ts';
import { ensureOrganization, findRepo, respellTeamRepos } from './repos.ts';

export interface Rename {
  readonly importId: number | null;
  readonly from: string;
  readonly to: string;
}

export interface FollowedRenames {
  readonly renamed: readonly Rename[];
  /** Another imported repo has the name. */
  readonly refused: readonly Rename[];
}

interface Found {
  readonly repo_id: number;
  readonly import_id: number | null;
  readonly organization: string;
  readonly repo: string;
  readonly to_organization: string;
  readonly to_repo: string;
}

/** By what the connection has just listed. */
export function followRenames(
  db: Database,
  { entityId, connectionId }: { readonly entityId: number; readonly connectionId: number },
): Promise<FollowedRenames> {
  return inTransaction(db, async (trx) => {
    await lockRepoNames(trx, entityId);
    const found = await listRenamed(trx, entityId, connectionId);
    const free = await listFree(trx, entityId, found);
    await lockImports(trx, entityId, free);
    // Names may change places: all are given up before any is taken.
    for (const each of free) await setAside(trx, entityId, each);
    await renameOrganizations(trx, entityId, free);
    for (const each of free) await take(trx, entityId, each);
    if (free.length > 0) await bumpDataVersion(trx, entityId);
    return { renamed: free.map(toRename), refused: found.filter((each) => !free.includes(each)).map(toRename) };
  });
}

const toRename = ({ import_id, organization, repo, to_organization, to_repo }: Found): Rename => ({
  importId: import_id,
  from: `${organization}/${repo}`,
  to: `${to_organization}/${to_repo}`,
});

async function listRenamed(db: Database, entityId: number, connectionId: number): Promise<readonly Found[]> {
  const isAtItsPath = (listed: string) => sql`
    ${isSameRepoName('o.slug', `${listed}.organization_slug`)} and ${isSameRepoName('r.slug', `${listed}.repo_slug`)}`;
  const { rows } = await sql<Found>`
    select distinct on (r.id) r.id as repo_id, i.id as import_id, o.slug as organization, r.slug as repo,
      p.organization_slug as to_organization, p.repo_slug as to_repo
    from provider_connections c
    join provider_repos p on p.entity_id = c.entity_id and p.connection_id = c.id
    join repos r on r.entity_id = c.entity_id and r.host_key = c.host_key and r.external_id = p.external_id
    join organizations o on o.entity_id = r.entity_id and o.id = r.organization_id
    left join imports i on i.entity_id = r.entity_id and i.repo_id = r.id
    where c.entity_id = ${entityId} and c.id = ${connectionId} and not exists (
      select from provider_repos q
      join provider_connections d on d.entity_id = q.entity_id and d.id = q.connection_id and d.host_key = c.host_key
      where q.entity_id = c.entity_id and q.external_id = r.external_id and ${isAtItsPath('q')}
        -- Who sees it at another place than others is not told of a rename.
        and (q.connection_id = c.id or q.seen_at >= p.first_seen_at))
    order by r.id, p.organization_slug, p.repo_slug`.execute(db);
  return rows;
}

/** Before the repos, as an import does that ends. */
const lockImports = (db: Database, entityId: number, renamed: readonly Found[]): Promise<unknown> =>
  sql`
  select from imports where entity_id = ${entityId} and id = any(${renamed.flatMap(({ import_id }) => import_id ?? [])})
  order by id for update`.execute(db);

/** Those whose new name nobody has who keeps it. */
async function listFree(db: Database, entityId: number, found: readonly Found[]): Promise<readonly Found[]> {
  const holders = new Map<Found, number | undefined>();
  let free: readonly Found[] = [];
  for (const each of found) {
    if (await isWanted(db, entityId, each)) continue;
    holders.set(each, (await findRepo(db, entityId, each.to_organization, each.to_repo))?.id);
    free = [...free, each];
  }
  for (;;) {
    const moving = new Set(free.map(({ repo_id }) => repo_id));
    const taken = new Set<string>();
    const next = free.filter((each) => {
      const holder = holders.get(each);
      const name = `${each.to_organization}/${each.to_repo}`.toLowerCase();
      if (taken.has(name) || (holder !== undefined && !moving.has(holder))) return false;
      taken.add(name);
      return true;
    });
    if (next.length === free.length) return free;
    free = next;
  }
}

/** Whether the operator gave the name to something else, or an import of it is under way. */
async function isWanted(db: Database, entityId: number, { to_organization, to_repo }: Found): Promise<boolean> {
  const isNamed = sql`
    entity_id = ${entityId} and ${isRepoName('organization_slug', to_organization)} and ${isRepoName('repo_slug', to_repo)}`;
  const { rows } = await sql<{ wanted: boolean }>`
    select exists (select from repo_sources where ${isNamed}) or exists (
      select from imports where ${isNamed} and repo_id is null and status <> 'offered_pending_acceptance'
        and status::text <> all(${IMPORT_FAILURES})) as wanted`.execute(db);
  return rows[0]!.wanted;
}

/** An organization all of whose repos are in another now was renamed, with all that is of it as a whole. */
async function renameOrganizations(db: Database, entityId: number, renamed: readonly Found[]): Promise<void> {
  for (const from of new Set(renamed.map(({ organization }) => organization))) {
    const moved = renamed.filter(({ organization }) => organization === from);
    const [to, ...others] = new Set(moved.map(({ to_organization }) => to_organization));
    if (others.length > 0) continue;
    await sql`
      update organizations o set slug = ${to}, name = ${to}
      where o.entity_id = ${entityId} and o.slug = ${from} and not exists (
        select from repos r where r.entity_id = o.entity_id and r.organization_id = o.id
          and r.id <> all(${moved.map(({ repo_id }) => repo_id)}::bigint[]))
        and not exists (
          select from organizations n where n.entity_id = o.entity_id and ${isRepoName('n.slug', to!)})`.execute(db);
  }
}

const asideName = ({ repo_id }: Found): string => `renamed-${repo_id}`;

async function setAside(db: Database, entityId: number, found: Found): Promise<void> {
  const { repo_id, import_id, organization, repo } = found;
  const aside = asideName(found);
  await sql`update repos set slug = ${aside} where entity_id = ${entityId} and id = ${repo_id}`.execute(db);
  await sql`update imports set repo_slug = ${aside} where entity_id = ${entityId} and id = ${import_id}`.execute(db);
  await sql`
    update team_repos set repo_slug = ${aside}
    where entity_id = ${entityId} and ${isRepoName('organization_slug', organization)} and ${isRepoName('repo_slug', repo)}
    `.execute(db);
}

async function take(db: Database, entityId: number, found: Found): Promise<void> {
  const { repo_id, import_id, organization, to_organization, to_repo } = found;
  const { id: organizationId } = await ensureOrganization(db, entityId, to_organization);
  await sql`
    update repos set organization_id = ${organizationId}, slug = ${to_repo}, name = ${to_repo}
    where entity_id = ${entityId} and id = ${repo_id}`.execute(db);
  // What was offered under the name, or could never be imported, was this one.
  await sql`
    delete from imports
    where entity_id = ${entityId} and repo_id is null and ${isRepoName('organization_slug', to_organization)}
      and ${isRepoName('repo_slug', to_repo)}`.execute(db);
  await sql`
    update imports set organization_slug = ${to_organization}, repo_slug = ${to_repo}, updated_at = now()
    where entity_id = ${entityId} and id = ${import_id}`.execute(db);
  await sql`
    with other as (
      delete from team_repos
      where entity_id = ${entityId} and repo_slug = ${asideName(found)} and ${isRepoName('organization_slug', organization)}
      returning team_id)
    insert into team_repos (entity_id, team_id, organization_slug, repo_slug)
    select distinct ${entityId}::bigint, team_id, ${to_organization}, ${to_repo} from other
    on conflict do nothing`.execute(db);
  const path = { organization: to_organization, repo: to_repo };
  await respellTeamRepos(db, entityId, path, { organization_id: organizationId, slug: to_repo });
  for (const table of ['critical_defects', 'defect_scopes']) {
    await sql`
      update ${sql.table(table)} set organization_id = ${organizationId}
      where entity_id = ${entityId} and repo_id = ${repo_id} and organization_id <> ${organizationId}`.execute(db);
  }
}
