// How a thread of an analysis hears that it is to end while it is at work. Messages reach it only between two pieces of work,
// and some of those take seconds. It must end by itself: nobody takes note of the death of processes that a thread has
// started and that outlive it, and what is left of them stays until the whole process ends.

/** What stops the work of a thread that is to end: it says nothing about the work. */
export class ThreadEnding extends Error {
  override readonly name = 'ThreadEnding';
}

/** Shared with who started the thread, and not 0 once it is to end. Null where work is never stopped in this way. */
let end: Int32Array | null = null;

export function watchForEnd(word: Int32Array): void {
  end = word;
}

/** For loops that may take long without waiting for anything. */
export function stopIfEnding(): void {
  if (end !== null && Atomics.load(end, 0) !== 0) throw new ThreadEnding('the analysis has ended');
}
