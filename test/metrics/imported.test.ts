// On an imported history the reports' totals are the engine's.
import { expect, test } from 'vitest';
import { OPERATIONS } from '../../src/domain/line-model.ts';
import { silentLog } from '../../src/kit/log.ts';
import { createOperations, OPERATOR } from '../../src/operations/index.ts';
import { createImportKit } from '../imports/import-kit.ts';
import { collectAnalysis } from '../support/collect-analysis.ts';
import { randomHistory } from '../support/random-history.ts';

test('commits, lines and Diff Delta of an imported repository are the engine’s', async () => {
  const repo = randomHistory(3);
  const kit = await createImportKit();
  await kit.importFolder('grown', repo.path);
  const { commits, files, events } = await collectAnalysis(repo.path, { since: null, threads: 1 });
  const notCounted = new Map([...commits].map(([sha, { not_counted }]) => [sha, not_counted]));
  for (const event of events) if (event.kind === 'verdict') notCounted.set(event.sha, event.not_counted);
  const counted = [...notCounted].filter(([, reason]) => reason === null).map(([sha]) => sha);
  const totals = { commits: counted.length, lines: 0, delta: 0 };
  for (const [key, file] of files) {
    if (notCounted.get(key.slice(0, 40)) !== null) continue;
    totals.lines += OPERATIONS.reduce((sum, name) => sum + file[`lines_${name}`], 0);
    for (const name of ['added', 'updated', 'deleted', 'find_replaced'] as const) {
      totals.delta += file[`delta_${name}`] / 1000;
    }
  }
  expect(totals.commits).toBeGreaterThan(10);

  const operations = createOperations({
    store: kit.store,
    log: silentLog,
    now: () => new Date('2026-01-01T00:00:00Z'),
  });
  const [{ slug } = { slug: '' }] = await kit.query<{ slug: string }>('select slug from entities where id = $1', [
    kit.entityId,
  ]);
  const total = async (segment_by: 'commit_count' | 'line_operation_counts' | 'none'): Promise<number> => {
    const resource_path = [{ entity: slug, organization: null, repo: null }];
    const range = { start_date: '2000-01-01', end_date: '2040-01-01' };
    const { series_segments } = await operations.reports.run(OPERATOR, { resource_path, segment_by, ...range });
    return Object.values(series_segments)
      .flat()
      .reduce((sum, { y }) => sum + (y ?? 0), 0);
  };
  expect(await total('commit_count')).toBe(totals.commits);
  expect(await total('line_operation_counts')).toBe(totals.lines);
  expect(await total('none')).toBeCloseTo(totals.delta, 0);
  await operations.close();
});
