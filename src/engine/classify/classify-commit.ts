// Gives each changed line of a commit its operation, its kind and its score before age. The order of
// the steps is the order of the rules: the first that fits a line decides.
import {
  allocateClassified,
  type ClassifiedCommit,
  type Classifier,
  COLUMN,
  DOC_COMMENT_BIT,
  FILE_COLUMNS,
  LINE_OP,
  UNSCORED_BIT,
} from '../classified.ts';
import { PatchHash } from '../copies/patch-identity.ts';
import type { CommitDiff, FileDiff, LineBlock } from '../diff.ts';
import { commentMarks } from './comment-marks.ts';
import { type CommitLines, createCommitLines, fillCommitLines, type Side, UNDECIDED } from './commit-lines.ts';
import { countCalls } from './count-calls.ts';
import { markCopies, markMoves, markNoops } from './equal-lines.ts';
import { findReplacements } from './find-replacements.ts';
import { type CustomPathRule, createFileJudge, type FileJudgement } from './judge-file.ts';
import { judgeRun, LINE_KIND, type LineRun } from './line-kinds.ts';
import { TRAIT } from './scan-line.ts';
import { SCALE, SCORE } from './score-table.ts';
import { createLinePairs, type LinePairs, pairSimilarLines } from './similar-lines.ts';

export interface ClassifierOptions {
  /** A customer's own rules about paths, tried before all others. */
  readonly pathRules?: readonly CustomPathRule[];
}

export function createClassifier(options: ClassifierOptions = {}): Classifier {
  const judge = createFileJudge(options.pathRules);
  const lines = createCommitLines();
  const pairs = createLinePairs();
  const run = createLineRun(lines.added);
  return {
    classify(commit, context) {
      fillCommitLines(lines, commit);
      const judgements: FileJudgement[] = [];
      for (let i = 0; i < commit.files.length; i++) {
        const file = commit.files[i]!;
        const isGone = file.newPath === null;
        const startsAtTop = file.hunks.length > 0 && file.hunks[isGone ? 0 : 2] === 0;
        const path = file.newPath ?? file.oldPath ?? '';
        judgements.push(judge.judge(path, context.attributes, isGone ? file.removed : file.added, startsAtTop));
      }
      judgeKinds(lines, commit, judgements, run);
      markNoops(lines);
      markMoves(lines);
      pairSimilarLines(lines, commit, pairs);
      markPairs(lines, commit, pairs, 'replacements');
      markCopies(lines);
      markPairs(lines, commit, pairs, 'updates');
      markRest(lines);
      return toClassified(lines, commit, judgements, pairs);
    },
  };
}

function judgeKinds(lines: CommitLines, commit: CommitDiff, judgements: readonly FileJudgement[], run: LineRun): void {
  let hunkOfFile = 0;
  for (let hunk = 0; hunk < lines.hunkCount; hunk++) {
    const fileIndex = lines.hunkFile[hunk]!;
    if (hunk > 0 && lines.hunkFile[hunk - 1] !== fileIndex) hunkOfFile = 0;
    const file = commit.files[fileIndex]!;
    const marks = commentMarks(judgements[fileIndex]!.language);
    const at = hunkOfFile++ * 4;
    if (lines.removedFrom[hunk]! < lines.removedTo[hunk]!) {
      run.base = lines.removedBase[fileIndex]!;
      run.from = lines.removedFrom[hunk]! - run.base;
      run.to = lines.removedTo[hunk]! - run.base;
      run.lineIndex = at < file.hunks.length ? file.hunks[at]! : 0;
      pointRun(run, file.removed, lines.removed);
      judgeRun(run, marks);
    }
    if (lines.addedFrom[hunk]! < lines.addedTo[hunk]!) {
      run.base = lines.addedBase[fileIndex]!;
      run.from = lines.addedFrom[hunk]! - run.base;
      run.to = lines.addedTo[hunk]! - run.base;
      run.lineIndex = at < file.hunks.length ? file.hunks[at + 2]! : 0;
      pointRun(run, file.added, lines.added);
      judgeRun(run, marks);
    }
  }
}

function createLineRun(side: Side): LineRun {
  const nothing = { bytes: new Uint8Array(0), ends: new Uint32Array(0) };
  return { ...nothing, from: 0, to: 0, lineIndex: 0, base: 0, side, since: 0 };
}

function pointRun(run: LineRun, block: LineBlock, side: Side): void {
  run.bytes = block.bytes;
  run.ends = block.ends;
  run.side = side;
  run.since = run.from;
}

/** Pairs of which a rule has taken a line meanwhile are no pairs any more. */
function markPairs(lines: CommitLines, commit: CommitDiff, pairs: LinePairs, which: 'replacements' | 'updates'): void {
  const isReplacement = which === 'replacements' ? findReplacements(lines, commit, pairs) : null;
  if (which === 'replacements' && isReplacement === null) return;
  const op = which === 'replacements' ? LINE_OP.find_replaced : LINE_OP.updated;
  for (let pair = 0; pair < pairs.count; pair++) {
    if (isReplacement !== null && isReplacement[pair] === 0) continue;
    const removed = pairs.removed[pair]!;
    const added = pairs.added[pair]!;
    if (lines.removed.ops[removed] !== UNDECIDED || lines.added.ops[added] !== UNDECIDED) continue;
    lines.removed.ops[removed] = op;
    lines.added.ops[added] = op;
  }
}

function markRest(lines: CommitLines): void {
  const { removed, added } = lines;
  for (let i = 0; i < added.count; i++) if (added.ops[i] === UNDECIDED) added.ops[i] = LINE_OP.added;
  for (let i = 0; i < removed.count; i++) if (removed.ops[i] === UNDECIDED) removed.ops[i] = LINE_OP.deleted;
}

// L of the formula, by number of non-space characters.
const LENGTH_FACTOR = Float64Array.from({ length: SCORE.fullLineLength + 1 }, (_, weight) =>
  Math.max(SCORE.shortLineFloor, weight / SCORE.fullLineLength),
);
const POINT = SCALE * SCORE.k;

function lengthFactor(weight: number): number {
  return weight >= SCORE.fullLineLength ? 1 : LENGTH_FACTOR[weight]!;
}

/** The first lines of an operation in a file count in full, the n-th after them bulkFrom ÷ n. */
function bulkFactor(n: number): number {
  return n <= SCORE.bulkFrom ? 1 : SCORE.bulkFrom / n;
}

function isScored(kind: number): boolean {
  return kind === LINE_KIND.code || kind === LINE_KIND.doc;
}

const ADDED_OP_COLUMN = new Uint8Array(8);
ADDED_OP_COLUMN[LINE_OP.noop] = COLUMN.noopAdded;
ADDED_OP_COLUMN[LINE_OP.added] = COLUMN.linesAdded;
ADDED_OP_COLUMN[LINE_OP.moved] = COLUMN.linesMoved;
ADDED_OP_COLUMN[LINE_OP.updated] = COLUMN.linesUpdated;
ADDED_OP_COLUMN[LINE_OP.find_replaced] = COLUMN.linesFindReplaced;
ADDED_OP_COLUMN[LINE_OP.copy_pasted] = COLUMN.linesCopyPasted;

const patch = new PatchHash();

function toClassified(
  lines: CommitLines,
  commit: CommitDiff,
  judgements: readonly FileJudgement[],
  pairs: LinePairs,
): ClassifiedCommit {
  const { removed, added, removedBase, addedBase } = lines;
  const out = allocateClassified(commit.sha, commit.files.length, added.count, removed.count);
  copyNumbers(added.hashes, added.count, out.addedHashes);
  copyNumbers(removed.hashes, removed.count, out.removedHashes);
  patch.start();
  for (let fileIndex = 0; fileIndex < commit.files.length; fileIndex++) {
    const file = commit.files[fileIndex]!;
    const row = fileIndex * FILE_COLUMNS.length;
    const judgement = judgements[fileIndex]!;
    const addedFrom = addedBase[fileIndex]!;
    const removedFrom = removedBase[fileIndex]!;
    out.files[row + COLUMN.category] = judgement.categoryId;
    out.files[row + COLUMN.language] = judgement.language;
    out.files[row + COLUMN.addedStart] = addedFrom;
    out.files[row + COLUMN.added] = file.added.count;
    out.files[row + COLUMN.removedStart] = removedFrom;
    out.files[row + COLUMN.removed] = file.removed.count;
    scoreAdded(lines, file, fileIndex, judgement, out, row);
    scoreRemoved(lines, file, fileIndex, judgement, out, row);
    patch.addFile(
      file.newPath ?? file.oldPath ?? '',
      removed.hashes,
      removedFrom,
      removedBase[fileIndex + 1]!,
      added.hashes,
      addedFrom,
      addedBase[fileIndex + 1]!,
    );
  }
  linkPairs(lines, pairs, out);
  out.patchId = patch.finish();
  return out;
}

/** Mostly few: a loop is quicker than a view and a call. */
function copyNumbers(from: Uint32Array, count: number, to: Uint32Array): void {
  for (let i = 0; i < count; i++) to[i] = from[i]!;
}

type Output = ReturnType<typeof allocateClassified>;

function scoreAdded(
  lines: CommitLines,
  file: FileDiff,
  fileIndex: number,
  judgement: FileJudgement,
  out: Output,
  row: number,
): void {
  const { ops, kinds, weights, traits, firsts } = lines.added;
  const { multiplier } = judgement;
  const docMultiplier = Math.min(multiplier, SCORE.docComment);
  const greenfield = file.status === 'added' ? SCORE.wholeFile : 1;
  const hasCalls = commentMarks(judgement.language).hasCalls;
  const base = lines.addedBase[fileIndex]!;
  const to = lines.addedBase[fileIndex + 1]!;
  let scoredAdded = 0;
  let scoredUpdated = 0;
  for (let line = base; line < to; line++) {
    const op = ops[line]!;
    const kind = kinds[line]!;
    out.files[row + ADDED_OP_COLUMN[op]!]!++;
    let bits = op;
    if (kind === LINE_KIND.doc) bits |= DOC_COMMENT_BIT;
    if (!isScored(kind)) bits |= UNSCORED_BIT;
    out.addedOps[line] = bits;
    if (op !== LINE_OP.added && op !== LINE_OP.updated && op !== LINE_OP.find_replaced) continue;
    if (hasCalls && op !== LINE_OP.find_replaced && kind === LINE_KIND.code && traits[line]! & TRAIT.openParenthesis)
      out.files[row + COLUMN.calls]! += countCalls(file.added.bytes, firsts[line]!, file.added.ends[line - base]!);
    if (!isScored(kind) || multiplier === 0) continue;
    const weight = POINT * lengthFactor(weights[line]!) * (kind === LINE_KIND.doc ? docMultiplier : multiplier);
    if (op === LINE_OP.added)
      out.addedScores[line] = Math.round(weight * SCORE.base.added * greenfield * bulkFactor(++scoredAdded));
    else if (op === LINE_OP.updated)
      out.addedScores[line] = Math.round(weight * SCORE.base.updated * bulkFactor(++scoredUpdated));
    else out.addedScores[line] = Math.round(weight * SCORE.base.find_replaced);
  }
}

function scoreRemoved(
  lines: CommitLines,
  file: FileDiff,
  fileIndex: number,
  judgement: FileJudgement,
  out: Output,
  row: number,
): void {
  const wholeFile = file.status === 'deleted' ? SCORE.wholeFile : 1;
  const { ops, kinds, weights } = lines.removed;
  const { multiplier } = judgement;
  const docMultiplier = Math.min(multiplier, SCORE.docComment);
  const to = lines.removedBase[fileIndex + 1]!;
  let scoredDeleted = 0;
  for (let line = lines.removedBase[fileIndex]!; line < to; line++) {
    const op = ops[line]!;
    const kind = kinds[line]!;
    out.removedPartners[line] = -1;
    out.removedOps[line] = op;
    if (op === LINE_OP.noop) out.files[row + COLUMN.noopRemoved]!++;
    if (op === LINE_OP.deleted) {
      out.files[row + COLUMN.linesDeleted]!++;
      if (kind === LINE_KIND.doc) out.removedOps[line]! |= DOC_COMMENT_BIT;
      if (!isScored(kind)) out.removedOps[line]! |= UNSCORED_BIT;
    }
    if (!isScored(kind) || multiplier === 0) continue;
    const weight = POINT * lengthFactor(weights[line]!) * (kind === LINE_KIND.doc ? docMultiplier : multiplier);
    out.removedAsNew[line] = Math.round(weight * SCORE.base.added);
    if (op === LINE_OP.deleted)
      out.removedScores[line] = Math.round(weight * SCORE.base.deleted * wholeFile * bulkFactor(++scoredDeleted));
  }
}

/** The removed line of a pair carries the pair's score and bits, because its age decides the rest. */
function linkPairs(lines: CommitLines, pairs: LinePairs, out: Output): void {
  for (let pair = 0; pair < pairs.count; pair++) {
    const removed = pairs.removed[pair]!;
    const added = pairs.added[pair]!;
    const op = lines.removed.ops[removed]!;
    // The rules may have sent the two lines different ways: then they are no pair.
    if ((op !== LINE_OP.updated && op !== LINE_OP.find_replaced) || lines.added.ops[added] !== op) continue;
    out.removedPartners[removed] = added - lines.addedBase[lines.hunkFile[lines.added.hunks[added]!]!]!;
    out.removedOps[removed] = out.addedOps[added]!;
    out.removedScores[removed] = out.addedScores[added]!;
  }
}
