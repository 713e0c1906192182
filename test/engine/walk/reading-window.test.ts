// Histories as sizes of commits, in shares of a reader's room: what is listed and compared in vain stays a small multiple
// of the history, whatever it looks like, and windows are long where they can be.
import { describe, expect, test } from 'vitest';
import { ReadingWindow } from '../../../src/engine/walk/reading-window.ts';

const COMMITS = 20_000;
const CHUNK = 3000;
const LISTABLE = 2000;

/** Reads a history in chunks: of each window as many commits as fit, and one at least. */
function read(sizeOf: (commit: number) => number, listable = Number.POSITIVE_INFINITY) {
  const window = new ReadingWindow();
  let listedInAll = 0;
  let windows = 0;
  for (let at = 0; at < COMMITS; windows++) {
    const commits = Math.min(window.size, CHUNK - (at % CHUNK), COMMITS - at);
    const listed = Math.min(commits, listable);
    let [taken, filled] = [0, 0];
    while (taken < listed && (taken === 0 || filled + sizeOf(at + taken) <= 1)) filled += sizeOf(at + taken++);
    listedInAll += listed;
    at += taken;
    window.note({ commits, listed, read: taken, filled: Math.min(1, filled) });
  }
  return { listedAgain: listedInAll / COMMITS - 1, windows };
}

const HISTORIES: readonly (readonly [string, (commit: number) => number, number])[] = [
  ['small commits', () => 1 / 100_000, 7],
  ['ordinary ones, of which a thousand fit', (n) => (1 + (n % 7) / 7) / 1500, 40],
  ['ones of which each fills the room', () => 1, COMMITS],
  ['a huge one among every twenty', (n) => (n % 20 === 7 ? 1 : 1 / 10_000), COMMITS / 6],
  ['a huge one among every two thousand', (n) => (n % 2000 === 7 ? 1 : 1 / 10_000), 120],
  ['a history that grows heavy', (n) => (n < COMMITS / 2 ? 1 / 100_000 : 1 / 30), 600],
  ['a history that grows light', (n) => (n < COMMITS / 2 ? 1 / 30 : 1 / 100_000), 600],
];

describe.each(HISTORIES)('%s', (_, sizeOf, mostWindows) => {
  test('are hardly listed in vain, in no more windows than need be', () => {
    const { listedAgain, windows } = read(sizeOf);
    expect(listedAgain).toBeLessThan(3);
    expect(windows).toBeLessThanOrEqual(mostWindows);
  });
});

test('where lists end early, the next windows are as long as lists', () => {
  expect(read(() => 1 / 100_000, LISTABLE).listedAgain).toBeLessThan(0.2);
});
