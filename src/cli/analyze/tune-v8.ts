// How V8 is to work in processes whose main business is an analysis. The settings hold for the whole process:
// `serve`, which also answers requests, keeps V8's own.
import { availableParallelism } from 'node:os';
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';

/**
 * Bytes of bytecode that a function runs before it is looked at, fifteen times V8's own figure: a run takes seconds, in
 * which V8 would spend most of its time optimizing functions that are done soon after.
 */
const LATE_OPTIMIZING = '--interrupt-budget=1000000';

/** The patterns of path rules are compiled when they are first used, not a second time when they are used again. */
const PATTERNS_AT_ONCE = '--no-regexp-tier-up';

/**
 * Each thread collects its young objects alone: V8's helpers would take the processors from threads that read. Measured with two
 * processors; where there are more, helpers may shorten what all others wait for.
 */
const LONE_SCAVENGES = '--no-parallel-scavenge';
const FEW_PROCESSORS = 2;

/** Collects garbage when the heap has grown by two fifths, not to two to four times its size: hardly any slower. */
const SMALL_HEAP = '--heap-growing-percent=40';
/** Until then the heap is small in any case, and collecting it often takes a share of a short run. */
const SMALL_HEAP_AFTER_MS = 4000;

/**
 * Both halves of the space for young objects, which V8 would let grow to 32 MB in each thread: what an analysis makes is dead
 * soon after, so that a larger one takes no less time.
 */
const YOUNG_BYTES = 8 << 20;
const NO_LARGER_YOUNG = '--semi-space-growth-factor=1';
const LOOK_EVERY_MS = 20;

/**
 * V8 reads the largest size before any code of ours runs: the growth is ended once the size is reached. It goes back to its
 * own factor whenever a thread starts, so that is said again and again.
 */
function boundYoungSpace(): void {
  const look = (): void => {
    const young = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space');
    if (young !== undefined && young.space_size >= YOUNG_BYTES) setFlagsFromString(NO_LARGER_YOUNG);
  };
  setInterval(look, LOOK_EVERY_MS).unref();
}

export function tuneForImport(): void {
  setFlagsFromString(LATE_OPTIMIZING);
  setFlagsFromString(PATTERNS_AT_ONCE);
  if (availableParallelism() <= FEW_PROCESSORS) setFlagsFromString(LONE_SCAVENGES);
  setTimeout(() => setFlagsFromString(SMALL_HEAP), SMALL_HEAP_AFTER_MS).unref();
}

export function tuneForAnalysis(): void {
  tuneForImport();
  boundYoungSpace();
}
