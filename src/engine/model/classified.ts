// The result of classifying one commit: what happened to each of its changed lines, and what each is
// worth before the age of the replaced code is known. Plain numbers in views over one ArrayBuffer, so
// that a worker thread can hand a commit over by transferring `buffer`.
import type { LineSketch } from '../copies/line-sketch.ts';
import * as codes from '../line-codes.ts';
import type { CommitDiff, FileDiff, LimitReason } from './diff.ts';

/**
 * What a changed line is, as stored in the low bits of `addedOps` and `removedOps`. A pair (moved,
 * updated, find/replaced) has the same code on both its lines and counts once, at the added one.
 */
export const LINE_OP = {
  noop: codes.NOOP,
  added: codes.ADDED,
  deleted: codes.DELETED,
  moved: codes.MOVED,
  updated: codes.UPDATED,
  find_replaced: codes.FIND_REPLACED,
  copy_pasted: codes.COPY_PASTED,
} as const;
export const LINE_OP_MASK = codes.OP_MASK;
/** Set beside the code when the line (of a pair: its added line) is part of a doc comment. */
export const DOC_COMMENT_BIT = codes.DOC_COMMENT;
/** Set beside the code when the line carries no score: blank, brackets, a bare keyword, an ad-hoc comment. */
export const UNSCORED_BIT = codes.UNSCORED;

/**
 * The numbers kept per file in `ClassifiedCommit.files`: where each stands in its row, which begins at
 * file × FILE_COLUMNS.length. For loops: a name that is looked up at run time, as by `fileColumn`, costs more.
 */
export const COLUMN = {
  /** Domain category id. */
  category: codes.CATEGORY_COLUMN,
  /** Index into `LANGUAGE_NAMES` of classify/languages.ts, or −1. */
  language: codes.LANGUAGE_COLUMN,
  /** The file's lines are [addedStart, addedStart + added) of the commit's added arrays; the same for removed. */
  addedStart: codes.ADDED_START_COLUMN,
  added: codes.ADDED_COLUMN,
  removedStart: codes.REMOVED_START_COLUMN,
  removed: codes.REMOVED_COLUMN,
  // added lines by operation; with noopAdded they add up to `added`
  linesAdded: codes.LINES_ADDED_COLUMN,
  linesMoved: codes.LINES_MOVED_COLUMN,
  linesUpdated: codes.LINES_UPDATED_COLUMN,
  linesFindReplaced: codes.LINES_FIND_REPLACED_COLUMN,
  linesCopyPasted: codes.LINES_COPY_PASTED_COLUMN,
  noopAdded: codes.NOOP_ADDED_COLUMN,
  // removed lines; with the removed halves of pairs they add up to `removed`
  linesDeleted: codes.LINES_DELETED_COLUMN,
  noopRemoved: codes.NOOP_REMOVED_COLUMN,
  /** Call expressions on added and updated lines. */
  calls: codes.CALLS_COLUMN,
} as const;
export type FileColumn = keyof typeof COLUMN;
/** In their order. */
export const FILE_COLUMNS = Object.keys(COLUMN) as readonly FileColumn[];

export interface ClassifiedCommit {
  readonly sha: string;
  /** Hash over paths and whitespace-free lines, removed and added; null when no line changed. */
  readonly patchId: string | null;
  /** As many as the commit's diff has files, in the same order. */
  readonly fileCount: number;
  /** `FILE_COLUMNS.length` numbers a file; read with `fileColumn`. */
  readonly files: Int32Array;
  /** Per added line: `LINE_OP` code and bits; score in thousandths; hash of its text without whitespace. */
  readonly addedOps: Uint8Array;
  readonly addedScores: Uint32Array;
  readonly addedHashes: Uint32Array;
  /** Per removed line: the same, where the score is that of its operation before the age factor. */
  readonly removedOps: Uint8Array;
  readonly removedScores: Uint32Array;
  readonly removedHashes: Uint32Array;
  /** What the removed line would score if it were added today, alone. */
  readonly removedAsNew: Uint32Array;
  /** For an updated or find/replaced line: its added line, counted from the file's first; else −1. */
  readonly removedPartners: Int32Array;
  /** What was judged by a cheaper rule because the commit is huge. */
  readonly limits: readonly { readonly file: number; readonly reason: LimitReason }[];
  /** The one buffer under all the arrays: the transfer list of `postMessage`. */
  readonly buffer: ArrayBuffer;
}

export function fileColumn(commit: Pick<ClassifiedCommit, 'files'>, fileIndex: number, column: FileColumn): number {
  return commit.files[fileIndex * FILE_COLUMNS.length + COLUMN[column]]!;
}

/** How long the buffer of a commit is: a multiple of 4, so that several can stand behind one another. */
export function classifiedBytes(fileCount: number, addedCount: number, removedCount: number): number {
  return (fileCount * FILE_COLUMNS.length * 4 + addedCount * 9 + removedCount * 17 + 3) & ~3;
}

/** As returned for filling. */
type ClassifiedView = Omit<ClassifiedCommit, 'patchId' | 'limits'> & {
  patchId: ClassifiedCommit['patchId'];
  limits: ClassifiedCommit['limits'];
};
const NO_LIMITS: ClassifiedCommit['limits'] = [];

/** Room for a commit of that many files and lines, every array a view of one buffer. */
export function allocateClassified(
  sha: string,
  fileCount: number,
  addedCount: number,
  removedCount: number,
): ClassifiedView {
  const buffer = new ArrayBuffer(classifiedBytes(fileCount, addedCount, removedCount));
  return classifiedView(sha, fileCount, addedCount, removedCount, buffer, 0);
}

/** The arrays of a commit whose buffer stands at `offset` of a larger one. */
export function classifiedView(
  sha: string,
  fileCount: number,
  addedCount: number,
  removedCount: number,
  buffer: ArrayBuffer,
  offset: number,
): ClassifiedView {
  const fileNumbers = fileCount * FILE_COLUMNS.length;
  // Widest elements first, so that each view starts at a multiple of its element size.
  const filesAt = offset;
  const addedHashesAt = filesAt + fileNumbers * 4;
  const removedHashesAt = addedHashesAt + addedCount * 4;
  const partnersAt = removedHashesAt + removedCount * 4;
  const addedScoresAt = partnersAt + removedCount * 4;
  const removedScoresAt = addedScoresAt + addedCount * 4;
  const asNewAt = removedScoresAt + removedCount * 4;
  const addedOpsAt = asNewAt + removedCount * 4;
  const removedOpsAt = addedOpsAt + addedCount;
  return {
    sha,
    fileCount,
    files: new Int32Array(buffer, filesAt, fileNumbers),
    addedOps: new Uint8Array(buffer, addedOpsAt, addedCount),
    addedScores: new Uint32Array(buffer, addedScoresAt, addedCount),
    addedHashes: new Uint32Array(buffer, addedHashesAt, addedCount),
    removedOps: new Uint8Array(buffer, removedOpsAt, removedCount),
    removedScores: new Uint32Array(buffer, removedScoresAt, removedCount),
    removedHashes: new Uint32Array(buffer, removedHashesAt, removedCount),
    removedAsNew: new Uint32Array(buffer, asNewAt, removedCount),
    removedPartners: new Int32Array(buffer, partnersAt, removedCount),
    buffer,
    patchId: null,
    limits: NO_LIMITS,
  };
}

/** What the rules about paths need to know beside the diff. The same objects serve many commits. */
export interface ClassifyContext {
  /** From classify/git-attributes.ts; null when the repository has none. */
  readonly attributes: PathAttributes | null;
}

/** The linguist-* attributes of a path, as .gitattributes files set them; undefined where unset. */
export interface LinguistAttributes {
  readonly generated?: boolean;
  readonly vendored?: boolean;
  readonly documentation?: boolean;
  readonly detectable?: boolean;
  readonly language?: string;
}

export interface PathAttributes {
  of(path: string): LinguistAttributes;
}

/** Runs in worker threads; keeps nothing between commits but caches. */
export interface Classifier {
  classify(commit: CommitDiff, context: ClassifyContext): ClassifiedCommit;
  /** Of the commit that was classified last. */
  sketch(): LineSketch;
}

/** The part of a file's diff that says where its lines stand. */
export type FileShape = Pick<FileDiff, 'status' | 'oldPath' | 'newPath' | 'hunks'>;

/** Two numbers a file: added or copy/pasted lines in a duplicate block, and those of them copied from older code. */
export type DuplicateCounts = Uint32Array;

/**
 * The line hashes of a whole tree, stepped back along the first-parent chain. The caller loads the tip,
 * then for each commit of the chain asks `duplicatesOf` and then calls `undo`; commits off the chain
 * only ask, with `isOnChain` false, and are judged against the tree as it stands.
 */
export interface DuplicateIndex {
  /** False when the file was left out: not of an indexed category, or the index is full. */
  load(path: string, hashes: Uint32Array): boolean;
  drop(path: string): void;
  duplicatesOf(commit: ClassifiedCommit, files: readonly FileShape[], isOnChain: boolean): DuplicateCounts;
  undo(commit: ClassifiedCommit, files: readonly FileShape[]): void;
  /** True once a file had to be left out for lack of room. */
  readonly isFull: boolean;
  readonly bytesUsed: number;
  /** What it takes of the process, in use or not. */
  readonly memoryBytes: number;
}
