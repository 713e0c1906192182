// A second computation of many statistics, as simple as possible: loops over the raw records, no SQL, no code
// of the compiler. It must give the same series for random scopes, ranges, time zones and aggregations.
import { beforeAll, describe, expect, test } from 'vitest';
import { createBusinessClock } from '../../src/domain/calendar/business-time.ts';
import { CATEGORIES } from '../../src/domain/commits/line-model.ts';
import type { Aggregation, IntervalName, SegmentId } from '../../src/domain/segments.ts';
import { SEGMENTS } from '../../src/metrics/catalogue/segments/index.ts';
import type { Scope } from '../../src/metrics/scope.ts';
import type { Store } from '../../src/storage/database/handle.ts';
import { createTestDatabase } from '../support/database.ts';
import { DEFAULT_BUSINESS_CALENDAR } from '../support/default-business-calendar.ts';
import { createFactsKit, type FactsKit, round } from '../world/facts-kit.ts';
import { changedLines, createRandom, createWorld, deltaOf, loadWorld, type World } from '../world/generated-world.ts';

const SIZE = { people: 12, repos: 4, teams: 3, days: 150 };
const START = '2026-01-05';
const SEED = Number(process.env.METRICS_SEED ?? 11);
const ZONES = ['UTC', 'America/New_York', 'Asia/Kolkata'];

interface Item {
  readonly on: string;
  readonly person: number | null;
  readonly repos: readonly number[] | null;
  readonly value: number;
  readonly series?: string;
  readonly member?: string;
}
interface Definition {
  readonly items: (world: World, tools: Tools) => Item[];
  readonly of?: (world: World, tools: Tools) => Item[];
  readonly times?: number;
  readonly mean?: true;
  readonly distinct?: true;
  readonly distinctOf?: true;
  /** Also counts what belongs to nobody while nobody is asked for. */
  readonly anyone?: true;
  readonly ofAnyone?: true;
  /** Not asked for by team or person: releases and defects belong to nobody. */
  readonly impersonal?: true;
  readonly noRepo?: true;
}
interface Tools {
  /** Of kinds of files: whether their lines count. */
  isProcessed(category: number): boolean;
  dateOf(at: unknown): string;
  hours(from: unknown, to: unknown): number;
}

type Measures = Record<string, number>;
const perCommit = (read: (m: Measures) => number, series?: string) => (world: World) =>
  world.commits
    .filter(({ counted }) => counted)
    .map(
      (commit): Item => ({
        on: commit.on,
        person: commit.author,
        repos: [commit.repo],
        value: commit.files.reduce((sum, file) => sum + read(file.measures), 0),
        member: String(commit.author),
        ...(series === undefined ? {} : { series }),
      }),
    );
/** Of the files whose lines count. */
const perLine =
  (read: (m: Measures) => number, series?: string) =>
  (world: World, { isProcessed }: Tools) =>
    perCommit(
      read,
      series,
    )({
      ...world,
      commits: world.commits
        .map((commit) => ({
          ...commit,
          files: commit.files.filter(({ category }) => isProcessed(category)),
        }))
        .filter(({ files }) => files.length > 0),
    });
const all =
  (...lists: ((world: World, tools: Tools) => Item[])[]) =>
  (world: World, tools: Tools) =>
    lists.flatMap((list) => list(world, tools));
const commits = (keep: (commit: World['commits'][number]) => boolean) => (world: World) =>
  world.commits
    .filter((commit) => commit.counted && keep(commit))
    .map((commit): Item => ({ on: commit.on, person: commit.author, repos: [commit.repo], value: 1 }));
const usage =
  (read: (row: Record<string, number>) => number, series?: 'llm_model_name' | 'ai_provider_em') => (world: World) =>
    world.usages.map(
      (row): Item => ({
        on: String(row.used_on),
        person: Number(row.committer_id),
        repos: null,
        value: read(Object.fromEntries(Object.entries(row).map(([name, value]) => [name, Number(value ?? 0)]))),
        member: String(row.committer_id),
        ...(series === undefined ? {} : { series: String(row[series]) }),
      }),
    );
/** Only of rows that have the column. */
const reporting = (column: string, read: (row: Record<string, number>) => number) => (world: World) =>
  usage(read)({ ...world, usages: world.usages.filter((row) => row[column] !== null) });
type Row = Record<string, unknown>;
const pulls =
  (at: string, keep: (row: Row) => boolean, value: (row: Row, tools: Tools) => number = () => 1) =>
  (world: World, tools: Tools) =>
    world.pulls
      .filter((row) => row[at] !== null && keep(row))
      .map(
        (row): Item => ({
          on: tools.dateOf(row[at]),
          person: Number(row.author_id),
          repos: [Number(row.repo_id)],
          value: value(row, tools),
        }),
      );
const issues =
  (keep: (row: Row) => boolean, value: (row: Row, tools: Tools) => number) => (world: World, tools: Tools) =>
    world.issues
      .filter((row) => row.resolved_at !== null && keep(row))
      .map(
        (row): Item => ({
          on: tools.dateOf(row.resolved_at),
          person: row.assignee_id === null ? null : Number(row.assignee_id),
          repos: world.issueCommits
            .filter(({ issue_id }) => issue_id === row.id)
            .map(({ commit_id }) => world.commits[commit_id - 1]!.repo),
          value: value(row, tools),
          member: String(row.assignee_id),
        }),
      );
const defects = (at: string, value: (row: Row, tools: Tools) => number) => (world: World, tools: Tools) =>
  world.defects
    .filter((row) => row[at] !== null)
    .map(
      (row): Item => ({
        on: tools.dateOf(row[at]),
        person: null,
        repos: [Number(row.repo_id)],
        value: value(row, tools),
      }),
    );
const releases = (keep: (world: World, id: number) => boolean) => (world: World, tools: Tools) =>
  world.releases
    .filter(({ id }) => keep(world, id))
    .map((row): Item => ({ on: tools.dateOf(row.released_at), person: null, repos: [row.repo_id], value: 1 }));

const delta = perCommit((m) => deltaOf(m) / 1000);
const lines = perLine(changedLines);
const active = { of: delta, distinctOf: true } as const;
const points = (row: Row): number => Number(row.story_points ?? 0) / 100;
const noEpic = (row: Row): boolean => row.is_epic === false;
const days = (from: string, to: string) => (row: Row, tools: Tools) => tools.hours(row[from], row[to]) / 8;

const DEFINITIONS: Partial<Record<SegmentId, Definition>> = {
  none: { items: delta },
  operation: {
    items: all(
      perCommit((m) => m.delta_added! / 1000, 'Added'),
      perCommit((m) => m.delta_updated! / 1000, 'Updated'),
      perCommit((m) => m.delta_deleted! / 1000, 'Deleted'),
      perCommit((m) => m.delta_find_replaced! / 1000, 'Find/Replaced'),
    ),
  },
  line_operation_counts: {
    items: all(
      perLine((m) => m.lines_added! - m.lines_copied!, 'Added'),
      perLine((m) => m.lines_deleted!, 'Deleted'),
      perLine((m) => m.lines_moved!, 'Moved'),
      perLine((m) => m.lines_updated!, 'Updated'),
      perLine((m) => m.lines_find_replaced!, 'Find/Replaced'),
      perLine((m) => m.lines_copy_pasted! + m.lines_copied!, 'Copy/Pasted'),
    ),
  },
  commit_count: { items: commits(() => true) },
  churn_line_count: { items: perLine((m) => m.lines_churned!) },
  churn_line_percent: { items: perLine((m) => m.lines_churned!), of: lines, times: 100 },
  copy_paste_percent: { items: perLine((m) => m.lines_copy_pasted! + m.lines_copied!), of: lines, times: 100 },
  duplicate_block_line_count: { items: perLine((m) => m.duplicate_lines!) },
  duplicate_line_count_per_mil: { items: perLine((m) => m.duplicate_lines!), of: lines, times: 1000 },
  connective_per_mil: {
    items: perLine((m) => m.calls!),
    of: perLine((m) => m.lines_added! + m.lines_copy_pasted! + m.lines_updated!),
    times: 1000,
  },
  diff_delta_per_committer: { items: delta, ...active },
  ai_commit_rate: { items: commits(({ credit }) => credit !== null), of: commits(() => true), times: 100 },
  commit_count_with_ai_lines: { items: commits(({ credit }) => credit !== null) },
  release_phase: {
    items: (world) =>
      world.commits
        .filter(({ counted }) => counted)
        .map((commit) => ({
          on: commit.on,
          person: commit.author,
          repos: [commit.repo],
          value: commit.files.reduce((sum, { measures }) => sum + deltaOf(measures), 0) / 1000,
          series: world.releaseOf.has(commit.id)
            ? 'Released'
            : commit.onDefault
              ? 'Awaiting release'
              : 'In development',
        })),
  },
  ticket_type: {
    items: (world) =>
      world.commits
        .filter(({ counted }) => counted)
        .flatMap((commit) => {
          const value = commit.files.reduce((sum, { measures }) => sum + deltaOf(measures), 0) / 1000;
          const item = { on: commit.on, person: commit.author, repos: [commit.repo] };
          const links = world.issueCommits.filter(({ commit_id }) => commit_id === commit.id);
          if (links.length === 0) return [{ ...item, value, series: 'No issue' }];
          return links.map(({ issue_id }) => ({
            ...item,
            value: value / links.length,
            series: String(world.issues[issue_id - 1]!.type),
          }));
        }),
  },
  ai_cost_cents: { items: usage((u) => u.cost_microcents! / 1_000_000, 'llm_model_name'), noRepo: true },
  ai_lines_added_count: { items: usage((u) => u.lines_added!, 'llm_model_name'), noRepo: true },
  ai_lines_deleted_count: { items: usage((u) => u.lines_deleted!, 'llm_model_name'), noRepo: true },
  ai_provider_line_change_count: {
    items: usage((u) => u.lines_added! + u.lines_deleted!, 'ai_provider_em'),
    noRepo: true,
  },
  all_accept_count: {
    items: usage((u) => u.prompted_accept_count! + u.tab_accept_count!, 'llm_model_name'),
    noRepo: true,
  },
  all_suggestion_count: {
    items: usage((u) => u.prompted_suggest_count! + u.tab_suggest_count!, 'llm_model_name'),
    noRepo: true,
  },
  composite_ai_use: {
    items: usage(
      (u) =>
        u.prompted_accept_count! +
        (u.prompted_suggest_count! - u.prompted_accept_count!) * 0.5 +
        u.tab_accept_count! * 0.2 +
        (u.lines_added! + u.lines_deleted!) * 0.02,
      'llm_model_name',
    ),
    noRepo: true,
  },
  ai_prompt_acceptance_percent: {
    items: reporting('prompted_suggest_count', (u) => u.prompted_accept_count!),
    of: reporting('prompted_suggest_count', (u) => u.prompted_suggest_count!),
    times: 100,
    noRepo: true,
  },
  ai_tab_acceptance_percent: {
    items: reporting('tab_suggest_count', (u) => u.tab_accept_count!),
    of: reporting('tab_suggest_count', (u) => u.tab_suggest_count!),
    times: 100,
    noRepo: true,
  },
  error_masking_per_mil: {
    items: perLine((m) => m.error_masks!),
    of: perLine((m) => m.lines_added! + m.lines_copy_pasted! + m.lines_updated!),
    times: 1000,
  },
  prompt_count: { items: usage((u) => u.prompt_count!, 'llm_model_name'), noRepo: true },
  ai_token_count: { items: usage((u) => u.tokens_input! + u.tokens_cache_read!, 'llm_model_name'), noRepo: true },
  ai_active_minutes: { items: usage((u) => u.active_seconds! / 60), noRepo: true },
  ai_evidence_coverage_percent: {
    items: (world, tools) =>
      perLine(changedLines)({ ...world, commits: world.commits.filter(({ credit }) => credit !== null) }, tools),
    of: perLine(changedLines),
    times: 100,
  },
  prs_opened: { items: pulls('opened_at', ({ is_draft }) => is_draft !== true) },
  pr_abandoned_count: { items: pulls('closed_at', (row) => row.merged_at === null) },
  pr_merged_without_any_review_count: { items: pulls('merged_at', (row) => row.first_review_at === null) },
  pr_merged_without_human_review_count: { items: pulls('merged_at', (row) => row.first_human_review_at === null) },
  pr_cycle: { items: pulls('merged_at', () => true, days('first_commit_authored_at', 'merged_at')), mean: true },
  pr_lead_time: {
    items: pulls('released_at', () => true, days('first_commit_authored_at', 'released_at')),
    mean: true,
  },
  pr_resolved_days: { items: pulls('closed_at', () => true, days('opened_at', 'closed_at')), mean: true },
  pr_average_hours_awaiting_first_review: {
    items: pulls(
      'first_human_review_at',
      () => true,
      (row, tools) => tools.hours(row.opened_at, row.first_human_review_at),
    ),
    mean: true,
  },
  pr_review_count: {
    items: (world, tools) =>
      world.reviews
        .filter((row) => row.is_by_author === false)
        .map((row) => ({
          on: tools.dateOf(row.submitted_at),
          person: Number(row.reviewer_id),
          repos: [Number(world.pulls[Number(row.pull_request_id) - 1]!.repo_id)],
          value: 1,
        })),
  },
  epics_resolved_count: {
    items: issues(
      (row) => row.is_epic === true,
      () => 1,
    ),
    anyone: true,
  },
  story_points_resolved: { items: issues(noEpic, points), anyone: true },
  story_points_per_active_developer: { items: issues(noEpic, points), ...active, anyone: true },
  story_points_per_assignee: { items: issues(noEpic, points), of: issues(noEpic, () => 1), distinctOf: true },
  issues_resolved_per_active_developer: {
    items: issues(
      (row) => row.is_epic === false && row.is_subtask === false,
      () => 1,
    ),
    ...active,
    anyone: true,
  },
  issue_business_days_to_fix: {
    items: issues((row) => row.is_bug === true, days('opened_at', 'resolved_at')),
    mean: true,
    anyone: true,
  },
  release_count: { items: releases(() => true), impersonal: true },
  change_failure_rate: {
    items: releases((world, id) => world.defects.some(({ origin_release_id }) => origin_release_id === id)),
    of: releases(() => true),
    times: 100,
    impersonal: true,
  },
  defect_detected_count: { items: defects('detected_at', () => 1), impersonal: true },
  detected_defect_fix_merged_count: { items: defects('first_fix_merged_at', () => 1), impersonal: true },
  hours_to_fix_activity: {
    items: defects('first_activity_at', (row, tools) => tools.hours(row.detected_at, row.first_activity_at)),
    mean: true,
    impersonal: true,
  },
  mean_hours_to_resolved: {
    items: defects('final_fix_released_at', (row, tools) => tools.hours(row.detected_at, row.final_fix_released_at)),
    mean: true,
    impersonal: true,
  },
  absolute_hours_to_resolved: {
    items: defects(
      'final_fix_released_at',
      (row) => (Date.parse(String(row.final_fix_released_at)) - Date.parse(String(row.detected_at))) / 3_600_000,
    ),
    mean: true,
    impersonal: true,
  },
};

interface Trial {
  readonly from: string;
  readonly to: string;
  readonly interval: IntervalName;
  readonly by: Aggregation;
  readonly repos: readonly number[] | null;
  readonly people: readonly number[] | null;
  readonly team: number | null;
}

function bucketOf(on: string, { interval, from }: Trial): string {
  if (interval === 'daily') return on;
  const date = new Date(`${on}T00:00:00Z`);
  if (interval === 'monthly') date.setUTCDate(1);
  else date.setUTCDate(date.getUTCDate() - ((date.getUTCDay() + 6) % 7));
  const start = date.toISOString().slice(0, 10);
  return start < from ? from : start;
}

const GROUP_NAMES = {
  repo: (id: number) => ['one', 'two'][id - 1] ?? `r${id}`,
  committer: (id: number) => `User ${id}`,
  team: (id: number) => `Team ${id}`,
};

/** group → series → bucket → values and members. */
function spread(items: readonly Item[], world: World, trial: Trial, anyone: boolean, impersonal: boolean) {
  const table = new Map<string, { values: number[]; members: Set<string> }>();
  const isAboutPeople = trial.people !== null || trial.team !== null;
  for (const item of items) {
    if (item.on < trial.from || item.on > trial.to) continue;
    if (trial.repos !== null && item.repos !== null && !item.repos.some((repo) => trial.repos!.includes(repo)))
      continue;
    if (!impersonal) {
      if (item.person === null && (!anyone || isAboutPeople)) continue;
      if (trial.people !== null && !trial.people.includes(item.person!)) continue;
    }
    const teams = world.members
      .filter(
        ({ person, from, until }) =>
          person === item.person && (from === null || item.on >= from) && (until === null || item.on < until),
      )
      .map(({ team }) => team);
    if (trial.team !== null && !teams.includes(trial.team)) continue;
    const groups =
      trial.by === 'none'
        ? ['']
        : trial.by === 'repo'
          ? item.repos!.map(GROUP_NAMES.repo)
          : trial.by === 'committer'
            ? item.person === null
              ? []
              : [GROUP_NAMES.committer(item.person)]
            : teams.filter((team) => trial.team === null || team === trial.team).map(GROUP_NAMES.team);
    for (const group of groups) {
      const key = JSON.stringify([group, item.series ?? '', bucketOf(item.on, trial)]);
      const cell = table.get(key) ?? { values: [], members: new Set() };
      cell.values.push(item.value);
      if (item.member !== undefined) cell.members.add(item.member);
      table.set(key, cell);
    }
  }
  return table;
}

function expectedSeries(segment: SegmentId, definition: Definition, world: World, tools: Tools, trial: Trial) {
  const impersonal = definition.impersonal === true;
  const values = spread(definition.items(world, tools), world, trial, definition.anyone === true, impersonal);
  const divisors =
    definition.of === undefined
      ? null
      : spread(definition.of(world, tools), world, trial, definition.ofAnyone === true, impersonal);
  const result: Record<string, Record<string, number | null>> = {};
  const sum = (list: readonly number[] | undefined): number => (list ?? []).reduce((total, value) => total + value, 0);
  for (const key of new Set([...values.keys(), ...(divisors?.keys() ?? [])])) {
    const [group, series, bucket] = JSON.parse(key) as [string, string, string];
    const name = [group, series].filter((part) => part !== '').join(' - ') || SEGMENTS[segment].title;
    const cell = values.get(key);
    let value: number | null;
    if (divisors !== null) {
      const below = divisors.get(key);
      const size = definition.distinctOf === true ? (below?.members.size ?? 0) : sum(below?.values);
      value = size === 0 ? null : (sum(cell?.values) / size) * (definition.times ?? 1);
    } else if (definition.mean === true) value = sum(cell!.values) / cell!.values.length;
    else value = sum(cell!.values);
    result[name] ??= {};
    result[name][bucket] = value === null ? null : round(value);
  }
  return result;
}

let store: Store;
beforeAll(async () => {
  store = (await createTestDatabase()).store;
});

test('at least 30 statistics have a second computation', () => {
  expect(Object.keys(DEFINITIONS).length).toBeGreaterThanOrEqual(30);
});

describe.each(ZONES)('in %s', (zone) => {
  const clock = createBusinessClock({ ...DEFAULT_BUSINESS_CALENDAR, zone });
  const plain: Omit<Tools, 'isProcessed'> = {
    dateOf: (at) => clock.dateOf(Date.parse(String(at))),
    hours: (from, to) => clock.minutesBetween(Date.parse(String(from)), Date.parse(String(to))) / 60,
  };
  const seed = SEED + ZONES.indexOf(zone);
  const world = createWorld(seed, SIZE, START, (ms) => clock.dateOf(ms));
  let kit: FactsKit;
  beforeAll(async () => {
    kit = await createFactsKit(store);
    await loadWorld(kit, world, SIZE);
  });
  const random = createRandom(seed * 1000);
  const int = (below: number): number => Math.floor(random() * below);

  test.each(Object.keys(DEFINITIONS) as SegmentId[])(`%s equals the loops (seed ${seed})`, async (segment) => {
    const definition = DEFINITIONS[segment]!;
    const row = SEGMENTS[segment];
    const isSplit = row.bands !== undefined || row.split !== undefined;
    for (let index = 0; index < 3; index += 1) {
      const first = int(120);
      const date = (offset: number): string =>
        new Date(Date.parse(`${START}T00:00:00Z`) + offset * 86_400_000).toISOString().slice(0, 10);
      const options: Aggregation[] = (['none', 'repo', 'committer', 'team'] as const).filter(
        (by) =>
          row.by.includes(by) && !(isSplit && by !== 'none') && !(definition.impersonal === true && by === 'team'),
      );
      const trial: Trial = {
        from: date(first),
        to: date(first + 1 + int(60)),
        interval: (['daily', 'weekly', 'monthly'] as const)[int(3)]!,
        by: options[int(options.length)]!,
        repos: random() < 0.4 ? [1 + int(4)] : null,
        people: !definition.impersonal && random() < 0.3 ? [1, 2, 3, 4, 5] : null,
        team: !definition.impersonal && random() < 0.3 ? 1 + int(3) : null,
      };
      const categories = CATEGORIES.map(({ id }) => id).filter(() => random() < 0.7);
      const tools: Tools = { ...plain, isProcessed: (category) => categories.some((id) => id === category) };
      const scope: Partial<Scope> = {
        zone,
        lineCategories: categories,
        clock,
        repoIds: trial.repos,
        personIds: trial.people,
        isAboutPeople: trial.people !== null || trial.team !== null,
        teamId: trial.team,
      };
      const actual = await kit.report(segment, {
        range: { from: trial.from, to: trial.to },
        interval: trial.interval,
        by: trial.by,
        scope,
      });
      const shown = Object.fromEntries(Object.entries(actual).filter(([, points]) => Object.keys(points).length > 0));
      const expected = expectedSeries(segment, definition, world, tools, trial);
      const context = JSON.stringify({ segment, zone, seed, categories, ...trial });
      expect(Object.keys(shown).toSorted(), context).toEqual(Object.keys(expected).toSorted());
      for (const [name, points] of Object.entries(expected)) {
        expect(Object.keys(shown[name]!).toSorted(), context).toEqual(Object.keys(points).toSorted());
        for (const [start, value] of Object.entries(points)) {
          if (value === null) expect(shown[name]![start], context).toBeNull();
          else expect(shown[name]![start], `${context} ${name} ${start}`).toBeCloseTo(value, 2);
        }
      }
    }
  });
});
