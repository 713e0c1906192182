// Queued whenever a worker starts: reports of use that an earlier version stored bear the name of a model as it was sent,
// and the table that says which model it stands for is the program's, not the database's.
import { usageModel } from '../../domain/ai/models.ts';
import { listUnnamedUsages, nameUsages } from '../../storage/ai/unnamed-usages.ts';
import type { Task } from '../task.ts';

export const nameModels: Task<'name_models'> = {
  description: 'Finds the models of reports of AI use that were stored without.',
  async run(_payload, { log, signal }, { store }) {
    const unnamed = await listUnnamedUsages(store.db);
    for (const each of unnamed) {
      signal.throwIfAborted();
      const { model } = usageModel(each.llm_model_name);
      await store.db.transaction().execute((trx) => nameUsages(trx, each, model));
    }
    if (unnamed.length > 0) log.info({ names: unnamed.length }, 'found the models of reports of AI use');
  },
};
