// Fills commit_traits, the estimated columns of issues and sprint_parts for an entity. Reads the whole entity, writes only
// what has changed, and gives how many rows that was.

import type { EntitySettings } from '../../domain/access/entity-settings.ts';
import { entityCalendar } from '../../domain/calendar/entity-calendar.ts';
import { agesBelow, BLAMELESS_CATEGORY_IDS, CHURN_OPERATIONS } from '../../domain/commits/line-model.ts';
import { sumLines } from '../../storage/commits/line-columns.ts';
import type { Store } from '../../storage/database/handle.ts';
import { longStatement } from '../../storage/database/long-transaction.ts';
import { deriveSprintParts } from '../work/derive-sprint-parts.ts';
import { estimateMinutes, type TimedCommit } from './estimate-minutes.ts';
import { workShares } from './work-class.ts';

const PAGE = 5_000;
const PEOPLE_PER_PAGE = 50;

/** Of a commit `c`: the pull requests that list it or that it landed. */
const PULLS_OF_COMMIT = `
  select n.pull_request_id, false as is_squash from pull_request_commits n
  where n.entity_id = $1 and n.repo_id = c.repo_id and n.sha = c.sha
  union all
  select x.id, true from pull_requests x
  where x.entity_id = $1 and x.repo_id = c.repo_id and x.squash_sha = c.sha
  union all
  select x.id, true from pull_requests x
  where x.entity_id = $1 and x.repo_id = c.repo_id and x.merge_sha = c.sha
  union all
  select l.pull_request_id, true from pull_request_landings l
  where l.entity_id = $1 and l.repo_id = c.repo_id and l.sha = c.sha`;

/** The one that a commit belongs to. */
const OWN_PULL = `select o.* from (${PULLS_OF_COMMIT}) o order by o.is_squash, o.pull_request_id limit 1`;

/**
 * Commits without a pull request that changed lines of one merged in the 30 days before. For all commits at once: pull
 * requests are looked up by their commits, which for the origins of every page would be done again and again.
 */
const REWORKING_COMMITS = `
  with listed as (
    select n.repo_id, n.sha, n.pull_request_id, false as is_squash from pull_request_commits n where n.entity_id = $1
    union all
    select x.repo_id, x.squash_sha, x.id, true from pull_requests x where x.entity_id = $1 and x.squash_sha is not null
    union all
    select x.repo_id, x.merge_sha, x.id, true from pull_requests x where x.entity_id = $1 and x.merge_sha is not null
    union all
    select l.repo_id, l.sha, l.pull_request_id, true from pull_request_landings l where l.entity_id = $1),
  own as materialized (
    select distinct on (c.id) c.id as commit_id, n.pull_request_id
    from listed n join commits c on c.entity_id = $1 and c.repo_id = n.repo_id and c.sha = n.sha
    order by c.id, n.is_squash, n.pull_request_id),
  alone as materialized (
    select c.id, c.authored_at from commits c
    where c.entity_id = $1 and c.rolled_up and not exists (select from own where own.commit_id = c.id))
  select distinct c.id
  from alone c
  join line_flows w on w.entity_id = $1 and w.commit_id = c.id
  join own on own.commit_id = w.origin_commit_id
  join pull_requests y on y.entity_id = $1 and y.id = own.pull_request_id
  where y.merged_at <= c.authored_at and y.merged_at > c.authored_at - interval '30 days'`;

const PAGE_OF_COMMITS = `
  with page as materialized (
    select c.id, c.repo_id, c.sha, c.authored_at, split_part(left(c.message, 300), E'\\n', 1) as subject
    from commits c where c.entity_id = $1 and c.rolled_up and c.id > $2 order by c.id limit ${PAGE}
  )
  select c.id, c.subject, own.pull_request_id, x.title, x.labels, x.branch_name,
    case when own.pull_request_id is null then null
      when c.authored_at < x.opened_at then 'Preparing'
      when own.is_squash or x.merged_at is null or c.authored_at <= x.merged_at then 'Under review'
      else 'After merge' end as phase,
    coalesce((
      select json_agg(json_build_object('key', i.key, 'type', i.type, 'is_bug', i.is_bug))
      from issue_commits n join issues i on i.entity_id = n.entity_id and i.id = n.issue_id
      where n.entity_id = $1 and n.commit_id = c.id), '[]') as issues
  from page c
  left join lateral (${OWN_PULL}) own on true
  left join pull_requests x on x.entity_id = $1 and x.id = own.pull_request_id
  order by c.id`;

interface CommitRow {
  readonly id: number;
  readonly subject: string;
  readonly pull_request_id: number | null;
  readonly title: string | null;
  readonly labels: readonly string[] | null;
  readonly branch_name: string | null;
  /** Null without a pull request. */
  readonly phase: string | null;
  readonly issues: readonly { readonly key: string; readonly type: string; readonly is_bug: boolean }[];
}

const FIX_BRANCH = /^(?:bug|bugfix|fix|hotfix)[/_-]/i;
const FIX_LABELS = new Set(['bug', 'bugfix', 'defect', 'fix', 'hotfix']);

/** Thousandths of a commit that belong to bugs. */
export function bugShare(row: Pick<CommitRow, 'issues' | 'labels' | 'branch_name'>): number {
  if (row.issues.length > 0) {
    return Math.round((1000 * row.issues.filter(({ is_bug }) => is_bug).length) / row.issues.length);
  }
  const isFix =
    (row.labels ?? []).some((label) => FIX_LABELS.has(label.toLowerCase())) || FIX_BRANCH.test(row.branch_name ?? '');
  return isFix ? 1000 : 0;
}

export async function deriveTraits(store: Store, entityId: number, settings: EntitySettings): Promise<number> {
  const minutes = await readMinutes(store, entityId, settings);
  const { rows: reworking } = await longStatement<{ id: number }>(store.db, REWORKING_COMMITS, [entityId]);
  const isReworking = new Set(reworking.map(({ id }) => id));
  let changed = 0;
  let last = 0;
  for (;;) {
    const { rows } = await store.pool.query<CommitRow>(PAGE_OF_COMMITS, [entityId, last]);
    if (rows.length === 0) break;
    last = rows.at(-1)!.id;
    const classes = rows.map((row) =>
      workShares(
        { issues: row.issues, labels: row.labels ?? [], pullTitle: row.title, subject: row.subject },
        settings.opex_overrides,
      ),
    );
    const result = await store.pool.query(
      `insert into commit_traits
         (entity_id, commit_id, minutes_used, bug_share, opex_share, unclassified_share, pull_request_id,
          pull_request_phase)
       select $1, d.* from unnest($2::bigint[], $3::int[], $4::smallint[], $5::smallint[], $6::smallint[], $7::bigint[],
         $8::text[]) as d
       on conflict (entity_id, commit_id) do update set minutes_used = excluded.minutes_used,
         bug_share = excluded.bug_share, opex_share = excluded.opex_share,
         unclassified_share = excluded.unclassified_share,
         pull_request_id = excluded.pull_request_id, pull_request_phase = excluded.pull_request_phase
       where (commit_traits.minutes_used, commit_traits.bug_share, commit_traits.opex_share,
              commit_traits.unclassified_share, commit_traits.pull_request_id, commit_traits.pull_request_phase)
         is distinct from (excluded.minutes_used, excluded.bug_share, excluded.opex_share,
              excluded.unclassified_share, excluded.pull_request_id, excluded.pull_request_phase)`,
      [
        entityId,
        rows.map(({ id }) => id),
        rows.map(({ id }) => minutes.get(id) ?? null),
        rows.map(bugShare),
        classes.map(({ opex }) => opex),
        classes.map(({ unclassified }) => unclassified),
        rows.map(({ pull_request_id }) => pull_request_id),
        rows.map(({ id, phase }) => phase ?? (isReworking.has(id) ? 'After merge' : 'No pull request')),
      ],
    );
    changed += result.rowCount ?? 0;
  }
  for (const text of [ESTIMATE_POINTS, MARK_ESCAPED]) {
    changed += Number((await longStatement(store.db, text, [entityId])).numAffectedRows ?? 0n);
  }
  return changed + (await deriveSprintParts(store, entityId));
}

async function readMinutes(store: Store, entityId: number, settings: EntitySettings): Promise<Map<number, number>> {
  const { rows: people } = await store.pool.query<{ id: number }>(
    `select id from committers where entity_id = $1 and root_committer_id = id order by id`,
    [entityId],
  );
  const minutes = new Map<number, number>();
  const { opensAtMinute } = entityCalendar(settings);
  for (let index = 0; index < people.length; index += PEOPLE_PER_PAGE) {
    const page = people.slice(index, index + PEOPLE_PER_PAGE).map(({ id }) => id);
    const { rows } = await store.pool.query<TimedCommit & { root_id: number }>(
      `select c.id, p.root_committer_id as root_id, t.at::date - '1970-01-01'::date as day,
         extract(hour from t.at) * 60 + extract(minute from t.at) as minute
       from committers p
       join commits c on c.entity_id = p.entity_id and c.author_id = p.id and c.rolled_up and c.agent_id is null
         and c.counted_in is null
       cross join lateral (select c.authored_at at time zone $3 as at) t
       where p.entity_id = $1 and p.root_committer_id = any($2::bigint[])
       order by p.root_committer_id, c.authored_at, c.id`,
      [entityId, page, settings.time_zone],
    );
    for (let from = 0; from < rows.length; ) {
      let to = from;
      while (to < rows.length && rows[to]!.root_id === rows[from]!.root_id) to += 1;
      const own = rows.slice(from, to);
      const estimates = estimateMinutes(own, opensAtMinute);
      for (const [place, { id }] of own.entries()) minutes.set(id, estimates[place]!);
      from = to;
    }
  }
  for (const { id, counted_id } of (await store.pool.query<SharedCommit>(SHARED_COMMITS, [entityId])).rows) {
    const taken = minutes.get(counted_id);
    if (taken !== undefined) minutes.set(id, taken);
  }
  return minutes;
}

interface SharedCommit {
  readonly id: number;
  /** The same commit in the repo where it counts. */
  readonly counted_id: number;
}

/** Work that several repos hold took its time once; each of them shows it. */
const SHARED_COMMITS = `
  select c.id, o.id as counted_id from commits c
  join commits o on o.entity_id = c.entity_id and o.sha = c.sha and o.counted_in is null and o.rolled_up
  where c.entity_id = $1 and c.counted_in is not null and c.rolled_up`;

/**
 * Points for resolved issues without any: by their Diff Delta, at the rate of the team's pointed issues of the
 * 180 days before; else the team's median for the type.
 */
const ESTIMATE_POINTS = `
  with teams as (
    select a.id as committer_id, min(m.team_id) as team_id from committers a
    join committers b on b.entity_id = a.entity_id and b.root_committer_id = a.root_committer_id
    join team_members m on m.entity_id = b.entity_id and m.committer_id = b.id
    where a.entity_id = $1 group by a.id
  ), worth as (
    select n.issue_id, sum(coalesce(c.delta, 0)::numeric / n.issue_count) as delta from issue_commits n
    join commits c on c.entity_id = n.entity_id and c.id = n.commit_id and c.rolled_up and c.counted_in is null
    where n.entity_id = $1 group by n.issue_id
  ), sized as materialized (
    select i.id, i.type, i.story_points, coalesce(t.team_id, 0) as team_id, coalesce(w.delta, 0) as delta,
      sum(i.story_points) filter (where i.story_points > 0 and w.delta > 0) over recent as recent_points,
      sum(w.delta) filter (where i.story_points > 0 and w.delta > 0) over recent as recent_delta
    from issues i
    left join teams t on t.committer_id = i.assignee_id
    left join worth w on w.issue_id = i.id
    where i.entity_id = $1 and i.resolved_at is not null and not i.is_epic
    -- Less than 180 days: times have microseconds.
    window recent as (partition by coalesce(t.team_id, 0) order by i.resolved_at
      range between interval '179 days 23:59:59.999999' preceding and current row)
  ), typical as (
    select team_id, type, percentile_cont(0.5) within group (order by story_points) as points
    from sized where story_points > 0 group by team_id, type
  ), estimated as (
    select i.id, coalesce(
      case when i.delta > 0 then round(i.delta * i.recent_points / nullif(i.recent_delta, 0)) end,
      round(y.points))::integer as points
    from sized i left join typical y on y.team_id = i.team_id and y.type = i.type
    where i.story_points is null
  )
  update issues set story_points_estimated = e.points from estimated e
  where issues.entity_id = $1 and issues.id = e.id and issues.story_points_estimated is distinct from e.points`;

const YOUNG = agesBelow(365)
  .map((age) => `'${age}'`)
  .join(', ');
const CHANGED = sumLines('w', CHURN_OPERATIONS);

/**
 * A bug escaped when it was opened after the release that shipped most of the lines its fix had to change;
 * where no such lines are known, when it was found in production after any release of a repo it touches.
 */
const MARK_ESCAPED = `
  with shipped as (
    select distinct on (i.id) i.id, s.released_at
    from issues i
    join issue_commits n on n.entity_id = i.entity_id and n.issue_id = i.id
    join line_flows w on w.entity_id = n.entity_id and w.commit_id = n.commit_id
      and w.age in (${YOUNG}) and w.category not in (${BLAMELESS_CATEGORY_IDS.join(', ')})
    join release_commits q on q.entity_id = w.entity_id and q.commit_id = w.origin_commit_id
    join releases s on s.entity_id = q.entity_id and s.id = q.release_id
    where i.entity_id = $1 and i.is_bug and ${CHANGED} > 0
    group by i.id, s.id, s.released_at
    order by i.id, sum(${CHANGED}) desc, s.released_at, s.id
  ), judged as (
    select i.id, coalesce(
      i.opened_at > s.released_at,
      lower(i.found_in) = 'production' and exists (
        select 1 from issue_commits n
        join commits c on c.entity_id = n.entity_id and c.id = n.commit_id
        join releases s on s.entity_id = c.entity_id and s.repo_id = c.repo_id and s.released_at < i.opened_at
        where n.entity_id = i.entity_id and n.issue_id = i.id), false) as is_escaped
    from issues i left join shipped s on s.id = i.id
    where i.entity_id = $1 and i.is_bug
  )
  update issues set is_escaped = j.is_escaped from judged j
  where issues.entity_id = $1 and issues.id = j.id and issues.is_escaped is distinct from j.is_escaped`;
