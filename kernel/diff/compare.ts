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

/**
 * What the last comparison leaves known of the newer version: nothing; it was the older one; it was the newer one; the older
 * one, whose bytes are still at hand, is probably much like it.
 */
export const NOTHING_KNOWN: i32 = 0;
export const WAS_OLDER: i32 = 1;
export const WAS_NEWER: i32 = 2;
export const OLDER_AT_HAND: i32 = 3;

/** `head` and `tail`: so many bytes at the beginning and at the end of both are known to be the same. */
export function compareVersions(
  oldAt: usize,
  oldLength: i32,
  newAt: usize,
  newLength: i32,
  known: i32,
  head: i32,
  tail: i32,
): i32 {
  if (known === WAS_OLDER) takeOver();
  open(after, newAt, newLength);
  if (known === NOTHING_KNOWN && !splitLines(after)) return LEFT_TO_GIT;
  if (known === OLDER_AT_HAND && !splitLikeOlder()) return LEFT_TO_GIT;
  open(before, oldAt, oldLength);
  const smaller = min(oldLength, newLength);
  const prefixBytes = head + commonPrefix(oldAt + <usize>head, newAt + <usize>head, smaller - head);
  const oldEnd = oldAt + <usize>(oldLength - tail);
  const newEnd = newAt + <usize>(newLength - tail);
  const suffixBytes = tail + commonSuffix(oldEnd, newEnd, smaller - tail);
  if (!splitLinesLike(before, after, prefixBytes, suffixBytes)) return LEFT_TO_GIT;
  if (!narrow(prefixBytes, suffixBytes)) return EQUAL;
  beginGroups(differing.head);
  if (!findCommon()) return UNSURE;
  closeGroups(differing.oldTo, differing.newTo);
  placeGroups(before, after);
  placeGroups(after, before);
  return DIFFERENT;
}

/** Finds the lines of the newer version by those of the last older one. */
function splitLikeOlder(): bool {
  const smaller = min(before.length, after.length);
  const prefixBytes = commonPrefix(before.at, after.at, smaller);
  const oldEnd = before.at + <usize>before.length;
  const suffixBytes = commonSuffix(oldEnd, after.at + <usize>after.length, smaller);
  return splitLinesLike(after, before, prefixBytes, suffixBytes);
}

/** Tells the common lines of the window. False when git may see others. */
function findCommon(): bool {
  if (differing.head === differing.oldTo || differing.head === differing.newTo || !numberLines()) return true;
  countOutside();
  takeLines();
  return emitShortest(0, 0, oldTaken, newTaken);
}
