// Everything that is collected from Azure Boards.
import { createCollector } from '../../collect/collector.ts';
import { createAzureBoardsClient } from './client.ts';
import { iterations, states, workItems } from './streams.ts';

export const azureBoardsCollector = createCollector({
  streams: [states, workItems, iterations],
  items: [],
  resourceOf: () => 'core',
  connect(account, parts) {
    if (account.source !== 'tracker') throw new Error('Azure Boards is a tracker');
    return createAzureBoardsClient(account, parts);
  },
});
