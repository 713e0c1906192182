// What was written after the merge of each pull request: by its own later commits, and by commits without a pull request
// that changed its lines. Over all pull requests it is the Diff Delta of the phase After merge. Writes only what has changed,
// and gives how many rows that was.
import type { Store } from '../../storage/database/handle.ts';
import { longStatement } from '../../storage/database/long-transaction.ts';

const STORE = `
  with work as (
    select t.pull_request_id, t.commit_id from commit_traits t
    where t.entity_id = $1 and t.pull_request_phase = 'After merge' and t.pull_request_id is not null
    union all
    select d.pull_request_id, d.commit_id from unnest($2::bigint[], $3::bigint[]) as d (commit_id, pull_request_id)),
  sums as (
    select w.pull_request_id, sum(coalesce(c.delta, 0))::bigint as delta
    from work w join commits c on c.entity_id = $1 and c.id = w.commit_id and c.rolled_up
    group by w.pull_request_id),
  found as (
    select x.id, case when x.merged_at is not null then coalesce(s.delta, 0) end as delta
    from pull_requests x left join sums s on s.pull_request_id = x.id
    where x.entity_id = $1)
  update pull_requests x set post_merge_delta = f.delta from found f
  where x.entity_id = $1 and x.id = f.id and x.post_merge_delta is distinct from f.delta`;

/** `reworking`: commit → the pull request whose lines it changed. */
export async function storePostMergeWork(
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
