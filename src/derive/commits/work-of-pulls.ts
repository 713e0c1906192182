// The work of each merged pull request: of its commits up to the merge, and what was written after it, by its own later commits
// and by commits without a pull request that changed its lines. Over all pull requests the latter is the Diff Delta of the
// phase After merge. Writes only what has changed, and gives how many rows that was.
import type { Store } from '../../storage/database/handle.ts';
import { longStatement } from '../../storage/database/long-transaction.ts';

const STORE = `
  with work as (
    select t.pull_request_id, t.commit_id, t.pull_request_phase = 'After merge' as is_after from commit_traits t
    where t.entity_id = $1 and t.pull_request_id is not null
    union all
    select d.pull_request_id, d.commit_id, true from unnest($2::bigint[], $3::bigint[]) as d (commit_id, pull_request_id)),
  sums as (
    select w.pull_request_id, sum(c.delta) filter (where w.is_after) as after, sum(c.delta) filter (where not w.is_after) as before
    from work w join commits c on c.entity_id = $1 and c.id = w.commit_id and c.rolled_up
    group by w.pull_request_id),
  found as (
    select x.id, case when x.merged_at is not null then coalesce(s.after, 0)::bigint end as after,
      case when x.merged_at is not null then coalesce(s.before, 0)::bigint end as before
    from pull_requests x left join sums s on s.pull_request_id = x.id
    where x.entity_id = $1)
  update pull_requests x set post_merge_delta = f.after, work_delta = f.before from found f
  where x.entity_id = $1 and x.id = f.id and (x.post_merge_delta, x.work_delta) is distinct from (f.after, f.before)`;

/** `reworking`: commit → the pull request whose lines it changed. */
export async function storeWorkOfPulls(
  { db }: Store,
  entityId: number,
  reworking: ReadonlyMap<number, number>,
): Promise<number> {
  const { numAffectedRows } = await longStatement(db, STORE, [
    entityId,
    [...reworking.keys()],
    [...reworking.values()],
  ]);
  return Number(numAffectedRows ?? 0n);
}
