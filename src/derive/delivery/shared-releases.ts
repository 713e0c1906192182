// Releases that came along with a shared history: a fork or mirror has the tags of the repo it was made from. They count
// in the repo that was imported first, like their commits. A release that a call records is always one of its own.
import { sql } from 'kysely';
import { RELEASE_TRIGGERS, type ReleaseTrigger } from '../../domain/delivery/release-triggers.ts';
import type { Database } from '../../storage/database/handle.ts';

const DEPLOYS: readonly ReleaseTrigger[] = ['api', 'workflow_success', 'merged_pull_request'];
const OF_HISTORY = RELEASE_TRIGGERS.filter((trigger) => !DEPLOYS.includes(trigger));

/** Of all repos of the entity. Returns how many rows changed. */
export async function shareReleases(db: Database, entityId: number): Promise<number> {
  const releases = await sql`
    update releases r set counted_in = n.repos
    from (
      select x.id, array(
        select h.repo_id from releases h
        where h.entity_id = x.entity_id and h.release_sha = x.release_sha and h.repo_id < x.repo_id
          and x.triggered_by = any(${OF_HISTORY}) order by h.repo_id) as repos
      from releases x where x.entity_id = ${entityId}) n
    where r.entity_id = ${entityId} and r.id = n.id and r.counted_in is distinct from n.repos`.execute(db);
  const changes = await sql`
    update released_changes x set counted_in = n.repos
    from (
      select y.record_id, array(
        select o.repo_id from commits o
        join released_changes z on z.entity_id = o.entity_id and z.record_type = 'commits' and z.record_id = o.id
        where o.entity_id = c.entity_id and o.sha = c.sha and o.repo_id = any(c.counted_in) order by o.repo_id) as repos
      from released_changes y
      join commits c on c.entity_id = y.entity_id and c.id = y.record_id
      where y.entity_id = ${entityId} and y.record_type = 'commits'
        and (c.counted_in is not null or y.counted_in <> '{}')) n
    where x.entity_id = ${entityId} and x.record_type = 'commits' and x.record_id = n.record_id
      and x.counted_in is distinct from n.repos`.execute(db);
  return Number(releases.numAffectedRows ?? 0n) + Number(changes.numAffectedRows ?? 0n);
}
