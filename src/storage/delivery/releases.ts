// Releases: the records, the issues they name, and the list.
import { type RawBuilder, sql } from 'kysely';
import type { ReleaseTrigger } from '../../domain/delivery/release-triggers.ts';
import type { Database } from '../database/handle.ts';
import type { NewRow, Row, RowChange } from '../database/schema.ts';
import { findCommittersByIdentifier } from '../people/find-committers.ts';
import type { ResourceIds } from '../repos/resources.ts';
import { releaseDefectCount, releaseIssueCount, releaseName } from './release-columns.ts';

export type ReleaseRow = Row<'releases'>;

/** The newest commit of the default branch that was there at that time; null when none is known. */
export async function findPrecedingCommit(
  db: Database,
  entityId: number,
  repoId: number,
  at: Date,
): Promise<{ readonly id: number; readonly sha: Buffer } | null> {
  const row = await db
    .selectFrom('commits')
    .select(['id', 'sha'])
    .where('entity_id', '=', entityId)
    .where('repo_id', '=', repoId)
    .where('on_default_branch', '=', true)
    .where('presence', '=', 'existent')
    .where('committed_at', '<=', at.toISOString())
    .orderBy('committed_at', 'desc')
    .orderBy('authored_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row ?? null;
}

/** The release of that commit or else, when asked for, the one of the same minute. */
export async function findRelease(
  db: Database,
  entityId: number,
  repoId: number,
  commit: Buffer | null,
  minuteOf: Date | null,
): Promise<ReleaseRow | undefined> {
  const ofRepo = db.selectFrom('releases').selectAll().where('entity_id', '=', entityId).where('repo_id', '=', repoId);
  const same = commit === null ? undefined : await ofRepo.where('release_sha', '=', commit).executeTakeFirst();
  if (same !== undefined || minuteOf === null) return same;
  const minute = Math.floor(minuteOf.getTime() / 60_000) * 60_000;
  return ofRepo
    .where('released_at', '>=', new Date(minute).toISOString())
    .where('released_at', '<', new Date(minute + 60_000).toISOString())
    .orderBy('id')
    .executeTakeFirst();
}

export const readRelease = (db: Database, entityId: number, id: number): Promise<ReleaseRow | undefined> =>
  db.selectFrom('releases').selectAll().where('entity_id', '=', entityId).where('id', '=', id).executeTakeFirst();

/** With its deployments and what it shipped. The fixes that only it stood for go too. */
export async function deleteRelease(db: Database, { entity_id, id }: ReleaseRow): Promise<void> {
  await sql`
    delete from defect_fixes f where f.entity_id = ${entity_id} and (f.named_release_id = ${id} or f.deployment_id in (
      select d.id from deployments d where d.entity_id = ${entity_id} and d.release_id = ${id}))`.execute(db);
  await sql`update defect_fixes set release_id = null where entity_id = ${entity_id} and release_id = ${id}`.execute(
    db,
  );
  await sql`
    update critical_defects set origin_release_id = null
    where entity_id = ${entity_id} and origin_release_id = ${id}`.execute(db);
  await db.deleteFrom('releases').where('entity_id', '=', entity_id).where('id', '=', id).execute();
}

export async function insertRelease(db: Database, release: NewRow<'releases'>): Promise<number> {
  const { id } = await db.insertInto('releases').values(release).returning('id').executeTakeFirstOrThrow();
  return id;
}

/** The fixes that the release stands for move along with its time. */
export async function updateRelease(
  db: Database,
  entityId: number,
  releaseId: number,
  change: RowChange<'releases'>,
  now: Date,
): Promise<void> {
  await db
    .updateTable('releases')
    .set({ ...change, updated_at: now })
    .where('entity_id', '=', entityId)
    .where('id', '=', releaseId)
    .execute();
  if (change.released_at === undefined) return;
  await db
    .updateTable('defect_fixes')
    .set({ released_at: change.released_at })
    .where('entity_id', '=', entityId)
    .where('named_release_id', '=', releaseId)
    .execute();
}

/** Deployers who were named before a commit of theirs was known. Returns how many were found. */
export async function resolveDeployers(db: Database, entityId: number): Promise<number> {
  const rows = await db
    .selectFrom('releases')
    .select('deployed_by_user_name as name')
    .distinct()
    .where('entity_id', '=', entityId)
    .where('deployed_by_committer_id', 'is', null)
    .where('deployed_by_user_name', 'is not', null)
    .execute();
  const found = await findCommittersByIdentifier(
    db,
    entityId,
    rows.flatMap(({ name }) => name ?? []),
  );
  for (const { identifier, id } of found) {
    await db
      .updateTable('releases')
      .set({ deployed_by_committer_id: id })
      .where('entity_id', '=', entityId)
      .where('deployed_by_committer_id', 'is', null)
      .where('deployed_by_user_name', '=', identifier)
      .execute();
  }
  return found.length;
}

export async function addReleaseIssueKeys(
  db: Database,
  entityId: number,
  releaseId: number,
  issueKeys: readonly string[],
): Promise<void> {
  if (issueKeys.length === 0) return;
  // A key in another case is the same key.
  await sql`
    insert into release_issue_keys (entity_id, release_id, issue_key)
    select distinct on (lower(k)) ${entityId}::bigint, ${releaseId}::bigint, k from unnest(${issueKeys}::text[]) as t(k)
    where not exists (select from release_issue_keys x
      where x.entity_id = ${entityId} and x.release_id = ${releaseId} and lower(x.issue_key) = lower(k))
    order by lower(k), k
    on conflict do nothing`.execute(db);
}

/** Defects that calls of the release named. */
export const listDefectsOfRelease = async (db: Database, entityId: number, releaseId: number): Promise<number[]> => {
  const rows = await db
    .selectFrom('defect_fixes')
    .select('defect_id')
    .distinct()
    .where('entity_id', '=', entityId)
    .where('named_release_id', '=', releaseId)
    .execute();
  return rows.map((row) => row.defect_id);
};

export interface ReleaseFilter {
  readonly resources: readonly ResourceIds[];
  readonly repoIds: readonly number[] | null;
  readonly range: { readonly startsAt: Date; readonly endsBefore: Date };
}

export interface ListedRelease {
  readonly id: number;
  readonly name: string;
  readonly repo: string;
  readonly repo_id: number;
  readonly repo_path: string;
  readonly triggered_by: ReleaseTrigger;
  readonly released_at: string;
  readonly commit_count: number;
  readonly defect_count: number;
  readonly issue_count: number;
  readonly deployment_count: number;
  readonly deployed_by_user_name: string | null;
  readonly deployer_id: number | null;
  readonly committer_user_name: string | null;
  readonly full_name: string | null;
  readonly git_provider_id: string | null;
  readonly processing_status: Row<'committers'>['processing_status'] | null;
  readonly provider_email: string | null;
  readonly user_id: number | null;
  readonly last_commit_authored_at: string | null;
  readonly last_commit_committed_at: string | null;
}

/** Whether the repo with that alias is in the scope. */
function isInScope(alias: 'p' | 'q', { resources, repoIds }: ReleaseFilter): RawBuilder<unknown> {
  const [id, organization] = [sql.ref(`${alias}.id`), sql.ref(`${alias}.organization_id`)];
  const places = resources.map(({ organization_id, repo_id }) => {
    if (organization_id === null) return sql`true`;
    return repo_id === null ? sql`${organization} = ${organization_id}` : sql`${id} = ${repo_id}`;
  });
  const ofTeam = repoIds === null ? sql`true` : sql`${id} = any(${repoIds})`;
  return sql`(${sql.join(places, sql` or `)}) and ${ofTeam}`;
}

/** A release that came with a shared history is listed at the first repo of the scope that has it. */
function matching(entityId: number, filter: ReleaseFilter): RawBuilder<unknown> {
  const { range } = filter;
  return sql`r.entity_id = ${entityId} and ${isInScope('p', filter)}
    and not exists (select from repos q
      where q.entity_id = ${entityId} and q.id = any(r.counted_in) and ${isInScope('q', filter)})
    and r.released_at >= ${range.startsAt} and r.released_at < ${range.endsBefore}`;
}

/** The latest first. */
export async function listReleases(
  db: Database,
  entityId: number,
  filter: ReleaseFilter,
  page: { readonly limit: number; readonly offset: number },
): Promise<{ total: number; releases: ListedRelease[] }> {
  const where = matching(entityId, filter);
  const from = sql`releases r join repos p on p.entity_id = r.entity_id and p.id = r.repo_id`;
  const count = await sql<{ total: number }>`select count(*) as total from ${from} where ${where}`.execute(db);
  const { rows } = await sql<ListedRelease>`
    select r.id, ${sql.raw(releaseName('r'))} as name, p.name as repo, p.id as repo_id, o.slug || '/' || p.slug as repo_path,
      r.triggered_by, r.released_at, r.commit_count, r.deployed_by_user_name,
      ${sql.raw(releaseDefectCount('r'))} as defect_count, ${sql.raw(releaseIssueCount('r'))} as issue_count,
      1 + (select count(*) from deployments e where e.entity_id = r.entity_id and e.release_id = r.id)
        as deployment_count,
      d.id as deployer_id, d.committer_user_name, d.full_name, d.git_provider_id, d.processing_status,
      d.provider_email, d.user_id, l.authored_at as last_commit_authored_at, l.committed_at as last_commit_committed_at
    from ${from}
    join organizations o on o.entity_id = p.entity_id and o.id = p.organization_id
    left join committers d on d.entity_id = r.entity_id and d.id = r.deployed_by_committer_id
    left join lateral (
      select x.authored_at, x.committed_at from committers m
      cross join lateral (
        select c.authored_at, c.committed_at from commits c
        where c.entity_id = m.entity_id and c.author_id = m.id order by c.authored_at desc limit 1) x
      where m.entity_id = d.entity_id and m.root_committer_id = d.root_committer_id
      order by x.authored_at desc limit 1) l on true
    where ${where}
    order by r.released_at desc, r.id desc limit ${page.limit} offset ${page.offset}`.execute(db);
  return { total: count.rows[0]?.total ?? 0, releases: rows };
}
