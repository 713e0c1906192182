// The comparison of two versions of a file, step by step.
import { LEFT_TO_GIT, UNSURE } from '../contract.ts';
import { countOutside, numberLines } from './contents.ts';
import { beginGroups, closeGroups } from './groups.ts';
import { commonPrefix, commonSuffix } from './lines.ts';
import { placeGroups } from './place-groups.ts';
import { emitShortest } from './shortest-script.ts';
import { newTaken, oldTaken, takeLines } from './taking-part.ts';
import { after, before, open, splitLines, splitLinesLike, takeOver } from './version.ts';
import { differing, narrow } from './window.ts';

/** Whether there are groups of changed lines then, or why not. */
export const DIFFERENT: i32 = 1;
export const EQUAL: i32 = 0;

/** What the last comparison leaves known of the newer version: nothing; it was the older one; it was the newer one. */
export const NOTHING_KNOWN: i32 = 0;
export const WAS_OLDER: i32 = 1;
export const WAS_NEWER: i32 = 2;

export function compareVersions(oldAt: usize, oldLength: i32, newAt: usize, newLength: i32, known: i32): i32 {
  if (known === WAS_OLDER) takeOver();
  open(before, oldAt, oldLength);
  open(after, newAt, newLength);
  if (known === NOTHING_KNOWN && !splitLines(after)) return LEFT_TO_GIT;
  const smaller = min(oldLength, newLength);
  const prefixBytes = commonPrefix(oldAt, newAt, smaller);
  const suffixBytes = commonSuffix(oldAt + <usize>oldLength, newAt + <usize>newLength, smaller);
  if (!splitLinesLike(before, after, prefixBytes, suffixBytes)) return LEFT_TO_GIT;
  if (!narrow(prefixBytes, suffixBytes)) return EQUAL;
  beginGroups(differing.head);
  if (!findCommon()) return UNSURE;
  closeGroups(differing.oldTo, differing.newTo);
  placeGroups(before, after);
  placeGroups(after, before);
  return DIFFERENT;
}

/** Tells the common lines of the window. False when git may see others. */
function findCommon(): bool {
  if (differing.head === differing.oldTo || differing.head === differing.newTo || !numberLines()) return true;
  countOutside();
  takeLines();
  return emitShortest(0, 0, oldTaken, newTaken);
}
