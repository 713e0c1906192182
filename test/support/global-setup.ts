// Runs once before all test files: worker threads and command-line tests use the compiled dist/.
import { spawnSync } from 'node:child_process';

export default function setup(): void {
  const result = spawnSync(process.execPath, ['bin/build.mjs'], { stdio: 'inherit' });
  if (result.status !== 0) throw new Error('the build failed, so no test can run');
}
