// How fast reports are. Generates people, repos, days and fine facts inside the database with their daily
// sums, then asks the endpoint over HTTP for 90 days of every statistic, and in turn sends the bare queries
// on the same rows (report-bare-queries.ts). Every call has a range of its own, so that no answer is
// remembered; a second call of the same range shows what remembering gives. The bars are 3 × the bare
// queries, and 1.2 × the same 90 days in an entity with a tenth of the history.
//   node --import ./bench/typescript.mjs bench/reports/reports.ts [PEOPLE REPOS DAYS FACTS [FOLDER]]
// The full size is 500 200 1095 10000000. A FOLDER is kept, and used again when it has the data.
//   node --import ./bench/typescript.mjs bench/reports/reports.ts sweep FOLDER [ENTITY]
// asks for every statistic, split and range of a data folder that an import has filled (report-sweep.ts).
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SEGMENT_IDS, type SegmentId } from '../../src/domain/segments.ts';
import { SUBJECTS, type Subject, subjectOf } from '../../src/metrics/catalogue/segments/index.ts';
import { addDays } from '../../src/metrics/intervals.ts';
import { openStore, type Store } from '../../src/storage/database/handle.ts';
import { migrate } from '../../src/storage/database/migrate.ts';
import { startEmbedded } from '../../src/storage/embedded/start-embedded.ts';
import { createQuietLog } from '../api/compare-with-bare.ts';
import { bareQueries } from './report-bare-queries.ts';
import { generateEntity, type Size } from './report-data.ts';
import { openReportEndpoint } from './report-endpoint.ts';
import { sweepReports } from './report-sweep.ts';

const [keptFolder] = process.argv.slice(6);
const [people = 50, repos = 20, days = 365, facts = 100_000] = process.argv.slice(2, 6).map(Number);
const END = '2026-06-30';
const DAYS = 90;
const ROUNDS = 7;
const FLAT_ROUNDS = 25;

const quantile = (values: readonly number[], part: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * part))] ?? Number.NaN;
const median = (values: readonly number[]): number => quantile(values, 0.5);
const ms = (value: number): string => value.toFixed(1).padStart(7);

async function timed(run: () => Promise<unknown>): Promise<number> {
  const begin = performance.now();
  await run();
  return performance.now() - begin;
}

/** The two entities: all of the history, and the newest tenth of it. */
async function prepare(store: Store): Promise<void> {
  const known = await store.pool.query(`select 1 from entities where slug = 'small'`);
  if (known.rowCount === 0) {
    const size: Size = { people, repos, days, facts, end: END };
    // at least the days that are asked for
    const share = Math.max(0.1, (DAYS + 30) / days);
    const span = Math.round(days * share);
    const made = await timed(async () => {
      await generateEntity(store, 'large', size);
      await generateEntity(store, 'small', { ...size, days: span, facts: Math.round((facts * span) / days) });
      await store.pool.query('vacuum analyze');
    });
    console.log(`made in ${(made / 1000).toFixed(0)} s`);
  }
  const { rows } = await store.pool.query(
    `select e.slug, (select count(*) from commit_files where entity_id = e.id) as files,
       (select count(*) from commits where entity_id = e.id) as commits,
       (select count(*) from daily_commits where entity_id = e.id) as daily_rows,
       (select count(*) from daily_facts where entity_id = e.id) as daily_category_rows
     from entities e order by e.id`,
  );
  for (const row of rows) {
    console.log(
      `${row.slug}: ${people} people, ${repos} repos, ${row.files} fine facts, ${row.commits} commits, ` +
        `${row.daily_rows} daily rows, ${row.daily_category_rows} by category`,
    );
  }
}

async function createEndpoint(store: Store) {
  const { ask, close } = await openReportEndpoint(store, ['large', 'small'], () => new Date(`${END}T18:00:00Z`));
  return {
    ask: (entity: string, segment: SegmentId, to: string) =>
      ask(entity, `segment_by=${segment}&aggregate_by=none&start_date=${addDays(to, 1 - DAYS)}&end_date=${to}`),
    close,
  };
}

interface Times {
  readonly bare: number[];
  readonly endpoint: number[];
  readonly remembered: number[];
}

async function main(): Promise<void> {
  const folder = keptFolder ?? mkdtempSync(join(tmpdir(), 'strata-bench-'));
  const log = createQuietLog();
  const embedded = await startEmbedded({ dataDir: folder, log });
  const store = await openStore({ databaseUrl: embedded.databaseUrl, statementTimeoutMilliseconds: 0 });
  try {
    await migrate(store, { log });
    await prepare(store);
    const { rows } = await store.pool.query(`select id from entities where slug = 'large'`);
    const entityId: number = rows[0].id;
    const endpoint = await createEndpoint(store);
    const sendBare = (segment: SegmentId, to: string) =>
      Promise.all(bareQueries(segment).map((text) => store.pool.query(text, [entityId, addDays(to, 1 - DAYS), to])));
    // Connections, prepared code and the pages of the range are warm for both sides.
    for (const segment of SEGMENT_IDS) await Promise.all([endpoint.ask('large', segment, END), sendBare(segment, END)]);

    const measured = new Map<SegmentId, Times>(
      SEGMENT_IDS.map((segment) => [segment, { bare: [], endpoint: [], remembered: [] }]),
    );
    for (let round = 1; round <= ROUNDS; round += 1) {
      const to = addDays(END, -round);
      for (const [segment, times] of measured) {
        times.bare.push(await timed(() => sendBare(segment, to)));
        times.endpoint.push(await timed(() => endpoint.ask('large', segment, to)));
        times.remembered.push(await timed(() => endpoint.ask('large', segment, to)));
      }
    }
    console.log(
      `\n${DAYS} days of every statistic, ${ROUNDS} times, in milliseconds; ratios of the medians and of the 95th percentiles, bar 3`,
    );
    console.log(
      'family         bare p50    p95  endpoint p50    p95  ratio p50    p95  worst ratio of medians            remembered',
    );
    const ratioOf = ({ bare, endpoint: asked }: Times): number => median(asked) / median(bare);
    for (const subject of Object.keys(SUBJECTS) as Subject[]) {
      const own = [...measured].filter(([segment]) => subjectOf(segment) === subject);
      const all = (name: keyof Times): number[] => own.flatMap(([, times]) => times[name]);
      const [worst] = own.toSorted(([, a], [, b]) => ratioOf(b) - ratioOf(a));
      const [bare, asked] = [all('bare'), all('endpoint')];
      const ratioAt = (part: number): string => (quantile(asked, part) / quantile(bare, part)).toFixed(2);
      console.log(
        `${subject.padEnd(14)} ${ms(median(bare))} ${ms(quantile(bare, 0.95))} ` +
          `${ms(median(asked)).padStart(12)} ${ms(quantile(asked, 0.95))} ` +
          `${ratioAt(0.5).padStart(10)} ${ratioAt(0.95).padStart(6)}  ` +
          `${`${ratioOf(worst![1]).toFixed(2)} ${worst![0]}`.padEnd(34)} ${ms(median(all('remembered')))}`,
      );
    }
    const above = [...measured].filter(([, times]) => ratioOf(times) > 3);
    console.log(
      `above 3: ${above.length === 0 ? 'none' : above.map(([segment, times]) => `${segment} ${ratioOf(times).toFixed(1)} (${median(times.endpoint).toFixed(0)}/${median(times.bare).toFixed(1)})`).join(', ')}`,
    );
    const slowest = [...measured].toSorted(([, a], [, b]) => median(b.endpoint) - median(a.endpoint)).slice(0, 10);
    console.log(
      `slowest: ${slowest.map(([segment, times]) => `${segment} ${median(times.endpoint).toFixed(0)} ms`).join(', ')}`,
    );

    console.log(
      `\nthe same ${DAYS} days with all the history and with a tenth of it, median of ${FLAT_ROUNDS}; bar 1.2`,
    );
    for (const segment of [
      'none',
      'code_category',
      'commit_count',
      'ai_code_line_percent',
      'delta_cohorts_per_committer',
      'pr_cycle',
      'release_count',
    ] as const) {
      const large: number[] = [];
      const small: number[] = [];
      for (let round = 1; round <= FLAT_ROUNDS; round += 1) {
        const to = addDays(END, -(round % 28));
        // Another length of the name keeps the answers apart from the remembered ones.
        await endpoint.ask('small', segment, addDays(to, -1));
        large.push(await timed(() => endpoint.ask('large', segment, addDays(to, -ROUNDS))));
        small.push(await timed(() => endpoint.ask('small', segment, addDays(to, -ROUNDS))));
      }
      console.log(
        `${segment.padEnd(28)} ${ms(median(large))} ${ms(median(small))}  ratio ${(median(large) / median(small)).toFixed(2)}`,
      );
    }
    await endpoint.close();
  } finally {
    await store.close();
    await embedded.stop();
    if (keptFolder === undefined) rmSync(folder, { recursive: true, force: true });
  }
}

if (process.argv[2] === 'sweep') await sweepReports(process.argv[3]!, process.argv[4] ?? 'local');
else await main();
