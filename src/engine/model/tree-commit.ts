// What the tree in which duplicates are looked for needs of a commit, and how that changes threads.
import { FILE_COLUMN_COUNT, type FileShape, type TreeLines } from './classified.ts';
import type { Batch, ChunkCommit, CommitRecord, FileRecord, TreeStep } from './commit-record.ts';
import type { FreshPaths, PathNumbers } from './path-numbers.ts';

export interface TreeFile extends FileShape {
  /** Whether its hunks lead back to the version before. */
  readonly isUndoable: boolean;
}

export interface TreeCommit {
  readonly sha: string;
  /** Its only parent; null for a merge and for a first commit. */
  readonly parent: string | null;
  readonly isMerge: boolean;
  readonly isFirstParent: boolean;
  /** Whether its duplicates are wanted. */
  readonly isJudged: boolean;
  readonly lines: TreeLines | null;
  readonly files: readonly TreeFile[];
  /** For a merge among the first parents. */
  readonly step: TreeStep | null;
}

export interface TreeJudgement {
  /** Two numbers a file, as DuplicateCounts; null when nothing is known of the tree. */
  readonly counts: Uint32Array | null;
  /** Whether some file had been left out for lack of room by then. */
  readonly isFull: boolean;
}

/** Judges the commits that the tree is stepped over, in their order. */
export interface TreeJudge {
  /** So many may wait for their judgement. */
  readonly lag: number;
  /** A thread of its own does not ask for the commit. */
  add(commit: () => TreeCommit): void;
  /** The next judgement; null when it is not known yet. */
  ready(): TreeJudgement | null;
  next(): Promise<TreeJudgement>;
}

const NO_HUNKS = new Int32Array(0);

export function treeCommit(
  record: CommitRecord,
  hunks: Int32Array,
  { sha, parents, isFirstParent, answersOnly }: Omit<ChunkCommit, 'index' | 'isStepped'>,
): TreeCommit {
  return {
    sha,
    parent: parents.length === 1 ? parents[0]! : null,
    isMerge: parents.length > 1,
    isFirstParent,
    isJudged: isJudged(record, answersOnly),
    lines: record.classified,
    files: record.files.map((file) => treeFile(file, hunks)),
    step: record.tree,
  };
}

const treeFile = (file: FileRecord, hunks: Int32Array): TreeFile => ({
  oldPath: file.oldPath,
  newPath: file.newPath,
  hunks: hunkWordsOf(file) === 0 ? NO_HUNKS : hunks.subarray(file.hunkStart, file.hunkEnd),
  isUndoable: isUndoable(file),
});

const isJudged = ({ classified }: CommitRecord, answersOnly: boolean): boolean => !answersOnly && classified !== null;

const isUndoable = ({ isUnread, isFollowed }: FileRecord): boolean => !isUnread && isFollowed;

const hunkWordsOf = ({ isUnread, hunkStart, hunkEnd }: FileRecord): number => (isUnread ? 0 : hunkEnd - hunkStart);

export interface PostedTreeBatch {
  /** What was pushed in turn, commit after commit; `decodeTreeBatch` takes it in the same order. */
  readonly numbers: Int32Array;
  /** Shas, and those of only parents. */
  readonly texts: readonly string[];
  readonly fresh: FreshPaths;
  readonly hunks: Int32Array;
  /** Of each commit with lines: rows of files, hashes of added and of removed lines, operations of added lines. */
  readonly lines: ArrayBuffer;
  readonly steps: readonly TreeStep[];
}

const HAS = { parent: 1, merge: 2, firstParent: 4, judged: 8, lines: 16, step: 32 } as const;
const NO_PATH = -1;

const wordsOf = (added: number, removed: number, files: number): number =>
  files * FILE_COLUMN_COUNT + added + removed + ((added + 3) >> 2);

/** What the thread of the tree gets: `treeCommit` of each, without making it. */
export function encodeTreeBatch(
  { commits, hunks }: Pick<Batch, 'commits' | 'hunks'>,
  commitOf: (record: CommitRecord) => Omit<ChunkCommit, 'index' | 'isStepped'>,
  paths: PathNumbers,
): PostedTreeBatch {
  let hunkWords = 0;
  let lineWords = 0;
  for (const { files, classified } of commits) {
    for (const file of files) hunkWords += hunkWordsOf(file);
    if (classified !== null)
      lineWords += wordsOf(classified.addedOps.length, classified.removedHashes.length, files.length);
  }
  const allHunks = new Int32Array(hunkWords);
  const words = new Uint32Array(lineWords);
  const numbers: number[] = [];
  const texts: string[] = [];
  const steps: TreeStep[] = [];
  hunkWords = 0;
  lineWords = 0;
  paths.begin();
  const numberOf = (path: string | null): number => (path === null ? NO_PATH : paths.numberOf(path));
  for (const record of commits) {
    const { files, classified: lines, tree: step } = record;
    const { sha, parents, isFirstParent, answersOnly } = commitOf(record);
    numbers.push(
      (parents.length === 1 ? HAS.parent : 0) |
        (parents.length > 1 ? HAS.merge : 0) |
        (isFirstParent ? HAS.firstParent : 0) |
        (isJudged(record, answersOnly) ? HAS.judged : 0) |
        (lines === null ? 0 : HAS.lines) |
        (step === null ? 0 : HAS.step),
      files.length,
    );
    texts.push(sha);
    if (parents.length === 1) texts.push(parents[0]!);
    for (const file of files) {
      const count = hunkWordsOf(file);
      numbers.push(numberOf(file.oldPath), numberOf(file.newPath), isUndoable(file) ? 1 : 0, count);
      // Mostly a few: a view of them would take longer.
      for (let at = file.hunkStart; at < file.hunkStart + count; at++) allHunks[hunkWords++] = hunks[at]!;
    }
    if (lines !== null) {
      const { addedOps, addedHashes, removedHashes } = lines;
      numbers.push(addedHashes.length, removedHashes.length);
      words.set(lines.files, lineWords);
      lineWords += lines.files.length;
      words.set(addedHashes, lineWords);
      lineWords += addedHashes.length;
      words.set(removedHashes, lineWords);
      lineWords += removedHashes.length;
      new Uint8Array(words.buffer).set(addedOps, lineWords * 4);
      lineWords += (addedOps.length + 3) >> 2;
    }
    if (step !== null) steps.push(step);
  }
  return {
    numbers: Int32Array.from(numbers),
    texts,
    fresh: paths.take(),
    hunks: allHunks,
    lines: words.buffer,
    steps,
  };
}

/** What may be handed over rather than copied. */
export const treeTransferList = ({ numbers, hunks, lines }: PostedTreeBatch): ArrayBuffer[] => [
  numbers.buffer as ArrayBuffer,
  hunks.buffer as ArrayBuffer,
  lines,
];

export function decodeTreeBatch(posted: PostedTreeBatch, paths: readonly string[]): TreeCommit[] {
  const { numbers, texts, lines: buffer } = posted;
  const commits: TreeCommit[] = [];
  let [n, t, hunkAt, bytesAt, stepAt] = [0, 0, 0, 0, 0];
  const pathAt = (number: number): string | null => (number === NO_PATH ? null : paths[number]!);
  while (n < numbers.length) {
    const has = numbers[n++]!;
    const fileCount = numbers[n++]!;
    const sha = texts[t++]!;
    const parent = (has & HAS.parent) === 0 ? null : texts[t++]!;
    const files: TreeFile[] = [];
    for (let i = 0; i < fileCount; i++, n += 4) {
      const hunkEnd = hunkAt + numbers[n + 3]!;
      files.push({
        oldPath: pathAt(numbers[n]!),
        newPath: pathAt(numbers[n + 1]!),
        isUndoable: numbers[n + 2] === 1,
        hunks: hunkAt === hunkEnd ? NO_HUNKS : posted.hunks.subarray(hunkAt, hunkEnd),
      });
      hunkAt = hunkEnd;
    }
    let lines: TreeLines | null = null;
    if ((has & HAS.lines) !== 0) {
      const [added, removed] = [numbers[n++]!, numbers[n++]!];
      const hashesAt = bytesAt + fileCount * FILE_COLUMN_COUNT * 4;
      lines = {
        files: new Int32Array(buffer, bytesAt, fileCount * FILE_COLUMN_COUNT),
        addedHashes: new Uint32Array(buffer, hashesAt, added),
        removedHashes: new Uint32Array(buffer, hashesAt + added * 4, removed),
        addedOps: new Uint8Array(buffer, hashesAt + (added + removed) * 4, added),
      };
      bytesAt += wordsOf(added, removed, fileCount) * 4;
    }
    commits.push({
      sha,
      parent,
      isMerge: (has & HAS.merge) !== 0,
      isFirstParent: (has & HAS.firstParent) !== 0,
      isJudged: (has & HAS.judged) !== 0,
      lines,
      files,
      step: (has & HAS.step) === 0 ? null : posted.steps[stepAt++]!,
    });
  }
  return commits;
}

const JUDGED = { full: 1, counted: 2 } as const;

/** For each its bits, and if it has counts, how many and all of them. */
export function encodeJudgements(judgements: readonly TreeJudgement[]): Uint32Array {
  const numbers: number[] = [];
  for (const { counts, isFull } of judgements) {
    numbers.push((isFull ? JUDGED.full : 0) | (counts === null ? 0 : JUDGED.counted));
    if (counts === null) continue;
    numbers.push(counts.length);
    for (const count of counts) numbers.push(count);
  }
  return Uint32Array.from(numbers);
}

export function decodeJudgements(numbers: Uint32Array, to: TreeJudgement[]): void {
  for (let n = 0; n < numbers.length; ) {
    const bits = numbers[n++]!;
    const isFull = (bits & JUDGED.full) !== 0;
    if ((bits & JUDGED.counted) === 0) to.push({ counts: null, isFull });
    else {
      const end = n + 1 + numbers[n]!;
      to.push({ counts: numbers.subarray(n + 1, end), isFull });
      n = end;
    }
  }
}
