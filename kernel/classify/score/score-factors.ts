// The factors of a line's score that do not depend on the age of the replaced code: its length, and bulk. Bulk is
// measured within a file, within a commit and by replaced text, and is least where a commit only formats or reverts.
import {
  ADDED,
  DELETED,
  FIND_REPLACED,
  GIVEN_MULTIPLIER,
  GIVEN_WORDS,
  MOVED,
  NOOP,
  OPERATION_CODES,
  SAYS_REFORMATTING,
  SAYS_REVERT,
  SCORE_BULK_FROM,
  SCORE_COMMIT_BULK_FROM,
  SCORE_FULL_LENGTH,
  SCORE_REFORMATTING,
  SCORE_REPLACED_BULK_FROM,
  SCORE_REVERT,
  SCORE_SHORT_FLOOR,
  UPDATED,
} from '../../contract.ts';
import { word } from '../../words.ts';
import { opOf } from '../commit-lines.ts';
import { CODE, DOC, kindOfLine } from '../line-kinds.ts';
import {
  added,
  fileCount,
  GIVEN,
  hunkCount,
  LENGTH_FACTORS,
  Lines,
  MOST_LENGTH,
  reformatted,
  removed,
  SCORES,
} from '../memory.ts';

/** A commit of so many files is as broad as a formatter's. */
const BROAD_FILES: i32 = 10;
/** So much of the text may be new or gone. */
const AS_LONG: f64 = 0.05;

export function constant(which: i32): f64 {
  return load<f64>(SCORES + ((<usize>which) << 3));
}

/** By number of non-space characters. */
export function learnLengths(): void {
  const full = constant(SCORE_FULL_LENGTH);
  for (let weight: i32 = 0; weight <= MOST_LENGTH; weight++) {
    const factor = max(constant(SCORE_SHORT_FLOOR), <f64>weight / full);
    store<f64>(LENGTH_FACTORS + ((<usize>weight) << 3), <f64>weight >= full ? 1 : factor);
  }
}

export function lengthFactor(weight: i32): f64 {
  return weight > MOST_LENGTH ? 1 : load<f64>(LENGTH_FACTORS + ((<usize>weight) << 3));
}

/** The first lines of an operation in a file count in full, the n-th after them bulkFrom ÷ n. */
export function bulkFactor(n: i32): f64 {
  const bulkFrom = constant(SCORE_BULK_FROM);
  return <f64>n <= bulkFrom ? 1 : bulkFrom / <f64>n;
}

/** What so many lines weigh together, when the first `from` of them count in full and the n-th after them from ÷ n. */
function effective(lines: f64, from: f64): f64 {
  return lines <= from ? lines : from * (1 + Math.log(lines / from));
}

/** By operation: what the breadth of the commit leaves of each of its lines. */
const BREADTH = memory.data(OPERATION_CODES * 8);

export function breadthFactor(op: i32): f64 {
  return load<f64>(BREADTH + ((<usize>op) << 3));
}

/** The lines of an operation that a commit has in all its files, of each file as many as are effective there. */
export function measureBreadth(): void {
  memory.fill(BREADTH, 0, OPERATION_CODES * 8);
  for (let file: i32 = 0; file < fileCount; file++) {
    if (multiplierOf(file) === 0) continue;
    addEffective(added, file, ADDED);
    addEffective(added, file, UPDATED);
    addEffective(added, file, FIND_REPLACED);
    addEffective(removed, file, DELETED);
  }
  for (let op: i32 = 0; op < OPERATION_CODES; op++) {
    // Replacing by machine is the same work on many lines, whatever is replaced.
    const from = constant(op === FIND_REPLACED ? SCORE_REPLACED_BULK_FROM : SCORE_COMMIT_BULK_FROM);
    const lines = breadthFactor(op);
    store<f64>(BREADTH + ((<usize>op) << 3), lines <= from ? 1 : effective(lines, from) / lines);
  }
}

function addEffective(lines: Lines, file: i32, op: i32): void {
  let count: i32 = 0;
  const to = word(lines.base, file + 1);
  for (let line = word(lines.base, file); line < to; line++)
    if (opOf(lines, line) === op && isScored(kindOfLine(lines, line))) count++;
  const at = BREADTH + ((<usize>op) << 3);
  store<f64>(at, load<f64>(at) + effective(<f64>count, constant(SCORE_BULK_FROM)));
}

export function isScored(kind: i32): bool {
  return kind === CODE || kind === DOC;
}

export function multiplierOf(file: i32): f64 {
  return load<f64>(GIVEN + <usize>((file * GIVEN_WORDS + GIVEN_MULTIPLIER) * 4));
}

/** One replacement made on many lines is little more work than on a few. */
export function replacedFactor(times: i32): f64 {
  const lines = <f64>times;
  return times === 0 ? 1 : effective(lines, constant(SCORE_REPLACED_BULK_FROM)) / lines;
}

/** What a revert or a reformatting leaves of the scores of a commit. */
export function standingFactor(standing: i32): f64 {
  if (standing === SAYS_REVERT) return constant(SCORE_REVERT);
  const isSaid = standing === SAYS_REFORMATTING && fileCount >= BROAD_FILES;
  return (isSaid && isAsLong()) || isReformatting() ? constant(SCORE_REFORMATTING) : 1;
}

/** Whether the commit leaves about as much text as it found: formatters add and take little but whitespace. */
function isAsLong(): bool {
  const from = inkOf(removed);
  const to = inkOf(added);
  return abs(from - to) <= max(from, to) * AS_LONG;
}

function inkOf(lines: Lines): f64 {
  let ink: f64 = 0;
  for (let line: i32 = 0; line < lines.count; line++) ink += <f64>word(lines.weights, line);
  return ink;
}

/** Whether all that changed, but for moves, is formatting. */
function isReformatting(): bool {
  let isAny = false;
  for (let hunk: i32 = 0; hunk < hunkCount; hunk++) {
    if (!hasChange(added, hunk) && !hasChange(removed, hunk)) continue;
    if (load<u8>(reformatted + <usize>hunk) === 0) return false;
    isAny = true;
  }
  return isAny;
}

function hasChange(lines: Lines, hunk: i32): bool {
  const to = word(lines.to, hunk);
  for (let line = word(lines.from, hunk); line < to; line++) {
    const op = opOf(lines, line);
    if (op !== NOOP && op !== MOVED) return true;
  }
  return false;
}
