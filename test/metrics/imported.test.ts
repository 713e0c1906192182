// On an imported history the reports' totals are the engine's: on a generated one, and on this project's own.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { createImportKit, makeFolder } from '../jobs/import/import-kit.ts';
import { readEngineTotals, readReportTotals } from '../oracles/engine-totals.ts';
import { randomHistory } from '../world/random-history.ts';

async function expectEqualTotals(path: string, leastCommits: number): Promise<void> {
  const { first, last, ...engine } = await readEngineTotals(path);
  expect(engine.commits).toBeGreaterThan(leastCommits);
  const kit = await createImportKit();
  await kit.importFolder('real', path);
  const [entity] = await kit.query<{ id: number; slug: string }>('select id, slug from entities where id = $1', [
    kit.entityId,
  ]);
  const reports = await readReportTotals(kit.store, entity!, { first, last });
  expect({ commits: reports.commits, lines: reports.lines }).toEqual({ commits: engine.commits, lines: engine.lines });
  expect(reports.delta).toBeCloseTo(engine.delta, 0);
}

test('commits, lines by operation and Diff Delta of a generated repository are the engine’s', () =>
  expectEqualTotals(randomHistory(3).path, 10));

const root = fileURLToPath(new URL('../..', import.meta.url));
const hasHistory = existsSync(join(root, '.git'));

// A package without its repository has no history to import.
test.skipIf(!hasHistory)(
  'commits, lines by operation and Diff Delta of this project’s own repository are the engine’s',
  async () => {
    // A copy stands still while somebody commits.
    const copy = join(makeFolder(), 'own.git');
    execFileSync('git', ['clone', '--quiet', '--bare', '--single-branch', root, copy]);
    const isShallow = execFileSync('git', ['-C', copy, 'rev-parse', '--is-shallow-repository'], { encoding: 'utf8' });
    await expectEqualTotals(copy, isShallow.trim() === 'true' ? 0 : 100);
  },
  120_000,
);
