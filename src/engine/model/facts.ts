// What the engine delivers: the facts of a commit. Storage, `--facts`, `--digest` and the metrics all
// read these. Every measure is an integer: scores are thousandths of a Diff Delta point, AI lines are
// thousandths of a line before the weight of their evidence, so that sums never depend on order. What people read
// is in real units.
import { FILE_MEASURES, type FileMeasure } from '../../domain/commits/file-measures.ts';
import type {
  AgeBucket,
  CategoryKey,
  ContributorKind,
  EvidenceSource,
  FlowOperation,
} from '../../domain/commits/line-model.ts';
import type { FileStatus, LimitReason } from './diff.ts';

export { FILE_MEASURES, type FileMeasure, MEASURES_OUTSIDE_DIGEST } from '../../domain/commits/file-measures.ts';

export type FileMeasures = Record<FileMeasure, number>;

export interface FileFact extends FileMeasures {
  readonly path: string;
  /** The path before a rename, else null. */
  readonly old_path: string | null;
  readonly status: FileStatus;
  readonly category: CategoryKey;
  readonly language: string | null;
  readonly limited: LimitReason | null;
}

/** Where each measure of a file stands in its row. */
export const PLACES = Object.fromEntries(FILE_MEASURES.map((name, place) => [name, place])) as Readonly<
  Record<FileMeasure, number>
>;

/**
 * A file's measures in the order of FILE_MEASURES. Null before the first file: an array that has held something else than
 * numbers keeps references, from which V8 reads a number without making an object of it.
 */
export type MeasureRow = (number | null)[];

export const createMeasureRow = (): MeasureRow => FILE_MEASURES.map(() => null);

/** Takes a file of a commit. The same row comes with each, with other numbers. */
export type FileVisitor = (path: string, status: FileStatus, category: CategoryKey, measures: MeasureRow) => void;

/** The files of a commit for whoever only adds them up: one by one, and no object is made of any. */
export interface FileRows {
  visitFiles(visit: FileVisitor): void;
}

/** Lines that one commit removed of another's. One row per (removing commit, origin, category, path). */
export interface LineFlow extends Readonly<Record<`lines_${FlowOperation}`, number>> {
  /** Full sha of the commit that wrote the lines; null when it is older than the walk looked. */
  readonly origin: string | null;
  readonly category: CategoryKey;
  readonly age: AgeBucket;
  /** Thousandths of the removed lines that AI had written, by the origin commit's evidence. */
  readonly ai_lines: number;
}

export interface Identity {
  readonly name: string;
  readonly email: string;
}

export interface Stamp {
  /** Seconds since 1970. */
  readonly at: number;
  /** Minutes east of UTC. */
  readonly zone: number;
}

/** Why a commit does not count. */
export const NOT_COUNTED = [
  'merge',
  'rebase_copy',
  'cherry_pick_copy',
  'squash_source',
  'ignored_revision',
  'outside_window',
] as const;
export type NotCounted = (typeof NOT_COUNTED)[number];

export interface AiCredit {
  readonly model: string;
  readonly provider: string;
  readonly source: EvidenceSource;
}

export interface CommitFact {
  readonly sha: string;
  readonly parents: readonly string[];
  /** Mailmapped. */
  readonly author: Identity;
  readonly committer: Identity;
  /** As written in the commit object. */
  readonly raw_author: Identity;
  readonly raw_committer: Identity;
  readonly authored: Stamp;
  readonly committed: Stamp;
  readonly message: string;
  readonly co_authors: readonly Identity[];
  readonly is_merge: boolean;
  /** Full or abbreviated sha named by "This reverts commit …", else null. */
  readonly reverts: string | null;
  readonly contributor_kind: ContributorKind;
  readonly ai: readonly AiCredit[];
  /** Hash of the commit's added and removed lines; equal for rebased and cherry-picked copies. Null when it changed no line. */
  readonly patch_id: string | null;
  readonly not_counted: NotCounted | null;
  /** The commit that counts instead of this one. */
  readonly derived_from: string | null;
  readonly on_default_branch: boolean;
  /** What was limited or skipped in this commit, with the path it concerns. */
  readonly limits: readonly { readonly reason: LimitReason; readonly path: string | null }[];
  readonly files: readonly FileFact[];
  readonly flows: readonly LineFlow[];
  /** False while some removed line's origin is still open: ages, flows and delta may still change. */
  readonly is_final: boolean;
}
