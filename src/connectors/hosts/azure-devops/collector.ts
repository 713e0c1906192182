// Everything that is collected from Azure DevOps, Services and Server.
import { createCollector } from '../../collect/collector.ts';
import { type AzureCollectClient, createAzureCollectClient } from './collect-client.ts';
import { builds, teams } from './delivery-streams.ts';
import { onePullRequest, pullRequests } from './pull-request-streams.ts';
import { deployments } from './release-streams.ts';

const azureCollector = (provider: AzureCollectClient['provider'], address: string | null, version: string) =>
  createCollector({
    streams: [pullRequests, builds, deployments, teams],
    items: [onePullRequest],
    resourceOf: () => 'api',
    connect: createAzureCollectClient(provider, address, version),
  });

export const azureDevopsCollector = azureCollector('devops_suite', 'https://dev.azure.com', '7.1');
/** The oldest server that is served speaks this version. */
export const azureDevopsServerCollector = azureCollector('devops_suite_on_prem', null, '5.0');
