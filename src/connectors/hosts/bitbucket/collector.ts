// Everything that is collected from Bitbucket Cloud.
import { createCollector } from '../../collect/collector.ts';
import { createBitbucketCollectClient } from './collect-client.ts';
import { deployments, members, pipelines } from './delivery-streams.ts';
import { onePullRequest, pullRequests } from './pull-request-streams.ts';

export const bitbucketCollector = createCollector({
  streams: [pullRequests, pipelines, deployments, members],
  items: [onePullRequest],
  // Of 1,000 in an hour.
  quietCalls: 100,
  resourceOf: () => 'api',
  connect: createBitbucketCollectClient,
});
