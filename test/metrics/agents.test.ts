// A history of people, agents and bots: the summary of `analyze` and the reports count the same commits; agents are in
// code, commit and AI statistics and in no count of people; changed weights need no new import.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createSummary, type SummaryTotals } from '../../src/cli/analyze/summary.ts';
import { deriveTraits } from '../../src/derive/commits/derive-traits.ts';
import { effectiveEntitySettings } from '../../src/domain/access/entity-settings.ts';
import type { Aggregation, SegmentId } from '../../src/domain/segments.ts';
import { readReport } from '../../src/endpoints/reports/reports.ts';
import type { TextAnswer } from '../../src/endpoints/text-answer.ts';
import { openRepository } from '../../src/engine/git/run-git.ts';
import { analyzeRepository } from '../../src/engine/walk/analyze.ts';
import { silentLog } from '../../src/kit/log.ts';
import { unknownPlaces } from '../../src/metrics/remarks/find-unknown.ts';
import { createOperations, OPERATOR, type Operations } from '../../src/operations/index.ts';
import { createImportKit, type ImportKit } from '../jobs/import/import-kit.ts';
import { goldenRepo } from '../world/golden-repo.ts';

const COPILOT = 'copilot-swe-agent[bot] <198982749+Copilot@users.noreply.github.com>';
const DEVIN = 'Devin AI <158243242+devin-ai-integration[bot]@users.noreply.github.com>';
const BOT = 'dependabot[bot] <49699333+dependabot[bot]@users.noreply.github.com>';
const code = (seed: string, count: number): string =>
  Array.from({ length: count }, (_, line) => `const ${seed}${line} = computeTheValueOf(${seed}, ${line});\n`).join('');
const at = (day: number): string => `2025-03-${String(day).padStart(2, '0')}T10:00:00Z`;

const repo = goldenRepo()
  .commit('ada', { author: 'Ada <ada@x.org>', at: at(3), files: { 'a.ts': code('ada', 10) } })
  .commit('bo', { author: 'Bo <bo@x.org>', at: at(4), files: { 'b.ts': code('bo', 10) } })
  .commit('claude', {
    author: 'Ada <ada@x.org>',
    at: at(5),
    message: 'Add c\n\nCo-Authored-By: Claude <noreply@anthropic.com>\n\nChange-Id: I01234567\n',
    files: { 'c.ts': code('claude', 10) },
  })
  .commit('assisted', {
    author: 'Bo <bo@x.org>',
    at: at(6),
    message: 'Add d\n\nAssisted-by: Claude Opus 4.6\n',
    files: { 'd.ts': code('assisted', 10) },
  })
  .commit('directed', {
    author: COPILOT,
    at: at(7),
    message: 'Add e\n\nCo-authored-by: Bo <bo@x.org>\n',
    files: { 'e.ts': code('directed', 10) },
  })
  .commit('alone', { author: DEVIN, at: at(10), message: 'Add f\n', files: { 'f.ts': code('alone', 10) } })
  .commit('copy', {
    on: 'topic',
    parents: ['ada'],
    author: 'Bo <bo@x.org>',
    authored: at(4),
    committed: at(12),
    message: 'bo\n',
    files: { 'b.ts': code('bo', 10) },
  })
  .commit('bot', { author: BOT, at: at(11), message: 'Bump\n', files: { 'g.ts': code('bump', 10) } })
  .build();

let kit: ImportKit;
let operations: Operations;
let slug: string;
let totals: SummaryTotals;

beforeAll(async () => {
  const summary = createSummary();
  for await (const event of analyzeRepository(await openRepository(repo.path), { since: null, threads: 1 })) {
    if (event.kind === 'commit') summary.add(event);
    else if (event.kind === 'final') summary.finish(event);
    else if (event.kind === 'verdict') summary.judge(event);
  }
  totals = summary.totals();
  kit = await createImportKit();
  await kit.importFolder('agents', repo.path);
  await deriveTraits(kit.store, kit.entityId, effectiveEntitySettings({}));
  operations = createOperations({ store: kit.store, log: silentLog, now: () => new Date('2025-03-20T00:00:00Z') });
  [{ slug }] = (await kit.query<{ slug: string }>('select slug from entities where id = $1', [kit.entityId])) as [
    { slug: string },
  ];
});
afterAll(async () => {
  await operations?.close();
  repo.cleanup();
});

const ask = async (segment_by: SegmentId, aggregate_by: Aggregation = 'none', end_date = '2025-03-31') =>
  operations.reports.run(await operations.access.enterEntity(OPERATOR, slug, 'member'), {
    segment_by,
    aggregate_by,
    start_date: '2025-03-01',
    end_date,
    generate_summary_stats: true,
  });
const sums = async (segment: SegmentId, by: Aggregation = 'none'): Promise<Record<string, number>> =>
  Object.fromEntries(
    Object.entries((await ask(segment, by)).series_segments).map(([name, points]) => [
      name,
      points.reduce((sum, { y }) => sum + (y ?? 0), 0),
    ]),
  );
const total = async (segment: SegmentId): Promise<number> =>
  Object.values(await sums(segment)).reduce((sum, value) => sum + value, 0);
const headline = async (segment: SegmentId) => (await ask(segment)).calculated_summary_stats![0]!;

describe('people, agents and bots', () => {
  test('analyze and reports count the same commits, lines and AI lines', async () => {
    expect(totals).toMatchObject({
      commit_count: 6,
      developer_count: 2,
      agent_count: 2,
      agent_commit_count: 2,
      bot_count: 1,
      bot_commit_count: 1,
    });
    expect(await total('commit_count')).toBe(totals.commit_count);
    expect(await total('line_operation_counts')).toBe(totals.lines_changed);
    expect(await total('commit_count_with_ai_lines')).toBe(totals.ai_commit_count);
    const lines = await headline('commit_ai_lines_committed_count');
    expect([lines.value, lines.low, lines.high]).toEqual([totals.ai_lines, totals.ai_lines_low, totals.ai_lines_high]);
  });

  test('reports name the copies that they leave out, as analyze does', async () => {
    expect(totals.not_counted).toMatchObject({ rebase_copy: 1 });
    const copies = { commits: 1, by_reason: { rebase_copy: 1 } };
    expect((await ask('commit_count')).context.copies_left_out).toEqual(copies);
    expect((await ask('none', 'repo')).context.copies_left_out).toEqual(copies);
    expect((await ask('commit_count', 'none', '2025-03-03')).context).not.toHaveProperty('copies_left_out');
    expect((await ask('release_count')).context).not.toHaveProperty('copies_left_out');
  });

  test('the share of commits with AI is their number divided by that of all, however it is split', async () => {
    for (const by of ['none', 'committer', 'repo'] as const) {
      const read = async (segment: SegmentId): Promise<Map<string, Map<string, number>>> =>
        new Map(
          Object.entries((await ask(segment, by)).series_segments).map(([name, list]) => [
            by === 'none' ? '' : name,
            new Map(list.map(({ start_date, y }) => [start_date, y ?? 0])),
          ]),
        );
      const [rates, counts, all] = await Promise.all(
        (['ai_commit_rate', 'commit_count_with_ai_lines', 'commit_count'] as const).map(read),
      );
      expect(rates!.size, by).toBeGreaterThan(0);
      for (const [name, values] of rates!) {
        for (const [start, rate] of values) {
          const share = ((counts!.get(name)?.get(start) ?? 0) / all!.get(name)!.get(start)!) * 100;
          expect(rate, `${by} ${name} ${start}`).toBeCloseTo(share, 1);
        }
      }
    }
  });

  test('agents are found as such, bots as bots, and neither uses a seat', async () => {
    const grant = await operations.access.enterEntity(OPERATOR, slug, 'member');
    const { committers, seats } = await operations.developers.list(grant, { sort_by: 'id', page: 1 });
    const kinds = committers.map((row) => [row.committer_user_name, row.processing_status_em, row.is_ai_agent]);
    expect(kinds.toSorted()).toEqual([
      ['ada', 'processing_stats', false],
      ['bo', 'processing_stats', false],
      ['claude', 'processing_stats', true],
      ['copilot', 'processing_stats', true],
      ['dependabot', 'limited_processing', false],
      ['devin-ai-integration', 'processing_stats', true],
    ]);
    expect(seats.used).toBe(2);
  });

  test('the work of an agent is that of the person who directed it, else a series of its own', async () => {
    expect(await sums('commit_count', 'committer')).toEqual({ Ada: 2, Bo: 3, Devin: 1 });
  });

  // The week in which only an agent worked is no active week: counted among people it would make the mean 1.5.
  test('an agent is in no count of people, and what nobody directed is left out above the line too', async () => {
    expect((await headline('active_committer_in_week_count')).value).toBe(2);
    const perPerson = await ask('diff_delta_per_committer');
    const all = (await headline('none')).value!;
    const own = (await sums('none', 'committer')).Devin!;
    expect(perPerson.calculated_summary_stats![0]!.value).toBeCloseTo((all - own) / 2, 0);
    expect(perPerson.context.agent_work_left_out).toMatchObject({ commits: 1 });
    expect(perPerson.warnings.join()).toMatch(/1 commit of AI agents .* is left out/);
    expect(perPerson.context.contributors).toEqual({ covered: 2, total: 2 });
    // A report of no use at all: there are cohorts only where some report is.
    await kit.query(
      `insert into ai_usages (entity_id, used_on, committer_id, llm_model_name, ai_provider_em, prompted_suggest_count)
       select entity_id, '2025-03-05', id, 'm', 'custom', 0 from committers where entity_id = $1 and full_name = 'Ada'`,
      [kit.entityId],
    );
    await kit.query('update data_versions set version = version + 1 where entity_id = $1', [kit.entityId]);
    const cohorts = await ask('commit_count', 'ai_cohort');
    expect(
      Object.values(cohorts.series_segments)
        .flat()
        .reduce((sum, { y }) => sum + (y ?? 0), 0),
    ).toBe(5);
    expect(cohorts.context.agent_work_left_out?.commits).toBe(1);
    expect((await ask('none')).context.agent_work_left_out).toBeUndefined();
  });

  test('commits of agents have no minutes, and lend none to the person who directed them', async () => {
    const rows = await kit.query<{ agent: boolean; estimated: boolean; count: number }>(
      `select c.agent_id is not null as agent, t.minutes_used is not null as estimated, count(*)
       from commits c join commit_traits t on t.entity_id = c.entity_id and t.commit_id = c.id
       where c.entity_id = $1 group by 1, 2 order by 1, 2`,
      [kit.entityId],
    );
    expect(rows).toEqual([
      { agent: false, estimated: true, count: 4 },
      { agent: true, estimated: false, count: 2 },
    ]);
  });
});

describe('the share of AI', () => {
  test('is weighed by the class of evidence and comes with its range', async () => {
    const report = await ask('ai_code_line_percent');
    // of 60 lines: two agents' 20, 10 at 0.7, 10 at 0.3
    expect(report.context.ai_range).toEqual({ low: 33.33, high: 66.67 });
    expect(report.calculated_summary_stats![0]).toMatchObject({ value: 50, low: 33.33, high: 66.67 });
    expect((await headline('ai_commit_rate')).value).toBeCloseTo((4 / 6) * 100, 1);
    expect(report.context.has_ai_evidence).toBe(true);
    // Two commits of people, and nothing that says so.
    const early = await ask('ai_code_line_percent', 'none', '2025-03-04');
    expect(early.context).toMatchObject({ ai_range: { low: 0, high: 0 }, has_ai_evidence: false });
    expect((await ask('commit_count')).context).not.toHaveProperty('ai_range');
    expect((await ask('commit_count')).context).not.toHaveProperty('has_ai_evidence');
  });

  test('is unknown for days and people of which nothing says who wrote the code', async () => {
    const marked = ({ series_segments }: Awaited<ReturnType<typeof ask>>) =>
      Object.fromEntries(
        Object.entries(series_segments).map(([name, points]) => [
          name,
          points.filter((point) => point.has_ai_evidence === false).map(({ start_date, y }) => [start_date, y]),
        ]),
      );
    const all = await ask('ai_code_line_percent');
    expect(Object.values(marked(all))).toEqual([
      [
        ['2025-03-03', 0],
        ['2025-03-04', 0],
      ],
    ]);
    expect(all.series[0]).not.toHaveProperty('has_ai_evidence');
    // CSV has no place for the mark.
    const csv = await readReport.run({
      params: { segment_by: 'ai_code_line_percent', start_date: '2025-03-01', end_date: '2025-03-31', format: 'csv' },
      grant: await operations.access.enterEntity(OPERATOR, slug, 'member'),
      ops: operations,
      warn: () => undefined,
    } as unknown as Parameters<typeof readReport.run>[0]);
    const rows = (csv as unknown as TextAnswer).text.split('\r\n').map((row) => row.split(','));
    expect(rows.filter(([, start]) => start! <= '2025-03-05').map((cells) => [cells[1], cells.at(-2)])).toEqual([
      ['2025-03-03', ''],
      ['2025-03-04', ''],
      ['2025-03-05', '70'],
    ]);
    // On the 5th Ada has evidence and Bo has none yet.
    const people = await ask('ai_code_line_percent', 'committer', '2025-03-05');
    expect(people.context.has_ai_evidence).toBe(true);
    expect(marked(people)).toEqual({ Ada: [['2025-03-03', 0]], Bo: [['2025-03-04', 0]] });
    expect(people.series.filter(({ has_ai_evidence }) => has_ai_evidence === false).map(({ name }) => name)).toEqual([
      'Bo',
    ]);
    // Groups too small to be shown share a series, which has the mark by the same rule.
    await operations.settings.set('operator', slug, 'small_group_floor', 2);
    const shared = await ask('ai_code_line_percent', 'committer', '2025-03-30');
    expect(marked(shared)).toEqual({
      Other: [
        ['2025-03-03', 0],
        ['2025-03-04', 0],
      ],
    });
    await operations.settings.set('operator', slug, 'small_group_floor', 0);
    expect(Object.values(marked(await ask('commit_count'))).flat()).toEqual([]);
    // Coverage itself is known: no line of these days has evidence.
    expect(Object.values(marked(await ask('ai_evidence_coverage_percent'))).flat()).toEqual([]);
  });

  test.each([
    ['before the first evidence and after the last', [0, 0, 5, 0], [0, 1, 3]],
    ['not between two days with evidence', [5, 0, 0, 5], []],
    ['not where no line was changed', [null, undefined, 5, null], []],
    ['everywhere without evidence', [0, null, 0, 0], [0, 2, 3]],
  ])('is unknown %s', (_, coverage, unknown) => {
    const nothingCredited = coverage.map(() => false);
    expect(unknownPlaces(coverage, nothingCredited)).toEqual(unknown);
    const allCredited = coverage.map(() => true);
    expect(unknownPlaces(coverage, allCredited)).toEqual([]);
  });

  test('follows changed weights at once', async () => {
    await operations.settings.set(OPERATOR, slug, 'ai_weight_took_part', 0.1);
    await operations.settings.set(OPERATOR, slug, 'ai_weight_assisted', 0);
    const changed = await headline('commit_ai_lines_committed_count');
    await operations.settings.set(OPERATOR, slug, 'ai_weight_took_part', 0.7);
    await operations.settings.set(OPERATOR, slug, 'ai_weight_assisted', 0.3);
    expect(changed).toMatchObject({ value: 21, low: 20, high: 40 });
    expect((await headline('commit_ai_lines_committed_count')).value).toBe(30);
  });
});
