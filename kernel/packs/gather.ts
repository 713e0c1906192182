// What was found about all changes of a commit, side by side as the classifying kernel wants it: hunks, where lines begin and
// end, their text. Places are counted from the beginning of the text.
import {
  ADDED_ENDS_AFTER_ADDED,
  ADDED_ENDS_AFTER_REMOVED,
  ADDED_STARTS_AFTER_ADDED,
  ADDED_STARTS_AFTER_REMOVED,
  CHANGE_ADDED_FROM,
  CHANGE_ADDED_TO,
  CHANGE_BYTES_FROM,
  CHANGE_BYTES_TO,
  CHANGE_HUNKS_FROM,
  CHANGE_HUNKS_TO,
  CHANGE_REMOVED_FROM,
  CHANGE_REMOVED_TO,
  CHANGE_WORDS,
  GATHERED_ADDED,
  GATHERED_HUNK_WORDS,
  GATHERED_REMOVED,
  GATHERED_TEXT,
  REMOVED_ENDS_AFTER_ADDED,
  REMOVED_ENDS_AFTER_REMOVED,
  REMOVED_STARTS_AFTER_ADDED,
  REMOVED_STARTS_AFTER_REMOVED,
  TEXT_AFTER_ADDED,
  TEXT_AFTER_REMOVED,
} from '../contract.ts';
import { copyShifted } from '../diff/lines.ts';
import { setWord, word } from '../words.ts';
import { ADDED_FROM, ADDED_TO, CHANGES, HUNKS, LINES, REMOVED_FROM, REMOVED_TO, UNPACKED } from './memory.ts';

/** Of a commit with more, lines are few beside what is done with them, and memory once touched stays. */
const MOST_BYTES: usize = 1 << 20;

/** How much was gathered: words of hunks, lines, bytes of text. */
export const SIZES = memory.data(16);

let removed: i32 = 0;
let added: i32 = 0;

/** Changes that follow each other. Answers how many bytes lie at UNPACKED then; −1 when there is no room for them. */
export function gather(first: i32, count: i32): i32 {
  let hunkWords: i32 = 0;
  let text: i32 = 0;
  removed = 0;
  added = 0;
  for (let number = first; number < first + count; number++) {
    hunkWords += extent(number, CHANGE_HUNKS_FROM, CHANGE_HUNKS_TO);
    removed += extent(number, CHANGE_REMOVED_FROM, CHANGE_REMOVED_TO);
    added += extent(number, CHANGE_ADDED_FROM, CHANGE_ADDED_TO);
    text += extent(number, CHANGE_BYTES_FROM, CHANGE_BYTES_TO);
  }
  const places = UNPACKED + ((<usize>hunkWords) << 2);
  const textAt = placeArray(places, TEXT_AFTER_REMOVED, TEXT_AFTER_ADDED);
  const end = textAt + <usize>text;
  if (end > UNPACKED + MOST_BYTES) return -1;
  setWord(SIZES, GATHERED_HUNK_WORDS, hunkWords);
  setWord(SIZES, GATHERED_REMOVED, removed);
  setWord(SIZES, GATHERED_ADDED, added);
  setWord(SIZES, GATHERED_TEXT, text);
  let hunksAt = UNPACKED;
  let removedStarts = placeArray(places, REMOVED_STARTS_AFTER_REMOVED, REMOVED_STARTS_AFTER_ADDED);
  let removedEnds = placeArray(places, REMOVED_ENDS_AFTER_REMOVED, REMOVED_ENDS_AFTER_ADDED);
  let addedStarts = placeArray(places, ADDED_STARTS_AFTER_REMOVED, ADDED_STARTS_AFTER_ADDED);
  let addedEnds = placeArray(places, ADDED_ENDS_AFTER_REMOVED, ADDED_ENDS_AFTER_ADDED);
  let at = textAt;
  for (let number = first; number < first + count; number++) {
    const row = rowOf(number);
    const hunks = extent(number, CHANGE_HUNKS_FROM, CHANGE_HUNKS_TO);
    memory.copy(hunksAt, wordAt(HUNKS, word(row, CHANGE_HUNKS_FROM)), (<usize>hunks) << 2);
    hunksAt += (<usize>hunks) << 2;
    const bytes = extent(number, CHANGE_BYTES_FROM, CHANGE_BYTES_TO);
    const from = LINES + <usize>word(row, CHANGE_BYTES_FROM);
    memory.copy(at, from, <usize>bytes);
    const shift = <i32>(at - textAt) - <i32>from;
    at += <usize>bytes;
    const removedLines = extent(number, CHANGE_REMOVED_FROM, CHANGE_REMOVED_TO);
    const firstRemoved = word(row, CHANGE_REMOVED_FROM);
    copyShifted(wordAt(REMOVED_FROM, firstRemoved), removedStarts, removedLines, shift);
    copyShifted(wordAt(REMOVED_TO, firstRemoved), removedEnds, removedLines, shift);
    removedStarts += (<usize>removedLines) << 2;
    removedEnds += (<usize>removedLines) << 2;
    const addedLines = extent(number, CHANGE_ADDED_FROM, CHANGE_ADDED_TO);
    const firstAdded = word(row, CHANGE_ADDED_FROM);
    copyShifted(wordAt(ADDED_FROM, firstAdded), addedStarts, addedLines, shift);
    copyShifted(wordAt(ADDED_TO, firstAdded), addedEnds, addedLines, shift);
    addedStarts += (<usize>addedLines) << 2;
    addedEnds += (<usize>addedLines) << 2;
  }
  return <i32>(end - UNPACKED);
}

function rowOf(number: i32): usize {
  return CHANGES + <usize>(number * CHANGE_WORDS * 4);
}

function wordAt(array: usize, index: i32): usize {
  return array + ((<usize>index) << 2);
}

function extent(number: i32, from: i32, to: i32): i32 {
  const row = rowOf(number);
  return word(row, to) - word(row, from);
}

/** Behind `from`, with so many words per removed line and per added line in front. */
function placeArray(from: usize, perRemoved: i32, perAdded: i32): usize {
  return from + <usize>((removed * perRemoved + added * perAdded) * 4);
}
