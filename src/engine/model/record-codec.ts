// Commit records on their way between threads: all numbers of a batch in a few arrays that change hands without
// being copied, all texts in one list. Cloning the records as objects costs several times as much.
import { type ClassifiedCommit, classifiedBytes, classifiedView } from './classified.ts';
import type { Batch, CommitRecord, FileRecord, RouteRecord } from './commit-record.ts';
import { FILE_STATUSES, LIMIT_REASONS, type LimitReason } from './diff.ts';
import type { FreshPaths, PathNumbers } from './path-numbers.ts';

export interface PostedBatch {
  /** What was pushed in turn, commit after commit; `decodeBatch` takes it in the same order. */
  readonly numbers: Int32Array;
  /**
   * Seconds, in turn: they may be any number. All others are small, and reading a small one makes no object of it, as
   * reading a double does in code that V8 has not optimized.
   */
  readonly times: Float64Array;
  /** All but paths, which stand among the numbers. */
  readonly texts: readonly string[];
  readonly fresh: FreshPaths;
  readonly hunks: Int32Array;
  /** The buffers of all classified commits behind one another. */
  readonly classified: ArrayBuffer;
  readonly minHashes: Uint32Array;
  /** By position in the batch, what few commits have. */
  readonly rare: readonly (readonly [number, Rare])[];
  readonly bytes: number;
}

type Rare = Pick<CommitRecord, 'evidence' | 'coAuthors' | 'tree'>;

const REASONS: readonly (LimitReason | null)[] = [null, ...LIMIT_REASONS];
const HAS = { written: 1, classified: 2, minHash: 4, reverts: 8, patchId: 16, evidence: 32, rare: 64 } as const;
const FILE_BITS = { old: 1, new: 2, followed: 4, unread: 8 } as const;
/** Of a file, in addition to its paths. */
const FILE_NUMBERS = 8;
const NOBODY: CommitRecord['coAuthors'] = [];
const NO_EVIDENCE: NonNullable<CommitRecord['evidence']> = { contributor_kind: 'unknown', ai: [] };

export interface EncodeOptions {
  /** As the receiver knows them. */
  readonly paths: PathNumbers;
  /** Whether the receiver wants to know how the tree of a merge goes on. */
  readonly withTree: boolean;
}

export function encodeBatch(batch: Batch, { paths, withTree }: EncodeOptions): PostedBatch {
  paths.begin();
  const numbers: number[] = [];
  const times: number[] = [];
  const texts: string[] = [];
  const rare: [number, Rare][] = [];
  let classifiedLength = 0;
  let minHashLength = 0;
  for (const { classified, minHash } of batch.commits) {
    classifiedLength += classified?.buffer.byteLength ?? 0;
    minHashLength += minHash?.hashes.length ?? 0;
  }
  const joined = new Uint8Array(classifiedLength);
  const minHashes = new Uint32Array(minHashLength);
  classifiedLength = 0;
  minHashLength = 0;
  batch.commits.forEach((record, position) => {
    const { written, classified, minHash, evidence, coAuthors } = record;
    const tree = withTree ? record.tree : null;
    const hasMarks = evidence !== null && evidence.contributor_kind !== 'unknown';
    const isRare = hasMarks || coAuthors.length > 0 || tree !== null;
    if (isRare) rare.push([position, { evidence, coAuthors, tree }]);
    numbers.push(
      record.index,
      (written === null ? 0 : HAS.written) |
        (classified === null ? 0 : HAS.classified) |
        (minHash === null ? 0 : HAS.minHash) |
        (record.reverts === null ? 0 : HAS.reverts) |
        (classified === null || classified.patchId === null ? 0 : HAS.patchId) |
        (evidence === null ? 0 : HAS.evidence) |
        (isRare ? HAS.rare : 0),
      REASONS.indexOf(record.unread),
      record.files.length,
      record.routes.length,
    );
    if (written !== null) {
      const { author, committer, authored, committed } = written;
      texts.push(author.name, author.email, committer.name, committer.email, written.message);
      times.push(authored.at, committed.at);
      numbers.push(authored.zone, committed.zone);
    }
    if (record.reverts !== null) texts.push(record.reverts);
    if (classified !== null) {
      texts.push(classified.sha);
      if (classified.patchId !== null) texts.push(classified.patchId);
      numbers.push(classified.addedOps.length, classified.removedOps.length);
      joined.set(new Uint8Array(classified.buffer), classifiedLength);
      classifiedLength += classified.buffer.byteLength;
    }
    if (minHash !== null) {
      numbers.push(minHash.lineCount, minHash.hashes.length);
      minHashes.set(minHash.hashes, minHashLength);
      minHashLength += minHash.hashes.length;
    }
    for (const file of record.files) encodeFile(file, numbers, paths);
    for (const route of record.routes) encodeRoute(route, numbers, paths);
  });
  return {
    numbers: Int32Array.from(numbers),
    times: Float64Array.from(times),
    texts,
    fresh: paths.take(),
    hunks: batch.hunks,
    classified: joined.buffer,
    minHashes,
    rare,
    bytes: batch.bytes,
  };
}

function encodeFile(file: FileRecord, numbers: number[], paths: PathNumbers): void {
  const { oldPath, newPath } = file;
  numbers.push(
    FILE_STATUSES.indexOf(file.status),
    (oldPath === null ? 0 : FILE_BITS.old) |
      (newPath === null ? 0 : FILE_BITS.new) |
      (file.isFollowed ? FILE_BITS.followed : 0) |
      (file.isUnread ? FILE_BITS.unread : 0),
    REASONS.indexOf(file.limited),
    file.similarity,
    file.added,
    file.removed,
    file.hunkStart,
    file.hunkEnd,
  );
  if (newPath !== null) numbers.push(paths.numberOf(newPath));
  if (oldPath !== null && (newPath === null || file.status === 'renamed')) numbers.push(paths.numberOf(oldPath));
}

function encodeRoute(route: RouteRecord, numbers: number[], paths: PathNumbers): void {
  numbers.push(paths.numberOf(route.path), route.parts.length);
  for (const { parent, path, hunkStart, hunkEnd } of route.parts)
    numbers.push(parent, paths.numberOf(path), hunkStart, hunkEnd);
}

/** What may be handed over rather than copied. */
export function transferList(batch: PostedBatch): ArrayBuffer[] {
  return [
    batch.numbers.buffer as ArrayBuffer,
    batch.times.buffer as ArrayBuffer,
    batch.hunks.buffer as ArrayBuffer,
    batch.classified,
    batch.minHashes.buffer as ArrayBuffer,
  ];
}

/** `paths` by their numbers. */
export function decodeBatch(posted: PostedBatch, paths: readonly string[]): Batch {
  const { numbers, times, texts } = posted;
  const rare = new Map(posted.rare);
  const commits: CommitRecord[] = [];
  let n = 0;
  let t = 0;
  let timesAt = 0;
  let classifiedAt = 0;
  let minHashAt = 0;
  while (n < numbers.length) {
    const index = numbers[n++]!;
    const has = numbers[n++]!;
    const unread = REASONS[numbers[n++]!]!;
    const fileCount = numbers[n++]!;
    const routeCount = numbers[n++]!;
    const more = (has & HAS.rare) === 0 ? undefined : rare.get(commits.length);
    let written: CommitRecord['written'] = null;
    if ((has & HAS.written) !== 0) {
      written = {
        author: { name: texts[t]!, email: texts[t + 1]! },
        committer: { name: texts[t + 2]!, email: texts[t + 3]! },
        authored: { at: times[timesAt]!, zone: numbers[n]! },
        committed: { at: times[timesAt + 1]!, zone: numbers[n + 1]! },
        message: texts[t + 4]!,
      };
      t += 5;
      timesAt += 2;
      n += 2;
    }
    const reverts = (has & HAS.reverts) === 0 ? null : texts[t++]!;
    let classified: ClassifiedCommit | null = null;
    if ((has & HAS.classified) !== 0) {
      const sha = texts[t++]!;
      const patchId = (has & HAS.patchId) === 0 ? null : texts[t++]!;
      const size = { files: fileCount, added: numbers[n]!, removed: numbers[n + 1]! };
      n += 2;
      const view = classifiedView(sha, size, posted.classified, classifiedAt);
      view.patchId = patchId;
      classified = view;
      classifiedAt += classifiedBytes(size);
    }
    let minHash: CommitRecord['minHash'] = null;
    if ((has & HAS.minHash) !== 0) {
      const lineCount = numbers[n++]!;
      const length = numbers[n++]!;
      minHash = { lineCount, hashes: posted.minHashes.subarray(minHashAt, minHashAt + length) };
      minHashAt += length;
    }
    const files = new Array<FileRecord>(fileCount);
    for (let i = 0; i < fileCount; i++) {
      const bits = numbers[n + 1]!;
      const status = FILE_STATUSES[numbers[n]!]!;
      const at = n;
      n += FILE_NUMBERS;
      const newPath = (bits & FILE_BITS.new) === 0 ? null : paths[numbers[n++]!]!;
      const hasOwnOld = newPath === null || status === 'renamed';
      files[i] = {
        status,
        oldPath: (bits & FILE_BITS.old) === 0 ? null : hasOwnOld ? paths[numbers[n++]!]! : newPath,
        newPath,
        similarity: numbers[at + 3]!,
        limited: REASONS[numbers[at + 2]!]!,
        isFollowed: (bits & FILE_BITS.followed) !== 0,
        added: numbers[at + 4]!,
        removed: numbers[at + 5]!,
        isUnread: (bits & FILE_BITS.unread) !== 0,
        hunkStart: numbers[at + 6]!,
        hunkEnd: numbers[at + 7]!,
      };
    }
    const routes: RouteRecord[] = [];
    for (let i = 0; i < routeCount; i++) {
      const path = paths[numbers[n++]!]!;
      const parts: RouteRecord['parts'][number][] = [];
      for (let left = numbers[n++]!; left > 0; left--, n += 4)
        parts.push({
          parent: numbers[n]!,
          path: paths[numbers[n + 1]!]!,
          hunkStart: numbers[n + 2]!,
          hunkEnd: numbers[n + 3]!,
        });
      routes.push({ path, parts });
    }
    commits.push({
      index,
      written,
      files,
      routes,
      classified,
      evidence: more?.evidence ?? ((has & HAS.evidence) === 0 ? null : NO_EVIDENCE),
      minHash,
      coAuthors: more?.coAuthors ?? NOBODY,
      reverts,
      unread,
      tree: more?.tree ?? null,
      kept: null,
    });
  }
  return { commits, hunks: posted.hunks, bytes: posted.bytes };
}
