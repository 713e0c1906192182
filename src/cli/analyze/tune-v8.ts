// How V8 is to work in processes whose main business is an analysis: `serve`, which also answers requests, keeps V8's own ways.
import { availableParallelism } from 'node:os';
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';
import { V8_SETTINGS } from './v8-settings.ts';

/** Measured with two processors; where there are more, V8's helpers may shorten what all others wait for. */
const FEW_PROCESSORS = 2;

/** Until then the heap is small in any case, and collecting it often takes a share of a short run. */
const SMALL_HEAP_AFTER_MS = 4000;

/**
 * Both halves of the space for young objects, which V8 would let grow to 32 MB in each thread: what an analysis makes is dead
 * soon after, so that a larger one takes no less time.
 */
const YOUNG_BYTES = 8 << 20;
const LOOK_EVERY_MS = 20;

/**
 * V8 reads the largest size before any code of ours runs: the growth is ended once the size is reached. It goes back to its
 * own factor whenever a thread starts, so that is said again and again.
 */
function boundYoungSpace(): void {
  const look = (): void => {
    const young = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space');
    if (young !== undefined && young.space_size >= YOUNG_BYTES) setFlagsFromString(V8_SETTINGS.noLargerYoung);
  };
  setInterval(look, LOOK_EVERY_MS).unref();
}

export function tuneForImport(): void {
  setFlagsFromString(V8_SETTINGS.lateOptimizing);
  if (availableParallelism() <= FEW_PROCESSORS) setFlagsFromString(V8_SETTINGS.loneScavenges);
  setTimeout(() => setFlagsFromString(V8_SETTINGS.smallHeap), SMALL_HEAP_AFTER_MS).unref();
}

export function tuneForAnalysis(): void {
  tuneForImport();
  boundYoungSpace();
}
