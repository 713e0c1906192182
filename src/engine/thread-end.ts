// How a thread of an analysis hears that it is to end while it is at work. Messages reach it only between two pieces of work,
// and some of those take seconds. It must end by itself: nobody takes note of the death of processes that a thread has
// started and that outlive it, and what is left of them stays until the whole process ends.
import { isMainThread, type WorkerOptions, workerData } from 'node:worker_threads';

interface ThreadData {
  readonly end: Int32Array;
}

/** What a thread is started with, and how it is told then. */
export function createEnd(): { readonly data: WorkerOptions['workerData']; order(): void } {
  const end = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  return { data: { end } satisfies ThreadData, order: () => void Atomics.store(end, 0, 1) };
}

/** What stops the work of a thread that is to end: it says nothing about the work. */
export class ThreadEnding extends Error {
  override readonly name = 'ThreadEnding';
}

const ordered = isMainThread ? undefined : (workerData as Partial<ThreadData> | null)?.end;

/** For loops that may take long without waiting for anything. The main thread, and any other, never ends in this way. */
export function stopIfEnding(): void {
  if (ordered !== undefined && Atomics.load(ordered, 0) !== 0) throw new ThreadEnding('the analysis has ended');
}
