// Node loads its HTTP client when something first looks at Response; pg does so to find out where it runs.
import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';

const script = (load: string): string => `
  const [major] = process.versions.node.split('.').map(Number);
  let looks = 0;
  const { Response } = globalThis;
  Object.defineProperty(globalThis, 'Response', { configurable: true, get: () => { looks += 1; return Response; } });
  ${load}
  console.log(JSON.stringify({ looks, isNamed: major < 21 && 'navigator' in globalThis }));`;

function run(load: string): { looks: number; isNamed: boolean } {
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script(load)], {
    encoding: 'utf8',
  });
  expect(stderr).toBe('');
  return JSON.parse(stdout) as { looks: number; isNamed: boolean };
}

test('the driver is loaded without a look at Response, and leaves no name of a browser behind', () => {
  expect(run(`await import('./dist/storage/database/driver.js');`)).toEqual({ looks: 0, isNamed: false });
});

test.runIf(process.versions.node.startsWith('20.'))('pg by itself would look at it', () => {
  expect(run(`await import('pg');`).looks).toBeGreaterThan(0);
});
