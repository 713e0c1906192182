// On a generated world of 50 people, 10 repos, 5 teams and 400 days: splits add up to totals, percentages are
// those of their parts, cohorts add up, and the records behind each point reproduce it.
import { beforeAll, expect, test } from 'vitest';
import { deriveTraits } from '../../src/derive/commits/derive-traits.ts';
import { ENTITY_SETTINGS, type EntitySettings } from '../../src/domain/access/entity-settings.ts';
import { SEGMENT_IDS, type SegmentId } from '../../src/domain/segments.ts';
import { SEGMENTS } from '../../src/metrics/catalogue/segments/index.ts';
import { explainPoint } from '../../src/metrics/explain-point.ts';
import { intervalsOf } from '../../src/metrics/intervals.ts';
import { runFolded, runReport } from '../../src/metrics/run-report.ts';
import { type Ask, createFactsKit, type FactsKit } from '../world/facts-kit.ts';
import { createWorld, loadWorld } from '../world/generated-world.ts';

const SIZE = { people: 50, repos: 10, teams: 5, days: 400 };
const START = '2025-01-01';
let kit: FactsKit;

const DEFAULT_SETTINGS = Object.fromEntries(
  Object.entries(ENTITY_SETTINGS).map(([key, row]) => [key, row.default]),
) as EntitySettings;

beforeAll(async () => {
  kit = await createFactsKit();
  const world = createWorld(7, SIZE, START, (ms) => new Date(ms).toISOString().slice(0, 10));
  await loadWorld(kit, world, SIZE);
  await kit.insert(
    'defect_fixes',
    ...world.defects.slice(0, 20).map(({ id }, index) => ({ defect_id: id, release_id: world.releases[index]!.id })),
  );
  await deriveTraits(kit.store, kit.entityId, DEFAULT_SETTINGS);
});

const RANGES: Ask[] = [
  { range: { from: '2025-01-01', to: '2026-02-04' }, interval: 'monthly' },
  { range: { from: '2025-06-04', to: '2025-09-11' }, interval: 'weekly' },
  { range: { from: '2025-03-01', to: '2025-03-20' }, interval: 'daily', scope: { repoIds: [1, 2, 3] } },
  { range: { from: '2025-06-04', to: '2025-09-11' }, interval: 'weekly', scope: { teamId: 2, isAboutPeople: true } },
];

type Points = Record<string, number>;

async function totals(segment: SegmentId, ask: Ask): Promise<Points> {
  const sums: Points = {};
  for (const points of Object.values(await kit.report(segment, ask))) {
    for (const [start, value] of Object.entries(points)) sums[start] = (sums[start] ?? 0) + (value ?? 0);
  }
  return Object.fromEntries(Object.entries(sums).filter(([, value]) => value !== 0));
}

function expectEqual(actual: Points, expected: Points, message: string): void {
  expect(Object.keys(actual).toSorted(), message).toEqual(Object.keys(expected).toSorted());
  for (const [start, value] of Object.entries(expected))
    expect(actual[start], `${message} ${start}`).toBeCloseTo(value, 1);
}

const ratio = (top: Points, bottom: Points, times = 1): Points =>
  Object.fromEntries(
    Object.entries(bottom)
      .filter(([start]) => (top[start] ?? 0) !== 0)
      .map(([start, value]) => [start, ((top[start] ?? 0) / value) * times]),
  );

test.each([
  'operation',
  'provenance',
  'code_category',
  'pull_request_phase',
  'release_phase',
  'ticket_type',
  'repo',
] as const)('%s adds up to all Diff Delta', async (segment) => {
  for (const ask of RANGES) expectEqual(await totals(segment, ask), await totals('none', ask), JSON.stringify(ask));
});

test('splits by anything that everybody has one of add up to the total', async () => {
  for (const segment of ['none', 'commit_count', 'line_operation_counts', 'duplicate_block_line_count'] as const) {
    for (const by of ['repo', 'committer', 'ai_cohort'] as const) {
      for (const ask of RANGES) {
        expectEqual(await totals(segment, { ...ask, by }), await totals(segment, ask), `${segment} by ${by}`);
      }
    }
  }
});

test('percentages are those of their parts', async () => {
  for (const ask of RANGES) {
    const lines = await totals('line_operation_counts', ask);
    const churned = await totals('churn_line_count', ask);
    const copied = await kit.report('copy_line_counts', ask);
    const shares = await kit.report('copy_move_percent', ask);
    expectEqual(await totals('churn_line_percent', ask), ratio(churned, lines, 100), 'churn');
    for (const name of ['Copy/Pasted', 'Moved']) {
      for (const [start, value] of Object.entries(copied[name] ?? {})) {
        expect(shares[name]![start]).toBeCloseTo(((value ?? 0) / lines[start]!) * 100, 2);
      }
    }
    const repairing = await totals('release_resolves_defect_count', ask);
    const released = await totals('release_count', ask);
    const percent = await kit.report('release_defect_percent', ask);
    const points = Object.values(percent)[0] ?? {};
    for (const [start, value] of Object.entries(points)) {
      expect(value).toBeCloseTo(((repairing[start] ?? 0) / released[start]!) * 100, 2);
    }
    const minutes = await totals('minutes_used', ask);
    const delta = await totals('none', ask);
    expectEqual(await totals('delta_velocity', ask), ratio(delta, minutes, 60), 'velocity');
  }
});

test('cohorts of a sum add up to it', async () => {
  for (const ask of RANGES) {
    expectEqual(
      await totals('duplicate_line_count_cohorts', ask),
      await totals('duplicate_block_line_count', ask),
      'duplicates',
    );
    expectEqual(await totals('abandoned_pr_cohorts', ask), await totals('pr_abandoned_count', ask), 'abandoned');
  }
});

test('the times of defects are in order, and business time is at most the wall clock’s', async () => {
  // One defect at a time, so that the means are over the same items.
  const { rows } = await kit.store.pool.query<{ id: number }>(
    `select id from critical_defects where entity_id = $1 and final_fix_released_at is not null order by id`,
    [kit.entityId],
  );
  expect(rows.length).toBeGreaterThan(5);
  const range = { from: '2025-01-01', to: '2026-04-30' };
  const whole = await Promise.all(
    (
      [
        'hours_to_fix_activity',
        'hours_to_fix_merged',
        'mean_hours_to_first_repair',
        'mean_hours_to_resolved',
        'absolute_hours_to_resolved',
      ] as const
    ).map(async (segment) => {
      const ask = { row: SEGMENTS[segment], aggregation: 'none', range, bucket: 'whole', statistic: 'mean' } as const;
      const interval = { key: range.from, start: range.from, end: range.to, wholeEnd: range.to };
      const [series] = await runReport(kit.store, { ...ask, intervals: [interval] }, kit.scope());
      const records = await explainPoint(kit.store, { ...ask, intervals: [interval] }, kit.scope(), {
        series: series!,
        kept: null,
        interval,
      });
      return new Map(records.map(({ record_id, contribution }) => [record_id, contribution]));
    }),
  );
  for (const { id } of rows) {
    const times = whole.map((each) => each.get(id)!);
    for (let step = 1; step < times.length; step += 1) expect(times[step]).toBeGreaterThanOrEqual(times[step - 1]!);
  }
});

test.each(SEGMENT_IDS)('the records behind the points of %s reproduce them', async (segment) => {
  const row = SEGMENTS[segment];
  const range = { from: '2025-06-04', to: '2025-07-20' };
  const intervals = intervalsOf(range, 'weekly', false);
  const by = row.by.includes('team') && segment.length % 2 === 0 ? 'team' : 'none';
  const ask = { row, aggregation: by, range, bucket: 'weekly', intervals, statistic: 'mean' } as const;
  const scope = kit.scope({ now: new Date('2025-07-18T12:00:00Z') });
  const { series: all, kept } = await runFolded(kit.store, ask, scope);
  for (const series of all.slice(0, 3)) {
    for (const index of [1, intervals.length - 1]) {
      const value = series.values[index];
      const interval = intervals[index]!;
      if (value === undefined || value === null) continue;
      const records = await explainPoint(kit.store, ask, scope, { series, kept, interval });
      const amount = (part: string): number => {
        const own = records.filter((record) => record.part === part);
        const members = own.flatMap((record) => record.members ?? []);
        return members.length > 0 || own.some((record) => record.members !== undefined)
          ? new Set(members).size
          : own.reduce((sum, { contribution }) => sum + contribution, 0);
      };
      const counted = amount('value');
      const days = scope.clock.countBusinessDays(interval.start, interval.end);
      const expected =
        row.per === 'cohort member'
          ? counted / amount('members')
          : row.per === 'business day'
            ? counted / days
            : row.of !== undefined || row.ofBands !== undefined
              ? (counted / amount('of')) * (row.times ?? 1)
              : row.combine === 'mean'
                ? counted / records.length
                : counted;
      expect(expected, `${series.name} ${interval.start}`).toBeCloseTo(value, 3);
    }
  }
});
