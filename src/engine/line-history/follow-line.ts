// Where a line of one version stands in the other one, by the hunks between both.
import type { Hunks } from './versions/version-comparer.ts';

/** Null when the later version got the line from the hunks. */
export const lineBefore = (hunks: Hunks, lineIndex: number): number | null => locate(hunks, lineIndex, 2, 0);

/** Null when the later version lacks the line. */
export const lineAfter = (hunks: Hunks, lineIndex: number): number | null => locate(hunks, lineIndex, 0, 2);

/** `own` and `other` are the positions of the two sides within a hunk's four numbers. */
function locate(hunks: Hunks, lineIndex: number, own: 0 | 2, other: 0 | 2): number | null {
  let shift = 0;
  for (let at = 0; at < hunks.length; at += 4) {
    const start = hunks[at + own]!;
    const count = hunks[at + own + 1]!;
    if (lineIndex < start) break;
    if (lineIndex < start + count) return null;
    shift += hunks[at + other + 1]! - count;
  }
  return lineIndex + shift;
}
