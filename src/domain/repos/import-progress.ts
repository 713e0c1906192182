// How far an import is, in the words of a progress bar.
import { type ImportStatus, isImportFailure } from './import-status.ts';

export const IMPORT_PHASES = ['offered', 'waiting', 'fetching', 'reading', 'complete', 'failed'] as const;
export type ImportPhase = (typeof IMPORT_PHASES)[number];

const PHASES: Readonly<Record<ImportStatus, ImportPhase>> = {
  pending: 'waiting',
  offered_pending_acceptance: 'offered',
  import_started: 'fetching',
  acquired_connection: 'fetching',
  acquired_external_repo: 'fetching',
  created_repo: 'fetching',
  queued_branch_for_commit_processing: 'fetching',
  repo_processing_underway: 'reading',
  processing_initiated: 'reading',
  processing_in_progress: 'reading',
  processing_completed: 'complete',
  could_not_determine_default_branch: 'failed',
  unable_to_acquire_connection: 'failed',
  unable_to_import_no_quota: 'failed',
  unable_to_import_no_repo: 'failed',
  unable_to_import_too_many_attempts: 'failed',
};

export interface ImportProgress {
  readonly phase_em: ImportPhase;
  /** Since the run began; null while nothing can be said. */
  readonly commits_per_second: number | null;
  readonly seconds_left: number | null;
}

export function importProgress(
  row: {
    readonly status: ImportStatus;
    readonly started_at: string | null;
    readonly finished_at: string | null;
    readonly commit_processed_count: number;
    readonly expected_commit_count: number;
  },
  now: Date,
): ImportProgress {
  const { status, started_at, finished_at, commit_processed_count: done, expected_commit_count: expected } = row;
  // The status reaches its end a little before the run does.
  const phase_em = status === 'processing_completed' && finished_at === null ? 'reading' : PHASES[status];
  const seconds = started_at === null ? 0 : (now.getTime() - Date.parse(started_at)) / 1000;
  if (phase_em !== 'reading' || isImportFailure(status) || seconds <= 0 || done === 0) {
    return { phase_em, commits_per_second: null, seconds_left: null };
  }
  const rate = done / seconds;
  return {
    phase_em,
    commits_per_second: Math.round(rate * 10) / 10,
    seconds_left: Math.ceil(Math.max(0, expected - done) / rate),
  };
}
