// Queued whenever a worker starts: reports of use that an earlier version stored bear the name of a model as it was sent,
// and the table that says which model it stands for is the program's, not the database's.
import { usageModel } from '../../domain/ai/models.ts';
import { memoize } from '../../kit/remembered.ts';
import { listEntitiesWithUnnamed, nameUsages } from '../../storage/ai/unnamed-usages.ts';
import { inTransaction } from '../../storage/database/in-transaction.ts';
import type { Task } from '../task.ts';

export const nameModels: Task<'name_models'> = {
  description: 'Finds the models of reports of AI use that were stored without.',
  async run(_payload, { log, signal }, { store }) {
    const modelOf = memoize((name: string) => usageModel(name).model);
    for (const entity_id of await listEntitiesWithUnnamed(store.db)) {
      for (let after: number | null = 0; after !== null; ) {
        signal.throwIfAborted();
        const from: number = after;
        after = await inTransaction(store.db, (trx) => nameUsages(trx, entity_id, from, modelOf));
      }
      log.info({ entity_id }, 'found the models of reports of AI use');
    }
  },
};
