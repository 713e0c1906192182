// What a failed attempt means for the import record: the status it ends with, or how long to wait.
import type { ImportError, ImportFailure } from '../../domain/repos/import-status.ts';
import { RepoAccessError, type RepoAccessFailure } from '../../domain/repos/source.ts';

interface Ending {
  readonly status: ImportFailure;
  readonly error_em: ImportError;
  /** Worth trying again before the import ends with it. */
  readonly isRetried: boolean;
}

const ENDINGS: Record<RepoAccessFailure, Ending> = {
  no_access: { status: 'unable_to_acquire_connection', error_em: 'insufficient_access', isRetried: false },
  refused_address: { status: 'unable_to_acquire_connection', error_em: 'insufficient_access', isRetried: false },
  revoked: { status: 'unable_to_acquire_connection', error_em: 'connection_revoked', isRetried: false },
  not_found: { status: 'unable_to_import_no_repo', error_em: 'repo_not_found', isRetried: false },
  too_large: { status: 'unable_to_import_no_repo', error_em: 'unknown_error', isRetried: false },
  unsupported: { status: 'unable_to_import_no_repo', error_em: 'unknown_error', isRetried: false },
  empty: { status: 'could_not_determine_default_branch', error_em: 'empty_repo', isRetried: false },
  no_default_branch: { status: 'could_not_determine_default_branch', error_em: 'unknown_error', isRetried: false },
  quota: { status: 'unable_to_import_no_quota', error_em: 'quota_exceeded', isRetried: true },
  transient: { status: 'unable_to_import_too_many_attempts', error_em: 'unknown_error', isRetried: true },
};

export interface FailedAttempt extends Ending {
  readonly detail: string;
  readonly isQuota: boolean;
}

export function judgeFailure(error: unknown): FailedAttempt {
  const failure = error instanceof RepoAccessError ? error.failure : 'transient';
  const detail = error instanceof Error ? error.message : String(error);
  return { ...ENDINGS[failure], detail: detail.slice(0, 1000), isQuota: failure === 'quota' };
}

/** Seconds to wait after each failed attempt; when they are used up the import ends. */
export const RETRY_SECONDS: readonly number[] = [5, 15, 60, 300, 900];
