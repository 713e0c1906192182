// What a worker thread hands over per commit: everything that can be known from the commit alone, with
// all numbers in a few transferable arrays. The ordered consumer needs nothing else of git's output.

import type { MinHash } from '../copies/min-hash.ts';
import type { CommitWritten } from '../diff/streamed-commit.ts';
import type { CommitEvidence } from '../evidence/read-commit-evidence.ts';
import type { Sources } from '../trace/line-sources.ts';
import type { ClassifiedCommit } from './classified.ts';
import type { FileStatus, LimitReason } from './diff.ts';
import type { Identity } from './facts.ts';

export interface FileRecord {
  readonly status: FileStatus;
  readonly oldPath: string | null;
  readonly newPath: string | null;
  /** 0–100; 100 unless renamed. */
  readonly similarity: number;
  readonly limited: LimitReason | null;
  /** False when the file has no hunks to follow though its content changed. */
  readonly isFollowed: boolean;
  /** Git's numstat numbers. */
  readonly added: number;
  readonly removed: number;
  /** True when the lines' contents were dropped: nothing is known of them but their number. */
  readonly isUnread: boolean;
  /** Range in the batch's `hunks`. */
  readonly hunkStart: number;
  readonly hunkEnd: number;
}

export interface RouteRecord {
  readonly path: string;
  /** hunkStart is −1 when the parent has the very same file. */
  readonly parts: readonly {
    readonly parent: number;
    readonly path: string;
    readonly hunkStart: number;
    readonly hunkEnd: number;
  }[];
}

/** A file in which the first parent differs. */
export interface TreeChange {
  readonly path: string;
  /** Of its lines in the first parent, or of those that `hunks` replace; null where it has no text there, or none is given. */
  readonly hashes: Uint32Array | null;
  /** From the first parent's file to that of the merge, as in FileDiff; null when all lines are given. */
  readonly hunks: Int32Array | null;
  /** Whether stepping back over the commits that the merge brought in leads there; then nothing is given. */
  readonly isReached: boolean;
}

/** From a merge to its first parent. */
export interface TreeStep {
  /** The files in which the first parent differs. */
  readonly changes: readonly TreeChange[];
  /**
   * The last of the commits that the merge brought in, when the others stand in a row below it: the merge's tree is theirs
   * but for where it differs from this one. Null: it may be another anywhere.
   */
  readonly brought: string | null;
}

export interface CommitRecord {
  /** Position in the walk. */
  readonly index: number;
  /** Null when the commit object itself could not be read. */
  readonly written: CommitWritten | null;
  readonly files: readonly FileRecord[];
  readonly routes: readonly RouteRecord[];
  /** Null for a commit that is walked for answers only, and for merges. */
  readonly classified: ClassifiedCommit | null;
  readonly evidence: CommitEvidence | null;
  /** For finding copies of this commit; null where `classified` is. */
  readonly minHash: MinHash | null;
  readonly coAuthors: readonly Identity[];
  readonly reverts: string | null;
  /** Set when git could not show the commit's diff, or not so that it made sense. */
  readonly unread: LimitReason | null;
  /** For a merge among the first parents. */
  readonly tree: TreeStep | null;
  /** Of a commit that an earlier walk has read; in place of `classified` and `evidence`. */
  readonly kept: KeptAnswers | null;
}

/** What is kept of a commit's lines for later walks. */
export interface KeptAnswers {
  /** Thousandths of its lines that its evidence speaks of. */
  readonly share: number;
  /** Null: it has written all of its added lines. */
  readonly sources: Sources | null;
}

/** Of a commit that was not read, or of which nothing is wanted yet. */
export const EMPTY_RECORD: CommitRecord = {
  index: 0,
  written: null,
  files: [],
  routes: [],
  classified: null,
  evidence: null,
  minHash: null,
  coAuthors: [],
  reverts: null,
  unread: null,
  tree: null,
  kept: null,
};

export interface Batch {
  readonly commits: readonly CommitRecord[];
  readonly hunks: Int32Array;
  /** About how much memory it takes, for back-pressure. */
  readonly bytes: number;
}

/** A commit as it is requested of a worker. */
export interface ChunkCommit {
  readonly index: number;
  readonly sha: string;
  readonly parents: readonly string[];
  /** Only where lines came from is wanted: no classification. */
  readonly answersOnly: boolean;
  /** The tree is stepped back over it: its lines are wanted even so. */
  readonly isStepped: boolean;
  /** One of those among the first parents: of a merge the first parent's files are wanted. */
  readonly isFirstParent: boolean;
}

export type Chunk = readonly ChunkCommit[];

/** A chunk on its way to a thread: thousands of objects take long to copy, one text does not. */
export interface PostedChunk {
  /** Position of the first commit. */
  readonly first: number;
  /** A line for each commit, its sha and those of its parents. */
  readonly shas: string;
  readonly flags: Uint8Array;
}

const CHUNK_FLAGS = { answersOnly: 1, isFirstParent: 2, isStepped: 4 } as const;

export function encodeChunk(chunk: Chunk): PostedChunk {
  return {
    first: chunk[0]?.index ?? 0,
    shas: chunk.map(({ sha, parents }) => (parents.length === 0 ? sha : `${sha} ${parents.join(' ')}`)).join('\n'),
    flags: Uint8Array.from(
      chunk,
      ({ answersOnly, isFirstParent, isStepped }) =>
        (answersOnly ? CHUNK_FLAGS.answersOnly : 0) |
        (isFirstParent ? CHUNK_FLAGS.isFirstParent : 0) |
        (isStepped ? CHUNK_FLAGS.isStepped : 0),
    ),
  };
}

export function decodeChunk({ first, shas, flags }: PostedChunk): Chunk {
  if (flags.length === 0) return [];
  return shas.split('\n').map((line, i) => {
    const [sha = '', ...parents] = line.split(' ');
    return {
      index: first + i,
      sha,
      parents,
      answersOnly: (flags[i]! & CHUNK_FLAGS.answersOnly) !== 0,
      isStepped: (flags[i]! & CHUNK_FLAGS.isStepped) !== 0,
      isFirstParent: (flags[i]! & CHUNK_FLAGS.isFirstParent) !== 0,
    };
  });
}
