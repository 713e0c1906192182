// Gives each changed line of a commit its operation, its kind and its score before age. Compiled to WebAssembly by the
// build. The caller writes what is known of the commit to GIVEN, as `layOut` expects it, and reads the answer.
import { FIND_REPLACED, ADDED as OP_ADDED, DELETED as OP_DELETED, OPERATION_CODES, UPDATED } from '../contract.ts';
import { setWord, word } from '../words.ts';
import { learnBytes, learnWords } from './bytes.ts';
import { fillCommitLines, isUndecided, setOp, takeBoth } from './commit-lines.ts';
import { markMoves, markNoops } from './equal-lines.ts';
import { forgetFile, fileHashes as hashesOfFile, hashLinesOfFile } from './file-hashes.ts';
import { findReplacements, timesReplaced } from './find-replacements.ts';
import { judgeKinds } from './line-kinds.ts';
import { markCopies } from './mark-copies.ts';
import {
  added,
  answer,
  answerBytes,
  GIVEN,
  Lines,
  layOut,
  pairAdded,
  pairCount,
  pairRemoved,
  reach,
  removed,
  replacedTimes,
  SCORES,
  STYLES,
} from './memory.ts';
import { minHash, minHashLines } from './min-hash-lines.ts';
import { IDENTITY, identifyPatch } from './patch-identity.ts';
import { markReformatted } from './reformatted-hunks.ts';
import { learnTraits } from './scan-line.ts';
import { learnLengths } from './score/score-factors.ts';
import { scoreLines } from './score/score-lines.ts';
import { pairSimilarLines } from './similar-lines.ts';

export { GIVEN, IDENTITY, learnWords, reach, SCORES, STYLES };

if (OPERATION_CODES !== 7) ERROR('classify gives lines seven operation codes: add the step of the new one');

/** Once, after SCORES has been filled. */
export function setUp(): void {
  learnBytes();
  learnTraits();
  learnLengths();
}

/**
 * Answers where the numbers of the commit begin. The order of the steps is that of the rules: the first that fits
 * decides. `standing` is what the commit's message says of it.
 */
export function classify(
  fileCount: i32,
  hunkWords: i32,
  removedCount: i32,
  addedCount: i32,
  byteCount: i32,
  standing: i32,
): usize {
  forgetFile();
  layOut(fileCount, hunkWords, removedCount, addedCount, byteCount);
  memory.fill(answer, 0, <usize>answerBytes);
  fillCommitLines();
  judgeKinds();
  markNoops();
  markReformatted();
  markMoves();
  pairSimilarLines();
  const isAnyReplaced = findReplacements();
  for (let pair: i32 = 0; pair < pairCount; pair++) takePair(pair, isAnyReplaced ? timesReplaced(pair) : 0);
  markCopies();
  takeRest(added, OP_ADDED);
  takeRest(removed, OP_DELETED);
  scoreLines(standing);
  identifyPatch();
  return answer;
}

/** A pair is find/replaced when the same was replaced on several lines, else updated. */
function takePair(pair: i32, times: i32): void {
  const addedLine = word(pairAdded, pair);
  takeBoth(word(pairRemoved, pair), addedLine, times > 0 ? FIND_REPLACED : UPDATED);
  setWord(replacedTimes, addedLine, times);
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

/** Hashes the lines of the file at GIVEN; answers how many there are. Their hashes lie at `fileHashes`. */
export function hashFile(byteCount: i32): i32 {
  return hashLinesOfFile(byteCount);
}

export function fileHashes(): usize {
  return hashesOfFile;
}
