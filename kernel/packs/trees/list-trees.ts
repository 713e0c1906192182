// The files in which two trees differ, folders and all that is below them gone through, in git's order.
import {
  LIST_ALL,
  LIST_FAILED,
  LIST_GONE,
  LIST_MARKED,
  LISTED_NEW_AT,
  LISTED_NEW_ID,
  LISTED_NEW_MODE,
  LISTED_OLD_AT,
  LISTED_OLD_ID,
  LISTED_OLD_MODE,
  LISTED_PATH,
  LISTED_WORDS,
  MOST_LISTED_FILES,
  NO_ROOM,
  TREE_END,
  TREE_NAME,
  TREE_NAME_LENGTH,
  TREE_NEW_ID,
  TREE_NEW_MODE,
  TREE_OLD_ID,
  TREE_OLD_MODE,
} from '../../contract.ts';
import { setWord, word } from '../../words.ts';
import { isHeldSince } from '../held-objects.ts';
import { locate } from '../locate.ts';
import { MadeObject, makeAt, TREE_KIND } from '../make-object.ts';
import { LISTED, TREE_ROWS } from '../memory.ts';
import { compareTrees } from './compare-trees.ts';
import { clearMarks, isMarkedPath, markPath, numberOfKnownPath, numberOfPath } from './paths.ts';
import { FOLDER, ID_BYTES, isBlobMode } from './tree-entries.ts';

const DEEPEST: i32 = 512;
const SLASH: u8 = 47;
export const MOST_PATH_BYTES: i32 = 16384;
/** The path of the entry at hand; the caller gives paths here. A path is compared eight bytes at a time. */
export const PATH = memory.data(16400);
/** The ids of both trees. */
export const TREES = memory.data(40);

/** What is listed: one of LIST_… */
let what: i32 = LIST_ALL;
/** Whether to look up where files lie. */
let withPlaces: bool = false;
let most: i32 = 0;
let listed: i32 = 0;

/** Whether there was no room for a path. */
let isCrowded: bool = false;

/** The trees that are compared at some depth. */
const before = changetype<MadeObject>(memory.data(24));
const after = changetype<MadeObject>(memory.data(24));

/** The path at PATH and the folders above it are marked, in addition to others. False when there is no room for them. */
export function markGivenPath(length: i32): bool {
  for (let end: i32 = 0; end < length; end++) {
    if (load<u8>(PATH + <usize>end) !== SLASH) continue;
    const folder = numberOfPath(PATH, end + 1);
    if (folder < 0) return false;
    markPath(folder);
  }
  const path = numberOfPath(PATH, length);
  if (path < 0) return false;
  markPath(path);
  return true;
}

/**
 * Writes a row at LISTED for each file that differs between the trees at TREES, or between one of them and nothing. Answers
 * how many there are: LIST_FAILED when something is odd or not there, or when there are more than `atMost`; NO_ROOM when
 * there is none for a path.
 */
export function listTrees(hasOld: bool, hasNew: bool, wanted: i32, places: bool, atMost: i32): i32 {
  what = wanted;
  withPlaces = places;
  most = min(atMost, MOST_LISTED_FILES);
  listed = 0;
  isCrowded = false;
  if (wanted === LIST_ALL) clearMarks();
  if (listFolder(hasOld ? TREES : 0, hasNew ? TREES + ID_BYTES : 0, 0, 0, 0)) return listed;
  return isCrowded ? NO_ROOM : LIST_FAILED;
}

/** Ids of its two trees, the length of its path, and where its rows go, behind those of the folders above it. */
function listFolder(oldId: usize, newId: usize, prefix: i32, from: i32, depth: i32): bool {
  if (depth > DEEPEST || !openTree(before, oldId) || !openTree(after, newId)) return false;
  // A long way to one tree may have pushed the other one out.
  if (before.length > 0 && !isHeldSince(before.written)) return false;
  const end = compareTrees(before.at, before.length, after.at, after.length, from);
  if (end < 0) return false;
  for (let at = from; at < end; ) {
    const row = TREE_ROWS + <usize>at;
    at = word(row, TREE_END);
    const length = word(row, TREE_NAME_LENGTH);
    const path = prefix + length;
    if (path >= MOST_PATH_BYTES) return false;
    memory.copy(PATH + <usize>prefix, row + <usize>(TREE_NAME * 4), <usize>length);
    const isOldFolder = word(row, TREE_OLD_MODE) === FOLDER;
    const isNewFolder = word(row, TREE_NEW_MODE) === FOLDER;
    if (!isOldFolder && !isNewFolder) {
      if (!listFile(row, path)) return false;
      continue;
    }
    store<u8>(PATH + <usize>path, SLASH);
    if (what === LIST_GONE && !isOldFolder) continue;
    if (what === LIST_MARKED && !isMarkedPath(numberOfKnownPath(PATH, path + 1))) continue;
    if (what === LIST_ALL && markAtHand(path + 1) < 0) return false;
    const oldFolder = isOldFolder ? row + <usize>(TREE_OLD_ID * 4) : 0;
    const newFolder = isNewFolder ? row + <usize>(TREE_NEW_ID * 4) : 0;
    if (!listFolder(oldFolder, newFolder, path + 1, end, depth + 1)) return false;
  }
  return true;
}

/** Of no id, one without entries. */
function openTree(tree: MadeObject, id: usize): bool {
  if (id !== 0) return makeAt(tree, locate(id), TREE_KIND);
  tree.at = 0;
  tree.length = 0;
  return true;
}

/** Marks the path at PATH. Answers its number; fewer than none when there is no room for it. */
function markAtHand(length: i32): i32 {
  const path = numberOfPath(PATH, length);
  if (path < 0) isCrowded = true;
  else markPath(path);
  return path;
}

/** False when there is no room. */
function listFile(row: usize, pathLength: i32): bool {
  const oldMode = word(row, TREE_OLD_MODE);
  const newMode = word(row, TREE_NEW_MODE);
  if (what === LIST_GONE && newMode !== 0) return true;
  if (what === LIST_MARKED && !isMarkedPath(numberOfKnownPath(PATH, pathLength))) return true;
  const path = listed === most ? -1 : markAtHand(pathLength);
  if (path < 0) return false;
  const to = LISTED + <usize>(listed++ * LISTED_WORDS * 4);
  setWord(to, LISTED_PATH, path);
  setWord(to, LISTED_OLD_MODE, oldMode);
  setWord(to, LISTED_NEW_MODE, newMode);
  memory.copy(to + <usize>(LISTED_OLD_ID * 4), row + <usize>(TREE_OLD_ID * 4), 2 * ID_BYTES);
  if (!withPlaces) return true;
  store<f64>(to + <usize>(LISTED_OLD_AT * 4), isBlobMode(oldMode) ? locate(to + <usize>(LISTED_OLD_ID * 4)) : -1);
  store<f64>(to + <usize>(LISTED_NEW_AT * 4), isBlobMode(newMode) ? locate(to + <usize>(LISTED_NEW_ID * 4)) : -1);
  return true;
}
