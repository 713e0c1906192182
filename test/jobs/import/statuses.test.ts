import { describe, expect, it } from 'vitest';
import { IMPORT_PROGRESS } from '../../../src/domain/repos/import-status.ts';
import { importRepo } from '../../../src/jobs/import/repo.ts';
import { silentLog } from '../../../src/kit/log.ts';
import { goldenRepo } from '../../world/golden-repo.ts';
import { randomHistory } from '../../world/random-history.ts';
import { contentOf, createImportKit, digestOfRepository, type ImportKit, jobContext } from './import-kit.ts';

/** Keeps every version of every import record as it is committed, and beside it what the tables hold then. */
async function logRecords(kit: ImportKit): Promise<() => Promise<LoggedRecord[]>> {
  await kit.query(`create table record_log (position serial, row jsonb)`);
  await kit.query(`create function log_record() returns trigger language plpgsql as $$ begin
                     insert into record_log (row) select to_jsonb(new) || jsonb_build_object(
                       'stored', (select count(*) from commits),
                       'stored_complete', (select count(*) from commits where state = 'analysis_complete'),
                       'stored_skipped', (select count(distinct sha) from skipped_commits));
                     return null; end $$`);
  await kit.query(
    `create constraint trigger log_record after insert or update on imports deferrable initially deferred
     for each row execute function log_record()`,
  );
  return async () =>
    (await kit.query<{ row: LoggedRecord }>('select row from record_log order by position')).map(({ row }) => row);
}

interface LoggedRecord {
  readonly status: (typeof IMPORT_PROGRESS)[number];
  readonly percent_complete: number;
  readonly commit_processed_count: number;
  readonly commits_complete_count: number;
  readonly expected_commit_count: number;
  readonly skipped_commit_count: number;
  readonly stored: number;
  readonly stored_complete: number;
  readonly stored_skipped: number;
}

/** From the walk's start on, the record says what the tables hold. */
function expectTruth(rows: readonly LoggedRecord[]): void {
  for (const row of rows.slice(rows.findIndex(({ status }) => status === 'repo_processing_underway'))) {
    expect(row).toMatchObject({
      commit_processed_count: row.stored,
      commits_complete_count: row.stored_complete,
      skipped_commit_count: row.stored_skipped,
    });
    expect(row.commit_processed_count).toBeLessThanOrEqual(row.expected_commit_count);
    if (row.status !== 'processing_completed') expect(row.percent_complete).toBeLessThanOrEqual(95);
  }
}

describe('an import record', () => {
  it('tells the log every quarter of a minute how far a long import is', async () => {
    const repo = randomHistory(22, { commits: 30, words: 14 });
    const kit = await createImportKit({ settings: { batchBytes: 1 } });
    const told: Record<string, unknown>[] = [];
    const log = {
      ...silentLog,
      info: (fields: object, message?: string) => void (message === 'the import goes on' && told.push({ ...fields })),
    };
    const importId = await kit.queue('long', { kind: 'path', address: repo.path });
    let milliseconds = Date.now();
    const now = () => {
      milliseconds += 5_000;
      return new Date(milliseconds);
    };
    const payload = { entity_id: kit.entityId, import_id: importId };
    await importRepo.run(payload, { ...jobContext(), log }, { ...kit.parts, now });
    expect(told.length).toBeGreaterThan(2);
    expect(told.length).toBeLessThan(30);
    expect(told[0]).toMatchObject({ repo: 'acme/long', commits: expect.any(Number), of: expect.any(Number) });
    expect(Number(told.at(-1)!.commits)).toBeGreaterThan(Number(told[0]!.commits));
    expect(Number(told.at(-1)!.commits)).toBeLessThanOrEqual(Number(told.at(-1)!.of));
  });

  it('passes every status in order, and its figures only grow', async () => {
    const repo = randomHistory(21, { commits: 60, words: 14 });
    const kit = await createImportKit({ settings: { batchBytes: 1 } });
    const readLog = await logRecords(kit);
    await kit.importFolder('watched', repo.path);
    const rows = await readLog();
    expectTruth(rows);
    const statuses = rows.map(({ status }) => status).filter((status, index, all) => status !== all[index - 1]);
    expect(statuses).toEqual(IMPORT_PROGRESS.filter((status) => status !== 'offered_pending_acceptance'));
    for (const [index, row] of rows.entries()) {
      const before = rows[index - 1];
      if (before === undefined) continue;
      expect(row.percent_complete).toBeGreaterThanOrEqual(before.percent_complete);
      expect(row.commit_processed_count).toBeGreaterThanOrEqual(before.commit_processed_count);
      expect(row.commits_complete_count).toBeGreaterThanOrEqual(before.commits_complete_count);
      expect(row.commits_complete_count).toBeLessThanOrEqual(row.commit_processed_count);
      const { status, percent_complete } = row;
      if (status === 'processing_initiated') expect(percent_complete).toBeLessThanOrEqual(10);
      if (status === 'processing_in_progress') expect(percent_complete).toBeLessThanOrEqual(95);
      if (status === 'processing_in_progress') expect(percent_complete).toBeGreaterThan(10);
    }
    expect(rows.at(-1)).toMatchObject({ percent_complete: 100, status: 'processing_completed' });
  });

  it('of a walk that was cut off goes on where it stopped, and ends like one that was not', async () => {
    const repo = randomHistory(22, { commits: 60, words: 14 });
    const kit = await createImportKit({ settings: { batchBytes: 1 } });
    const readLog = await logRecords(kit);
    const id = await kit.queue('cut', { kind: 'path', address: repo.path });
    for (const after of [1, 7, 20, 45]) {
      const stop = new AbortController();
      let seen = 0;
      const onBatch = () => {
        seen += 1;
        if (seen === after) stop.abort(new Error('stopped by the test'));
      };
      const run = importRepo.run(
        { entity_id: kit.entityId, import_id: id },
        jobContext(stop.signal, onBatch),
        kit.parts,
      );
      await run.catch((error: Error) => expect(error.message).toBe('stopped by the test'));
    }
    // A commit that waits for its last origin shows its lines by operation already.
    const open = await kit.query<{ added: number; sum: number }>(
      `select coalesce(added, 0) as added,
              coalesce(lines_added, 0) + coalesce(lines_updated, 0) + coalesce(lines_moved, 0) +
              coalesce(lines_find_replaced, 0) + coalesce(lines_copy_pasted, 0) as sum
       from commits where state = 'analysis_in_progress'`,
    );
    expect(open.length).toBeGreaterThan(0);
    for (const { added, sum } of open) expect(sum).toBeLessThanOrEqual(added);
    expect(open.some(({ sum }) => sum > 0)).toBe(true);
    const row = await kit.run(id);
    expect(row.status).toBe('processing_completed');
    const log = await readLog();
    expectTruth(log);
    for (const [index, { percent_complete }] of log.entries()) {
      expect(percent_complete).toBeGreaterThanOrEqual(log[index - 1]?.percent_complete ?? 0);
    }
    const fresh = await createImportKit();
    const { repo_id } = await fresh.importFolder('whole', repo.path);
    expect(await contentOf(kit, row.repo_id)).toEqual(await contentOf(fresh, repo_id));
    expect((await contentOf(kit, row.repo_id)).digest).toBe(await digestOfRepository(repo.path));
  });
});

describe('an import record that is queued again', () => {
  const repo = goldenRepo()
    .commit('one', { files: { 'a.txt': `${'x'.repeat(20_000_000)}\n` } })
    .commit('two', { files: { 'b.txt': 'a small file beside it\n' } })
    .build();

  it('begins at nothing, and counts what could not be read wholly once', async () => {
    const kit = await createImportKit();
    const readLog = await logRecords(kit);
    const first = await kit.importFolder('again', repo.path);
    expect(first).toMatchObject({ status: 'processing_completed', percent_complete: 100, skipped_commit_count: 1 });
    await kit.importFolder('again', repo.path);
    await kit.query('delete from branches');
    await kit.importFolder('again', repo.path);
    const rows = await readLog();
    expectTruth(rows);
    for (const row of rows) if (row.status !== 'processing_completed') expect(row.percent_complete).toBeLessThan(100);
  });
});

describe('the import window', () => {
  const day = 86_400;
  const now = Math.floor(Date.now() / 1000);
  const text = (n: number): string => `a line of text number ${n}\nand one more, number ${n}\n`;
  const repo = goldenRepo()
    .commit('ancient', { at: now - 900 * day, files: { a: text(1), b: text(2) } })
    .commit('old', { at: now - 400 * day, files: { a: text(3) } })
    .commit('recent', { at: now - 20 * day, files: { b: text(4) } })
    .build();

  it('counts the days of the past year, and none that are still to come', async () => {
    const kit = await createImportKit();
    const early = goldenRepo()
      .commit('recent', { at: now - 20 * day, files: { a: text(1) } })
      .commit('early', { at: now + 40 * day, files: { a: text(2) } })
      .build();
    const first = await kit.importFolder('early', early.path);
    expect(first).toMatchObject({ commit_processed_count: 2, last_year_days_with_commit_processed_count: 1 });
    const again = await kit.importFolder('early', early.path);
    expect(again.last_year_days_with_commit_processed_count).toBe(1);
  });

  it('is a year unless asked otherwise; a wider one adds what was outside', async () => {
    const kit = await createImportKit();
    const year = await kit.run(await kit.queue('window', { kind: 'path', address: repo.path }, {}));
    expect(year).toMatchObject({ status: 'processing_completed', commit_processed_count: 1 });
    expect(year.last_year_days_with_commit_processed_count).toBe(1);
    // The removed lines are old enough to be beyond the walk, and known to be.
    expect(await kit.query('select age, origin_commit_id from line_flows')).toEqual([
      { age: 'gte_2y', origin_commit_id: null },
    ]);
    const narrower = new Date((now - 5 * day) * 1000).toISOString();
    expect(
      await kit.run(await kit.queue('window', { kind: 'path', address: repo.path }, { from: narrower })),
    ).toMatchObject({ status: 'processing_completed', commit_processed_count: 1 });
    const whole = await kit.run(await kit.queue('window', { kind: 'path', address: repo.path }, { all: true }));
    expect(whole).toMatchObject({
      status: 'processing_completed',
      commit_processed_count: 3,
      commits_complete_count: 3,
    });
    const [sum] = await kit.query<{ sum: number }>('select sum(commit_count) from daily_commits');
    expect(sum?.sum).toBe(3);
  });

  it('that begins before git can name the time is walked as a share of all commits', async () => {
    const kit = await createImportKit({ settings: { batchBytes: 1 } });
    const readLog = await logRecords(kit);
    const from = '1926-01-01T00:00:00.000Z';
    await kit.run(await kit.queue('century', { kind: 'path', address: repo.path }, { from }));
    const begun = (await readLog()).find(({ status }) => status === 'repo_processing_underway');
    expect(begun?.expected_commit_count).toBe(3);
  });

  it('that grows leaves what one of that size from the start would have', async () => {
    const grown = randomHistory(31, { commits: 80, words: 14 });
    const times = grown
      .git('log', '--all', '--format=%ct')
      .split('\n')
      .map(Number)
      .sort((a, b) => a - b);
    const at = (share: number) => new Date(times[Math.floor(times.length * share)]! * 1000).toISOString();
    const source = { kind: 'path', address: grown.path } as const;
    const kit = await createImportKit({ settings: { batchBytes: 2000 } });
    await kit.run(await kit.queue('grown', source, { from: at(0.7) }));
    await kit.run(await kit.queue('grown', source, { from: at(0.4) }));
    const half = await createImportKit();
    const halfRow = await half.run(await half.queue('half', source, { from: at(0.4) }));
    const grownRow = await kit.run(await kit.queue('grown', source, { from: at(0.4) }));
    expect(await contentOf(kit, grownRow.repo_id)).toEqual(await contentOf(half, halfRow.repo_id));
    const { repo_id } = await kit.importFolder('grown', grown.path);
    const fresh = await createImportKit();
    expect(await contentOf(kit, repo_id)).toEqual(
      await contentOf(fresh, (await fresh.importFolder('whole', grown.path)).repo_id),
    );
  });

  it('that is asked for while a narrower one is walked is walked next', async () => {
    const kit = await createImportKit({ settings: { batchBytes: 1 } });
    const source = { kind: 'path', address: repo.path } as const;
    const id = await kit.queue('asked', source, {});
    let asked: Promise<unknown> | undefined;
    const onBatch = () => {
      asked ??= kit.queue('asked', source, { all: true });
    };
    await importRepo.run({ entity_id: kit.entityId, import_id: id }, jobContext(undefined, onBatch), kit.parts);
    await asked;
    expect(await kit.run(id)).toMatchObject({ status: 'processing_completed', commit_processed_count: 3 });
  });
});
