// What an analysis emits, in order: each commit when it is reached, its files and flows again when the last
// of its removed lines has an origin, and at the end which commits repeat others.

import type { MinHash } from '../copies/min-hash.ts';
import type { CommitTotals } from './commit-totals.ts';
import type { CommitFact, FileFact, FileRows, LineFlow, NotCounted } from './facts.ts';

/** Removed lines that stood together and have one origin. */
export interface OriginRun {
  readonly commit: string;
  readonly parent: string;
  /** The path in the parent. */
  readonly path: string;
  /** 1-based, in the parent's version of `path`. */
  readonly line: number;
  readonly count: number;
  /** Full sha; null when it is older than the walk looked. */
  readonly origin: string | null;
}

export type AnalysisEvent =
  | { readonly kind: 'progress'; readonly done: number; readonly total: number }
  /** Files that say how the project wants to be read, and could not be read themselves: figures are as without them. */
  | { readonly kind: 'unread_conventions'; readonly paths: readonly string[] }
  /**
   * Unless `is_final`, files and flows are missing, and `totals` has what is known of them. Whoever has asked for no objects
   * of files finds them in `rows` alone.
   */
  | {
      readonly kind: 'commit';
      readonly fact: CommitFact;
      readonly minHash: MinHash | null;
      readonly rows: FileRows | null;
      readonly totals: CommitTotals | null;
    }
  | {
      readonly kind: 'final';
      readonly sha: string;
      readonly rows: FileRows;
      readonly files: readonly FileFact[];
      readonly flows: readonly LineFlow[];
    }
  /** A commit repeats another, which was not known when it was emitted. Replaces what the fact said. */
  | {
      readonly kind: 'verdict';
      readonly sha: string;
      readonly not_counted: NotCounted | null;
      readonly derived_from: string | null;
    }
  /** The origins that `git blame` names. */
  | { readonly kind: 'origins'; readonly runs: readonly OriginRun[] }
  /** Who wrote the text of the same lines, through moves, new indentation and revisions to ignore: what ages follow. */
  | { readonly kind: 'followed_origins'; readonly runs: readonly OriginRun[] };
