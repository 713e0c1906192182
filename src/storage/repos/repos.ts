// Organizations, repos, and the branches and tags that were seen at the last fetch.
import { sql } from 'kysely';
import { storableSeconds } from '../../domain/calendar/storable-seconds.ts';
import type { Derivation } from '../../domain/commits/derivation.ts';
import type { Database } from '../database/handle.ts';
import type { Row } from '../database/schema.ts';
import { isDerivedOtherwise } from './derived-otherwise.ts';
import { isRepoName } from './repo-key.ts';

export type RepoRow = Row<'repos'>;

/** Finds or makes the repo and its organization. */
export async function ensureRepo(
  db: Database,
  entityId: number,
  path: { readonly organization: string; readonly repo: string },
  sourceKind: string,
): Promise<RepoRow> {
  const existing = await findRepo(db, entityId, path.organization, path.repo);
  if (existing) return existing;
  const organization = await ensureOrganization(db, entityId, path.organization);
  await db
    .insertInto('repos')
    .values({
      entity_id: entityId,
      organization_id: organization.id,
      slug: path.repo,
      name: path.repo,
      source_kind: sourceKind,
    })
    .onConflict((conflict) => conflict.columns(['entity_id', 'organization_id', 'slug']).doNothing())
    .execute();
  const repo = await findRepo(db, entityId, path.organization, path.repo);
  if (!repo) throw new Error(`the repo ${path.organization}/${path.repo} vanished while it was being made`);
  await respellTeamRepos(db, entityId, path, repo);
  return repo;
}

export async function ensureOrganization(db: Database, entityId: number, slug: string): Promise<{ id: number }> {
  return (
    (await findOrganization(db, entityId, slug)) ??
    (await db
      .insertInto('organizations')
      .values({ entity_id: entityId, slug, name: slug })
      .onConflict((conflict) =>
        conflict.columns(['entity_id', 'slug']).doUpdateSet((row) => ({ slug: row.ref('excluded.slug') })),
      )
      .returning('id')
      .executeTakeFirstOrThrow())
  );
}

/** Teams may have been given it before it was there, or when it was spelled otherwise. */
export async function respellTeamRepos(
  db: Database,
  entityId: number,
  path: { readonly organization: string; readonly repo: string },
  { organization_id, slug }: Pick<RepoRow, 'organization_id' | 'slug'>,
): Promise<void> {
  await sql`
    with other as (
      delete from team_repos t using organizations o
      where t.entity_id = ${entityId} and o.entity_id = ${entityId} and o.id = ${organization_id}
        and ${isRepoName('t.organization_slug', path.organization)} and ${isRepoName('t.repo_slug', path.repo)}
        and (t.organization_slug, t.repo_slug) <> (o.slug, ${slug})
      returning t.team_id, o.slug as organization_slug)
    insert into team_repos (entity_id, team_id, organization_slug, repo_slug)
    select distinct ${entityId}::bigint, team_id, organization_slug, ${slug} from other
    on conflict do nothing`.execute(db);
}

const findOrganization = (db: Database, entityId: number, slug: string): Promise<{ id: number } | undefined> =>
  db
    .selectFrom('organizations')
    .select('id')
    .where('entity_id', '=', entityId)
    .where(isRepoName('slug', slug))
    .orderBy((is) => is('slug', '=', slug), 'desc')
    .orderBy('id')
    .executeTakeFirst();

export const readRepo = (db: Database, entityId: number, repoId: number): Promise<RepoRow | undefined> =>
  db.selectFrom('repos').selectAll().where('entity_id', '=', entityId).where('id', '=', repoId).executeTakeFirst();

export const findRepoOfImport = (db: Database, entityId: number, importId: number): Promise<RepoRow | undefined> =>
  db
    .selectFrom('repos')
    .innerJoin('imports', (join) =>
      join.onRef('imports.entity_id', '=', 'repos.entity_id').onRef('imports.repo_id', '=', 'repos.id'),
    )
    .selectAll('repos')
    .where('imports.entity_id', '=', entityId)
    .where('imports.id', '=', importId)
    .executeTakeFirst();

/** Written in any way; one that is written exactly so goes first. */
export const findRepo = (
  db: Database,
  entityId: number,
  organization: string,
  repo: string,
): Promise<RepoRow | undefined> =>
  db
    .selectFrom('repos')
    .innerJoin('organizations', (join) =>
      join
        .onRef('organizations.entity_id', '=', 'repos.entity_id')
        .onRef('organizations.id', '=', 'repos.organization_id'),
    )
    .selectAll('repos')
    .where('repos.entity_id', '=', entityId)
    .where(isRepoName('organizations.slug', organization))
    .where(isRepoName('repos.slug', repo))
    .orderBy((is) => is.and([is('organizations.slug', '=', organization), is('repos.slug', '=', repo)]), 'desc')
    .orderBy('repos.id')
    .executeTakeFirst();

export const updateRepo = (
  db: Database,
  entityId: number,
  repoId: number,
  change: Partial<
    Pick<
      RepoRow,
      | 'default_branch'
      | 'processed_from'
      | 'last_fetched_at'
      | 'next_refresh_at'
      | 'has_open_walk'
      | 'is_checked_for_copies'
      | 'has_stale_sums'
      | 'reread_shas'
      | 'shallow_shas'
      | 'host_key'
      | 'external_id'
    >
  >,
): Promise<unknown> =>
  db.updateTable('repos').set(change).where('entity_id', '=', entityId).where('id', '=', repoId).execute();

/** Branch name → head sha, of the branches that exist. */
export async function readBranchHeads(db: Database, entityId: number, repoId: number): Promise<Map<string, string>> {
  const rows = await db
    .selectFrom('branches')
    .select(['name', 'head_sha'])
    .where('entity_id', '=', entityId)
    .where('repo_id', '=', repoId)
    .where('deleted_at', 'is', null)
    .execute();
  return new Map(rows.map((row) => [row.name, row.head_sha.toString('hex')]));
}

/** Makes the stored branches equal to those seen. Vanished ones stay, marked as deleted. */
export async function storeBranches(
  db: Database,
  entityId: number,
  repoId: number,
  heads: ReadonlyMap<string, string>,
): Promise<void> {
  const [names, shas] = [[...heads.keys()], [...heads.values()]];
  await sql`
    insert into branches (entity_id, repo_id, updated_at, name, head_sha)
    select ${entityId}, ${repoId}, now(), n, decode(s, 'hex')
    from unnest(${names}::text[], ${shas}::text[]) as t(n, s)
    on conflict (entity_id, repo_id, name) do update
      set head_sha = excluded.head_sha, updated_at = excluded.updated_at, deleted_at = null
      where branches.head_sha <> excluded.head_sha or branches.deleted_at is not null`.execute(db);
  await sql`
    update branches set deleted_at = now()
    where entity_id = ${entityId} and repo_id = ${repoId} and deleted_at is null
      and not (name = any(${names}))`.execute(db);
}

export interface SeenTag {
  readonly name: string;
  readonly sha: string;
  /** Seconds since 1970. */
  readonly taggedAt: number;
}

/** Returns whether anything changed. */
export async function storeTags(
  db: Database,
  entityId: number,
  repoId: number,
  tags: readonly SeenTag[],
): Promise<boolean> {
  const names = tags.map((tag) => tag.name);
  const stored = await sql`
    insert into tags (entity_id, repo_id, tagged_at, name, sha)
    select ${entityId}, ${repoId}, to_timestamp(a), n, decode(s, 'hex')
    from unnest(${names}::text[], ${tags.map((tag) => tag.sha)}::text[], ${tags.map((tag) => storableSeconds(tag.taggedAt))}::float8[])
         as t(n, s, a)
    on conflict (entity_id, repo_id, name) do update
      set sha = excluded.sha, tagged_at = excluded.tagged_at, deleted_at = null
      where tags.sha <> excluded.sha or tags.tagged_at <> excluded.tagged_at or tags.deleted_at is not null`.execute(
    db,
  );
  const gone = await sql`
    update tags set deleted_at = now()
    where entity_id = ${entityId} and repo_id = ${repoId} and deleted_at is null
      and not (name = any(${names}))`.execute(db);
  return (stored.numAffectedRows ?? 0n) > 0n || (gone.numAffectedRows ?? 0n) > 0n;
}

export interface RegisteredSource {
  readonly kind: 'path' | 'address';
  readonly address: string;
  /** Named on the command line, as all are unless said otherwise: credentials that were given there are for it. */
  readonly is_operators?: boolean;
}

export async function listSourceAddresses(db: Database, entityId: number): Promise<Set<string>> {
  const rows = await db.selectFrom('repo_sources').select('address').where('entity_id', '=', entityId).execute();
  return new Set(rows.map(({ address }) => address));
}

/** Repo → when it is looked at again. */
export async function readNextLooks(db: Database, entityId: number): Promise<Map<number, string | null>> {
  const rows = await db
    .selectFrom('repos')
    .select(['id', 'next_refresh_at'])
    .where('entity_id', '=', entityId)
    .execute();
  return new Map(rows.map(({ id, next_refresh_at }) => [id, next_refresh_at]));
}

/** Repo → at how many commits its history is cut off, of those where it is. */
export async function readCutOffs(db: Database, entityId: number): Promise<Map<number, number>> {
  const { rows } = await sql<{ id: number; commits: number }>`
    select id, cardinality(shallow_shas) as commits from repos
    where entity_id = ${entityId} and cardinality(shallow_shas) > 0`.execute(db);
  return new Map(rows.map(({ id, commits }) => [id, commits]));
}

export async function registerSource(
  db: Database,
  entityId: number,
  path: { readonly organization: string; readonly repo: string },
  { is_operators = true, ...source }: RegisteredSource,
): Promise<void> {
  await db
    .insertInto('repo_sources')
    .values({
      entity_id: entityId,
      organization_slug: path.organization,
      repo_slug: path.repo,
      is_operators,
      ...source,
    })
    .onConflict((conflict) =>
      conflict.columns(['entity_id', 'organization_slug', 'repo_slug']).doUpdateSet((row) => ({
        kind: row.ref('excluded.kind'),
        address: row.ref('excluded.address'),
        is_operators: row.ref('excluded.is_operators'),
      })),
    )
    .execute();
}

export const findSource = (
  db: Database,
  entityId: number,
  path: { readonly organization: string; readonly repo: string },
): Promise<Required<RegisteredSource> | undefined> =>
  db
    .selectFrom('repo_sources')
    .select(['kind', 'address', 'is_operators'])
    .where('entity_id', '=', entityId)
    .where(isRepoName('organization_slug', path.organization))
    .where(isRepoName('repo_slug', path.repo))
    .orderBy((is) => is.and([is('organization_slug', '=', path.organization), is('repo_slug', '=', path.repo)]), 'desc')
    .orderBy('created_at')
    .executeTakeFirst();

/** Repos of active entities whose next refresh is due, each with its import. */
export async function listDueRepos(
  db: Database,
  now: Date,
  limit: number,
): Promise<{ entity_id: number; repo_id: number; import_id: number }[]> {
  return db
    .selectFrom('repos')
    .innerJoin('entities', (join) => join.onRef('entities.id', '=', 'repos.entity_id'))
    .innerJoin('imports', (join) =>
      join.onRef('imports.entity_id', '=', 'repos.entity_id').onRef('imports.repo_id', '=', 'repos.id'),
    )
    .select(['repos.entity_id', 'repos.id as repo_id', 'imports.id as import_id'])
    .where('entities.state', '=', 'active')
    .where('imports.status', '=', 'processing_completed')
    .where('repos.next_refresh_at', '<=', now.toISOString())
    .orderBy('repos.next_refresh_at')
    .limit(limit)
    .execute();
}

/** The imports of repos that were walked to the end, under another derivation than this. */
export async function listReposDerivedOtherwise(
  db: Database,
  derivation: Derivation,
): Promise<{ entity_id: number; import_id: number }[]> {
  const { rows } = await sql<{ entity_id: number; import_id: number }>`
    select i.entity_id, i.id as import_id
    from repos r
    join entities e on e.id = r.entity_id and e.state = 'active'
    join imports i on i.entity_id = r.entity_id and i.repo_id = r.id
    where ${isDerivedOtherwise(derivation)}
      and i.status = 'processing_completed'
    order by 1, 2`.execute(db);
  return rows;
}

/**
 * The imports of repos whose daily sums an earlier version of the program made otherwise, or before it was looked up which
 * other repos hold their commits.
 */
export async function listReposWithStaleSums(db: Database): Promise<{ entity_id: number; import_id: number }[]> {
  const { rows } = await sql<{ entity_id: number; import_id: number }>`
    select i.entity_id, i.id as import_id
    from repos r
    join entities e on e.id = r.entity_id and e.state = 'active'
    join imports i on i.entity_id = r.entity_id and i.repo_id = r.id
    where r.has_stale_sums or r.derived_under is not null and not r.is_checked_for_copies
      and exists (select from repos o where o.entity_id = r.entity_id and o.id <> r.id)
    order by 1, 2`.execute(db);
  return rows;
}

/** Repos whose pull requests an earlier version of the program looked at otherwise. */
export async function listReposWithStaleReviews(db: Database): Promise<{ entity_id: number; repo_id: number }[]> {
  const { rows } = await sql<{ entity_id: number; repo_id: number }>`
    select r.entity_id, r.id as repo_id
    from repos r join entities e on e.id = r.entity_id and e.state = 'active'
    where r.has_stale_reviews order by 1, 2`.execute(db);
  return rows;
}

export const endStaleReviews = (db: Database, entityId: number, repoId: number): Promise<unknown> =>
  db
    .updateTable('repos')
    .set({ has_stale_reviews: false })
    .where('entity_id', '=', entityId)
    .where('id', '=', repoId)
    .where('has_stale_reviews', '=', true)
    .execute();

/** All facts of the repo are of the derivation. */
export async function storeDerivation(
  db: Database,
  entityId: number,
  repoId: number,
  derivation: Derivation,
): Promise<void> {
  await sql`
    update repos set derived_under = ${JSON.stringify(derivation)}::jsonb, deriving_under = null
    where entity_id = ${entityId} and id = ${repoId}`.execute(db);
}

/** When each repo last went out: its latest release, or deployment of one. */
export async function readLastReleases(db: Database, entityId: number): Promise<Map<number, string>> {
  const { rows } = await sql<{ repo_id: number; released_at: string }>`
    select repo_id, max(at) as released_at from (
      select repo_id, released_at as at from releases where entity_id = ${entityId}
      union all
      select repo_id, deployed_at from deployments where entity_id = ${entityId}) x
    group by repo_id`.execute(db);
  return new Map(rows.map((row) => [row.repo_id, row.released_at]));
}

export async function listSources(
  db: Database,
  entityId: number,
): Promise<{ readonly organization: string; readonly repo: string }[]> {
  return db
    .selectFrom('repo_sources')
    .select(['organization_slug as organization', 'repo_slug as repo'])
    .where('entity_id', '=', entityId)
    .orderBy('organization_slug')
    .orderBy('repo_slug')
    .execute();
}

/** Addresses that were registered for this entity and for no other. */
export async function listAddressesOfOne(db: Database, entityId: number): Promise<string[]> {
  const { rows } = await sql<{ address: string }>`
    select distinct s.address from repo_sources s
    where s.entity_id = ${entityId} and s.kind = 'address' and not exists (
      select from repo_sources o join entities e on e.id = o.entity_id
      where o.address = s.address and o.entity_id <> ${entityId} and e.state <> 'deleted')`.execute(db);
  return rows.map(({ address }) => address);
}
