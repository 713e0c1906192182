// Critical defects: the records, the scopes and fixes that calls named, and the list.
import { type RawBuilder, sql } from 'kysely';
import { arrayText } from '../database/array-text.ts';
import type { Database } from '../database/handle.ts';
import type { NewRow, Row } from '../database/schema.ts';
import type { ResourceIds } from '../repos/resources.ts';

export type DefectRow = Row<'critical_defects'>;

/** Fields that a call may change; one that is left out stays. */
export type DefectChange = Partial<
  Pick<NewRow<'critical_defects'>, 'category' | 'description' | 'severity' | 'detected_at' | 'issue_id'>
>;

/** By its key in any case; one that is written exactly so goes first. */
export const findDefect = (db: Database, entityId: number, defectKey: string): Promise<DefectRow | undefined> =>
  db
    .selectFrom('critical_defects')
    .selectAll()
    .where('entity_id', '=', entityId)
    .where(sql`lower(defect_key)`, '=', sql`lower(${defectKey}::text)`)
    .orderBy((is) => is('defect_key', '=', defectKey), 'desc')
    .orderBy('id')
    .executeTakeFirst();

/** In the order of the keys; undefined for one that is unknown. */
export const findDefects = async (
  db: Database,
  entityId: number,
  defectKeys: readonly string[],
): Promise<(DefectRow | undefined)[]> => {
  if (defectKeys.length === 0) return [];
  const { rows } = await sql<DefectRow & { readonly given_key: string }>`
    select distinct on (given.key) given.key as given_key, d.*
    from unnest(${[...new Set(defectKeys)]}::text[]) as given(key)
    join critical_defects d on d.entity_id = ${entityId} and lower(d.defect_key) = lower(given.key)
    order by given.key, d.defect_key = given.key desc, d.id`.execute(db);
  const byKey = new Map(rows.map(({ given_key, ...defect }) => [given_key, defect]));
  return defectKeys.map((key) => byKey.get(key));
};

/**
 * With its scopes, fixes and links; its issue no longer says that it is one. It stays away until somebody submits it: rules and
 * releases that name its issue would find it again. The release has still deployed that issue.
 */
export async function deleteDefect(db: Database, { entity_id, id, defect_key, issue_id }: DefectRow): Promise<void> {
  await sql`
    insert into dismissed_defects (entity_id, defect_key) values (${entity_id}, lower(${defect_key}::text))
    on conflict do nothing`.execute(db);
  await sql`
    update issues set is_critical_defect = false
    where entity_id = ${entity_id} and id = ${issue_id} and is_critical_defect`.execute(db);
  await db.deleteFrom('critical_defects').where('entity_id', '=', entity_id).where('id', '=', id).execute();
}

export async function insertDefect(
  db: Database,
  defect: Pick<NewRow<'critical_defects'>, 'entity_id' | 'defect_key' | 'detected_at' | 'source_em'> & DefectChange,
): Promise<number> {
  await sql`
    delete from dismissed_defects
    where entity_id = ${defect.entity_id} and defect_key = lower(${defect.defect_key}::text)`.execute(db);
  const { id } = await db.insertInto('critical_defects').values(defect).returning('id').executeTakeFirstOrThrow();
  return id;
}

export async function updateDefect(
  db: Database,
  entityId: number,
  defectId: number,
  change: DefectChange,
  now: Date,
): Promise<void> {
  if (Object.keys(change).length === 0) return;
  await db
    .updateTable('critical_defects')
    // From now on it is what calls say.
    .set({ ...change, source_em: 'api', updated_at: now })
    .where('entity_id', '=', entityId)
    .where('id', '=', defectId)
    .execute();
}

/** Remembers that a call named this entity (both ids null), organization or repo. */
export async function addDefectScopes(
  db: Database,
  entityId: number,
  defectIds: readonly number[],
  { organization_id, repo_id }: ResourceIds,
): Promise<void> {
  if (defectIds.length === 0) return;
  await sql`
    insert into defect_scopes (entity_id, defect_id, organization_id, repo_id)
    select ${entityId}::bigint, id, ${organization_id}::bigint, ${repo_id}::bigint
    from unnest(${[...new Set(defectIds)]}::bigint[]) as id
    on conflict do nothing`.execute(db);
}

/** The same fix of each of the defects. */
export async function addDefectFixes(
  db: Database,
  defectIds: readonly number[],
  fix: Omit<NewRow<'defect_fixes'>, 'defect_id' | 'id' | 'created_at' | 'is_derived'>,
): Promise<void> {
  if (defectIds.length === 0) return;
  await sql`
    insert into defect_fixes (entity_id, defect_id, repo_id, fix_sha, pushed_at, released_at, named_release_id, release_id,
      deployment_id)
    select ${fix.entity_id}::bigint, id, ${fix.repo_id}::bigint, ${fix.fix_sha ?? null}::bytea,
      ${fix.pushed_at ?? null}::timestamptz, ${fix.released_at ?? null}::timestamptz,
      ${fix.named_release_id ?? null}::bigint, ${fix.release_id ?? null}::bigint, ${fix.deployment_id ?? null}::bigint
    from unnest(${arrayText([...new Set(defectIds)])}::bigint[]) as id
    on conflict do nothing`.execute(db);
}

/** When fixes that were recorded went out before a moment, the first one first. */
export async function listFixesBefore(
  db: Database,
  { entity_id, defect_id }: { readonly entity_id: number; readonly defect_id: number },
  moment: Date,
): Promise<readonly Date[]> {
  const { rows } = await sql<{ at: string }>`
    select coalesce(f.released_at, f.pushed_at) as at from defect_fixes f
    where f.entity_id = ${entity_id} and f.defect_id = ${defect_id} and not f.is_derived
      and coalesce(f.released_at, f.pushed_at) < ${moment}::timestamptz
    order by 1`.execute(db);
  return rows.map(({ at }) => new Date(at));
}

/** A commit that a call names by its sha is the strongest link there is. */
export async function linkFixCommit(
  db: Database,
  link: { entity_id: number; defect_id: number; commit_id: number },
): Promise<void> {
  await db
    .insertInto('defect_commits')
    .values({ ...link, link_em: 'sha' })
    .onConflict((conflict) =>
      conflict
        .columns(['entity_id', 'defect_id', 'commit_id'])
        .doUpdateSet((row) => ({ link_em: row.ref('excluded.link_em') })),
    )
    .execute();
}

export interface DefectFilter {
  readonly resources: readonly ResourceIds[];
  readonly repoIds: readonly number[] | null;
  /** Detected before the end, and not resolved before the start; null takes all. */
  readonly range: { readonly startsAt: Date; readonly endsBefore: Date } | null;
}

export type ListedDefect = DefectRow & {
  readonly repo_paths: string[];
  readonly issue_key: string | null;
  readonly issue_title: string | null;
  readonly issue_url: string | null;
  readonly issue_project_name: string | null;
};

const hasScope = (condition: RawBuilder<unknown>): RawBuilder<unknown> => sql`exists (
  select 1 from defect_scopes s where s.entity_id = d.entity_id and s.defect_id = d.id and ${condition})`;

function matching(entityId: number, { resources, repoIds, range }: DefectFilter): RawBuilder<unknown> {
  const conditions = [sql`d.entity_id = ${entityId}`];
  const places = resources.map(({ organization_id, repo_id }) => {
    if (organization_id === null) return sql`true`;
    return hasScope(repo_id === null ? sql`s.organization_id = ${organization_id}` : sql`s.repo_id = ${repo_id}`);
  });
  conditions.push(sql`(${sql.join(places, sql` or `)})`);
  if (repoIds !== null) conditions.push(sql`${hasScope(sql`s.repo_id = any(${repoIds})`)}`);
  if (range !== null) {
    conditions.push(sql`d.detected_at < ${range.endsBefore}`);
    conditions.push(sql`(d.final_fix_released_at is null or d.final_fix_released_at >= ${range.startsAt})`);
  }
  return sql.join(conditions, sql` and `);
}

/** The latest detected first. */
export async function listDefects(
  db: Database,
  entityId: number,
  filter: DefectFilter,
  page: { readonly limit: number; readonly offset: number },
): Promise<{ total: number; defects: ListedDefect[] }> {
  const where = matching(entityId, filter);
  const count = await sql<{ total: number }>`
    select count(*) as total from critical_defects d where ${where}`.execute(db);
  const { rows } = await sql<ListedDefect>`
    select d.*, i.key as issue_key, i.title as issue_title, i.url as issue_url, i.project_name as issue_project_name,
      array(
        select o.slug || '/' || r.slug from defect_scopes s
        join repos r on r.entity_id = s.entity_id and r.id = s.repo_id
        join organizations o on o.entity_id = r.entity_id and o.id = r.organization_id
        where s.entity_id = d.entity_id and s.defect_id = d.id order by 1) as repo_paths
    from critical_defects d
    left join issues i on i.entity_id = d.entity_id and i.id = d.issue_id
    where ${where}
    order by d.detected_at desc, d.id desc limit ${page.limit} offset ${page.offset}`.execute(db);
  return { total: count.rows[0]?.total ?? 0, defects: rows };
}
