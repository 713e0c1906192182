// A digest of all that a tracker says of one issue, as it is stored: two of them differ where anything does. What is derived
// from it, and when it changed last, are no part of it.
import { sql } from 'kysely';
import type { Database } from '../database/handle.ts';
import type { TrackerPlace } from './issues.ts';

/** Null where it is not stored. */
export async function digestIssue(
  db: Database,
  { entityId, trackerId }: Pick<TrackerPlace, 'entityId' | 'trackerId'>,
  externalId: string,
): Promise<string | null> {
  const { rows } = await sql<{ digest: string }>`
    select md5(concat_ws(E'\\n', i.key, i.title, i.type, i.status, i.priority, i.project_name, i.board_id, i.labels, i.assignee_id,
      i.epic_key, i.parent_external_id, i.story_points, i.opened_at, i.host_started_at, i.host_resolved_at, i.deleted_at,
      (select string_agg(concat_ws(' ', c.external_id, c.field, c.changed_at), ',' order by c.external_id, c.field)
        from issue_changes c where c.entity_id = i.entity_id and c.issue_id = i.id))) as digest
    from issues i
    where i.entity_id = ${entityId} and i.tracker_id = ${trackerId} and i.external_id = ${externalId}`.execute(db);
  return rows[0]?.digest ?? null;
}
