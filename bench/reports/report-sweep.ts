// Every statistic × split × range, each asked once over HTTP with nothing remembered, on the history of a real
// repository. What no import brings (use of AI, pull requests, issues, sprints, defects, teams) is made up from its
// commits, so that every statistic has data. The bars are 1 s for each and 300 ms for 95 of 100.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { deriveSprintParts } from '../../src/derive/work/derive-sprint-parts.ts';
import { type Aggregation, SEGMENT_IDS, type SegmentId } from '../../src/domain/segments.ts';
import { SEGMENTS } from '../../src/metrics/catalogue/segments/index.ts';
import { addDays } from '../../src/metrics/intervals.ts';
import { creditUsages } from '../../src/storage/ai/usage-credits.ts';
import { openStore, type Store } from '../../src/storage/database/handle.ts';
import { migrate } from '../../src/storage/database/migrate.ts';
import { startEmbedded } from '../../src/storage/embedded/start-embedded.ts';
import { sumAllUsageWeeks } from '../../test/world/sum-usage-weeks.ts';
import { createQuietLog } from '../api/compare-with-bare.ts';
import { openReportEndpoint } from './report-endpoint.ts';

const EACH_BAR = 1000;
const MOST_BAR = 300;
const SHOWN = 25;

interface Asked {
  readonly segment: SegmentId;
  readonly by: Aggregation;
  readonly range: string;
  readonly ms: number;
  /** What processors did for it, of this process and of the database: the same on a busy machine. */
  readonly cpu: number;
}

/** Milliseconds of processor time that the database's server has used, to the hundredth of a second; only on Linux. */
function serverCpu(postmaster: number): number {
  let ticks = 0;
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ')[1]!.split(' ');
      if (Number(fields[1]) === postmaster) ticks += Number(fields[11]) + Number(fields[12]);
      if (Number(pid) === postmaster) ticks += Number(fields[13]) + Number(fields[14]);
    } catch {
      // It ended meanwhile.
    }
  }
  return ticks * 10;
}

const quantile = (values: readonly number[], part: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * part))] ?? Number.NaN;

export async function sweepReports(folder: string, entity: string): Promise<void> {
  const embedded = await startEmbedded({ dataDir: folder, log: createQuietLog() });
  const store = await openStore({ databaseUrl: embedded.databaseUrl, statementTimeoutMilliseconds: 0 });
  try {
    await migrate(store, { log: createQuietLog() });
    const { rows } = await store.pool.query('select id from entities where slug = $1', [entity]);
    const entityId: number = rows[0].id;
    await fillMissing(store, entityId);
    const span = await store.pool.query(
      `select min(authored_on)::text as first, max(authored_on)::text as last, count(distinct committer_id) as people,
         count(*) as days from daily_commits where entity_id = $1`,
      [entityId],
    );
    const { first, last, people, days } = span.rows[0];
    console.log(`${entity}: ${people} people, ${days} daily rows, ${first} to ${last}`);
    const pidFile = readFileSync(join(folder, 'postgres', 'cluster', 'postmaster.pid'), 'utf8');
    const asked = await askAll(store, entity, { first, last }, Number.parseInt(pidFile, 10));
    print(asked);
    process.exitCode = isWithin(asked) ? 0 : 1;
  } finally {
    await store.close();
    await embedded.stop();
  }
}

/** Names of statistics and ranges, to look at a few. */
const only = new Set((process.env.SWEEP_ONLY ?? '').split(',').filter((name) => name !== ''));
const isAsked = (names: readonly string[], name: string): boolean =>
  !names.some((each) => only.has(each)) || only.has(name);

interface Span {
  readonly first: string;
  readonly last: string;
}

async function askAll(store: Store, entity: string, span: Span, postmaster: number): Promise<Asked[]> {
  const endpoint = await openReportEndpoint(store, [entity], () => new Date(`${addDays(span.last, 1)}T18:00:00Z`));
  const asked: Asked[] = [];
  const ranges: readonly (readonly [string, string])[] = [
    ['30 days', addDays(span.last, -29)],
    ['90 days', addDays(span.last, -89)],
    ['1 year', addDays(span.last, -364)],
    ['all', span.first],
  ];
  // Connections and code are warm; no answer is.
  for (const segment of ['none', 'code_category', 'minutes_used'] as const) {
    await endpoint.ask(entity, `segment_by=${segment}&start_date=${addDays(span.last, -10)}&end_date=${span.last}`);
  }
  for (const segment of SEGMENT_IDS) {
    if (!isAsked(SEGMENT_IDS, segment)) continue;
    for (const by of SEGMENTS[segment].by) {
      for (const [range, from] of ranges) {
        if (
          !isAsked(
            ranges.map(([name]) => name),
            range,
          )
        )
          continue;
        const query = `segment_by=${segment}&aggregate_by=${by}&start_date=${from}&end_date=${span.last}`;
        const own = process.cpuUsage();
        const server = serverCpu(postmaster);
        const begin = performance.now();
        await endpoint.ask(entity, query).catch((error: unknown) => console.error(String(error).slice(0, 300)));
        const ms = performance.now() - begin;
        const used = process.cpuUsage(own);
        const cpu = serverCpu(postmaster) - server + (used.user + used.system) / 1000;
        asked.push({ segment, by, range, ms, cpu });
        if (process.env.SWEEP_SHOW !== undefined) console.log(asked.at(-1));
      }
    }
  }
  await endpoint.close();
  return asked;
}

const isWithin = (asked: readonly Asked[]): boolean => {
  const times = asked.map(({ ms }) => ms);
  return Math.max(...times) <= EACH_BAR && quantile(times, 0.95) <= MOST_BAR;
};

function print(asked: readonly Asked[]): void {
  const line = (name: string, some: readonly Asked[]): void => {
    const three = (times: readonly number[]): number[] => [
      quantile(times, 0.5),
      quantile(times, 0.95),
      Math.max(...times),
    ];
    const cells = [...three(some.map(({ ms }) => ms)), ...three(some.map(({ cpu }) => cpu))];
    console.log(
      `${name.padEnd(28)} ${String(some.length).padStart(5)} ${cells.map((ms) => ms.toFixed(0).padStart(7)).join(' ')}`,
    );
  };
  console.log(`\n${'in milliseconds'.padEnd(28)} count     p50     p95     max cpu p50     p95     max`);
  const groups = (name: (one: Asked) => string): Map<string, Asked[]> => {
    const found = new Map<string, Asked[]>();
    for (const one of asked) found.set(name(one), [...(found.get(name(one)) ?? []), one]);
    return found;
  };
  for (const [range, some] of groups((one) => one.range)) line(range, some);
  for (const [by, some] of groups((one) => `by ${one.by}`)) line(by, some);
  for (const [by, some] of groups((one) => `all by ${one.by}`)) {
    line(
      by,
      some.filter(({ range }) => range === 'all'),
    );
  }
  line('every one', asked);
  const slow = asked.filter(({ ms }) => ms > MOST_BAR);
  console.log(
    `\nabove ${MOST_BAR} ms: ${slow.length} of ${asked.length}; above ${EACH_BAR} ms: ${slow.filter(({ ms }) => ms > EACH_BAR).length}`,
  );
  for (const { segment, by, range, ms, cpu } of asked.toSorted((a, b) => b.cpu - a.cpu).slice(0, SHOWN)) {
    console.log(
      `  ${ms.toFixed(0).padStart(6)} ms  ${cpu.toFixed(0).padStart(6)} ms of cpu  ${segment} by ${by}, ${range}`,
    );
  }
}

/** Rows of kinds that the entity has none of. */
async function fillMissing(store: Store, entity: number): Promise<void> {
  const has = async (table: string, more = ''): Promise<boolean> =>
    ((await store.pool.query(`select 1 from ${table} where entity_id = $1 ${more} limit 1`, [entity])).rowCount ?? 0) >
    0;
  const run = async (text: string): Promise<void> => void (await store.pool.query(text));
  if (!(await has('teams', 'and not is_default'))) {
    await run(
      `insert into teams (entity_id, slug, name) select ${entity}, 't' || i, 'Team ' || i from generate_series(1, 10) i`,
    );
    await run(`insert into team_members (entity_id, team_id, committer_id, identifier, role_em)
      select ${entity}, t.id, c.id, c.committer_user_name, 'committer_role'
      from committers c join teams t on t.entity_id = c.entity_id and t.slug = 't' || (1 + c.id % 10)
      where c.entity_id = ${entity} and c.root_committer_id = c.id`);
  }
  if (!(await has('ai_usages'))) {
    await run(`insert into ai_usages (entity_id, used_on, committer_id, llm_model_name, ai_provider_em, lines_added, lines_deleted,
        prompted_suggest_count, prompted_accept_count, tab_suggest_count, tab_accept_count, cost_microcents)
      select ${entity}, d.authored_on, d.committer_id, m.model, m.provider, 40, 5, 3 * d.commit_count, 4, 60, 20, 900
      from daily_people d join (values ('claude', 'vendorC_platform', 2), ('copilot', 'vendorA_assistant', 3)) m (model, provider, every)
        on d.committer_id % m.every = 0
      where d.entity_id = ${entity}`);
    await creditUsages(store.db, entity, 'entity');
    await sumAllUsageWeeks(store, entity);
  }
  if (!(await has('daily_ai'))) {
    // Commits are counted in rows of category 0, lines in rows of their kind of code.
    for (const [table, category, counts] of [
      ['daily_commits', '0', 'commit_count, commit_count, 0, 0, 0, 0, 0, 0, 0, 0, 0'],
      ['daily_facts', 'category', '0, 0, 1, 900, 200, 1100, 1800, 500, 100, 600, 900'],
    ] as const) {
      await run(`insert into daily_ai (entity_id, repo_id, committer_id, authored_on, counted_in, provider, model, source, category,
          commit_count, line_commit_count, file_count, all_lines_added, all_lines_deleted, all_lines_changed, all_delta,
          ai_lines_added, ai_lines_deleted, ai_lines_changed, ai_delta)
        select ${entity}, repo_id, committer_id, authored_on, counted_in, 'vendorC_platform', 'claude', 'co_author',
          ${category}, ${counts}
        from ${table} where entity_id = ${entity} and committer_id % 4 = 0`);
    }
  }
  const numbered = `(select c.*, row_number() over (order by c.authored_at, c.id) as n from commits c where c.entity_id = ${entity} and c.rolled_up) c`;
  if (!(await has('pull_requests'))) {
    await run(`insert into pull_requests (entity_id, repo_id, number, title, branch_name, base_branch, author_id, created_at,
        opened_at, closed_at, merged_at, first_commit_authored_at, first_human_review_at, first_review_at, released_at, last_activity_at)
      select ${entity}, c.repo_id, c.n, '', 'b', 'main', c.author_id, c.authored_at, c.authored_at, c.authored_at + interval '2 days',
        case when c.n % 8 > 0 then c.authored_at + interval '2 days' end, c.authored_at - interval '1 day',
        case when c.n % 6 > 0 then c.authored_at + interval '5 hours' end, case when c.n % 6 > 0 then c.authored_at + interval '5 hours' end,
        case when c.n % 8 > 0 then c.authored_at + interval '5 days' end, c.authored_at
      from ${numbered} where c.n % 3 = 0`);
    await run(`insert into pull_request_commits (entity_id, pull_request_id, ordinal, repo_id, sha)
      select ${entity}, p.id, 0, c.repo_id, c.sha from ${numbered} join pull_requests p on p.entity_id = ${entity} and p.number = c.n`);
    await run(`insert into pull_request_reviews (entity_id, pull_request_id, external_id, reviewer_id, is_bot, is_by_author, state_em, submitted_at)
      select ${entity}, p.id, 'e', (select min(id) from committers where entity_id = ${entity}) + p.number % 900, false, false, 'approved', first_human_review_at
      from pull_requests p where entity_id = ${entity} and first_human_review_at is not null`);
    await run(`insert into pull_request_comments (entity_id, pull_request_id, external_id, author_id, is_bot, is_by_author, is_review_comment, body, commented_at)
      select ${entity}, p.id, 'e' || n, (select min(id) from committers where entity_id = ${entity}) + (p.number * n) % 900, false, false, true, 'why?', opened_at + n * interval '1 hour'
      from pull_requests p, generate_series(1, 2) n where entity_id = ${entity}`);
    await run(`update commit_traits t set pull_request_id = p.pull_request_id, pull_request_phase = 'Under review'
      from pull_request_commits p join commits c on c.entity_id = p.entity_id and c.repo_id = p.repo_id and c.sha = p.sha
      where t.entity_id = ${entity} and p.entity_id = t.entity_id and t.commit_id = c.id`);
  }
  if (!(await has('issues'))) {
    await run(`insert into issues (entity_id, provider_em, key, title, type, is_epic, is_bug, status, assignee_id, epic_key, story_points,
        opened_at, started_at, resolved_at, first_commit_authored_at, last_commit_authored_at, released_at, is_escaped)
      select ${entity}, 'generic', 'K-' || c.n, '', case when c.n % 50 = 0 then 'Epic' when c.n % 4 = 0 then 'Bug' else 'Story' end,
        c.n % 50 = 0, c.n % 50 > 0 and c.n % 4 = 0, 'done', c.author_id, 'K-' || (c.n / 50 * 50), 300, c.authored_at - interval '9 days',
        c.authored_at, c.authored_at + interval '4 days', c.authored_at, c.authored_at, c.authored_at + interval '8 days', c.n % 9 = 0
      from ${numbered} where c.n % 2 = 0`);
    await run(`insert into issue_commits (entity_id, commit_id, issue_id, issue_count)
      select ${entity}, c.id, i.id, 1 from ${numbered} join issues i on i.entity_id = ${entity} and i.key = 'K-' || c.n`);
  }
  if (!(await has('sprints'))) {
    await run(`insert into sprints (entity_id, board_id, team_id, name, starts_at, ends_at)
      select ${entity}, 'b' || t.id, t.id, 'Sprint ' || t.name || '.' || s, now() - (s + 1) * interval '14 days', now() - s * interval '14 days'
      from generate_series(0, 519) s cross join teams t where t.entity_id = ${entity} and not t.is_default`);
    await run(`insert into sprint_issues (entity_id, sprint_id, issue_id, added_at, story_points_at_start)
      select ${entity}, s.id, i.id, s.starts_at - interval '1 day', 300
      from issues i join team_members m on m.entity_id = i.entity_id and m.committer_id = i.assignee_id
      join sprints s on s.entity_id = i.entity_id and s.team_id = m.team_id and i.resolved_at >= s.starts_at and i.resolved_at < s.ends_at
      where i.entity_id = ${entity} and not i.is_epic`);
    await deriveSprintParts(store, entity);
  }
  if (!(await has('critical_defects'))) {
    await run(`insert into critical_defects (entity_id, defect_key, source_em, organization_id, repo_id, detected_at, first_activity_at,
        first_fix_merged_at, first_fix_released_at, final_fix_released_at, origin_release_id)
      select ${entity}, 'D-' || c.n, 'api', null, c.repo_id, c.authored_at, c.authored_at + interval '3 hours', c.authored_at + interval '9 hours',
        c.authored_at + interval '1 day', c.authored_at + interval '2 days',
        (select max(s.id) from releases s where s.entity_id = ${entity} and s.released_at <= c.authored_at)
      from ${numbered} where c.n % 40 = 0`);
    await run(`insert into defect_commits (entity_id, defect_id, commit_id, link_em)
      select ${entity}, d.id, c.id, 'sha' from ${numbered} join critical_defects d on d.entity_id = ${entity} and d.defect_key = 'D-' || c.n`);
    await run(`insert into defect_origins (entity_id, defect_id, fix_commit_id, origin_commit_id, lines, ai_lines, fixed_at)
      select ${entity}, d.id, c.id, o.id, 5, 1000, c.authored_at
      from ${numbered} join critical_defects d on d.entity_id = ${entity} and d.defect_key = 'D-' || c.n
      join ${numbered.replace(/ c$/, ' o')} on o.n = c.n - 3`);
  }
  await run('analyze');
}
