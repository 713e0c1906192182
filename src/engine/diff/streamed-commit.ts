// What `git diff-tree --stdin --pretty=raw` is asked to print about commits, and what is read from it.

import { RENAME_LIMIT } from '../git/run-git.ts';
import type { CommitDiff, LimitReason } from '../model/diff.ts';
import type { Identity, Stamp } from '../model/facts.ts';

const COMMIT_FLAGS: readonly string[] = ['diff-tree', '-r', '--root', '--always', '--pretty=raw', '--no-notes'];

const LIST_FLAGS: readonly string[] = [...COMMIT_FLAGS, '--stdin', '--raw', '--no-abbrev'];
const RENAME_FLAGS: readonly string[] = ['-M', `-l${RENAME_LIMIT}`];

/** Commits with the files they change and git's renames, no contents. */
export const CHANGE_LIST_FLAGS: readonly string[] = [...LIST_FLAGS, ...RENAME_FLAGS];

/** The same without renames, for which git opens files: where some are not there, it would end. */
export const PLAIN_LIST_FLAGS: readonly string[] = [...LIST_FLAGS, '--no-renames'];

/** Flags that this parser relies on. Add `--stdin` and what selects the parents to compare with. */
export const DIFF_STREAM_FLAGS: readonly string[] = [
  ...COMMIT_FLAGS,
  '-p',
  '-U0',
  `-l${RENAME_LIMIT}`,
  '--full-index',
  '--no-color',
  '--no-ext-diff',
  '--no-textconv',
  '--submodule=short',
  '--src-prefix=a/',
  '--dst-prefix=b/',
];

export interface DiffLimits {
  /** Bytes of changed lines (with 16 for each line) kept per commit; beyond, files keep counts and hunks only. */
  readonly commitBytes: number;
  /** Bytes kept of one line. */
  readonly lineBytes: number;
}
export const DEFAULT_DIFF_LIMITS: DiffLimits = { commitBytes: 24 << 20, lineBytes: 64 << 10 };

export interface CommitWritten {
  readonly author: Identity;
  readonly committer: Identity;
  readonly authored: Stamp;
  readonly committed: Stamp;
  readonly message: string;
}

/**
 * One commit of the stream. In a file that was limited by `patch_too_large` the blocks have their true
 * `count` but no slices (`starts.length` is 0); `hunks` are always complete.
 */
export interface StreamedCommit extends CommitDiff, CommitWritten {
  /** The parent it was compared with, when the stream compares with each parent; else null. */
  readonly comparedWith: string | null;
  /** Of a stream of lists: what changed; null when that is more than is worth keeping. */
  readonly changes: readonly ListedChange[] | null;
  /** Whether the message is longer than what is kept of it. */
  readonly isMessageCut: boolean;
}

/** A file that a commit changes, as `--raw` lists it. */
export interface ListedChange {
  /** Git's letter: A, D, M, R or T. */
  readonly status: string;
  readonly oldMode: number;
  readonly newMode: number;
  readonly oldBlob: string;
  readonly newBlob: string;
  readonly path: string;
  /** Where both lie in packs, negative where none holds it; absent where nobody has looked. */
  readonly oldAt?: number;
  readonly newAt?: number;
  /** Where the parent has a renamed file, and how similar git finds both, in percent. */
  readonly renamed?: { readonly from: string; readonly similarity: number };
}

export class DiffStreamError extends Error {
  readonly reason: Extract<LimitReason, 'unreadable' | 'too_many_files' | 'patch_too_large'>;

  constructor(message: string, reason: DiffStreamError['reason'] = 'unreadable') {
    super(`git's diff could not be read: ${message}`);
    this.name = 'DiffStreamError';
    this.reason = reason;
  }
}
