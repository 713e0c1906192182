// Long computations on the event loop, a slice at a time: requests of others get their turn in between.
import { setImmediate as turn } from 'node:timers/promises';

const SLICE_MS = 10;

/** Runs to the end what pauses often. */
export async function runInSlices<T>(steps: Iterator<undefined, T, undefined>): Promise<T> {
  let until = performance.now() + SLICE_MS;
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    if (performance.now() < until) continue;
    await turn();
    until = performance.now() + SLICE_MS;
  }
}
