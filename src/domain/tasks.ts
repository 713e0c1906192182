// The names and payloads of background tasks. Operations enqueue them; jobs/ has one handler for each,
// proven complete at start.

export interface TaskPayloads {
  /** Imports a repo, or what is new in it. */
  import_repo: { entity_id: number; import_id: number };
  /** Queues the imports of repos that are due; run by cron. */
  refresh_repos: Record<string, never>;
  /** Sums the daily tables of an entity anew, after its time zone or the like has changed; or of one import's repo. */
  rebuild_rollups: { entity_id: number; import_id?: number };
  /** Queues the repos whose facts were derived under another formula or churn window; queued when a worker starts. */
  rederive_facts: Record<string, never>;
  /** Removes an entity with all that belongs to it, in small steps. */
  delete_entity: { entity_id: number };
  /** Works out what follows from releases, defects and commits together; a repo's releases too when one is named. */
  derive_delivery: { entity_id: number; repo_id?: number };
  /** Works out coding time, phase and purpose of an entity's commits. */
  derive_traits: { entity_id: number };
  /** Sends the mail that waits in the outbox; run by cron too. */
  send_mail: Record<string, never>;
  /** Sends and closes surveys at their set times; run by cron. */
  send_surveys: Record<string, never>;
  /** Lists the organizations and repos that a connection to a code host can see. */
  cache_provider_repos: { entity_id: number; connection_id: number };
  /** Removes what is kept of calls with an Idempotency-Key for too long; run by cron. */
  forget_calls: Record<string, never>;
  /** Removes what is too old from the activity trail; run by cron. */
  remove_old_activity: Record<string, never>;
  /** Collects with one token: a connection to a code host, or a tracker. */
  collect: { entity_id: number; source: 'host' | 'tracker'; connection_id: number };
  /** Queues the tokens that have something to collect; run by cron. */
  collect_due: Record<string, never>;
  /** Removes answers of hosts that were kept for long enough; run by cron. */
  sweep_collected: Record<string, never>;
  /** Reads kept answers of hosts and trackers again, after a rule has changed. */
  replay_answers: { entity_id: number };
  /** Chooses what is read again at hosts and compared with what is stored; run by cron. */
  reconcile_hosts: Record<string, never>;
  /** Works out what follows from a repo's pull requests, reviews and comments together. */
  derive_reviews: { entity_id: number; repo_id: number };
  /** Collects usage and seats with one token of an AI provider. */
  collect_usage: { entity_id: number; llm_token_id: number };
  /** Queues the tokens of AI providers that are due; run by cron. */
  collect_usage_due: Record<string, never>;
  /** Folds telemetry of coding tools into usage: of one entity, or by cron of all that have any. */
  fold_telemetry: { entity_id?: number };
  /** Sums up the weeks whose reports of use changed; run by cron. */
  sum_usage_weeks: Record<string, never>;
  /** Finds the models of reports of use that were stored without; queued when a worker starts. */
  name_models: Record<string, never>;
}
export type TaskName = keyof TaskPayloads;

/** The same names as values; the compiler refuses one too many or too few. */
export const TASK_NAMES = Object.keys({
  import_repo: true,
  refresh_repos: true,
  rebuild_rollups: true,
  rederive_facts: true,
  delete_entity: true,
  derive_delivery: true,
  derive_traits: true,
  send_mail: true,
  send_surveys: true,
  cache_provider_repos: true,
  forget_calls: true,
  remove_old_activity: true,
  collect: true,
  reconcile_hosts: true,
  replay_answers: true,
  collect_due: true,
  sweep_collected: true,
  derive_reviews: true,
  fold_telemetry: true,
  sum_usage_weeks: true,
  name_models: true,
  collect_usage: true,
  collect_usage_due: true,
} satisfies Record<TaskName, true>) as readonly TaskName[];

/** Those that work out anew what follows from an entity's stored data. */
export const DERIVING_TASKS = [
  'rebuild_rollups',
  'derive_reviews',
  'derive_delivery',
  'derive_traits',
] as const satisfies readonly TaskName[];

/** All after which an entity's figures may differ. */
export const FIGURE_TASKS = ['import_repo', 'replay_answers', ...DERIVING_TASKS] as const satisfies readonly TaskName[];
