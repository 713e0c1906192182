// What puts a commit on the list of those that were not, or not wholly, looked at. The list and the count in the
// import record and the summary of an analysis go by the same rule. (A binary file is not a fault of a commit.)
import type { LimitReason } from './diff.ts';

export const SKIP_REASONS = [
  'object_missing',
  'unreadable',
  'patch_too_large',
  'too_many_files',
  'line_too_long',
  'record_unreadable',
] as const satisfies readonly LimitReason[];
export type SkipReason = (typeof SKIP_REASONS)[number];

const SKIPPING: ReadonlySet<LimitReason> = new Set(SKIP_REASONS);

export const isSkipReason = (reason: LimitReason): reason is SkipReason => SKIPPING.has(reason);
