/**
 * What is changed of V8 while a process runs. The settings hold for the whole process, and its threads see them change at any
 * moment, so none may be one that V8 reads twice for one piece of work. Those of patterns are: a thread that compiles a
 * pattern meanwhile ends the process with a segmentation fault (decision 213). The engine's `--expose-gc` is read when a
 * context is made, and is tested with these.
 */
export const V8_SETTINGS = {
  /**
   * Bytes of bytecode that a function runs before it is looked at, fifteen times V8's own figure: a run takes seconds, in
   * which V8 would spend most of its time optimizing functions that are done soon after.
   */
  lateOptimizing: '--interrupt-budget=1000000',

  /** Each thread collects its young objects alone: V8's helpers would take the processors from threads that read. */
  loneScavenges: '--no-parallel-scavenge',

  /** Collects garbage when the heap has grown by two fifths, not to two to four times its size: hardly any slower. */
  smallHeap: '--heap-growing-percent=40',

  /** The space for young objects stays as large as it is. */
  noLargerYoung: '--semi-space-growth-factor=1',
} as const;
