// Queues the imports of repos whose next look is due. A repo with nothing new costs one question to its
// source.
import { importQueueOptions } from '../domain/repos/import-queue.ts';
import { enqueue } from '../storage/queue/queue.ts';
import { listDueRepos, updateRepo } from '../storage/repos/repos.ts';
import type { Task } from './task.ts';

const MOST_AT_ONCE = 500;
const MINUTE_MS = 60_000;
/** Behind imports that somebody asked for. */
const PRIORITY = 10;

export const refreshRepos: Task<'refresh_repos'> = {
  description: 'Queues the repos that were last fetched longer ago than the refresh interval.',
  cron: { pattern: '* * * * *', payload: {} },
  async run(_payload, { log }, { store, now, imports }) {
    if (imports.refreshMinutes === 0) return;
    const due = await listDueRepos(store.db, now(), MOST_AT_ONCE);
    for (const { entity_id, repo_id, import_id } of due) {
      const payload = { entity_id, import_id };
      await store.db.transaction().execute(async (trx) => {
        await enqueue(trx, 'import_repo', payload, {
          ...importQueueOptions(payload),
          jobKeyMode: 'preserve_run_at',
          priority: PRIORITY,
        });
        // Pushed on, so that a long queue is not filled with the same repos every minute.
        const next = new Date(now().getTime() + imports.refreshMinutes * MINUTE_MS);
        await updateRepo(trx, entity_id, repo_id, { next_refresh_at: next.toISOString() });
      });
    }
    if (due.length > 0) log.info({ repos: due.length }, 'queued the refresh of repos');
  },
};
