// Connections to code hosts, and the organizations and repos that each could see when it was last asked.
import { type RawBuilder, sql } from 'kysely';
import {
  GIT_PROVIDER_NAMES,
  type HostAccount,
  type HostFailure,
  type HostOrganization,
  type HostRepo,
} from '../../domain/repos/code-host.ts';
import type { SecretBox } from '../../kit/sealed-secret.ts';
import type { Database } from '../database/handle.ts';
import type { NewRow, Row } from '../database/schema.ts';
import { isRepoName, isSameRepoName } from './repo-key.ts';

export type ProviderConnectionRow = Row<'provider_connections'>;

export type NewProviderConnection = Pick<
  NewRow<'provider_connections'>,
  | 'entity_id'
  | 'user_id'
  | 'git_provider_em'
  | 'endpoint_url'
  | 'host_key'
  | 'organization_name'
  | 'tenant_id'
  | 'token_sealed'
  | 'token_expires_at'
>;

/** What a connection's sealed token is bound to, so that it opens in no other row. */
export const connectionSecretContext = (entityId: number, userId: number, provider: string): string =>
  `provider_connections/${entityId}/${userId}/${provider}`;

/** A stored connection as its host wants to be asked. */
export function openAccount(
  connection: ProviderConnectionRow & { readonly email: string },
  secrets: SecretBox,
): HostAccount {
  const provider = GIT_PROVIDER_NAMES.find((name) => name === connection.git_provider_em);
  if (provider === undefined) throw new Error(`there is no code host of the kind ${connection.git_provider_em}`);
  return {
    provider,
    token: secrets.open(
      connection.token_sealed,
      connectionSecretContext(connection.entity_id, connection.user_id, provider),
    ),
    email: connection.email,
    endpoint_url: connection.endpoint_url,
    organization_name: connection.organization_name,
    tenant_id: connection.tenant_id,
  };
}

/** Stores a verified connection. One for the same person, host and organization gets the new token. */
export async function storeConnection(
  db: Database,
  connection: NewProviderConnection,
  now: Date,
): Promise<{ id: number }> {
  return db
    .insertInto('provider_connections')
    .values({ ...connection, verified_at: now, error_em: null, created_at: now, updated_at: now })
    .onConflict((conflict) =>
      conflict.columns(['entity_id', 'user_id', 'host_key', 'organization_name']).doUpdateSet((row) => ({
        endpoint_url: row.ref('excluded.endpoint_url'),
        tenant_id: row.ref('excluded.tenant_id'),
        token_sealed: row.ref('excluded.token_sealed'),
        token_expires_at: row.ref('excluded.token_expires_at'),
        verified_at: row.ref('excluded.verified_at'),
        error_em: row.ref('excluded.error_em'),
        updated_at: row.ref('excluded.updated_at'),
      })),
    )
    .returning('id')
    .executeTakeFirstOrThrow();
}

/** With the address of its owner, whom some hosts want named beside the token. */
export const findConnection = (
  db: Database,
  entityId: number,
  connectionId: number,
): Promise<(ProviderConnectionRow & { email: string }) | undefined> =>
  db
    .selectFrom('provider_connections')
    .innerJoin('users', 'users.id', 'provider_connections.user_id')
    .selectAll('provider_connections')
    .select('users.email')
    .where('provider_connections.entity_id', '=', entityId)
    .where('provider_connections.id', '=', connectionId)
    .executeTakeFirst();

export async function storeOrganizations(
  db: Database,
  owner: { readonly entityId: number; readonly connectionId: number },
  organizations: readonly HostOrganization[],
  seenAt: Date,
): Promise<void> {
  const column = (key: 'slug' | 'name' | 'external_id') => organizations.map((organization) => organization[key]);
  // Distinct: a list that changes between two pages can show an organization twice.
  await sql`
    insert into provider_organizations (entity_id, connection_id, slug, name, external_id, seen_at)
    select distinct on (s) ${owner.entityId}::bigint, ${owner.connectionId}::bigint, s, n, e, ${seenAt}::timestamptz
    from unnest(${column('slug')}::text[], ${column('name')}::text[], ${column('external_id')}::text[]) as t (s, n, e)
    on conflict (entity_id, connection_id, slug) do update
      set name = excluded.name, external_id = excluded.external_id, seen_at = excluded.seen_at`.execute(db);
}

export async function storeRepos(
  db: Database,
  owner: { readonly entityId: number; readonly connectionId: number; readonly organization: string },
  repos: readonly HostRepo[],
  seenAt: Date,
): Promise<void> {
  await sql`
    insert into provider_repos
      (entity_id, connection_id, organization_slug, repo_slug, external_id, clone_url, default_branch, is_private, seen_at,
       first_seen_at)
    select distinct on (s) ${owner.entityId}::bigint, ${owner.connectionId}::bigint, ${owner.organization}::text,
           s, e, c, b, p, ${seenAt}::timestamptz, ${seenAt}::timestamptz
    from unnest(${repos.map(({ slug }) => slug)}::text[], ${repos.map(({ external_id }) => external_id)}::text[],
                ${repos.map(({ clone_url }) => clone_url)}::text[],
                ${repos.map(({ default_branch }) => default_branch)}::text[],
                ${repos.map(({ is_private }) => is_private)}::boolean[]) as t (s, e, c, b, p)
    on conflict (entity_id, connection_id, organization_slug, repo_slug) do update
      set external_id = excluded.external_id, clone_url = excluded.clone_url, default_branch = excluded.default_branch,
          is_private = excluded.is_private, seen_at = excluded.seen_at,
          -- Another repo has the name now.
          first_seen_at = case when provider_repos.external_id = excluded.external_id then provider_repos.first_seen_at
            else excluded.first_seen_at end`.execute(db);
}

/** Ends a complete look: what was not seen since it began is gone. */
export async function finishCaching(
  db: Database,
  owner: { readonly entityId: number; readonly connectionId: number },
  startedAt: Date,
  tokenExpiresAt: Date | null = null,
): Promise<void> {
  for (const table of ['provider_repos', 'provider_organizations'] as const) {
    await db
      .deleteFrom(table)
      .where('entity_id', '=', owner.entityId)
      .where('connection_id', '=', owner.connectionId)
      .where('seen_at', '<', startedAt.toISOString())
      .execute();
  }
  const expiry = tokenExpiresAt === null ? {} : { token_expires_at: tokenExpiresAt };
  await updateConnection(db, owner, { repos_cached_at: startedAt, error_em: null, ...expiry });
}

export async function recordHostFailure(
  db: Database,
  owner: { readonly entityId: number; readonly connectionId: number },
  failure: HostFailure | null,
  now: Date,
): Promise<void> {
  const isQuota = failure === 'rate_limited';
  // A spent quota is waited out: the connection works.
  await updateConnection(db, owner, isQuota ? { last_quota_exceeded_at: now } : { error_em: failure });
}

const updateConnection = (
  db: Database,
  owner: { readonly entityId: number; readonly connectionId: number },
  change: {
    repos_cached_at?: Date;
    token_expires_at?: Date;
    last_quota_exceeded_at?: Date;
    error_em?: HostFailure | null;
  },
): Promise<unknown> =>
  db
    .updateTable('provider_connections')
    .set(change)
    .where('entity_id', '=', owner.entityId)
    .where('id', '=', owner.connectionId)
    .execute();

export interface HostedRepoRow {
  /** As the host writes it. */
  readonly path: { readonly organization: string; readonly repo: string };
  readonly clone_url: string;
  readonly connection: ProviderConnectionRow & { readonly email: string };
}

/** A repo by its path, or as the one that is stored. */
export interface HostedKey {
  readonly organization: string;
  readonly repo: string;
  readonly stored?: { readonly id: number } | undefined;
}

/** A repo by each connection that can see it, those without a failure first, the latest verified before others. */
export async function findHostedRepo(db: Database, entityId: number, path: HostedKey): Promise<HostedRepoRow[]> {
  const rows = await db
    .selectFrom('provider_repos as p')
    .innerJoin('provider_connections as c', (join) =>
      join.onRef('c.entity_id', '=', 'p.entity_id').onRef('c.id', '=', 'p.connection_id'),
    )
    .innerJoin('users', 'users.id', 'c.user_id')
    .selectAll('c')
    .select(['users.email', 'p.clone_url', 'p.organization_slug', 'p.repo_slug'])
    .where('p.entity_id', '=', entityId)
    .where(await isHostedAs(db, entityId, path))
    .orderBy(sql`c.error_em is not null`)
    .orderBy('c.verified_at', 'desc')
    .orderBy('c.id')
    .execute();
  return rows.map(({ clone_url, organization_slug: organization, repo_slug: repo, ...connection }) => ({
    path: { organization, repo },
    clone_url,
    connection,
  }));
}

/**
 * Whether a row of `provider_repos p`, with its connection `c`, is the repo. One that is known by its host's id is that one,
 * whatever it is called there by now, and no other that has its name. If its host is not connected any more, the repo may have
 * moved to another.
 */
export async function isHostedAs(db: Database, entityId: number, path: HostedKey): Promise<RawBuilder<boolean>> {
  const isIt =
    path.stored === undefined
      ? sql`${isRepoName('o.slug', path.organization)} and ${isRepoName('r.slug', path.repo)}`
      : sql`r.id = ${path.stored.id}`;
  const { rows } = await sql<{ id: number; host_key: string; external_id: string; is_connected: boolean }>`
    select r.id, r.host_key, r.external_id, exists (
      select from provider_connections c where c.entity_id = r.entity_id and c.host_key = r.host_key) as is_connected
    from repos r join organizations o on o.entity_id = r.entity_id and o.id = r.organization_id
    where r.entity_id = ${entityId} and ${isIt} and r.external_id is not null
    order by r.id limit 1`.execute(db);
  const [known] = rows;
  if (known?.is_connected) return sql<boolean>`c.host_key = ${known.host_key} and p.external_id = ${known.external_id}`;
  return sql<boolean>`
    ${isRepoName('p.organization_slug', path.organization)} and ${isRepoName('p.repo_slug', path.repo)}
    and ${isNoOther(known?.id ?? path.stored?.id ?? null)}`;
}

/** Whether no other stored repo has the id at the host of a row of `provider_repos p`, with its connection `c`. */
const isNoOther = (repoId: number | null): RawBuilder<boolean> => sql<boolean>`not exists (
  select from repos r
  where r.entity_id = p.entity_id and r.host_key = c.host_key and r.external_id = p.external_id
    and r.id is distinct from ${repoId}::bigint)`;

/** Those that hosts have; not one that is stored under another name, which its host gave it or has taken back. */
export async function listHostedRepos(
  db: Database,
  entityId: number,
): Promise<{ readonly organization: string; readonly repo: string }[]> {
  const { rows } = await sql<{ organization: string; repo: string }>`
    select distinct p.organization_slug as organization, p.repo_slug as repo
    from provider_repos p join provider_connections c on c.entity_id = p.entity_id and c.id = p.connection_id
    where p.entity_id = ${entityId} and not exists (
      select from repos r join organizations o on o.entity_id = r.entity_id and o.id = r.organization_id
      where r.entity_id = p.entity_id and r.host_key = c.host_key and r.external_id = p.external_id
        and not (${isSameRepoName('o.slug', 'p.organization_slug')} and ${isSameRepoName('r.slug', 'p.repo_slug')}))
    order by 1, 2`.execute(db);
  return rows;
}

export const listHostedOrganizations = (
  db: Database,
  entityId: number,
): Promise<{ readonly slug: string; readonly name: string }[]> =>
  db
    .selectFrom('provider_organizations')
    .select((row) => ['slug', row.fn.min('name').as('name')])
    .where('entity_id', '=', entityId)
    .groupBy('slug')
    .orderBy('slug')
    .execute();

/** Repos whose every connection ends before then, with when the last of them does. */
export async function listExpiringRepos(
  db: Database,
  entityId: number,
  before: Date,
): Promise<{ readonly organization: string; readonly repo: string; readonly expires_at: string }[]> {
  const { rows } = await sql<{ organization: string; repo: string; expires_at: string }>`
    select lower(p.organization_slug) as organization, lower(p.repo_slug) as repo, max(c.token_expires_at) as expires_at
    from provider_repos p join provider_connections c on c.entity_id = p.entity_id and c.id = p.connection_id
    where p.entity_id = ${entityId}
    group by 1, 2
    having bool_and(c.token_expires_at is not null and c.token_expires_at < ${before.toISOString()}::timestamptz)`.execute(
    db,
  );
  return rows;
}

/** Of all entities: connections whose repos were last listed before then, and that work. */
export const listUnlistedConnections = (
  db: Database,
  before: Date,
): Promise<{ readonly entity_id: number; readonly id: number }[]> =>
  db
    .selectFrom('provider_connections')
    .select(['entity_id', 'id'])
    .where('repos_cached_at', '<', before.toISOString())
    .where((is) => is.or([is('error_em', 'is', null), is('error_em', 'in', ['unreachable', 'timeout'])]))
    .execute();

/** Connections to the repo's host whose repos were last listed before then, and that work. */
export async function listConnectionsOf(
  db: Database,
  { entityId, repoId }: { readonly entityId: number; readonly repoId: number },
  listedBefore: Date,
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select c.id from provider_connections c join repos r on r.entity_id = c.entity_id and r.host_key = c.host_key
    where c.entity_id = ${entityId} and r.id = ${repoId} and c.repos_cached_at < ${listedBefore.toISOString()}::timestamptz
      and c.error_em is null`.execute(db);
  return rows.map(({ id }) => id);
}

/** Hosts of the entity whose repos are still being listed for the first time. */
export async function listUnlistedHosts(db: Database, entityId: number): Promise<string[]> {
  const rows = await db
    .selectFrom('provider_connections')
    .select('host_key')
    .distinct()
    .where('entity_id', '=', entityId)
    .where('repos_cached_at', 'is', null)
    .where('error_em', 'is', null)
    .orderBy('host_key')
    .execute();
  return rows.map(({ host_key }) => host_key);
}
