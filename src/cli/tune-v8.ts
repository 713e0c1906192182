// How V8 is to work in processes whose main business is an analysis. The settings hold for the whole process:
// `serve`, which also answers requests, keeps V8's own.
import { setFlagsFromString } from 'node:v8';

const ANALYSIS_FLAGS: readonly string[] = [
  // Bytes of bytecode that a function runs before it is looked at, fifteen times V8's own figure: a run takes
  // seconds, in which V8 would spend most of its time optimizing functions that are done soon after.
  '--interrupt-budget=1000000',
  // Collects garbage when the heap has grown by half, not to two to four times its size: hardly any slower.
  '--heap-growing-percent=50',
];

export function tuneForAnalysis(): void {
  for (const flag of ANALYSIS_FLAGS) setFlagsFromString(flag);
}
