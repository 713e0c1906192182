// How far an import has come, or why it ended; wire values in the order in which an import passes them.

export const IMPORT_PROGRESS = [
  'pending',
  'offered_pending_acceptance',
  'import_started',
  'acquired_connection',
  'acquired_external_repo',
  'created_repo',
  'queued_branch_for_commit_processing',
  'repo_processing_underway',
  'processing_initiated',
  'processing_in_progress',
  'processing_completed',
] as const;

export const IMPORT_FAILURES = [
  'could_not_determine_default_branch',
  'unable_to_acquire_connection',
  'unable_to_import_no_quota',
  'unable_to_import_no_repo',
  'unable_to_import_too_many_attempts',
] as const;

export const IMPORT_STATUSES = [...IMPORT_PROGRESS, ...IMPORT_FAILURES] as const;
export type ImportStatus = (typeof IMPORT_STATUSES)[number];
export type ImportFailure = (typeof IMPORT_FAILURES)[number];

export const IMPORT_ERRORS = [
  'insufficient_access',
  'repo_not_found',
  'empty_repo',
  'quota_exceeded',
  'connection_revoked',
  'unknown_error',
] as const;
export type ImportError = (typeof IMPORT_ERRORS)[number];

export const isImportFailure = (status: ImportStatus): status is ImportFailure =>
  IMPORT_FAILURES.some((failure) => failure === status);

/** The three processing statuses are bands of the share that is done. */
export function statusOfShare(percent: number): ImportStatus {
  if (percent > 95) return 'processing_completed';
  return percent > 10 ? 'processing_in_progress' : 'processing_initiated';
}
