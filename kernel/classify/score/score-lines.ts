// What each line is worth before the age of the replaced code is known, and the numbers of each file. The constants
// come from the one table of Diff Delta.
import {
  ADDED,
  ADDED_COLUMN,
  ADDED_START_COLUMN,
  CALLS_COLUMN,
  CATEGORY_COLUMN,
  COPY_PASTED,
  DELETED,
  DOC_COMMENT,
  ERROR_MASKS_COLUMN,
  FILE_COLUMN_COUNT,
  FIND_REPLACED,
  FIRST_OPERATION_COLUMN,
  FIRST_SCORE_BASE,
  GIVEN_CATEGORY,
  GIVEN_LANGUAGE,
  GIVEN_STATUS,
  GIVEN_STYLE,
  LANGUAGE_COLUMN,
  NOOP,
  NOOP_REMOVED_COLUMN,
  OPERATION_CODES,
  REMOVED_COLUMN,
  REMOVED_START_COLUMN,
  SCORE_DOC_COMMENT,
  SCORE_POINT,
  SCORE_WHOLE_FILE,
  STYLE_BYTES,
  STYLE_CALLS,
  STYLE_MASKS,
  UNSCORED,
  UPDATED,
  WHOLE_ADDED,
  WHOLE_DELETED,
} from '../../contract.ts';
import { setWord, word } from '../../words.ts';
import { endOf, firstOf, given, opOf, traitsOf } from '../commit-lines.ts';
import { CODE, DOC, kindOfLine } from '../line-kinds.ts';
import {
  added,
  answer,
  asNew,
  fileCount,
  hunkFiles,
  pairAdded,
  pairCount,
  pairRemoved,
  partners,
  removed,
  replacedTimes,
  STYLES,
} from '../memory.ts';
import { OPEN_PARENTHESIS } from '../scan-line.ts';
import { countCalls } from './count-calls.ts';
import { masksErrors } from './masks-errors.ts';
import {
  breadthFactor,
  bulkFactor,
  constant,
  isScored,
  lengthFactor,
  measureBreadth,
  multiplierOf,
  replacedFactor,
  standingFactor,
} from './score-factors.ts';

if (OPERATION_CODES !== 7) ERROR('scoreAdded and scoreRemoved score seven operation codes: add the new one there');

/** The base score of an operation. */
function baseOf(op: i32): f64 {
  return constant(FIRST_SCORE_BASE + op);
}

function addTo(row: usize, column: i32, count: i32): void {
  setWord(row, column, word(row, column) + count);
}

function roundTo(array: usize, line: i32, score: f64): void {
  setWord(array, line, <i32>(<u32>Math.round(score)));
}

/** What the message says of the commit, and its breadth, weigh on all of its lines. */
let commitFactor: f64 = 1;

export function scoreLines(standing: i32): void {
  measureBreadth();
  commitFactor = standingFactor(standing);
  for (let file: i32 = 0; file < fileCount; file++) {
    const row = answer + <usize>(file * FILE_COLUMN_COUNT * 4);
    const addedFrom = word(added.base, file);
    const removedFrom = word(removed.base, file);
    const addedTo = word(added.base, file + 1);
    const removedTo = word(removed.base, file + 1);
    setWord(row, CATEGORY_COLUMN, given(file, GIVEN_CATEGORY));
    setWord(row, LANGUAGE_COLUMN, given(file, GIVEN_LANGUAGE));
    setWord(row, ADDED_START_COLUMN, addedFrom);
    setWord(row, ADDED_COLUMN, addedTo - addedFrom);
    setWord(row, REMOVED_START_COLUMN, removedFrom);
    setWord(row, REMOVED_COLUMN, removedTo - removedFrom);
    const multiplier = multiplierOf(file);
    const style = STYLES + <usize>(given(file, GIVEN_STYLE) * STYLE_BYTES);
    const status = given(file, GIVEN_STATUS);
    scoreAdded(row, addedFrom, addedTo, multiplier, style, status === WHOLE_ADDED);
    scoreRemoved(row, removedFrom, removedTo, multiplier, status === WHOLE_DELETED);
  }
  linkPairs();
}

function scoreAdded(row: usize, from: i32, to: i32, multiplier: f64, style: usize, isWhole: bool): void {
  const hasCalls = load<u8>(style + STYLE_CALLS) !== 0;
  const hasMasks = load<u8>(style + STYLE_MASKS) !== 0;
  const docMultiplier = min(multiplier, constant(SCORE_DOC_COMMENT));
  const greenfield = isWhole ? constant(SCORE_WHOLE_FILE) : 1;
  let scoredAdded: i32 = 0;
  let scoredUpdated: i32 = 0;
  for (let line = from; line < to; line++) {
    const op = opOf(added, line);
    const kind = kindOfLine(added, line);
    const scores = isScored(kind);
    addTo(row, FIRST_OPERATION_COLUMN + op, 1);
    store<u8>(added.answers + <usize>line, op | (kind === DOC ? DOC_COMMENT : 0) | (scores ? 0 : UNSCORED));
    if (op === ADDED || op === UPDATED || op === COPY_PASTED) {
      if (hasCalls && kind === CODE && (traitsOf(added, line) & OPEN_PARENTHESIS) !== 0)
        addTo(row, CALLS_COLUMN, countCalls(firstOf(added, line), endOf(added, line)));
      if (hasMasks && masksErrors(style, firstOf(added, line), endOf(added, line))) addTo(row, ERROR_MASKS_COLUMN, 1);
    } else if (op !== FIND_REPLACED) continue;
    if (!scores || multiplier === 0 || op === COPY_PASTED) continue;
    const length = lengthFactor(word(added.weights, line));
    const worth = constant(SCORE_POINT) * length * (kind === DOC ? docMultiplier : multiplier);
    const weight = worth * breadthFactor(op) * commitFactor;
    if (op === ADDED) roundTo(added.scores, line, weight * baseOf(ADDED) * greenfield * bulkFactor(++scoredAdded));
    else if (op === UPDATED) roundTo(added.scores, line, weight * baseOf(UPDATED) * bulkFactor(++scoredUpdated));
    else roundTo(added.scores, line, weight * baseOf(FIND_REPLACED) * replacedFactor(word(replacedTimes, line)));
  }
}

function scoreRemoved(row: usize, from: i32, to: i32, multiplier: f64, isWhole: bool): void {
  const wholeFile = isWhole ? constant(SCORE_WHOLE_FILE) : 1;
  const docMultiplier = min(multiplier, constant(SCORE_DOC_COMMENT));
  let scoredDeleted: i32 = 0;
  for (let line = from; line < to; line++) {
    const op = opOf(removed, line);
    const kind = kindOfLine(removed, line);
    const scores = isScored(kind);
    let bits = op;
    setWord(partners, line, -1);
    if (op === NOOP) addTo(row, NOOP_REMOVED_COLUMN, 1);
    else if (op === DELETED) {
      addTo(row, FIRST_OPERATION_COLUMN + DELETED, 1);
      bits |= (kind === DOC ? DOC_COMMENT : 0) | (scores ? 0 : UNSCORED);
    }
    store<u8>(removed.answers + <usize>line, bits);
    if (!scores || multiplier === 0) continue;
    const length = lengthFactor(word(removed.weights, line));
    const weight = constant(SCORE_POINT) * length * (kind === DOC ? docMultiplier : multiplier);
    roundTo(asNew, line, weight * baseOf(ADDED));
    if (op === DELETED)
      roundTo(
        removed.scores,
        line,
        weight * baseOf(DELETED) * wholeFile * bulkFactor(++scoredDeleted) * breadthFactor(DELETED) * commitFactor,
      );
  }
}

/** The removed line of a pair carries the pair's score and bits, because its age decides the rest. */
function linkPairs(): void {
  for (let pair: i32 = 0; pair < pairCount; pair++) {
    const one = word(pairRemoved, pair);
    const other = word(pairAdded, pair);
    const file = word(hunkFiles, word(added.hunks, other));
    setWord(partners, one, other - word(added.base, file));
    store<u8>(removed.answers + <usize>one, load<u8>(added.answers + <usize>other));
    setWord(removed.scores, one, word(added.scores, other));
  }
}
