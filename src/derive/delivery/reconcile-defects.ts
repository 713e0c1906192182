// Computes again what follows from a defect's scopes, fixes and commits, and stores it on the defect.
import { sql } from 'kysely';
import type { EntitySettings } from '../../domain/access/entity-settings.ts';
import type { BusinessClock } from '../../domain/calendar/business-time.ts';
import { entityClock } from '../../domain/calendar/entity-calendar.ts';
import { type DefectTimes, deriveDefectTimes } from '../../domain/delivery/defect-times.ts';
import type { Database } from '../../storage/database/handle.ts';

interface DefectEventsRow {
  readonly id: number;
  readonly detected_at: string;
  readonly fixes: readonly (readonly [string | null, string | null])[];
  readonly commits: readonly (readonly [string, string | null])[];
}

/** Returns how many defects changed. */
export async function reconcileDefects(
  db: Database,
  entityId: number,
  defectIds: readonly number[] | 'all',
  settings: EntitySettings,
): Promise<number> {
  if (defectIds !== 'all' && defectIds.length === 0) return 0;
  const clock = entityClock(settings);
  const chosen = defectIds === 'all' ? sql`true` : sql`d.id = any(${defectIds})`;
  // A commit counts as merged with its pull request or, without one, when it came onto the default branch.
  const { rows } = await sql<DefectEventsRow>`
    select d.id, d.detected_at,
      coalesce((select json_agg(json_build_array(f.pushed_at, f.released_at)) from defect_fixes f
        where f.entity_id = d.entity_id and f.defect_id = d.id), '[]') as fixes,
      coalesce((select json_agg(json_build_array(c.authored_at, coalesce(
          (select min(p.merged_at) from pull_request_commits x
           join pull_requests p on p.entity_id = x.entity_id and p.id = x.pull_request_id
           where x.entity_id = c.entity_id and x.repo_id = c.repo_id and x.sha = c.sha and x.removed_at is null),
          case when c.on_default_branch then c.committed_at end)))
        from defect_commits k join commits c on c.entity_id = k.entity_id and c.id = k.commit_id
        where k.entity_id = d.entity_id and k.defect_id = d.id and c.presence <> 'removed'), '[]') as commits
    from critical_defects d where d.entity_id = ${entityId} and ${chosen}`.execute(db);
  const reconciled = rows.map((row) => reconciledColumns(row, clock));
  const { numAffectedRows = 0n } = await sql`
    update critical_defects d set
      first_activity_at = x.first_activity_at, first_fix_merged_at = x.first_fix_merged_at,
      last_activity_at = x.last_activity_at, first_fix_released_at = x.first_fix_released_at,
      final_fix_released_at = x.final_fix_released_at,
      business_minutes_to_first_activity = x.business_minutes_to_first_activity,
      business_minutes_to_fix_merged = x.business_minutes_to_fix_merged,
      business_minutes_to_first_release = x.business_minutes_to_first_release,
      business_minutes_to_final_release = x.business_minutes_to_final_release,
      organization_id = x.organization_id, repo_id = x.repo_id
    from (
      select t.*, s.organization_id, s.repo_id
      from json_to_recordset(${JSON.stringify(reconciled)}::json) as t(
        id bigint, first_activity_at timestamptz, first_fix_merged_at timestamptz, last_activity_at timestamptz,
        first_fix_released_at timestamptz, final_fix_released_at timestamptz,
        business_minutes_to_first_activity int, business_minutes_to_fix_merged int,
        business_minutes_to_first_release int, business_minutes_to_final_release int)
      left join (
        select defect_id,
          case when count(distinct organization_id) = 1 then min(organization_id) end as organization_id,
          case when count(distinct repo_id) = 1 then min(repo_id) end as repo_id
        from defect_scopes where entity_id = ${entityId} group by defect_id) s on s.defect_id = t.id) x
    where d.entity_id = ${entityId} and d.id = x.id
      and (d.first_activity_at, d.first_fix_merged_at, d.last_activity_at, d.first_fix_released_at,
           d.final_fix_released_at, d.business_minutes_to_first_activity, d.business_minutes_to_fix_merged,
           d.business_minutes_to_first_release, d.business_minutes_to_final_release, d.organization_id, d.repo_id)
        is distinct from
          (x.first_activity_at, x.first_fix_merged_at, x.last_activity_at, x.first_fix_released_at,
           x.final_fix_released_at, x.business_minutes_to_first_activity, x.business_minutes_to_fix_merged,
           x.business_minutes_to_first_release, x.business_minutes_to_final_release, x.organization_id, x.repo_id)`.execute(
    db,
  );
  return Number(numAffectedRows);
}

const msOf = (time: string | null): number | null => (time === null ? null : Date.parse(time));
const isoOf = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString());

function reconciledColumns(row: DefectEventsRow, clock: BusinessClock) {
  const detectedAt = Date.parse(row.detected_at);
  const times: DefectTimes = deriveDefectTimes({
    detectedAt,
    fixes: row.fixes.map(([pushed, released]) => ({ pushedAt: msOf(pushed), releasedAt: msOf(released) })),
    commits: row.commits.map(([authored, merged]) => ({ authoredAt: Date.parse(authored), mergedAt: msOf(merged) })),
  });
  const minutesTo = (ms: number | null) => (ms === null ? null : clock.minutesBetween(detectedAt, ms));
  return {
    id: row.id,
    first_activity_at: isoOf(times.firstActivityAt),
    first_fix_merged_at: isoOf(times.firstFixMergedAt),
    last_activity_at: isoOf(times.lastActivityAt),
    first_fix_released_at: isoOf(times.firstFixReleasedAt),
    final_fix_released_at: isoOf(times.finalFixReleasedAt),
    business_minutes_to_first_activity: minutesTo(times.firstActivityAt),
    business_minutes_to_fix_merged: minutesTo(times.firstFixMergedAt),
    business_minutes_to_first_release: minutesTo(times.firstFixReleasedAt),
    business_minutes_to_final_release: minutesTo(times.finalFixReleasedAt),
  };
}
