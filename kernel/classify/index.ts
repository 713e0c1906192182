// Gives each changed line of a commit its operation, its kind and its score before age. Compiled to WebAssembly by the
// build. The caller writes what is known of the commit to GIVEN, as `layOut` expects it, and reads the answer.
import { FIND_REPLACED, ADDED as OP_ADDED, DELETED as OP_DELETED, OPERATION_CODES, UPDATED } from '../contract.ts';
import { word } from '../words.ts';
import { learnBytes, learnWords } from './bytes.ts';
import { fillCommitLines, isUndecided, setOp } from './commit-lines.ts';
import { markCopies, markMoves, markNoops } from './equal-lines.ts';
import { findReplacements, isReplacement } from './find-replacements.ts';
import { judgeKinds } from './line-kinds.ts';
import {
  added,
  answer,
  answerBytes,
  GIVEN,
  Lines,
  layOut,
  layOutFile,
  pairAdded,
  pairCount,
  pairRemoved,
  reach,
  removed,
  SCORES,
  STYLES,
} from './memory.ts';
import { minHash, minHashLines } from './min-hash-lines.ts';
import { IDENTITY, identifyPatch } from './patch-identity.ts';
import { learnTraits, scanLine } from './scan-line.ts';
import { learnLengths, scoreLines } from './score-lines.ts';
import { pairSimilarLines } from './similar-lines.ts';

export { GIVEN, IDENTITY, learnWords, reach, SCORES, STYLES };

if (OPERATION_CODES !== 7) ERROR('classify gives lines seven operation codes: add the step of the new one');

const LINE_FEED: u8 = 10;

/** Once, after SCORES has been filled. */
export function setUp(): void {
  learnBytes();
  learnTraits();
  learnLengths();
}

/** Answers where the numbers of the commit begin. The order of the steps is that of the rules: the first that fits decides. */
export function classify(fileCount: i32, hunkWords: i32, removedCount: i32, addedCount: i32, byteCount: i32): usize {
  layOut(fileCount, hunkWords, removedCount, addedCount, byteCount);
  memory.fill(answer, 0, <usize>answerBytes);
  fillCommitLines();
  judgeKinds();
  markNoops();
  markMoves();
  pairSimilarLines();
  if (findReplacements())
    for (let pair: i32 = 0; pair < pairCount; pair++) if (isReplacement(pair)) takePair(pair, FIND_REPLACED);
  markCopies();
  for (let pair: i32 = 0; pair < pairCount; pair++) takePair(pair, UPDATED);
  takeRest(added, OP_ADDED);
  takeRest(removed, OP_DELETED);
  scoreLines();
  identifyPatch();
  return answer;
}

/** Pairs of which a rule has taken a line meanwhile are no pairs any more. */
function takePair(pair: i32, op: i32): void {
  const one = word(pairRemoved, pair);
  const other = word(pairAdded, pair);
  if (!isUndecided(removed, one) || !isUndecided(added, other)) return;
  setOp(removed, one, op);
  setOp(added, other, op);
}

function takeRest(lines: Lines, op: i32): void {
  for (let line: i32 = 0; line < lines.count; line++) if (isUndecided(lines, line)) setOp(lines, line, op);
}

/** Of the commit classified last: how many distinct significant lines it has. Their hashes lie at `minHashAt`, ascending. */
export function minHashCommit(): i32 {
  return minHashLines();
}

export function minHashAt(): usize {
  return minHash;
}

/** Hashes the lines of the file at GIVEN; answers how many there are. A last line needs no line feed. */
export function hashFile(byteCount: i32): i32 {
  const end = GIVEN + <usize>byteCount;
  let count: i32 = byteCount > 0 && load<u8>(end - 1) !== LINE_FEED ? 1 : 0;
  for (let at = GIVEN; at < end; at++) if (load<u8>(at) === LINE_FEED) count++;
  layOutFile(byteCount, count);
  let start = GIVEN;
  for (let line: i32 = 0; line < count; line++) {
    let stop = start;
    while (stop < end && load<u8>(stop) !== LINE_FEED) stop++;
    scanLine(start, stop, added, line);
    start = stop + 1;
  }
  return count;
}

export function fileHashes(): usize {
  return added.hashes;
}
