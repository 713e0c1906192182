// Everything that is collected from GitHub.
import { createCollector } from '../../collect/collector.ts';
import { createGithubCollectClient } from './collect-client.ts';
import { deployments, workflowRuns } from './delivery-streams.ts';
import { probe } from './probe.ts';
import { projects } from './projects/streams.ts';
import { onePullRequest, pullRequests } from './pull-request-streams.ts';
import { conversationComments, issueEvents, issues, reviewComments } from './repo-streams.ts';
import { teams } from './team-streams.ts';

export const githubCollector = createCollector({
  streams: [
    pullRequests,
    issues,
    projects,
    reviewComments,
    conversationComments,
    issueEvents,
    deployments,
    workflowRuns,
    teams,
  ],
  items: [onePullRequest],
  probe,
  quietCalls: 500,
  // Two budgets: queries are paid in points, calls one by one.
  resourceOf: ({ pathname }) => (pathname.endsWith('/graphql') ? 'graphql' : 'core'),
  connect: createGithubCollectClient,
});
