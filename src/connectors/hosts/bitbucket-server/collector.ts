// Everything that is collected from Bitbucket Data Center. It has no pipelines; deployments are left to the releases that
// are recorded by API.
import { createCollector } from '../../collect/collector.ts';
import { createServerCollectClient } from './collect-client.ts';
import { onePullRequest, pullRequests } from './pull-request-streams.ts';

export const bitbucketServerCollector = createCollector({
  streams: [pullRequests],
  items: [onePullRequest],
  resourceOf: () => 'api',
  connect: createServerCollectClient,
});
