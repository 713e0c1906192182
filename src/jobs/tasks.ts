// Every background task. The compiler refuses a task name without a row; the check at start refuses a
// row without a name.
import { TASK_NAMES, type TaskName } from '../domain/tasks.ts';
import type { CronEntry, TaskHandler, TaskHandlers } from '../storage/queue/worker.ts';
import { collectUsage, collectUsageDue } from './ai/collect-usage.ts';
import { foldTelemetry } from './ai/fold-telemetry.ts';
import { nameModels } from './ai/name-models.ts';
import { sumUsageWeeks } from './ai/sum-usage-weeks.ts';
import { cacheProviderRepos } from './cache-provider-repos.ts';
import { collect } from './collect/collect.ts';
import { collectDue } from './collect/collect-due.ts';
import { deriveReviews } from './collect/derive-reviews.ts';
import { reconcileHosts } from './collect/reconcile.ts';
import { replayKept } from './collect/replay.ts';
import { deleteEntity } from './delete-entity.ts';
import { deriveDelivery } from './derive-delivery.ts';
import { deriveTraits } from './derive-traits.ts';
import { importRepo } from './import/repo.ts';
import { rebuildRollups } from './rebuild-rollups.ts';
import { rederiveFacts } from './rederive-facts.ts';
import { refreshRepos } from './refresh-repos.ts';
import { sendMail } from './send-mail.ts';
import { sendSurveys } from './send-surveys.ts';
import { forgetCallsTask } from './sweep/forget-calls.ts';
import { removeOldActivity } from './sweep/remove-old-activity.ts';
import { sweepCollected } from './sweep/sweep-collected.ts';
import type { JobParts, Task } from './task.ts';

export const TASKS = {
  import_repo: importRepo,
  refresh_repos: refreshRepos,
  rebuild_rollups: rebuildRollups,
  rederive_facts: rederiveFacts,
  delete_entity: deleteEntity,
  derive_delivery: deriveDelivery,
  derive_traits: deriveTraits,
  send_mail: sendMail,
  send_surveys: sendSurveys,
  cache_provider_repos: cacheProviderRepos,
  forget_calls: forgetCallsTask,
  remove_old_activity: removeOldActivity,
  collect,
  collect_due: collectDue,
  sweep_collected: sweepCollected,
  derive_reviews: deriveReviews,
  reconcile_hosts: reconcileHosts,
  replay_answers: replayKept,
  fold_telemetry: foldTelemetry,
  sum_usage_weeks: sumUsageWeeks,
  name_models: nameModels,
  collect_usage: collectUsage,
  collect_usage_due: collectUsageDue,
} as const satisfies { readonly [T in TaskName]: Task<T> };

/** Throws when names and rows are not the same. */
export function checkTasks(tasks: Readonly<Record<string, unknown>>, names: readonly string[]): void {
  const missing = names.filter((name) => !Object.hasOwn(tasks, name));
  const unknown = Object.keys(tasks).filter((name) => !names.includes(name));
  if (missing.length > 0) throw new Error(`no code for the background tasks ${missing.join(', ')}`);
  if (unknown.length > 0) throw new Error(`code for background tasks that have no name: ${unknown.join(', ')}`);
}

/** Tasks with their parts filled in, as the queue wants them. */
export function taskHandlers(parts: JobParts): TaskHandlers {
  checkTasks(TASKS, TASK_NAMES);
  const handlers = TASK_NAMES.map((name): [TaskName, TaskHandler<TaskName>] => {
    const task: Task<TaskName> = TASKS[name];
    return [name, (payload, job) => task.run(payload, job, parts)];
  });
  // Each name has the handler of its own row.
  return Object.fromEntries(handlers) as TaskHandlers;
}

export function cronEntries(): CronEntry[] {
  return TASK_NAMES.flatMap((task): CronEntry[] => {
    const { cron }: Task<TaskName> = TASKS[task];
    return cron === undefined ? [] : [{ task, pattern: cron.pattern, payload: cron.payload }];
  });
}
