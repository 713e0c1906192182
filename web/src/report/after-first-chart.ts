// What the first chart does not need waits until it is painted: the processor and the server are its own until then.
import { startTransition, useEffect, useState } from 'react';

/** A page without a chart, or with one that does not come, gets the rest all the same. */
const LONGEST_MILLISECONDS = 2_000;

let isPainted = false;
let isMarked = false;
const waiting = new Set<() => void>();

function open(): void {
  isPainted = true;
  for (const notify of waiting) notify();
  waiting.clear();
}

/** Called when a chart is in the page. `npm run bench:web` reads the mark. */
export function markFirstChart(): void {
  if (isMarked) return;
  isMarked = true;
  requestAnimationFrame(() => {
    performance.mark('first-chart');
    // Runs after the frame is painted.
    setTimeout(open);
  });
}

/**
 * Whether the first chart is painted; true from then on, on every page. What it brings is drawn in a transition, piece by
 * piece: a key that is pressed meanwhile does not wait for it.
 */
export function useAfterFirstChart(): boolean {
  const [isOpen, setOpen] = useState(isPainted);
  useEffect(() => {
    if (isOpen) return;
    const notify = (): void => startTransition(() => setOpen(true));
    if (isPainted) return notify();
    waiting.add(notify);
    const timer = setTimeout(open, LONGEST_MILLISECONDS);
    return () => {
      clearTimeout(timer);
      waiting.delete(notify);
    };
  }, [isOpen]);
  return isOpen;
}
