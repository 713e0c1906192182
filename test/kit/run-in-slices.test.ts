import { expect, test } from 'vitest';
import { runInSlices } from '../../src/kit/run-in-slices.ts';

test('others get their turn while a long computation runs, and it ends with its value', async () => {
  let isOver = false;
  let turns = 0;
  const turn = (): void => {
    turns += 1;
    if (!isOver) setImmediate(turn);
  };
  setImmediate(turn);
  const steps = (function* () {
    for (let step = 0; step < 20; step += 1) {
      const until = performance.now() + 6;
      while (performance.now() < until);
      yield;
    }
    return 'done';
  })();
  expect(await runInSlices(steps)).toBe('done');
  isOver = true;
  expect(turns).toBeGreaterThan(5);
});
