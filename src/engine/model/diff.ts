// A commit's diff as parsed from git, before any judgement. Lines are slices of the bytes that git
// printed: nothing is decoded until a rule needs text. This is the input of judge/.

/** One side of a file's diff: its removed or added lines, in order. `ends` excludes the line feed. */
export interface LineBlock {
  readonly count: number;
  readonly bytes: Uint8Array;
  readonly starts: Uint32Array;
  readonly ends: Uint32Array;
  /** False when the lines were only counted, and `starts` and `ends` are empty. */
  readonly hasText: boolean;
}

export const FILE_STATUSES = ['added', 'deleted', 'modified', 'renamed', 'type_changed'] as const;
export type FileStatus = (typeof FILE_STATUSES)[number];

/** Why something was not looked at in full. Recorded on the commit, never silently dropped. */
export const LIMIT_REASONS = [
  'binary',
  'submodule',
  'line_too_long',
  'patch_too_large',
  'too_many_files',
  'rename_detection_limited',
  'object_missing',
  'duplicate_index_full',
  'unreadable',
  'message_too_long',
  'record_unreadable',
] as const;
export type LimitReason = (typeof LIMIT_REASONS)[number];

export interface FileDiff {
  readonly status: FileStatus;
  /** Null for an added file. Paths are UTF-8 text, or git's quoted form when they are not valid UTF-8. */
  readonly oldPath: string | null;
  /** Null for a deleted file. */
  readonly newPath: string | null;
  /** 0–100; 100 unless renamed. */
  readonly similarity: number;
  readonly oldMode: number;
  readonly newMode: number;
  readonly oldBlob: string;
  readonly newBlob: string;
  readonly isBinary: boolean;
  readonly limited: LimitReason | null;
  /** Four numbers a hunk: oldIndex, oldCount, newIndex, newCount; indexes are 0-based. */
  readonly hunks: Int32Array;
  readonly removed: LineBlock;
  readonly added: LineBlock;
  /** Of a changed file: whether it carries a generator's mark now, changed here or not; absent where it was not read. */
  readonly isMarkedGenerated?: boolean | undefined;
}

export interface CommitDiff {
  readonly sha: string;
  readonly parents: readonly string[];
  readonly files: readonly FileDiff[];
  /** The hunks and lines of all files, where they lie side by side; else they are taken from the files. */
  readonly gathered?: GatheredLines | null;
}

/** As the classifying kernel is given them, but for the rows of files; places are counted from the beginning of the text. */
export interface GatheredLines {
  readonly bytes: Uint8Array;
  readonly hunkWords: number;
  readonly removed: number;
  readonly added: number;
  readonly textBytes: number;
}
