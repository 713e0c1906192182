// npm run bench:fuzz -- [CALLS] [SEED]
//
// The fuzz of test/api/fuzz.test.ts at any length: every parameter of every call with extremes, 0 answers of 5xx, no call
// over two seconds.
import { spawnSync } from 'node:child_process';

const [calls = '200000', seed = String(Date.now() % 1_000_000)] = process.argv.slice(2);
const { status } = spawnSync('npx', ['vitest', 'run', 'test/api/fuzz.test.ts'], {
  stdio: 'inherit',
  env: { ...process.env, STRATA_FUZZ_CALLS: calls, STRATA_FUZZ_SEED: seed },
});
process.exitCode = status ?? 1;
