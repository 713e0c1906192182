// The relations that statistics read besides plain tables: the same facts by commit instead of by day, and
// rows that need a join. Each lists its columns, so that a measure naming another does not compile. Names
// after a colon are parameters; every relation has entity_id, and record_id where a row stands for a record.
// A join that only gives a repo is an outer one, though it always finds its row: the planner then leaves it
// out where no repo is asked for.

import { type EvidenceClass, SURE_SOURCES, sourcesOf, WHOLE } from '../../domain/ai/evidence.ts';
import { MOST_DAYS_BEFORE, SURVIVAL_DAYS, SURVIVAL_GROUPS } from '../../domain/ai/survival.ts';
import { ACTIVITY_COUNTS } from '../../domain/ai/usage-sources.ts';
import { AI_MEASURES, FILE_MEASURES, OPERATION_DELTAS } from '../../domain/commits/file-measures.ts';
import {
  CHURN_OPERATIONS,
  ENDING_OPERATIONS,
  FLOW_OPERATIONS,
  OPERATION_ROWS,
  OPERATIONS,
  type Operation,
  WRITING_OPERATIONS,
  YOUNGEST_AGE,
} from '../../domain/commits/line-model.ts';
import { UNREAD_REASONS } from '../../domain/commits/unread.ts';
import { sumFilledLines, sumLines } from '../../storage/commits/line-columns.ts';
import { utcDayOf } from '../../storage/commits/utc-day.ts';

const summed = FILE_MEASURES.map((name) => `coalesce(sum(x.${name}), 0) as ${name}`).join(', ');
const CHANGED = sumFilledLines('x', OPERATIONS);
/** As the daily tables have it. */
const countedIn = `coalesce(c.counted_in, '{}') as counted_in, c.counted_in is not null as is_shared`;

interface Relation {
  readonly columns: readonly string[];
  readonly sql: string;
}

const inList = (sources: readonly string[]): string => sources.map((source) => `'${source}'`).join(', ');
const ESTIMATED = ['took_part', 'assisted'] as const satisfies readonly EvidenceClass[];

/** Thousandths by which the lines that evidence of a source speaks of are credited; the settings of the entity. */
const weightOf = (source: string): string =>
  `case ${ESTIMATED.map((name) => `when ${source} in (${inList(sourcesOf(name))}) then :weight_${name}::bigint`).join(' ')} else ${WHOLE} end`;
const isSure = (source: string): string => `${source} in (${inList(SURE_SOURCES)})`;

/** As the groups of survival have it. */
const evidenceCode = (source: string): string =>
  `case when ${source} is null then ${SURVIVAL_GROUPS.rest.code} when ${isSure(source)} then ${SURVIVAL_GROUPS.sure.code} else ${SURVIVAL_GROUPS.estimated.code} end`;

const CREDITED = ['lines_added', 'lines_deleted', 'lines_changed', 'delta'] as const;

/**
 * What evidence credits, in thousandths of what the facts hold; the part that is sure; and all that the commits hold.
 * Whole numbers, so that sums do not depend on order.
 */
const weighedCredits = (row: string): string =>
  [
    ...CREDITED.map((name) => `${row}.ai_${name} * ${weightOf(`${row}.source`)} as ai_${name}`),
    ...CREDITED.map((name) => `case when ${isSure(`${row}.source`)} then ${row}.ai_${name} else 0 end as sure_${name}`),
    ...CREDITED.map((name) => `${row}.all_${name}`),
    `case when ${isSure(`${row}.source`)} then ${row}.commit_count else 0 end as sure_commit_count`,
  ].join(',\n        ');

/** As daily_ai has them of a commit as such, and of its files of one kind of code. */
const noCredits = [...CREDITED.map((name) => `0 as all_${name}`), ...CREDITED.map((name) => `0 as ai_${name}`)].join(
  ', ',
);
const ofOperations = (is: (operation: Operation) => boolean): string => sumLines('f', OPERATIONS.filter(is));
const creditsOfFiles = [
  ofOperations((operation) => OPERATION_ROWS[operation].counted === 'added'),
  ofOperations((operation) => OPERATION_ROWS[operation].counted === 'removed'),
  ofOperations(() => true),
  OPERATION_DELTAS.map((name) => `coalesce(f.${name}, 0)`).join(' + '),
  ...CREDITED.map((name) => `coalesce(f.ai_${name}, 0)`),
]
  .map((value) => `sum(${value})`)
  .join(', ');

const TOKENS = ACTIVITY_COUNTS.filter((name) => name.startsWith('tokens_')).map((name) => `x.${name}`);

const CREDIT_COLUMNS = [
  'authored_on',
  'category',
  'committer_id',
  'repo_id',
  'counted_in',
  'is_shared',
  'model',
  'provider',
  'source',
  'commit_count',
  'sure_commit_count',
  'ai_lines_added',
  'ai_lines_deleted',
  'ai_lines_changed',
  'ai_delta',
  'sure_lines_added',
  'sure_lines_deleted',
  'sure_lines_changed',
  'sure_delta',
  'all_lines_added',
  'all_lines_deleted',
  'all_lines_changed',
  'all_delta',
] as const;

const USAGE_CREDIT_COLUMNS = [
  'record_id',
  'authored_on',
  'committer_id',
  'repo_id',
  'counted_in',
  'is_shared',
  'model',
  'provider',
  'source',
  ...AI_MEASURES,
] as const;

/** Of processed files alone. */
const processed = (lines: string): string =>
  `sum(case when x.category = any(:line_categories::smallint[]) then ${lines} else 0 end)::float8`;

/** Of a report of use; one that no job has named yet goes by its name. */
const modelOf = (usage: string): string => `coalesce(${usage}.model, ${usage}.llm_model_name)`;

/**
 * Lines credited to AI because a tool reported that it had written some for the person on that day. Only
 * of commits without evidence of their own; at most four fifths of them. A day of a report, which is one of UTC, may have
 * commits of the day of the entity before or after.
 */
const usageCreditsSince = (first: string): string => `
      with work as materialized (
        select x.entity_id, x.authored_on, x.utc_on, x.committer_id, x.repo_id, x.counted_in, x.is_shared, o.root_committer_id as root_id,
          ${processed('x.unknown_lines_added')} as unknown_lines_added,
          ${processed('x.unknown_lines_deleted')} as unknown_lines_deleted,
          ${processed(CHANGED)} as lines_changed,
          ${processed('x.known_lines_changed')} as known_lines_changed, sum(x.unknown_delta) as unknown_delta
        from daily_facts x
        join committers o on o.entity_id = x.entity_id and o.id = x.committer_id
        where x.entity_id = :entity and x.authored_on between ${first} - 1 and :to::date + 1
        group by x.entity_id, x.authored_on, x.utc_on, x.committer_id, x.repo_id, x.counted_in, x.is_shared, o.root_committer_id
      ), reported as materialized (
        select g.id as record_id, g.used_on, o.root_committer_id as root_id, ${modelOf('g')} as model,
          g.ai_provider_em as provider, g.lines_added::float8 as lines,
          sum(g.lines_added::float8) over (partition by o.root_committer_id, g.used_on) as reported
        from ai_usages g
        join committers o on o.entity_id = g.entity_id and o.id = g.committer_id
        where g.entity_id = :entity and g.is_activity_chosen and g.used_on between ${first} - 1 and :to::date + 1 and g.lines_added > 0)
      select s.entity_id, s.record_id, s.authored_on, s.committer_id, s.repo_id, s.counted_in, s.is_shared, s.model, s.provider,
        'usage' as source,
        1000 * s.credit * s.unknown_lines_added as ai_lines_added,
        1000 * s.credit * s.unknown_lines_deleted as ai_lines_deleted,
        1000 * s.credit * (s.lines_changed - s.known_lines_changed) as ai_lines_changed,
        s.credit * s.unknown_delta as ai_delta
      from (
        select w.*, u.record_id, u.model, u.provider,
          u.lines * least(0.8 / u.reported,
            1 / nullif(sum(w.lines_changed) filter (where not w.is_shared) over (partition by u.record_id), 0)) as credit,
          sum(w.lines_changed) filter (where not w.is_shared) over (partition by u.record_id) as lines_of_day
        from work w join reported u on u.root_id = w.root_id and u.used_on = w.utc_on) s
      where s.lines_of_day > 0 and s.authored_on between ${first} and :to::date`;

/**
 * When the person `f.root_id` began, by whichever sign is the earliest: account, first membership, first commit, also
 * one that is older than what is imported.
 */
const JOINED = `
  select h.first_at < c.first_at as has_older_commits, least(h.first_at, c.first_at,
    (select min(m.from_on)::timestamp at time zone :zone from committers x
      join team_members m on m.entity_id = x.entity_id and m.committer_id = x.id
      where x.entity_id = :entity and x.root_committer_id = f.root_id),
    (select min(m.created_at) from committers x
      join memberships m on m.entity_id = x.entity_id and m.user_id = x.user_id
      where x.entity_id = :entity and x.root_committer_id = f.root_id)
  ) as joined_at
  from (
    select min(c.authored_at) as first_at from committers x
    cross join lateral (
      select c.authored_at from commits c
      where c.entity_id = x.entity_id and c.author_id = x.id and c.presence <> 'removed'
      order by c.authored_at limit 1) c
    where x.entity_id = :entity and x.root_committer_id = f.root_id) c
  cross join (
    select min(i.first_authored_at) as first_at from committers x
    join committer_identities i on i.entity_id = x.entity_id and i.committer_id = x.id
    where x.entity_id = :entity and x.root_committer_id = f.root_id) h`;

/** Looks rows up by their key instead of reading all of a table, whose size is that of the history. */
const ONE_BY_ONE = 'offset 0';

/** Is worked out before it is joined: the planner expects other numbers of rows of it than there are. */
const BY_ITSELF = 'offset 0';

/** When a pull request `x` that is a draft now, and was ready before, became one again; null of all others. */
const DRAFT_AGAIN_AT = `case when x.is_draft then (
          select max(e.occurred_at) from pull_request_events e
          where e.entity_id = x.entity_id and e.pull_request_id = x.id and e.kind = 'draft') end`;

/** Of a pull request whose author is gone: an unknown person has no id, and a bot is none. */
const NO_PERSON = 'case when x.is_author_bot then 0::bigint end';

const COMMENT_OF_RANGE = `m.entity_id = :entity and m.deleted_at is null
          and m.commented_at >= :from_at::timestamptz and m.commented_at < :to_at::timestamptz`;

/** One row for each day of the range that has come, from one date to the earliest of others. Listed in a select, days are counted as they are read. */
const daysFrom = (first: string, lasts: string): string =>
  `greatest(${first}, :from::date)
          + generate_series(0, least(${lasts}, :to::date, :today::date) - greatest(${first}, :from::date))`;

/** Where defects are: as calls and fixes have it. One may be in several repos, or in an organization as such. */
const DEFECT_REPOS = `
      select x.id as record_id, x.repo_id, x.organization_id from critical_defects x where x.entity_id = :entity
      union
      select x.defect_id, x.repo_id, x.organization_id from defect_scopes x where x.entity_id = :entity
      union
      select x.defect_id, x.repo_id, null from defect_fixes x where x.entity_id = :entity`;

/**
 * Of each team, and of everybody (null), which sprint holds from when until when: where sprints overlap, the one that began
 * first. Kept as lists in order of time, so that the sprint of a moment is found by a few comparisons.
 */
const SPRINT_BOARDS = `
  select s.team_id, array_agg(s.begins_at order by s.begins_at) as begins,
    array_agg(s.ends_at order by s.begins_at) as ends, array_agg(s.id order by s.begins_at) as ids
  from (
    select s.team_id, s.id, s.ends_at, greatest(s.starts_at, max(s.ends_at) over (
      partition by s.team_id order by s.starts_at, s.id rows between unbounded preceding and 1 preceding)) as begins_at
    from sprints s where s.entity_id = :entity and s.starts_at < :to_at::timestamptz + interval '1 day') s
  where s.begins_at < s.ends_at and s.ends_at > :from_at::timestamptz - interval '1 day'
  group by s.team_id`;

/** The sprint of a board at the moment of a commit; null where there is none. */
const sprintAt = (board: string): string => {
  const place = `width_bucket(c.authored_at, ${board}.begins)`;
  return `case when c.authored_at < ${board}.ends[${place}] then ${board}.ids[${place}] end`;
};

export const RELATIONS = {
  /** daily_commits, one row per commit. */
  commit_work: {
    columns: [
      'record_id',
      'authored_on',
      'committer_id',
      'repo_id',
      'counted_in',
      'is_shared',
      'commit_count',
      'ai_commit_count',
      'ai_line_commit_count',
      'known_commit_count',
      ...FILE_MEASURES,
    ],
    sql: `
      select c.entity_id, c.id as record_id, c.authored_on, c.author_id as committer_id, c.repo_id, ${countedIn},
        1 as commit_count,
        (c.contributor_kind in ('ai', 'mixed'))::int as ai_commit_count,
        (coalesce(c.ai_lines_changed, 0) > 0)::int as ai_line_commit_count,
        (c.contributor_kind <> 'unknown')::int as known_commit_count, s.*
      from commits c
      cross join lateral (select ${summed} from commit_files x where x.entity_id = c.entity_id and x.commit_id = c.id) s
      where c.entity_id = :entity and c.rolled_up`,
  },
  /** daily_facts, one row per commit and category. */
  commit_categories: {
    columns: [
      'record_id',
      'authored_on',
      'committer_id',
      'repo_id',
      'counted_in',
      'is_shared',
      'category',
      'known_lines_changed',
      ...FILE_MEASURES,
    ],
    sql: `
      select c.entity_id, c.id as record_id, c.authored_on, c.author_id as committer_id, c.repo_id, ${countedIn}, s.*
      from commits c
      cross join lateral (
        select x.category, ${summed},
          case when c.contributor_kind <> 'unknown' then sum(${sumLines('x', OPERATIONS)}) else 0 end as known_lines_changed
        from commit_files x where x.entity_id = c.entity_id and x.commit_id = c.id
        group by x.category) s
      where c.entity_id = :entity and c.rolled_up`,
  },
  /** Commits whose work another commit holds. */
  copied_commits: {
    columns: ['record_id', 'authored_on', 'authored_at', 'committer_id', 'repo_id', 'not_counted'],
    sql: `
      select c.entity_id, c.id as record_id, c.authored_on, c.authored_at, c.author_id as committer_id, c.repo_id, c.not_counted
      from commits c
      where c.entity_id = :entity and c.not_counted in ('rebase_copy', 'cherry_pick_copy', 'squash_source')
        and c.presence = 'existent' and c.counted_in is null`,
  },
  /** Commits that count, and whose lines are not known, or not all. There are few: the commits are found by them. */
  unread_commits: {
    columns: ['record_id', 'authored_on', 'authored_at', 'committer_id', 'repo_id', 'counted_in', 'is_shared'],
    sql: `
      select c.entity_id, c.id as record_id, c.authored_on, c.authored_at, c.author_id as committer_id, c.repo_id, ${countedIn}
      from (
        select distinct repo_id, sha from skipped_commits
        where entity_id = :entity and reason in (${UNREAD_REASONS.map((reason) => `'${reason}'`).join(', ')})) s
      join commits c on c.entity_id = :entity and c.repo_id = s.repo_id and c.sha = s.sha
      where c.entity_id = :entity and c.rolled_up`,
  },
  /** daily_ai with the weights of the evidence. */
  credits: {
    columns: CREDIT_COLUMNS,
    sql: `
      select x.entity_id, x.authored_on, x.committer_id, x.repo_id, x.counted_in, x.is_shared, x.model, x.provider, x.source,
        x.category,
        x.commit_count, ${weighedCredits('x')}
      from daily_ai x where x.entity_id = :entity`,
  },
  /** The same, one row per commit. */
  commit_credits: {
    columns: ['record_id', ...CREDIT_COLUMNS],
    sql: `
      select c.entity_id, c.id as record_id, c.authored_on, c.author_id as committer_id, c.repo_id, ${countedIn},
        a.model, a.provider, a.source, x.category, x.commit_count, ${weighedCredits('x')}
      from commits c
      join commit_ai a on a.entity_id = c.entity_id and a.commit_id = c.id and a.position = 0
      cross join lateral (
        select 0::smallint as category, 1 as commit_count, a.source, ${noCredits}
        union all
        select f.category, 0, a.source, ${creditsOfFiles} from commit_files f
        where f.entity_id = c.entity_id and f.commit_id = c.id group by f.category) x
      where c.entity_id = :entity and c.rolled_up`,
  },
  usage_credits: { columns: USAGE_CREDIT_COLUMNS, sql: usageCreditsSince(':from::date') },
  /** The same of the days before the range too, for what looks back. */
  recent_usage_credits: { columns: USAGE_CREDIT_COLUMNS, sql: usageCreditsSince(':from::date - 90') },
  /** The same over all repos, as it is kept with the reports of use: most questions are for no repo. Only where days are of UTC. */
  usage_credits_of_people: {
    columns: ['authored_on', 'committer_id', 'model', 'provider', 'source', ...AI_MEASURES],
    sql: `
      select x.entity_id, x.used_on as authored_on, x.committer_id, ${modelOf('x')} as model,
        x.ai_provider_em as provider, 'usage' as source, x.credited_lines_added as ai_lines_added,
        x.credited_lines_deleted as ai_lines_deleted, x.credited_lines_changed as ai_lines_changed,
        x.credited_delta as ai_delta
      from ai_usages x where x.entity_id = :entity and x.credited_lines_changed is not null`,
  },
  /** Reports of use that count: activity by one source, cost by one, which need not be the same. */
  chosen_usages: {
    columns: [
      'id',
      'used_on',
      'committer_id',
      'team_id',
      'ai_provider_em',
      'model',
      'tool_em',
      'source',
      ...ACTIVITY_COUNTS,
      'cost_microcents',
      'tokens',
    ],
    sql: `
      select x.entity_id, x.id, x.used_on, x.committer_id, x.team_id, x.ai_provider_em, ${modelOf('x')} as model, x.tool_em,
        x.source_em as source,
        ${ACTIVITY_COUNTS.map((name) => `case when x.is_activity_chosen then x.${name} end as ${name}`).join(',\n        ')},
        case when x.is_cost_chosen then x.cost_microcents end as cost_microcents,
        case when x.is_activity_chosen and num_nonnulls(${TOKENS.join(', ')}) > 0
          then ${TOKENS.map((name) => `coalesce(${name}, 0)`).join(' + ')} end as tokens
      from ai_usages x
      where x.entity_id = :entity and (x.is_activity_chosen or x.is_cost_chosen)`,
  },
  /** Counted commits with what the entity's job found out about them. */
  traced_commits: {
    columns: [
      'record_id',
      'authored_on',
      'authored_at',
      'committer_id',
      'repo_id',
      'counted_in',
      'is_shared',
      'delta',
      'estimated_delta',
      'minutes_used',
      'bug_delta',
      'opex_delta',
      'unclassified_delta',
      'pull_request_phase',
      'release_phase',
    ],
    sql: `
      select c.entity_id, c.id as record_id, c.authored_on, c.authored_at, c.author_id as committer_id, c.repo_id,
        ${countedIn}, coalesce(c.delta, 0) as delta, t.minutes_used,
        case when t.minutes_used is not null then coalesce(c.delta, 0) else 0 end as estimated_delta,
        coalesce(c.delta, 0) * coalesce(t.bug_share, 0) / 1000.0 as bug_delta,
        coalesce(c.delta, 0) * coalesce(t.opex_share, 0) / 1000.0 as opex_delta,
        coalesce(c.delta, 0) * coalesce(t.unclassified_share, 1000) / 1000.0 as unclassified_delta,
        coalesce(t.pull_request_phase, 'No pull request') as pull_request_phase,
        case when s.release_id is not null then 'Released' when c.on_default_branch then 'Awaiting release'
          else 'In development' end as release_phase
      from commits c
      left join commit_traits t on t.entity_id = c.entity_id and t.commit_id = c.id
      left join release_commits s on s.entity_id = c.entity_id and s.commit_id = c.id
      where c.entity_id = :entity and c.rolled_up`,
  },
  /** Counted commits by the issues they name; one that names several is split equally. */
  commit_issues: {
    columns: [
      'record_id',
      'authored_on',
      'authored_at',
      'committer_id',
      'repo_id',
      'counted_in',
      'is_shared',
      'delta',
      'issue_key',
      'issue_type',
    ],
    sql: `
      select c.entity_id, c.id as record_id, c.authored_on, c.authored_at, c.author_id as committer_id, c.repo_id,
        ${countedIn}, coalesce(c.delta, 0)::numeric / greatest(n.issue_count, 1) as delta,
        coalesce(i.key, 'No issue') as issue_key, coalesce(i.type, 'No issue') as issue_type
      from commits c
      left join issue_commits n on n.entity_id = c.entity_id and n.commit_id = c.id
      left join issues i on i.entity_id = n.entity_id and i.id = n.issue_id
      where c.entity_id = :entity and c.rolled_up`,
  },
  /** Counted commits by the sprint of the author's team in which they fell. */
  commit_sprints: {
    columns: [
      'record_id',
      'authored_on',
      'authored_at',
      'committer_id',
      'repo_id',
      'counted_in',
      'is_shared',
      'delta',
      'sprint_name',
    ],
    // The sprint of the first of the person's teams that has one, else that of everybody.
    sql: `
      with boards as materialized (${SPRINT_BOARDS}
      ), stays as materialized (
        select x.root_committer_id as root_id, m.team_id, m.from_on::timestamp at time zone :zone as from_at,
          m.until_on::timestamp at time zone :zone as until_at
        from team_members m
        join committers x on x.entity_id = m.entity_id and x.id = m.committer_id
        where m.entity_id = :entity and m.team_id in (select k.team_id from boards k)
      )
      select f.*, coalesce(n.name, 'No sprint') as sprint_name
      from (
      select distinct on (c.id) c.entity_id, c.id as record_id, c.authored_on, c.authored_at, c.author_id as committer_id,
        c.repo_id, ${countedIn},
        coalesce(c.delta, 0) as delta, coalesce(${sprintAt('k')}, ${sprintAt('e')}) as sprint_id
      from commits c
      join committers o on o.entity_id = c.entity_id and o.id = c.author_id
      left join stays t on t.root_id = o.root_committer_id
        and (t.from_at is null or c.authored_at >= t.from_at) and (t.until_at is null or c.authored_at < t.until_at)
      left join boards k on k.team_id = t.team_id
      left join boards e on e.team_id is null
      where c.entity_id = :entity and c.rolled_up and c.authored_on between :from::date and :to::date
        and c.authored_at >= :from_at::timestamptz - interval '1 day'
        and c.authored_at < :to_at::timestamptz + interval '1 day'
      order by c.id, ${sprintAt('k')} is null, t.team_id) f
      left join sprints n on n.entity_id = f.entity_id and n.id = f.sprint_id`,
  },
  /** Lines rewritten or deleted young, charged to whoever had written them. */
  churned_lines: {
    columns: [
      'record_id',
      'authored_on',
      'authored_at',
      'committer_id',
      'repo_id',
      'counted_in',
      'is_shared',
      'category',
      'lines',
    ],
    sql: `
      select c.entity_id, c.id as record_id, c.authored_on, c.authored_at, o.author_id as committer_id, c.repo_id,
        ${countedIn}, w.category, ${sumLines('w', CHURN_OPERATIONS)} as lines
      from commits c
      join line_flows w on w.entity_id = c.entity_id and w.commit_id = c.id and w.age = '${YOUNGEST_AGE}'
      join commits o on o.entity_id = w.entity_id and o.id = w.origin_commit_id
      where c.entity_id = :entity and c.rolled_up`,
  },
  /** The same of lines that evidence credits to AI, with its weight; at the day on which they were rewritten or deleted. */
  ai_churned_lines: {
    columns: [
      'record_id',
      'authored_on',
      'authored_at',
      'committer_id',
      'repo_id',
      'counted_in',
      'is_shared',
      'category',
      'provider',
      'model',
      'ai_lines',
    ],
    sql: `
      select c.entity_id, c.id as record_id, c.authored_on, c.authored_at, o.author_id as committer_id, c.repo_id,
        ${countedIn}, w.category, a.provider, a.model,
        (w.ai_lines::numeric * (${sumLines('w', CHURN_OPERATIONS)}) / nullif(${sumLines('w', FLOW_OPERATIONS)}, 0))::float8
          * ${weightOf('a.source')} as ai_lines
      from commits c
      join line_flows w on w.entity_id = c.entity_id and w.commit_id = c.id and w.age = '${YOUNGEST_AGE}' and w.ai_lines > 0
      join commits o on o.entity_id = w.entity_id and o.id = w.origin_commit_id
      join commit_ai a on a.entity_id = o.entity_id and a.commit_id = o.id and a.position = 0
      where c.entity_id = :entity and c.rolled_up`,
  },
  /**
   * Lines that commits of the range wrote and those of them that stand after so many days, of lines that were followed so
   * long: a row for what a commit wrote, and one that takes away what ended.
   */
  line_lives: {
    columns: [
      'record_id',
      'authored_on',
      'committer_id',
      'repo_id',
      'counted_in',
      'is_shared',
      'category',
      'evidence',
      ...SURVIVAL_DAYS.map((days) => `followed_${days}` as const),
      ...SURVIVAL_DAYS.map((days) => `standing_${days}` as const),
    ],
    sql: `
      with last as materialized (
        select max(c.authored_on) as day from commits c
        where c.entity_id = :entity and c.rolled_up and c.authored_on <= :today::date
      ), written as (
        select c.entity_id, c.id as record_id, c.authored_on, c.author_id as committer_id, c.repo_id, ${countedIn}, f.category,
          ${evidenceCode('a.source')} as evidence, ${sumLines('f', WRITING_OPERATIONS)} as lines
        from commits c
        join commit_files f on f.entity_id = c.entity_id and f.commit_id = c.id
        left join commit_ai a on a.entity_id = c.entity_id and a.commit_id = c.id and a.position = 0
        where c.entity_id = :entity and c.rolled_up and c.authored_on between :from::date and :to::date
      ), ended as (
        select c.entity_id, c.id as record_id, c.authored_on, c.author_id as committer_id, c.repo_id, ${countedIn}, w.category,
          ${evidenceCode('a.source')} as evidence, ${sumLines('w', ENDING_OPERATIONS)} as lines,
          greatest(0, d.authored_on - c.authored_on) as age
        from commits d
        join line_flows w on w.entity_id = d.entity_id and w.commit_id = d.id
        join commits c on c.entity_id = w.entity_id and c.id = w.origin_commit_id
        left join commit_ai a on a.entity_id = c.entity_id and a.commit_id = c.id and a.position = 0
        where d.entity_id = :entity and d.rolled_up and d.counted_in is null
          and d.authored_on between :from::date - ${MOST_DAYS_BEFORE} and :to::date + ${Math.max(...SURVIVAL_DAYS)}
          and d.authored_on >= c.authored_on - ${MOST_DAYS_BEFORE}
          and c.rolled_up and c.authored_on between :from::date and :to::date)
      select x.entity_id, x.record_id, x.authored_on, x.committer_id, x.repo_id, x.counted_in, x.is_shared, x.category, x.evidence,
        ${SURVIVAL_DAYS.map((days) => `case when x.authored_on <= last.day - ${days} then x.lines else 0 end as followed_${days}`).join(', ')},
        ${SURVIVAL_DAYS.map((days) => `case when x.authored_on <= last.day - ${days} then x.lines else 0 end as standing_${days}`).join(', ')}
      from written x cross join last
      union all
      select x.entity_id, x.record_id, x.authored_on, x.committer_id, x.repo_id, x.counted_in, x.is_shared, x.category, x.evidence,
        ${SURVIVAL_DAYS.map(() => '0').join(', ')},
        ${SURVIVAL_DAYS.map((days) => `case when x.authored_on <= last.day - ${days} and x.age <= ${days} then -x.lines else 0 end`).join(', ')}
      from ended x cross join last`,
  },
  /** Days on which people held a seat of a tool, and whether they used the tool on that day. */
  seat_days: {
    columns: ['record_id', 'used_on', 'committer_id', 'provider', 'is_used'],
    sql: `
      select :entity::bigint as entity_id, s.root_id as record_id, s.root_id as committer_id, s.provider, s.held_on as used_on,
        exists (
          select 1 from ai_usages x join committers q on q.entity_id = x.entity_id and q.id = x.committer_id
          where x.entity_id = :entity and x.is_activity_chosen and x.used_on = s.held_on and q.root_committer_id = s.root_id
            and x.ai_provider_em = s.provider) as is_used
      from (
        select o.root_committer_id as root_id, s.ai_provider_em as provider, ${daysFrom('s.from_on', 's.until_on - 1')} as held_on
        from ai_seats s
        join committers o on o.entity_id = s.entity_id and o.id = s.committer_id
        where s.entity_id = :entity and (:provider::text is null or s.ai_provider_em = :provider::text)) s`,
  },
  /**
   * A known user of AI tools on a date without any: used in the 30 days before, counted at the provider that
   * was used last, or with a seat that a provider lists, counted there.
   */
  idle_days: {
    columns: ['record_id', 'used_on', 'committer_id', 'provider'],
    sql: `
      select :entity::bigint as entity_id, u.root_id as record_id, u.root_id as committer_id, u.provider,
        ${daysFrom('u.used_on + 1', 'u.used_on + 30, u.next_on - 1')} as used_on
      from (
        select o.root_committer_id as root_id, x.used_on, min(x.ai_provider_em) as provider,
          lead(x.used_on) over (partition by o.root_committer_id order by x.used_on) as next_on
        from ai_usages x join committers o on o.entity_id = x.entity_id and o.id = x.committer_id
        where x.entity_id = :entity and x.used_on between :from::date - 30 and :to::date
          and (:provider::text is null or x.ai_provider_em = :provider::text)
        group by o.root_committer_id, x.used_on) u
      union all
      select :entity::bigint, s.root_id, s.root_id, s.provider, s.held_on
      from (
        select o.root_committer_id as root_id, s.ai_provider_em as provider, ${daysFrom('s.from_on', 's.until_on - 1')} as held_on
        from ai_seats s
        join committers o on o.entity_id = s.entity_id and o.id = s.committer_id
        where s.entity_id = :entity and (:provider::text is null or s.ai_provider_em = :provider::text)) s
      where not exists (
        select 1 from ai_usages x join committers q on q.entity_id = x.entity_id and q.id = x.committer_id
        where x.entity_id = :entity and x.used_on = s.held_on and q.root_committer_id = s.root_id
          and (:provider::text is null or x.ai_provider_em = :provider::text))`,
  },
  /** Usage that is more than being logged in. */
  engaged_usages: {
    columns: ['record_id', 'used_on', 'committer_id', 'provider'],
    sql: `
      select x.entity_id, x.id as record_id, x.used_on, x.committer_id, x.ai_provider_em as provider
      from ai_usages x
      where x.entity_id = :entity and x.is_activity_chosen and (x.prompted_suggest_count > 0 or x.prompted_accept_count > 0
        or x.tab_accept_count > 0 or x.lines_added > 0 or x.prompt_count > 0)`,
  },
  pulls: {
    columns: [
      'record_id',
      'committer_id',
      'repo_id',
      'opened_at',
      'closed_at',
      'merged_at',
      'released_at',
      'first_commit_authored_at',
      'first_human_review_at',
      'wait_ended_at',
      'waits_until',
      'is_by_person',
      'is_draft',
      'is_merged',
      'is_abandoned',
      'is_merged_unreviewed',
      'is_merged_unreviewed_by_people',
      'work_delta',
    ],
    sql: `
      select x.entity_id, x.id as record_id, coalesce(x.author_id, ${NO_PERSON}) as committer_id, x.repo_id, x.opened_at,
        x.closed_at, x.merged_at,
        x.released_at, x.first_commit_authored_at, x.first_human_review_at, x.is_draft and d.since is null as is_draft,
        least(x.first_human_review_at, x.closed_at, x.merged_at, d.since, :now::timestamptz) as wait_ended_at,
        least(x.first_human_review_at, x.closed_at, x.merged_at, d.since) as waits_until,
        not x.is_author_bot as is_by_person, x.merged_at is not null as is_merged,
        x.merged_at is null and x.closed_at is not null as is_abandoned,
        x.merged_at is not null and (x.first_review_at is null or x.first_review_at > x.merged_at) as is_merged_unreviewed,
        x.merged_at is not null and (x.first_human_review_at is null or x.first_human_review_at > x.merged_at)
          as is_merged_unreviewed_by_people, x.work_delta
      from pull_requests x cross join lateral (select ${DRAFT_AGAIN_AT} as since) d
      where x.entity_id = :entity`,
  },
  reviews: {
    columns: ['record_id', 'committer_id', 'repo_id', 'pull_request_id', 'submitted_at', 'is_by_author', 'is_bot'],
    sql: `
      select v.entity_id, v.id as record_id, v.reviewer_id as committer_id, x.repo_id, v.pull_request_id, v.submitted_at,
        v.is_by_author, v.is_bot
      from pull_request_reviews v
      left join pull_requests x on x.entity_id = v.entity_id and x.id = v.pull_request_id
      where v.entity_id = :entity and v.deleted_at is null`,
  },
  reviewed_commits: {
    columns: ['record_id', 'committer_id', 'repo_id', 'sha', 'submitted_at', 'is_by_author', 'is_bot'],
    sql: `
      select v.entity_id, v.id as record_id, v.reviewer_id as committer_id, x.repo_id, n.sha, v.submitted_at,
        v.is_by_author, v.is_bot
      from pull_request_reviews v
      left join pull_requests x on x.entity_id = v.entity_id and x.id = v.pull_request_id
      join pull_request_commits n on n.entity_id = v.entity_id and n.pull_request_id = v.pull_request_id
        and n.removed_at is null
      where v.entity_id = :entity and v.deleted_at is null`,
  },
  comments: {
    columns: ['record_id', 'committer_id', 'repo_id', 'commented_at', 'is_by_author', 'is_bot'],
    sql: `
      select m.entity_id, m.id as record_id, m.author_id as committer_id, x.repo_id, m.commented_at, m.is_by_author, m.is_bot
      from pull_request_comments m
      left join pull_requests x on x.entity_id = m.entity_id and x.id = m.pull_request_id
      where m.entity_id = :entity and m.deleted_at is null`,
  },
  /**
   * The same comments, as those who receive them see them. One pass over an index finds all their pull requests; the
   * planner takes that for ten, and only an outer join that nothing reaches into for as many rows as there are comments.
   * Nobody receives their own, also where an agent opened the pull request that they direct.
   */
  received_comments: {
    columns: ['record_id', 'committer_id', 'repo_id', 'commented_at', 'is_by_author', 'is_bot'],
    sql: `
      select m.entity_id, m.id as record_id, x.author_id as committer_id, x.repo_id, m.commented_at,
        m.is_by_author or coalesce(m.author_id = x.author_id, false) as is_by_author, m.is_bot
      from pull_request_comments m
      left join (
        select x.id, x.author_id, x.repo_id from pull_requests x
        where x.entity_id = :entity and x.id = any(array(
          select m.pull_request_id from pull_request_comments m where ${COMMENT_OF_RANGE})) ${BY_ITSELF}) x
        on x.id = m.pull_request_id
      where ${COMMENT_OF_RANGE} ${BY_ITSELF}`,
  },
  /** Everybody's first is found by an index, however many there are; those of the range remain. */
  first_pulls: {
    columns: ['record_id', 'committer_id', 'repo_id', 'joined_at', 'opened_at'],
    sql: `
      select :entity::bigint as entity_id, f.id as record_id, f.root_id as committer_id, f.repo_id,
        least(j.joined_at, f.opened_at) as joined_at, f.opened_at
      from (
        select distinct on (o.root_committer_id) o.root_committer_id as root_id, x.id, x.repo_id, x.opened_at
        from committers o
        cross join lateral (
          select x.id, x.repo_id, x.opened_at from pull_requests x
          where x.entity_id = o.entity_id and x.author_id = o.id
            and (not x.is_draft or ${DRAFT_AGAIN_AT} is not null) order by x.opened_at, x.id limit 1) x
        where o.entity_id = :entity
        order by o.root_committer_id, x.opened_at, x.id) f
      cross join lateral (${JOINED} ${ONE_BY_ONE}) j
      where f.opened_at >= :from_at::timestamptz and f.opened_at < :to_at::timestamptz`,
  },
  /**
   * Whoever had a commit in the first known release of a repo, or one that is older than what is imported, was in
   * production before, nobody knows since when.
   */
  first_deploys: {
    columns: ['record_id', 'committer_id', 'repo_id', 'joined_at', 'released_at'],
    sql: `
      select :entity::bigint as entity_id, f.id as record_id, f.root_id as committer_id, f.repo_id,
        least(j.joined_at, f.released_at) as joined_at, f.released_at
      from (
        select distinct on (o.root_committer_id) o.root_committer_id as root_id, s.release_id as id, s.repo_id,
          s.released_at
        from committers o
        cross join lateral (
          select s.release_id, s.repo_id, s.released_at from release_authors s
          where s.entity_id = o.entity_id and s.committer_id = o.id order by s.released_at, s.release_id limit 1) s
        where o.entity_id = :entity
        order by o.root_committer_id, s.released_at, s.release_id) f
      cross join lateral (${JOINED} ${ONE_BY_ONE}) j
      where f.released_at >= :from_at::timestamptz and f.released_at < :to_at::timestamptz
        and j.has_older_commits is not true and not exists (
        select 1 from committers x
        join commits c on c.entity_id = x.entity_id and c.author_id = x.id and c.authored_at <= f.released_at
        join release_commits n on n.entity_id = c.entity_id and n.commit_id = c.id
        join releases b on b.entity_id = n.entity_id and b.id = n.release_id and b.is_baseline
          and b.released_at <= f.released_at
        where x.entity_id = :entity and x.root_committer_id = f.root_id)`,
  },
  release_facts: {
    columns: ['record_id', 'repo_id', 'counted_in', 'released_at', 'is_repairing', 'is_failed'],
    sql: `
      select x.entity_id, x.id as record_id, x.repo_id, x.counted_in, x.released_at,
        exists (select 1 from defect_fixes d where d.entity_id = x.entity_id and d.release_id = x.id) as is_repairing,
        exists (select 1 from critical_defects d where d.entity_id = x.entity_id and d.origin_release_id = x.id) as is_failed
      from releases x where x.entity_id = :entity`,
  },
  /** Who had a commit that counts in which release. */
  release_people: {
    columns: ['record_id', 'committer_id', 'repo_id', 'counted_in', 'released_at'],
    sql: `
      select x.entity_id, x.release_id as record_id, x.committer_id, x.repo_id, s.counted_in, x.released_at
      from release_authors x left join releases s on s.entity_id = x.entity_id and s.id = x.release_id
      where x.entity_id = :entity and x.counted_commit_count > 0`,
  },
  defects: {
    columns: [
      'record_id',
      'detected_at',
      'first_activity_at',
      'first_fix_merged_at',
      'first_fix_released_at',
      'final_fix_released_at',
    ],
    sql: `
      select x.entity_id, x.id as record_id, x.detected_at, x.first_activity_at, x.first_fix_merged_at,
        x.first_fix_released_at, x.final_fix_released_at
      from critical_defects x where x.entity_id = :entity`,
  },
  defect_repos: { columns: ['record_id', 'repo_id', 'organization_id'], sql: DEFECT_REPOS },
  defect_people: {
    columns: ['record_id', 'committer_id'],
    sql: `
      select n.entity_id, n.defect_id as record_id, c.author_id as committer_id
      from defect_commits n join commits c on c.entity_id = n.entity_id and c.id = n.commit_id
      where n.entity_id = :entity`,
  },
  /** Lines that caused a defect, by the commit that had written them; a defect's shares add up to 1. */
  defect_lines: {
    columns: ['record_id', 'committer_id', 'repo_id', 'written_on', 'detected_at', 'provider', 'defect_share'],
    sql: `
      select n.entity_id, n.defect_id as record_id, o.author_id as committer_id, o.repo_id, o.authored_on as written_on,
        x.detected_at, coalesce(a.provider, 'other') as provider,
        n.lines::numeric / nullif(sum(n.lines) over (partition by n.entity_id, n.defect_id), 0) as defect_share
      from critical_defects x
      join defect_origins n on n.entity_id = x.entity_id and n.defect_id = x.id
      join commits o on o.entity_id = n.entity_id and o.id = n.origin_commit_id
      left join commit_ai a on a.entity_id = o.entity_id and a.commit_id = o.id and a.position = 0
      where x.entity_id = :entity and x.detected_at >= :from_at::timestamptz and x.detected_at < :to_at::timestamptz`,
  },
  /** By evidence in the commit that had written them, else by the use that was reported for its day. */
  fixed_lines: {
    columns: [
      'record_id',
      'committer_id',
      'repo_id',
      'fixed_on',
      'fixed_at',
      'provider',
      'ai_lines',
      'sure_lines',
      'all_lines',
    ],
    sql: `
      select n.entity_id, n.defect_id as record_id, o.author_id as committer_id, o.repo_id, c.authored_on as fixed_on,
        n.fixed_at, coalesce(a.provider, 'other') as provider, n.ai_lines * ${weightOf('a.source')} as ai_lines,
        case when ${isSure('a.source')} then n.ai_lines else 0 end as sure_lines,
        case when a.source is not null then 1000 * n.lines else 0 end as all_lines
      from defect_origins n
      join commits o on o.entity_id = n.entity_id and o.id = n.origin_commit_id
      join commits c on c.entity_id = n.entity_id and c.id = n.fix_commit_id
      left join commit_ai a on a.entity_id = o.entity_id and a.commit_id = o.id and a.position = 0
      where n.entity_id = :entity
      union all
      select n.entity_id, n.defect_id, o.author_id, o.repo_id, c.authored_on, n.fixed_at, u.provider,
        ${WHOLE} * n.lines * u.credit, 0, n.lines * u.credit
      from defect_origins n
      join commits o on o.entity_id = n.entity_id and o.id = n.origin_commit_id and o.rolled_up
        and o.contributor_kind = 'unknown'
      join commits c on c.entity_id = n.entity_id and c.id = n.fix_commit_id
      join committers p on p.entity_id = o.entity_id and p.id = o.author_id
      cross join lateral (
        select g.ai_provider_em as provider, 1000 * g.credited_share as credit
        from committers q
        join ai_usages g on g.entity_id = q.entity_id and g.committer_id = q.id and g.used_on = ${utcDayOf('o')}
          and g.credited_share > 0
        where q.entity_id = p.entity_id and q.root_committer_id = p.root_committer_id) u
      where n.entity_id = :entity`,
  },
  issue_facts: {
    columns: [
      'record_id',
      'committer_id',
      'opened_at',
      'started_at',
      'resolved_at',
      'ended_at',
      'issue_type',
      'story_points',
      'story_points_estimated',
      'is_bug',
      'is_epic',
      'is_subtask',
    ],
    sql: `
      select x.entity_id, x.id as record_id, x.assignee_id as committer_id, x.opened_at, x.started_at, x.resolved_at,
        coalesce(x.released_at, x.resolved_at) as ended_at, x.type as issue_type, x.is_bug, x.is_epic, x.is_subtask,
        coalesce(x.story_points, 0) as story_points,
        coalesce(x.story_points, x.story_points_estimated, 0) as story_points_estimated
      from issues x where x.entity_id = :entity and x.deleted_at is null`,
  },
  /** Finished epics by the commits that fed them; an epic's shares add up to 1. */
  epic_shares: {
    columns: ['record_id', 'committer_id', 'repo_id', 'resolved_at', 'written_on', 'epic_share'],
    sql: `
      select w.entity_id, w.record_id, w.committer_id, w.repo_id, w.resolved_at, w.written_on,
        w.delta / nullif(sum(w.delta) over (partition by w.entity_id, w.record_id), 0) as epic_share
      from (
        select e.entity_id, e.id as record_id, c.author_id as committer_id, c.repo_id, e.resolved_at,
          c.authored_on as written_on, coalesce(c.delta, 0)::numeric / n.issue_count as delta
        from (
          select e.entity_id, e.id, e.key, e.resolved_at from issues e
          where e.entity_id = :entity and e.is_epic and e.deleted_at is null
            and e.resolved_at >= :from_at::timestamptz and e.resolved_at < :to_at::timestamptz ${BY_ITSELF}) e
        cross join lateral (
          select e.id
          union all
          select i.id from issues i where i.entity_id = e.entity_id and i.epic_key = e.key and i.id <> e.id) i
        join issue_commits n on n.entity_id = e.entity_id and n.issue_id = i.id
        join commits c on c.entity_id = n.entity_id and c.id = n.commit_id and c.rolled_up
          and c.counted_in is null) w`,
  },
  /** Of bugs, by the commits that name the issue and by the defect that it is. */
  bug_repos: {
    columns: ['record_id', 'record_type', 'repo_id', 'organization_id'],
    sql: `
      select n.issue_id as record_id, 'issues' as record_type, c.repo_id, null::bigint as organization_id
      from issue_commits n join commits c on c.entity_id = n.entity_id and c.id = n.commit_id
      where n.entity_id = :entity
      union
      select d.issue_id, 'issues', s.repo_id, s.organization_id
      from critical_defects d join (${DEFECT_REPOS}) s on s.record_id = d.id
      where d.entity_id = :entity and d.issue_id is not null
      union
      select s.record_id, 'critical_defects', s.repo_id, s.organization_id from (${DEFECT_REPOS}) s`,
  },
  /** Everything that was found to be wrong: bug issues, and defects that are no issue. */
  bugs: {
    columns: ['record_id', 'record_type', 'committer_id', 'found_at', 'is_escaped'],
    sql: `
      select x.entity_id, x.id as record_id, 'issues' as record_type, x.assignee_id as committer_id, x.opened_at as found_at,
        coalesce(x.is_escaped, false) or x.is_critical_defect
          or exists (select 1 from critical_defects d where d.entity_id = x.entity_id and d.issue_id = x.id) as is_escaped
      from issues x where x.entity_id = :entity and x.is_bug and x.deleted_at is null
      union all
      select d.entity_id, d.id, 'critical_defects', null, d.detected_at, true
      from critical_defects d
      where d.entity_id = :entity and not exists (
        select 1 from issues x where x.entity_id = d.entity_id and x.id = d.issue_id and x.is_bug)`,
  },
} as const satisfies Record<string, Relation>;

export type RelationName = keyof typeof RELATIONS;
export type RelationColumn<R extends RelationName> = (typeof RELATIONS)[R]['columns'][number];
