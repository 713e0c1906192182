// What of an analysis is worth machine code: listing what commits change, making versions of files from git's deltas, and
// comparing them line by line with git's own result. Compiled to WebAssembly by the build. The memory is the caller's to
// look at.

import { GIVEN_HUNKS, OLD_STARTS } from '../diff/memory.ts';
import { compareChange, compareChanges, placeAtHand } from './compare-changes.ts';
import {
  addedLines,
  compareText,
  filledShare,
  forget,
  hunkWords,
  keepAgain,
  lineBytes,
  olderStarts,
  openReserve,
  removedLines,
} from './found.ts';
import { gather, SIZES } from './gather.ts';
import { addHeld, largestHeld, openRing, ringWritten } from './held-objects.ts';
import { forgetPages } from './held-pages.ts';
import { inflate } from './inflate.ts';
import { forgetNames, locate } from './locate.ts';
import { EFFORT, makeObject } from './make-object.ts';
import { learnStem } from './marks.ts';
import {
  ADDED_FROM,
  ADDED_TO,
  CHANGES,
  HUNKS,
  LISTED,
  MOST_CHANGES,
  ORDER,
  PACKED,
  PATH_BYTES,
  PATH_ENDS,
  REMOVED_FROM,
  REMOVED_TO,
  RING,
  UNPACKED,
} from './memory.ts';
import { FOLLOWED, followFile, MOST_FOLLOWED_BYTES } from './trees/follow-file.ts';
import { listTrees, MOST_PATH_BYTES, markGivenPath, PATH, TREES } from './trees/list-trees.ts';
import { clearMarks, forgetPaths } from './trees/paths.ts';

export {
  ADDED_FROM,
  ADDED_TO,
  addedLines,
  addHeld,
  CHANGES,
  clearMarks,
  compareChange,
  compareChanges,
  compareText,
  EFFORT,
  FOLLOWED,
  filledShare,
  followFile,
  forget,
  forgetPaths,
  GIVEN_HUNKS,
  gather,
  HUNKS,
  hunkWords,
  inflate,
  keepAgain,
  LISTED,
  largestHeld,
  learnStem,
  lineBytes,
  listTrees,
  locate,
  MOST_CHANGES,
  MOST_FOLLOWED_BYTES,
  MOST_PATH_BYTES,
  makeObject,
  markGivenPath,
  ORDER,
  olderStarts,
  openReserve,
  PACKED,
  PATH,
  PATH_BYTES,
  PATH_ENDS,
  placeAtHand,
  REMOVED_FROM,
  REMOVED_TO,
  RING,
  removedLines,
  ringWritten,
  SIZES,
  TREES,
  UNPACKED,
};

// Static data lies below the arrays, which have their places by their sizes alone.
if (__heap_base > OLD_STARTS) unreachable();

/** Room for objects, of the packs that are read from now on. */
export function openStore(at: usize, bytes: usize): void {
  openRing(at, bytes);
  forgetPages();
  forgetNames();
}
