// The result of classifying one commit: what happened to each of its changed lines, and what each is
// worth before the age of the replaced code is known. Plain numbers in views over one ArrayBuffer, so
// that a worker thread can hand a commit over by transferring `buffer`.
import { type LineMeasure, lineMeasure } from '../../domain/commits/file-measures.ts';
import { OPERATIONS, type Operation } from '../../domain/commits/line-model.ts';
import type { MinHash } from '../copies/min-hash.ts';
import * as contract from '../kernel-contract.ts';
import type { CommitDiff, FileDiff } from './diff.ts';

/**
 * What a changed line is, as stored in the low bits of `addedOps` and `removedOps`: the code of each operation. A pair
 * (moved, updated, find/replaced) has the same code on both its lines and counts once, at the added one.
 */
export const LINE_OP = {
  noop: contract.NOOP,
  added: contract.ADDED,
  deleted: contract.DELETED,
  moved: contract.MOVED,
  updated: contract.UPDATED,
  find_replaced: contract.FIND_REPLACED,
  copy_pasted: contract.COPY_PASTED,
} as const satisfies Record<Operation | 'noop', number>;
if (new Set(Object.values(LINE_OP)).size !== contract.OPERATION_CODES)
  throw new Error('kernel/contract.ts counts other operation codes in OPERATION_CODES than it has');
export const LINE_OP_MASK = contract.OP_MASK;
/** Set with the code when the line (of a pair: its added line) is part of a doc comment. */
export const DOC_COMMENT_BIT = contract.DOC_COMMENT;
/** Set with the code when the line carries no score: blank, brackets, a bare keyword, an ad-hoc comment. */
export const UNSCORED_BIT = contract.UNSCORED;

const columnOf = (code: number): number => contract.FIRST_OPERATION_COLUMN + code;

/**
 * The numbers kept per file in `ClassifiedCommit.files`: where each stands in its row, which begins at
 * file × FILE_COLUMN_COUNT. For loops: a name that is looked up at run time, as by `fileColumn`, costs more.
 */
const COLUMN = {
  /** Domain category id. */
  category: contract.CATEGORY_COLUMN,
  /** Index into `LANGUAGE_NAMES` of categories/languages.ts, or −1. */
  language: contract.LANGUAGE_COLUMN,
  /** The file's lines are [addedStart, addedStart + added) of the commit's added arrays; the same for removed. */
  addedStart: contract.ADDED_START_COLUMN,
  added: contract.ADDED_COLUMN,
  removedStart: contract.REMOVED_START_COLUMN,
  removed: contract.REMOVED_COLUMN,
  // Those of added lines add up to `added` with noop_added; those of removed lines to `removed` with noop_removed and
  // the removed halves of pairs.
  ...(Object.fromEntries(
    OPERATIONS.map((operation) => [lineMeasure(operation), columnOf(LINE_OP[operation])]),
  ) as Record<LineMeasure, number>),
  noop_added: columnOf(contract.NOOP),
  noop_removed: contract.NOOP_REMOVED_COLUMN,
  /** Call expressions on added and updated lines. */
  calls: contract.CALLS_COLUMN,
  error_masks: contract.ERROR_MASKS_COLUMN,
} as const;
export type FileColumn = keyof typeof COLUMN;
export const FILE_COLUMN_COUNT = contract.FILE_COLUMN_COUNT;

export interface ClassifiedCommit {
  readonly sha: string;
  /** Hash over paths and whitespace-free lines, removed and added; null when no line changed. */
  readonly patchId: string | null;
  /** As many as the commit's diff has files, in the same order. */
  readonly fileCount: number;
  /** `FILE_COLUMN_COUNT` numbers a file; read with `fileColumn`. */
  readonly files: Int32Array;
  /** Per added line: `LINE_OP` code and bits; score in thousandths; hash of its text without whitespace. */
  readonly addedOps: Uint8Array;
  readonly addedScores: Uint32Array;
  readonly addedHashes: Uint32Array;
  /** The removed line of the commit that its text comes from: moved, re-indented, updated or replaced; else −1. */
  readonly addedSources: Int32Array;
  /** Per removed line: the same, where the score is that of its operation before the age factor. */
  readonly removedOps: Uint8Array;
  readonly removedScores: Uint32Array;
  readonly removedHashes: Uint32Array;
  /** What the removed line would score if it were added today, alone. */
  readonly removedAsNew: Uint32Array;
  /** For an updated or find/replaced line: its added line, counted from the file's first; else −1. */
  readonly removedPartners: Int32Array;
  /** The one buffer under all the arrays: the transfer list of `postMessage`. */
  readonly buffer: ArrayBuffer;
}

export function fileColumn(commit: Pick<ClassifiedCommit, 'files'>, fileIndex: number, column: FileColumn): number {
  return commit.files[fileIndex * FILE_COLUMN_COUNT + COLUMN[column]]!;
}

/** Where the number stands in a file's row. */
export const columnIndex = (column: FileColumn): number => COLUMN[column];

/** How many files and lines a commit has. */
export interface CommitSize {
  readonly files: number;
  readonly added: number;
  readonly removed: number;
}

/** How long the buffer of a commit is: a multiple of 4, so that several can stand behind one another. */
export function classifiedBytes({ files, added, removed }: CommitSize): number {
  const lines = added * contract.ANSWER_BYTES_PER_ADDED + removed * contract.ANSWER_BYTES_PER_REMOVED;
  return (files * FILE_COLUMN_COUNT * 4 + lines + 3) & ~3;
}

/** As returned for filling. */
type ClassifiedView = Omit<ClassifiedCommit, 'patchId'> & { patchId: ClassifiedCommit['patchId'] };

/** The arrays of a commit whose buffer stands at `offset` of a larger one, as the kernel lays them out. */
export function classifiedView(sha: string, size: CommitSize, buffer: ArrayBuffer, offset: number): ClassifiedView {
  const { added, removed } = size;
  const fileNumbers = size.files * FILE_COLUMN_COUNT;
  const at = (perAdded: number, perRemoved: number): number =>
    offset + fileNumbers * 4 + added * perAdded + removed * perRemoved;
  const c = contract;
  return {
    sha,
    fileCount: size.files,
    files: new Int32Array(buffer, offset, fileNumbers),
    addedOps: new Uint8Array(buffer, at(c.ADDED_OPS_AFTER_ADDED, c.ADDED_OPS_AFTER_REMOVED), added),
    addedScores: new Uint32Array(buffer, at(c.ADDED_SCORES_AFTER_ADDED, c.ADDED_SCORES_AFTER_REMOVED), added),
    addedHashes: new Uint32Array(buffer, at(c.ADDED_HASHES_AFTER_ADDED, c.ADDED_HASHES_AFTER_REMOVED), added),
    addedSources: new Int32Array(buffer, at(c.SOURCES_AFTER_ADDED, c.SOURCES_AFTER_REMOVED), added),
    removedOps: new Uint8Array(buffer, at(c.REMOVED_OPS_AFTER_ADDED, c.REMOVED_OPS_AFTER_REMOVED), removed),
    removedScores: new Uint32Array(buffer, at(c.REMOVED_SCORES_AFTER_ADDED, c.REMOVED_SCORES_AFTER_REMOVED), removed),
    removedHashes: new Uint32Array(buffer, at(c.REMOVED_HASHES_AFTER_ADDED, c.REMOVED_HASHES_AFTER_REMOVED), removed),
    removedAsNew: new Uint32Array(buffer, at(c.AS_NEW_AFTER_ADDED, c.AS_NEW_AFTER_REMOVED), removed),
    removedPartners: new Int32Array(buffer, at(c.PARTNERS_AFTER_ADDED, c.PARTNERS_AFTER_REMOVED), removed),
    buffer,
    patchId: null,
  };
}

/** What the rules about paths need to know in addition to the diff. The same objects serve many commits. */
export interface ClassifyContext {
  /** From categories/git-attributes.ts; null when the repository has none. */
  readonly attributes: PathAttributes | null;
  /** What the commit's message says of it, a code of `standingOf`; nothing unless given. */
  readonly standing?: number;
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
  minHash(): MinHash;
}

/** The part of a file's diff that says where its lines stand. */
export type FileShape = Pick<FileDiff, 'oldPath' | 'newPath' | 'hunks'>;

/** The lines of a commit as far as duplicates depend on them. */
export type TreeLines = Pick<ClassifiedCommit, 'files' | 'addedOps' | 'addedHashes' | 'removedHashes'>;

/** Two numbers a file: added or copy/pasted lines in a duplicate block, and those of them copied from older code. */
export type DuplicateCounts = Uint32Array;

/**
 * The line hashes of a whole tree, stepped back along the first parents. The caller loads the tip, then for each commit asks
 * `duplicatesOf` and calls `undo`. A commit that came in by a merge is looked for in the tree of the merge: `locate` says
 * where its lines stand there. What cannot be found is judged with `isFirstParent` false, by its added lines alone.
 */
export interface DuplicateIndex {
  /** False when the file was left out: not of an indexed category, or the index is full. */
  load(path: string, hashes: Uint32Array): boolean;
  drop(path: string): void;
  duplicatesOf(commit: TreeLines, files: readonly FileShape[], isFirstParent: boolean): DuplicateCounts;
  /** The files that hold another place of some block of the commit judged last. */
  matched(): readonly string[];
  undo(commit: TreeLines, files: readonly FileShape[]): void;
  /** Takes one file to what it was before the hunks; false, and nothing happens, when they do not lead to what is known of it. */
  undoFile(path: string, removedHashes: Uint32Array, hunks: Int32Array): boolean;
  /** The file with its hunks where its added lines stand in the tree; null when they do not all stand there. */
  locate(commit: TreeLines, fileIndex: number, shape: FileShape): FileShape | null;
  /** A copy of a file's lines; null when the index does not have the file. */
  linesOf(path: string): Uint32Array | null;
  /** True once a file had to be left out for lack of room. */
  readonly isFull: boolean;
  readonly bytesUsed: number;
  /** What it takes of the process, in use or not. */
  readonly memoryBytes: number;
}
