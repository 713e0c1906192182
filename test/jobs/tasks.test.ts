import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { TASK_NAMES } from '../../src/domain/tasks.ts';
import { checkTasks, cronEntries, TASKS, taskHandlers } from '../../src/jobs/tasks.ts';
import { reportProgress } from '../../src/storage/queue/job-progress.ts';
import { countJobs, enqueue } from '../../src/storage/queue/queue.ts';
import { startQueueWorker } from '../../src/storage/queue/worker.ts';
import { createTestDatabase } from '../support/database.ts';
import { importSettings } from '../support/import-settings.ts';

describe('the task table', () => {
  it('has code for every name and no code without a name', () => {
    expect(() => checkTasks(TASKS, TASK_NAMES)).not.toThrow();
    expect(() => checkTasks(TASKS, [...TASK_NAMES, 'zebra'])).toThrow('no code for the background tasks zebra');
    expect(() => checkTasks({ ...TASKS, zebra: {} }, TASK_NAMES)).toThrow('have no name: zebra');
  });

  it('has a cron entry for each task that asks for one, with five fields', () => {
    const entries = cronEntries();
    expect(entries.map(({ task }) => task)).toContain('housekeeping');
    for (const { pattern } of entries) expect(pattern.split(' ')).toHaveLength(5);
  });
});

describe('housekeeping', () => {
  it('run by a worker removes old progress and leaves the rest', async () => {
    const { store } = await createTestDatabase();
    await reportProgress(store.db, 'old', { stage: 'done' });
    await reportProgress(store.db, 'new', { stage: 'half', done: 1, total: 2 });
    await store.pool.query(`update job_progress set updated_at = now() - interval '8 days' where job_key = 'old'`);
    await enqueue(store.db, 'housekeeping', {});
    const worker = await startQueueWorker({
      store,
      tasks: taskHandlers({ store, sources: [], imports: importSettings('/nonexistent'), now: () => new Date() }),
      cron: cronEntries(),
    });
    for (let waited = 0; (await countJobs(store.db)).length > 0 && waited < 10_000; waited += 50) await sleep(50);
    await worker.stop();
    const { rows } = await store.pool.query('select job_key from job_progress');
    expect(rows).toEqual([{ job_key: 'new' }]);
  });
});
