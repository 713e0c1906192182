// What puts a commit on the list of those that were not, or not wholly, looked at. The list and the count in the
// import record and the summary of an analysis go by the same rule. (That a file is binary is no fault of a commit.)
import type { LimitReason } from './diff.ts';

const SKIPPING: ReadonlySet<LimitReason> = new Set<LimitReason>([
  'object_missing',
  'unreadable',
  'patch_too_large',
  'too_many_files',
  'line_too_long',
  'record_unreadable',
]);

export const isSkipReason = (reason: LimitReason): boolean => SKIPPING.has(reason);
