// What the first chart does not need waits until it is painted: the processor and the server are its own until then. The
// rest comes turn by turn, and none of it while the reader waits for something.
import { startTransition, useEffect, useState } from 'react';

/** A page without a chart, or with one that does not come, gets the rest all the same. */
const LONGEST_MILLISECONDS = 2_000;
/** Between two turns, where the browser does not become idle before. */
const TURN_MILLISECONDS = 100;

/** In this order: what belongs to the charts that stand, then the parts below, from top to bottom. */
export const TURNS = { chart: 0, companion: 1, breakdown: 2, end: 3 } as const;
const LAST_TURN = TURNS.end;

let isMarked = false;
/** The last turn that has come; -1 until the first chart is painted. */
let opened = -1;
let isScheduled = false;
let holds = 0;
const waiting = new Map<() => void, number>();

function openNext(): void {
  isScheduled = false;
  if (holds > 0 || opened >= LAST_TURN) return;
  opened += 1;
  for (const [notify, turn] of waiting) {
    if (turn > opened) continue;
    waiting.delete(notify);
    notify();
  }
  scheduleNext();
}

function scheduleNext(): void {
  if (isScheduled || opened === -1 || opened >= LAST_TURN) return;
  isScheduled = true;
  // Not every browser says when it is idle.
  if ('requestIdleCallback' in window) requestIdleCallback(openNext, { timeout: TURN_MILLISECONDS });
  else setTimeout(openNext, TURN_MILLISECONDS);
}

function openFirst(): void {
  if (opened === -1) openNext();
}

/** Called when a chart is in the page. `npm run bench:web` reads the mark. */
export function markFirstChart(): void {
  if (isMarked) return;
  isMarked = true;
  requestAnimationFrame(() => {
    performance.mark('first-chart');
    // Runs after the frame is painted.
    setTimeout(openFirst);
  });
}

/**
 * Whether the first chart is painted and a turn has come; true from then on, on every page. What it brings is drawn in a
 * transition, piece by piece: a key that is pressed meanwhile does not wait for it.
 */
export function useAfterFirstChart(turn: number = TURNS.chart): boolean {
  const [isOpen, setOpen] = useState(opened >= turn);
  useEffect(() => {
    if (isOpen) return;
    const notify = (): void => startTransition(() => setOpen(true));
    if (opened >= turn) return notify();
    waiting.set(notify, turn);
    const timer = setTimeout(openFirst, LONGEST_MILLISECONDS);
    return () => {
      clearTimeout(timer);
      waiting.delete(notify);
    };
  }, [isOpen, turn]);
  return isOpen;
}

/** No turn comes as long as the reader waits for an answer: it would take the processor and the server from it. */
export function useHeldTurns(isHeld: boolean): void {
  useEffect(() => {
    if (!isHeld) return;
    holds += 1;
    return () => {
      holds -= 1;
      if (holds === 0) scheduleNext();
    };
  }, [isHeld]);
}
