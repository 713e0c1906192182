// What wire values are called where people read them. Whoever shows a value takes the words from here.

import type { Role } from './access/caller.ts';
import { AI_COHORT_TITLES } from './ai/cohort.ts';
import { LLM_PROVIDER_IDS, LLM_PROVIDERS } from './ai/providers.ts';
import { CATEGORIES } from './commits/line-model.ts';
import { DATA_REMEDIES } from './data-remedies.ts';
import type { ProcessingStatus } from './people/processing-status.ts';
import { GIT_PROVIDER_NAMES, GIT_PROVIDERS } from './repos/code-host.ts';
import type { ImportError, ImportStatus } from './repos/import-status.ts';
import type { Aggregation, IntervalName, TimeStatistic } from './segments.ts';

const AGGREGATION_NAMES: Record<Aggregation, string> = {
  none: 'Everything',
  ai_cohort: 'Use of AI',
  ai_provider: 'AI provider',
  committer: 'Developer',
  repo: 'Repo',
  repo_path: 'Repo with its organization',
  team: 'Team',
};
const INTERVAL_NAMES: Record<IntervalName, string> = { daily: 'Day', weekly: 'Week', monthly: 'Month' };
const STATISTIC_NAMES: Record<TimeStatistic, string> = {
  mean: 'Mean',
  median: 'Median',
  p75: '75th percentile',
  p90: '90th percentile',
};
const ROLE_NAMES: Record<Role, string> = { member: 'Member', manager: 'Manager', admin: 'Admin' };
const PROCESSING_NAMES: Record<ProcessingStatus, string> = {
  processing_stats: 'Processed',
  limited_processing: 'Processed in part',
  not_processing: 'Not processed',
};
const IMPORT_NAMES: Record<ImportStatus, string> = {
  pending: 'Waiting',
  offered_pending_acceptance: 'Offered',
  import_started: 'Starting',
  acquired_connection: 'Connected',
  acquired_external_repo: 'Found',
  created_repo: 'Fetching',
  queued_branch_for_commit_processing: 'Fetched',
  repo_processing_underway: 'Reading',
  processing_initiated: 'Reading',
  processing_in_progress: 'Reading',
  processing_completed: 'Complete',
  could_not_determine_default_branch: 'No default branch',
  unable_to_acquire_connection: 'No connection',
  unable_to_import_no_quota: 'Rate limit of the host',
  unable_to_import_no_repo: 'Repo not found',
  unable_to_import_too_many_attempts: 'Given up after many attempts',
};
const IMPORT_ERROR_NAMES: Record<ImportError, string> = {
  insufficient_access: 'No access',
  repo_not_found: 'Repo not found',
  empty_repo: 'Empty repo',
  quota_exceeded: 'Rate limit of the host',
  connection_revoked: 'Connection revoked',
  unknown_error: 'Unexpected error',
};

/** Kind of value → wire value → words. */
export const DISPLAY_NAMES = {
  aggregation: AGGREGATION_NAMES,
  interval: INTERVAL_NAMES,
  time_statistic: STATISTIC_NAMES,
  ai_provider: Object.fromEntries(LLM_PROVIDER_IDS.map((id) => [id, LLM_PROVIDERS[id].product])),
  ai_cohort: AI_COHORT_TITLES,
  data_kind: Object.fromEntries(Object.entries(DATA_REMEDIES).map(([kind, { title }]) => [kind, title])),
  category: Object.fromEntries(CATEGORIES.map(({ key, label }) => [key, label])),
  git_provider: Object.fromEntries(GIT_PROVIDER_NAMES.map((name) => [name, GIT_PROVIDERS[name].product])),
  role: ROLE_NAMES,
  processing_status: PROCESSING_NAMES,
  import_status: IMPORT_NAMES,
  import_error: IMPORT_ERROR_NAMES,
} satisfies Record<string, Readonly<Record<string, string>>>;

/** The words for a name of a series, which may be a wire value; else the name itself. */
export function seriesTitle(name: string): string {
  const known: Readonly<Record<string, string>> = { ...DISPLAY_NAMES.ai_provider, ...DISPLAY_NAMES.ai_cohort };
  return known[name] ?? name;
}
