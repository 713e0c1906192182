// Compares the files of many changes, one after the other in the order that the caller wants: mostly path by path, because the
// version that one change replaced is the one that the change before it made.
import {
  CHANGE_ADDED,
  CHANGE_ADDED_FROM,
  CHANGE_ADDED_TO,
  CHANGE_ANSWER,
  CHANGE_BYTES_FROM,
  CHANGE_BYTES_TO,
  CHANGE_DELETED,
  CHANGE_HUNKS_FROM,
  CHANGE_HUNKS_TO,
  CHANGE_MARK,
  CHANGE_NEW_AT,
  CHANGE_NOTHING,
  CHANGE_OLD_AT,
  CHANGE_REMOVED_FROM,
  CHANGE_REMOVED_TO,
  CHANGE_SORT,
  CHANGE_WORDS,
  COMPARED,
  HUNK_ADDED_FIRST,
  HUNK_REMOVED_FIRST,
  LEFT_TO_GIT,
  MARK_LINES,
  MARK_UNKNOWN,
  MOST_FILE_BYTES,
  NO_ROOM,
} from '../contract.ts';
import { NOTHING_KNOWN, OLDER_AT_HAND, WAS_OLDER } from '../diff/compare.ts';
import { setWord, word } from '../words.ts';
import { addedLines, compareFiles, emitGiven, emitWhole, hunkWords, lineBytes, removedLines } from './found.ts';
import { isHeldSince } from './held-objects.ts';
import { BLOB_KIND, knownHead, knownTail, MadeObject, makeAt } from './make-object.ts';
import { markOf } from './marks.ts';
import { CHANGES, HUNKS, ORDER } from './memory.ts';

/** The versions that are compared. */
const older = changetype<MadeObject>(memory.data(24));
const newer = changetype<MadeObject>(memory.data(24));

/** The older version of the last comparison, whose lines are still known: its location, 0 for none, and as MadeObject has it. */
let lastAt: f64 = 0;
let lastLength: i32 = 0;
let lastWritten: f64 = 0;
/** Of that version, where the comparison says so. */
let lastMark: i32 = MARK_UNKNOWN;

/** The place in the order of the change at hand, which a failure of the caller may end. */
let place: i32 = 0;

export function placeAtHand(): i32 {
  return place;
}

/** From one place in the order to another. Answers where it stopped: at a change for which there is no room. */
export function compareChanges(from: i32, to: i32): i32 {
  for (place = from; place < to; place++) if (compareChange(word(ORDER, place), -1) === NO_ROOM) return place;
  return to;
}

/** Compares the files of one change: with so many numbers at GIVEN_HUNKS for hunks, or −1. Notes and answers how it ended. */
export function compareChange(number: i32, givenWords: i32): i32 {
  const row = CHANGES + <usize>(number * CHANGE_WORDS * 4);
  // What stands there when the caller fails.
  setWord(row, CHANGE_ANSWER, LEFT_TO_GIT);
  setWord(row, CHANGE_MARK, MARK_UNKNOWN);
  setWord(row, CHANGE_HUNKS_FROM, hunkWords());
  setWord(row, CHANGE_REMOVED_FROM, removedLines());
  setWord(row, CHANGE_ADDED_FROM, addedLines());
  setWord(row, CHANGE_BYTES_FROM, lineBytes());
  noteEnds(row);
  const answer = compareVersionsOf(row, givenWords);
  setWord(row, CHANGE_ANSWER, answer);
  noteEnds(row);
  return answer;
}

function noteEnds(row: usize): void {
  setWord(row, CHANGE_HUNKS_TO, hunkWords());
  setWord(row, CHANGE_REMOVED_TO, removedLines());
  setWord(row, CHANGE_ADDED_TO, addedLines());
  setWord(row, CHANGE_BYTES_TO, lineBytes());
}

function compareVersionsOf(row: usize, givenWords: i32): i32 {
  const knownAt = lastAt;
  const knownMark = lastMark;
  lastAt = 0;
  lastMark = MARK_UNKNOWN;
  const sort = word(row, CHANGE_SORT);
  if (sort === CHANGE_NOTHING) return COMPARED;
  const oldAt = load<f64>(row + <usize>(CHANGE_OLD_AT * 4));
  const newAt = load<f64>(row + <usize>(CHANGE_NEW_AT * 4));
  if (sort !== CHANGE_DELETED && !makeAt(newer, newAt, BLOB_KIND)) return LEFT_TO_GIT;
  if (sort !== CHANGE_ADDED && !makeAt(older, oldAt, BLOB_KIND)) return LEFT_TO_GIT;
  if (sort === CHANGE_DELETED) return emitWhole(older.at, older.length, false);
  if (sort === CHANGE_ADDED) return emitWhole(newer.at, newer.length, true);
  // A long way to the older version may have pushed the newer one out.
  if (!isHeldSince(newer.written)) return LEFT_TO_GIT;
  const isSuccessor = newAt === knownAt && newer.length === lastLength;
  const isAtHand = knownAt !== 0 && isHeldSince(lastWritten);
  const known = isSuccessor ? WAS_OLDER : isAtHand ? OLDER_AT_HAND : NOTHING_KNOWN;
  const head = knownHead(oldAt, newAt);
  const tail = knownTail(oldAt, newAt);
  const answer =
    givenWords < 0
      ? compareFiles(older.at, older.length, newer.at, newer.length, known, head, tail)
      : emitGiven(older.at, older.length, newer.at, newer.length, givenWords);
  if (answer === COMPARED) {
    lastAt = oldAt;
    lastLength = older.length;
    lastWritten = older.written;
  }
  // What is known of a version holds for the size at which files are looked into, too.
  const isMarkKnown = isSuccessor && knownMark !== MARK_UNKNOWN && newer.length <= MOST_FILE_BYTES;
  const mark = isMarkKnown ? knownMark : markOf(newer.at, newer.length);
  setWord(row, CHANGE_MARK, mark);
  if (answer === COMPARED && isOpeningSame(word(row, CHANGE_HUNKS_FROM))) lastMark = mark;
  return answer;
}

/** Whether both versions just compared begin with the same lines, as far as a mark may stand. */
function isOpeningSame(firstHunk: i32): bool {
  if (hunkWords() === firstHunk) return true;
  const hunk = HUNKS + ((<usize>firstHunk) << 2);
  return min(word(hunk, HUNK_REMOVED_FIRST), word(hunk, HUNK_ADDED_FIRST)) >= MARK_LINES;
}
