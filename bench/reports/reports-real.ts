// node --import ./bench/typescript.mjs bench/reports/reports-real.ts REPOSITORY…
//
// Imports the whole history of each repository into a fresh database, as a user would, and prints what
// reports say beside what the engine by itself adds up: commits, lines by operation, Diff Delta. Fails when
// they differ.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { openStore } from '../../src/storage/database/handle.ts';
import { startEmbedded } from '../../src/storage/embedded/start-embedded.ts';
import { readEngineTotals, readReportTotals } from '../../test/oracles/engine-totals.ts';
import { createQuietLog } from '../api/compare-with-bare.ts';

async function compare(path: string): Promise<boolean> {
  const data = mkdtempSync(join(tmpdir(), 'strata-bench-'));
  try {
    const { first, last, ...engine } = await readEngineTotals(path);
    const args = [resolve('bin/strata.mjs'), 'import', path, '--as', 'bench/repo', '--since', 'all', '--data', data];
    const imported = spawnSync(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'] });
    if (imported.status !== 0) throw new Error(`the import of ${path} failed`);
    const embedded = await startEmbedded({ dataDir: data, log: createQuietLog() });
    const store = await openStore({ databaseUrl: embedded.databaseUrl });
    const { rows } = await store.pool.query('select id, slug from entities order by id limit 1');
    const reports = await readReportTotals(store, rows[0], { first, last });
    await store.close();
    await embedded.stop();
    const lines = (label: string): [string, number, number] => [
      label,
      engine.lines[label] ?? 0,
      reports.lines[label] ?? 0,
    ];
    const table: readonly (readonly [string, number, number])[] = [
      ['commits', engine.commits, reports.commits],
      ...Object.keys(engine.lines).map(lines),
      ['Diff Delta', Math.round(engine.delta), Math.round(reports.delta)],
    ];
    console.log(`${path}, ${first} to ${last}`);
    for (const [label, byEngine, byReports] of table) {
      const verdict = byEngine === byReports ? 'equal' : 'DIFFERENT';
      console.log(
        `  ${label.padEnd(22)} ${String(byEngine).padStart(10)} ${String(byReports).padStart(10)}  ${verdict}`,
      );
    }
    return table.every(([, byEngine, byReports]) => byEngine === byReports);
  } finally {
    rmSync(data, { recursive: true, force: true });
  }
}

let isEqual = true;
for (const path of process.argv.slice(2)) isEqual = (await compare(resolve(path))) && isEqual;
process.exitCode = isEqual ? 0 : 1;
