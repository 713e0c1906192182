// Every point of every statistic can be explained: the records that its url lists, put together by the
// statistic's combination word, are the point again.
import { beforeAll, describe, expect, test } from 'vitest';
import { createBusinessClock } from '../../../src/domain/calendar/business-time.ts';
import { SEGMENT_IDS, type SegmentId } from '../../../src/domain/segments.ts';
import { SEGMENTS } from '../../../src/metrics/catalogue/segments/index.ts';
import { weeksOf } from '../../../src/metrics/intervals.ts';
import { createTestApp, type TestApp } from '../../support/app.ts';
import { DEFAULT_BUSINESS_CALENDAR } from '../../support/default-business-calendar.ts';
import { FIRST_DAY, seedExplainedCompany } from '../../world/explained-company.ts';
import { seedEntityId } from '../seed-records.ts';

// A spread of points in every run; each single one with STRATA_EXPLAIN_ALL=1, which takes some minutes more.
const ALL_POINTS = process.env.STRATA_EXPLAIN_ALL === '1';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp({ now: () => new Date('2026-04-20T12:00:00Z') });
  await seedExplainedCompany(app.store, await seedEntityId(app.store, 'acme'), 1);
});

const RANGE = { start_date: FIRST_DAY, end_date: '2026-03-25' };

interface Point {
  readonly url: string;
  readonly y: number | null;
  readonly start_date: string;
  readonly end_date: string;
}
interface Part {
  readonly part: string;
  readonly measure: string;
  readonly resource_type: string;
  readonly record_count: number;
  readonly total: number;
}
interface Explained {
  readonly id: number;
  readonly contribution: number;
  readonly contributions: readonly {
    readonly part: string;
    readonly measure: string;
    readonly contribution: number;
    readonly members?: string[];
  }[];
  readonly excluded_because?: string;
}

const report = async (segment: SegmentId, params: object): Promise<Record<string, Point[]>> => {
  const answer = await app.request({
    route: 'GET /reports',
    json: { resource_path: 'acme', segment_by: segment, ...RANGE, ...params },
  });
  expect(answer.status, answer.text).toBe(200);
  return answer.body.series_segments as Record<string, Point[]>;
};

/** The address as the report gives it, once for each kind of record that the explanation names. */
async function follow(
  url: string,
): Promise<{ parts: readonly Part[]; records: Map<string, Explained[]>; listed: number }> {
  const ask = async (query: URLSearchParams) => {
    const answer = await app.request({ route: 'GET /audits', query: query.toString() });
    expect(answer.status, `${query}: ${answer.text}`).toBe(200);
    return answer.body;
  };
  const query = new URLSearchParams(url.slice(url.indexOf('?') + 1));
  const first = await ask(query);
  const { parts } = first.explanation as { parts: Part[] };
  const records = new Map<string, Explained[]>();
  for (const type of new Set(parts.map((part) => part.resource_type))) {
    query.set('resource_type', type);
    const all: Explained[] = [];
    for (let page = 1, pages = 1; page <= pages; page++) {
      query.set('page', String(page));
      const body = await ask(query);
      pages = Number(body.page_count);
      all.push(...(body[type] as Explained[]));
    }
    query.delete('page');
    records.set(type, all);
  }
  return { parts, records, listed: Number(first.total_count) };
}

/** A change is an issue, a pull request or a commit; the address names commits, and the answer says what to ask for. */
const OF_ANY_KIND: SegmentId = 'dora_change_lead_time';

const clock = createBusinessClock(DEFAULT_BUSINESS_CALENDAR);

/** The point again, from nothing but the listed records. */
function combine(
  segment: SegmentId,
  point: Point,
  records: ReadonlyMap<string, readonly Explained[]>,
  activeWeeks: number,
): number | null {
  const row = SEGMENTS[segment];
  const contributions = [...records.values()].flat().flatMap((record) => record.contributions);
  const totalOf = (part: string): number => {
    const measures = new Map<string, { sum: number; members: Set<string> | null }>();
    for (const each of contributions.filter((one) => one.part === part)) {
      const known = measures.get(each.measure) ?? { sum: 0, members: each.members === undefined ? null : new Set() };
      known.sum += each.contribution;
      for (const member of each.members ?? []) known.members?.add(member);
      measures.set(each.measure, known);
    }
    return [...measures.values()].reduce(
      (sum, { sum: own, members }) => sum + (members === null ? own : members.size),
      0,
    );
  };
  const times = row.times ?? 1;
  const value = totalOf('value');
  if (row.per === 'business day') {
    return value / clock.countBusinessDays(point.start_date, point.end_date);
  }
  if (row.per === 'active week') return value / activeWeeks;
  if (row.per === 'cohort member') {
    const weeks = weeksOf({ key: '', start: point.start_date, end: point.end_date, wholeEnd: '' }).length;
    const size = totalOf('members') / weeks;
    return size === 0 ? null : (value / size) * times;
  }
  if (row.of !== undefined || row.ofBands !== undefined)
    return totalOf('of') <= 0 ? null : (value / totalOf('of')) * times;
  if (row.combine === 'mean') return value / contributions.filter((one) => one.part === 'value').length;
  return value * times;
}

const roundTo = (value: number, precision: number): number => {
  const factor = 10 ** Math.max(2, precision);
  return Math.round(value * factor) / factor;
};

describe.each([
  ['none', {}],
  ['committer', { aggregate_by: 'committer' }],
  ['team', { aggregate_by: 'team' }],
] as const)('aggregated by %s', (aggregation, params) => {
  const segments = SEGMENT_IDS.filter((segment) => SEGMENTS[segment].by.some((by) => by === aggregation));
  test.each(segments)('the records behind each point of %s are the point', { timeout: 120_000 }, async (segment) => {
    const series = await report(segment, aggregation === 'none' ? { aggregate_by: 'none' } : params);
    const points = Object.entries(series).flatMap(([name, list]) => list.map((point) => ({ name, point })));
    // A few of each statistic: the first, the last and some between.
    const step = ALL_POINTS ? 1 : Math.max(1, Math.floor(points.length / 4));
    for (const { name, point } of points.filter((_, index) => index % step === 0)) {
      const { parts, records, listed } = await follow(point.url);
      if (point.y !== null && point.y !== 0 && segment !== OF_ANY_KIND) {
        expect(listed, `${name} ${point.url}`).toBeGreaterThan(0);
      }
      for (const part of parts) {
        const listed = records
          .get(part.resource_type)!
          .filter((record) =>
            record.contributions.some((one) => one.measure === part.measure && one.part === part.part),
          );
        expect(listed.length, `${name} ${point.start_date} ${part.measure}`).toBe(part.record_count);
      }
      const again = combine(segment, point, records, 1);
      const shown = again === null ? null : roundTo(again, SEGMENTS[segment].precision);
      expect(shown, `${segment} ${name} ${point.start_date}: ${JSON.stringify(parts)}`).toBeCloseTo(point.y ?? 0, 1);
    }
  });
});

describe('what a point leaves out', () => {
  test('is listed on request, with the reason, and contributes nothing', async () => {
    const series = await report('commit_count', { aggregate_by: 'none' });
    const [point] = Object.values(series)[0]!;
    const { body } = await app.request({
      route: 'GET /audits',
      query: `${point!.url.split('?')[1]}&include_excluded=true`,
    });
    const records = body.commits as Explained[];
    const { rows } = await app.store.pool.query(
      `select c.id, c.not_counted, p.processing_status as status from commits c
       join committers p on p.entity_id = c.entity_id and p.id = c.author_id
       where c.authored_on between $1 and $2`,
      [point!.start_date, point!.end_date],
    );
    expect(records.map(({ id }) => id).toSorted((a, b) => a - b)).toEqual(
      rows.map(({ id }) => id).toSorted((a, b) => a - b),
    );
    const reasons = new Map(records.map((record) => [record.id, record.excluded_because]));
    for (const { id, not_counted, status } of rows) {
      const reason = not_counted ?? (status === 'processing_stats' ? undefined : `author_${status}`);
      expect(reasons.get(id)).toBe(reason);
    }
    expect(records.reduce((sum, record) => sum + record.contribution, 0)).toBe(point!.y);
  });
});

test('what adds nothing to a sum is not listed', async () => {
  const series = await report('line_operation_counts', { aggregate_by: 'none' });
  const [point] = series.Updated!.filter(({ y }) => (y ?? 0) > 0);
  const { parts, records } = await follow(point!.url);
  const listed = [...records.values()].flat();
  expect(listed.filter(({ contribution }) => contribution === 0)).toEqual([]);
  expect(parts.map(({ record_count }) => record_count)).toEqual([listed.length]);
});

describe('a point that is none', () => {
  test.each([
    [{ segment_by: 'commit_count', end_date: '2026-01-11' }, 422, 'start_date'],
    [{ series: 'Commits' }, 422, 'series'],
    [{ include_excluded: true }, 422, 'include_excluded'],
    [
      {
        segment_by: 'commit_count',
        series: 'Nobody',
        aggregate_by: 'none',
        start_date: '2026-01-05',
        end_date: '2026-01-05',
      },
      400,
      'series',
    ],
    [
      { segment_by: 'commit_count', aggregate_by: 'none', start_date: '2026-01-05', end_date: '2026-01-07' },
      400,
      'interval',
    ],
  ])('%j is refused by name', async (params, status, field) => {
    const answer = await app.request({
      route: 'GET /audits',
      json: { resource_path: 'acme', resource_type: 'commits', ...params },
    });
    expect([answer.status, Object.keys(answer.body.errors as object)], answer.text).toEqual([status, [field]]);
  });

  test('asked for as the wrong kind of record is told which kind it is made of', async () => {
    const series = await report('commit_count', { aggregate_by: 'none' });
    const query = new URLSearchParams(Object.values(series)[0]![0]!.url.split('?')[1]);
    query.set('resource_type', 'issues');
    const { body } = await app.request({ route: 'GET /audits', query: query.toString() });
    expect([body.issues, body.warnings]).toEqual([
      [],
      ['resource_type: the point is not made of issues; ask for commits'],
    ]);
  });

  test('is for everybody who sees the report, and unknown to others', async () => {
    const series = await report('commit_count', { aggregate_by: 'none' });
    const query = Object.values(series)[0]![0]!.url.split('?')[1]!;
    for (const [role, status] of [
      ['member', 200],
      ['manager', 200],
      ['superAdmin', 200],
      ['foreignAdmin', 404],
    ] as const) {
      expect((await app.request({ route: 'GET /audits', query, token: app.tokens[role] })).status).toBe(status);
    }
  });
});
