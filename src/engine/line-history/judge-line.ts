// What a commit did to one line, by the same rules that classify every changed line of a history, and
// which line of the parent it was made from.
import { CATEGORIES } from '../../domain/commits/line-model.ts';
import { ageAnswer, agePercent } from '../judge/finish-file.ts';
import { SCALE } from '../judge/score-table.ts';
import {
  type ClassifiedCommit,
  type Classifier,
  type ClassifyContext,
  fileColumn,
  LINE_OP,
  LINE_OP_MASK,
} from '../model/classified.ts';
import type { FileVersion } from './versions/file-version.ts';
import { type CommitDiffOfFile, changedLine, changedOrdinal } from './versions/read-commit-diff.ts';

export const LINE_HISTORY_OPERATIONS = [
  'operation_add',
  'operation_chg',
  'operation_del',
  'operation_move',
  'operation_find_replace',
  'operation_copy_paste',
] as const;
export type LineHistoryOperation = (typeof LINE_HISTORY_OPERATIONS)[number];

export interface LinePlace {
  readonly version: FileVersion;
  readonly lineIndex: number;
}

export interface LineJudgement {
  readonly operation: LineHistoryOperation;
  /** The line on the other side of the commit; null when it was added from nothing or deleted. */
  readonly other: LinePlace | null;
  readonly categoryLabel: string;
  /** The line was moved, or only its white space changed: its text is as old as before. */
  readonly isTextKept: boolean;
  /** Diff Delta of the line, given how old the replaced text was; null when nothing was replaced. */
  score(ageDays: number | null): number;
}

const ADDED = 2;
const REMOVED = 0;
type SideOffset = typeof ADDED | typeof REMOVED;

interface Lines {
  readonly ops: Uint8Array;
  readonly hashes: Uint32Array;
  readonly startColumn: 'addedStart' | 'removedStart';
  readonly countColumn: 'added' | 'removed';
}

const linesOf = (commit: ClassifiedCommit, side: SideOffset): Lines =>
  side === ADDED
    ? { ops: commit.addedOps, hashes: commit.addedHashes, startColumn: 'addedStart', countColumn: 'added' }
    : { ops: commit.removedOps, hashes: commit.removedHashes, startColumn: 'removedStart', countColumn: 'removed' };

const opAt = (ops: Uint8Array, line: number): number => ops[line]! & LINE_OP_MASK;

const CATEGORY_LABELS = new Map<number, string>(CATEGORIES.map(({ id, label }) => [id, label]));

export const categoryLabel = (categoryId: number): string => CATEGORY_LABELS.get(categoryId) ?? 'Other';

/** `side` says on which side of the commit `lineIndex` stands. */
export function judgeLine(
  classifier: Classifier,
  context: ClassifyContext,
  read: CommitDiffOfFile,
  side: 'after' | 'before',
  lineIndex: number,
): LineJudgement {
  const commit = classifier.classify(read.diff, context);
  const own: SideOffset = side === 'after' ? ADDED : REMOVED;
  const far: SideOffset = side === 'after' ? REMOVED : ADDED;
  const { fileIndex } = read;
  const hunks = read.diff.files[fileIndex]!.hunks;
  const ordinal = changedOrdinal(hunks, own, lineIndex);
  const lines = linesOf(commit, own);
  const line = fileColumn(commit, fileIndex, lines.startColumn) + ordinal;
  const op = opAt(lines.ops, line);
  const isMerge = read.diff.parents.length > 1;

  const otherOrdinal = findPartner(commit, read, own, ordinal, op);
  const sameFile = otherOrdinal === -1 ? null : place(read, fileIndex, far, otherOrdinal);
  const other = sameFile ?? (op === LINE_OP.moved ? findMoved(commit, read, own, line, far) : null);
  return {
    operation: operationOf(op, other !== null, side),
    other,
    categoryLabel: categoryLabel(fileColumn(commit, fileIndex, 'category')),
    isTextKept: other !== null && (op === LINE_OP.moved || op === LINE_OP.noop),
    score: (ageDays) => (isMerge ? 0 : scoreOf(commit, read, own, ordinal, otherOrdinal, op, ageDays)),
  };
}

function operationOf(op: number, hasOther: boolean, side: 'after' | 'before'): LineHistoryOperation {
  const named = NAME_OF_CODE[op] ?? null;
  if (named !== null) return named;
  // A change of white space only is no operation of its own: the line's text did change.
  if (hasOther) return 'operation_chg';
  return side === 'after' ? 'operation_add' : 'operation_del';
}

/** Null where the name depends on the line: whether it has another one, and on which side it stands. */
const WIRE_NAMES: Record<keyof typeof LINE_OP, LineHistoryOperation | null> = {
  noop: null,
  added: null,
  deleted: null,
  moved: 'operation_move',
  updated: 'operation_chg',
  find_replaced: 'operation_find_replace',
  copy_pasted: 'operation_copy_paste',
};
const NAME_OF_CODE: (LineHistoryOperation | null)[] = [];
for (const name of Object.keys(LINE_OP) as (keyof typeof LINE_OP)[]) NAME_OF_CODE[LINE_OP[name]] = WIRE_NAMES[name];

/** The pair inside the same file, as a position among the changed lines of the other side; −1 for none. */
function findPartner(
  commit: ClassifiedCommit,
  read: CommitDiffOfFile,
  own: SideOffset,
  ordinal: number,
  op: number,
): number {
  const file = read.fileIndex;
  const removedStart = fileColumn(commit, file, 'removedStart');
  const removedCount = fileColumn(commit, file, 'removed');
  if (op === LINE_OP.updated || op === LINE_OP.find_replaced) {
    if (own === REMOVED) return commit.removedPartners[removedStart + ordinal]!;
    for (let line = 0; line < removedCount; line++) {
      if (commit.removedPartners[removedStart + line] === ordinal) return line;
    }
    return -1;
  }
  return op === LINE_OP.noop ? findSameTextInHunk(commit, read, own, ordinal) : -1;
}

/** White space changed: the n-th such line of the hunk came from the n-th with the same text. */
function findSameTextInHunk(
  commit: ClassifiedCommit,
  read: CommitDiffOfFile,
  own: SideOffset,
  ordinal: number,
): number {
  const far: SideOffset = own === ADDED ? REMOVED : ADDED;
  const file = read.fileIndex;
  const hunks = read.diff.files[file]!.hunks;
  const ownLines = linesOf(commit, own);
  const farLines = linesOf(commit, far);
  const ownStart = fileColumn(commit, file, ownLines.startColumn);
  const farStart = fileColumn(commit, file, farLines.startColumn);
  const hash = ownLines.hashes[ownStart + ordinal]!;
  let ownBefore = 0;
  let farBefore = 0;
  for (let at = 0; at < hunks.length; at += 4) {
    const ownCount = hunks[at + own + 1]!;
    const farCount = hunks[at + far + 1]!;
    if (ordinal < ownBefore + ownCount) {
      let rank = 0;
      for (let line = ownBefore; line < ordinal; line++) if (ownLines.hashes[ownStart + line] === hash) rank++;
      for (let line = farBefore; line < farBefore + farCount; line++) {
        if (farLines.hashes[farStart + line] !== hash || opAt(farLines.ops, farStart + line) !== LINE_OP.noop) continue;
        if (rank-- === 0) return line;
      }
      return -1;
    }
    ownBefore += ownCount;
    farBefore += farCount;
  }
  return -1;
}

/** How many neighbours on each side are compared to tell equal lines apart. */
const MAX_RUN = 50;

/** Of the equal lines that left another place, the one whose neighbours moved along; the own file wins a tie. */
function findMoved(
  commit: ClassifiedCommit,
  read: CommitDiffOfFile,
  own: SideOffset,
  line: number,
  far: SideOffset,
): LinePlace | null {
  const ownLines = linesOf(commit, own);
  const farLines = linesOf(commit, far);
  const hash = ownLines.hashes[line]!;
  const runAt = (farLine: number, step: 1 | -1): number => {
    let run = 0;
    while (run < MAX_RUN) {
      const a = ownLines.hashes[line + step * (run + 1)];
      if (a === undefined || a !== farLines.hashes[farLine + step * (run + 1)]) break;
      run++;
    }
    return run;
  };
  let best: { file: number; ordinal: number; score: number } | null = null;
  for (let file = 0; file < commit.fileCount; file++) {
    const start = fileColumn(commit, file, farLines.startColumn);
    const count = fileColumn(commit, file, farLines.countColumn);
    for (let ordinal = 0; ordinal < count; ordinal++) {
      const at = start + ordinal;
      if (farLines.hashes[at] !== hash || opAt(farLines.ops, at) !== LINE_OP.moved) continue;
      const score = 2 * (runAt(at, 1) + runAt(at, -1)) + (file === read.fileIndex ? 1 : 0);
      if (best === null || score > best.score) best = { file, ordinal, score };
    }
  }
  return best === null ? null : place(read, best.file, far, best.ordinal);
}

function place(read: CommitDiffOfFile, file: number, side: SideOffset, ordinal: number): LinePlace | null {
  const version = side === ADDED ? read.files[file]!.after : read.files[file]!.before;
  const lineIndex = changedLine(read.diff.files[file]!.hunks, side, ordinal);
  return version === null || lineIndex === -1 ? null : { version, lineIndex };
}

function scoreOf(
  commit: ClassifiedCommit,
  read: CommitDiffOfFile,
  own: SideOffset,
  ordinal: number,
  otherOrdinal: number,
  op: number,
  ageDays: number | null,
): number {
  if (op === LINE_OP.added) {
    return commit.addedScores[fileColumn(commit, read.fileIndex, 'addedStart') + ordinal]! / SCALE;
  }
  const isDeletedFile = read.diff.files[read.fileIndex]!.status === 'deleted';
  const percent = agePercent(op, ageAnswer(ageDays ?? Number.POSITIVE_INFINITY), isDeletedFile);
  const removed = own === REMOVED ? ordinal : otherOrdinal;
  if (percent === null || removed === -1) return 0;
  const score = commit.removedScores[fileColumn(commit, read.fileIndex, 'removedStart') + removed]!;
  return Math.round((score * percent) / 100) / SCALE;
}
