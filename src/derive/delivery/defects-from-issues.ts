// An issue of type Bug or Hotfix that a release names is a critical defect, detected when the issue was
// opened and fixed by that release if it went out later, unless somebody has deleted that defect.
import { sql } from 'kysely';
import type { Database } from '../../storage/database/handle.ts';
import { namedIssues } from './named-issues.ts';

/** Returns the defects that such issues stand for, new or not. */
export async function recordDefectsOfIssues(
  db: Database,
  entityId: number,
  releaseId: number | 'all',
): Promise<number[]> {
  const chosen = releaseId === 'all' ? sql`true` : sql`x.release_id = ${releaseId}`;
  const named = sql`
    select x.* from (${namedIssues(entityId)}) x
    where lower(x.type) in ('bug', 'hotfix') and ${chosen} and not exists (
      select from dismissed_defects m where m.entity_id = ${entityId} and m.defect_key = lower(x.key))`;
  await sql`
    insert into critical_defects (entity_id, defect_key, description, source_em, issue_id, detected_at)
    select distinct on (lower(n.key)) ${entityId}::bigint, n.key, n.title, 'release', n.issue_id, n.opened_at
    from (${named}) n
    where not exists (select from critical_defects d
      where d.entity_id = ${entityId} and lower(d.defect_key) = lower(n.key))
    order by lower(n.key), n.issue_id
    on conflict (entity_id, defect_key) do nothing`.execute(db);
  await sql`
    update critical_defects set issue_id = n.issue_id
    from (select lower(n.key) as key, min(n.issue_id) as issue_id from (${named}) n group by 1) n
    where critical_defects.entity_id = ${entityId} and critical_defects.issue_id is null
      and lower(critical_defects.defect_key) = n.key`.execute(db);
  const { rows } = await sql<{ id: number }>`
    select distinct d.id from (${named}) n
    join critical_defects d on d.entity_id = ${entityId} and lower(d.defect_key) = lower(n.key)`.execute(db);
  await sql`
    insert into defect_scopes (entity_id, defect_id, organization_id, repo_id)
    select distinct ${entityId}::bigint, d.id, n.organization_id, n.repo_id from (${named}) n
    join critical_defects d on d.entity_id = ${entityId} and lower(d.defect_key) = lower(n.key)
    on conflict do nothing`.execute(db);
  await sql`
    insert into defect_fixes (entity_id, defect_id, repo_id, released_at, named_release_id, release_id)
    select ${entityId}::bigint, d.id, n.repo_id, n.released_at, n.release_id, n.release_id from (${named}) n
    join critical_defects d on d.entity_id = ${entityId} and lower(d.defect_key) = lower(n.key)
    -- A release that went out before is no fix.
    where d.detected_at <= n.released_at
    on conflict do nothing`.execute(db);
  await sql`
    update issues set is_critical_defect = true
    where entity_id = ${entityId} and not is_critical_defect
      and id in (select n.issue_id from (${named}) n)`.execute(db);
  return rows.map(({ id }) => id);
}
