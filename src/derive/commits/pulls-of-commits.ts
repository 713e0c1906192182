// Which pull request a commit belongs to, and at which point of it the commit was made.
import { FLOW_OPERATIONS } from '../../domain/commits/line-model.ts';
import { sumLines } from '../../storage/commits/line-columns.ts';
import type { Store } from '../../storage/database/handle.ts';
import { longStatement } from '../../storage/database/long-transaction.ts';
import { firstToLand } from '../../storage/reviews/place.ts';

/** All pull requests with the commits that they list or that landed them. */
const LISTED = `
  select n.repo_id, n.sha, n.pull_request_id, false as is_squash from pull_request_commits n
  where n.entity_id = $1 and n.removed_at is null
  union all
  select x.repo_id, x.squash_sha, x.id, true from pull_requests x where x.entity_id = $1 and x.squash_sha is not null
  union all
  select x.repo_id, x.merge_sha, x.id, true from pull_requests x where x.entity_id = $1 and x.merge_sha is not null
  union all
  select l.repo_id, l.sha, l.pull_request_id, true from pull_request_landings l where l.entity_id = $1`;

/** Of commits `c`, which of the pull requests `x` that name it is its own. */
const OWN_COLUMNS = 'distinct on (c.id) c.id as commit_id, c.authored_at, n.pull_request_id, n.is_squash';
const OWN_PULL = 'join pull_requests x on x.entity_id = $1 and x.id = n.pull_request_id';
const OWN_ORDER = `c.id, ${firstToLand('x')}, n.is_squash`;

const PULLS_OF_PAGE = `
  with own as (
    select ${OWN_COLUMNS}
    from commits c join (${LISTED}) n on n.repo_id = c.repo_id and n.sha = c.sha ${OWN_PULL}
    where c.entity_id = $1 and c.id > $2 and c.id <= $3
    order by ${OWN_ORDER})
  select o.commit_id, x.id, x.title, x.labels, x.branch_name,
    case when o.authored_at < x.opened_at then 'Preparing'
      when o.is_squash or x.merged_at is null or o.authored_at <= x.merged_at then 'Under review'
      else 'After merge' end as phase
  from own o join pull_requests x on x.entity_id = $1 and x.id = o.pull_request_id`;

export interface OwnPull {
  readonly commit_id: number;
  readonly id: number;
  readonly title: string;
  readonly labels: readonly string[] | null;
  readonly branch_name: string | null;
  readonly phase: string;
}

/** Of the commits after one id up to another, by their ids. */
export async function readPulls(
  { pool }: Store,
  entityId: number,
  ids: { readonly after: number; readonly to: number },
): Promise<ReadonlyMap<number, OwnPull>> {
  const { rows } = await pool.query<OwnPull>(PULLS_OF_PAGE, [entityId, ids.after, ids.to]);
  return new Map(rows.map((row) => [row.commit_id, row]));
}

/**
 * Commits without a pull request that changed lines of one merged in the 30 days before, with the one of which they changed
 * most. For all commits at once: pull requests are looked up by their commits, which for the origins of every page would be
 * done again and again.
 */
const REWORKING_COMMITS = `
  with own as materialized (
    select ${OWN_COLUMNS}
    from (${LISTED}) n ${OWN_PULL} join commits c on c.entity_id = $1 and c.repo_id = n.repo_id and c.sha = n.sha
    order by ${OWN_ORDER}),
  alone as materialized (
    select c.id, c.authored_at from commits c
    where c.entity_id = $1 and c.rolled_up and not exists (select from own where own.commit_id = c.id))
  select distinct on (c.id) c.id, y.id as pull_request_id
  from alone c
  join line_flows w on w.entity_id = $1 and w.commit_id = c.id
  join own on own.commit_id = w.origin_commit_id
  join pull_requests y on y.entity_id = $1 and y.id = own.pull_request_id
  where y.merged_at <= c.authored_at and y.merged_at > c.authored_at - interval '30 days'
  group by c.id, y.id, y.merged_at
  order by c.id, sum(${sumLines('w', FLOW_OPERATIONS)}) desc, y.merged_at desc, y.id`;

/** Commit → the pull request whose lines it changed. */
export async function listReworking({ db }: Store, entityId: number): Promise<ReadonlyMap<number, number>> {
  const { rows } = await longStatement<{ id: number; pull_request_id: number }>(db, REWORKING_COMMITS, [entityId]);
  return new Map(rows.map(({ id, pull_request_id }) => [id, pull_request_id]));
}
