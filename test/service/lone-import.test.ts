// `strata import` without a service: what it leaves behind is whole, and the next command can report it.
import { afterAll, expect, it } from 'vitest';
import { goldenRepo } from '../world/golden-repo.ts';
import { makeDataFolder, runStrata } from './running-service.ts';

const data = makeDataFolder();
const repository = goldenRepo()
  .commit('one', { files: { 'a.ts': 'const one = 1;\n' } })
  .commit('two', { files: { 'a.ts': 'const one = 1;\nconst two = 2;\n' } })
  .build();

afterAll(() => {
  data.remove();
  repository.cleanup();
});

it('coding time, which follows from all commits of a person, is known when an import alone has ended', async () => {
  const imported = await runStrata(['import', repository.path, '--since', 'all', '--data', data.path]);
  expect(imported).toMatchObject({ code: 0 });
  const days = ['--start', '2024-01-01', '--end', '2024-01-01', '--interval', 'day', '--format', 'csv'];
  const report = await runStrata(['report', 'minutes_used', ...days, '--data', data.path]);
  const [, , , minutes] = report.out.trim().split('\n').at(-1)!.split(',');
  // An hour lies between the two commits.
  expect(Number(minutes)).toBeGreaterThanOrEqual(60);
}, 120_000);
