// Everything that is collected from GitLab.
import { createCollector } from '../../collect/collector.ts';
import { createGitlabCollectClient } from './collect-client.ts';
import { deployments, pipelines } from './delivery-streams.ts';
import { mergeRequests, oneMergeRequest } from './pull-request-streams.ts';
import { teams } from './team-streams.ts';
import { epics } from './work/epic-streams.ts';
import { issues } from './work/issue-streams.ts';
import { iterations, milestones } from './work/sprint-streams.ts';

export const gitlabCollector = createCollector({
  streams: [mergeRequests, issues, epics, iterations, milestones, deployments, pipelines, teams],
  items: [oneMergeRequest],
  resourceOf: () => 'api',
  connect: createGitlabCollectClient,
});
