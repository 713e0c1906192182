// Queues the tokens that have something to collect.
import { collectQueueOptions } from '../../domain/collect/collect-queue.ts';
import { listDueTokens } from '../../storage/collect/streams.ts';
import { enqueue } from '../../storage/queue/queue.ts';
import type { Task } from '../task.ts';

export const collectDue: Task<'collect_due'> = {
  description: 'Queues the connections to code hosts and trackers that have something to collect.',
  cron: { pattern: '* * * * *', payload: {} },
  async run(_payload, _job, { store, now }) {
    for (const { entityId, source, connectionId } of await listDueTokens(store.db, now())) {
      const payload = { entity_id: entityId, source, connection_id: connectionId };
      // A job that waits for its budget goes on waiting.
      await enqueue(store.db, 'collect', payload, { ...collectQueueOptions(payload), jobKeyMode: 'preserve_run_at' });
    }
  },
};
