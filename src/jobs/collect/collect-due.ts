// Queues the tokens that have something to collect.
import { collectQueueOptions } from '../../domain/collect/collect-queue.ts';
import { listQueueOptions } from '../../domain/repos/import-queue.ts';
import { listDueTokens } from '../../storage/collect/streams.ts';
import { enqueue } from '../../storage/queue/queue.ts';
import { listUnlistedConnections } from '../../storage/repos/provider-connections.ts';
import type { Task } from '../task.ts';

const LIST_EVERY_MS = 86_400_000;

export const collectDue: Task<'collect_due'> = {
  description: 'Queues the connections to code hosts and trackers that have something to collect.',
  cron: { pattern: '* * * * *', payload: {} },
  async run(_payload, _job, { store, now }) {
    for (const { entityId, source, connectionId } of await listDueTokens(store.db, now())) {
      const payload = { entity_id: entityId, source, connection_id: connectionId };
      // A job that waits for its budget goes on waiting.
      await enqueue(store.db, 'collect', payload, { ...collectQueueOptions(payload), jobKeyMode: 'preserve_run_at' });
    }
    // Renamed and new repos, and when a token ends, are seen by listing anew.
    for (const { entity_id, id } of await listUnlistedConnections(
      store.db,
      new Date(now().getTime() - LIST_EVERY_MS),
    )) {
      const payload = { entity_id, connection_id: id };
      const options = { ...listQueueOptions(payload), jobKeyMode: 'preserve_run_at' } as const;
      await enqueue(store.db, 'cache_provider_repos', payload, options);
    }
  },
};
