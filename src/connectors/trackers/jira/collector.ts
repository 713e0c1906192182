// Everything that is collected from Jira Cloud.
import type { CollectAccount } from '../../../domain/collect/stream.ts';
import { type CollectorParts, createCollector } from '../../collect/collector.ts';
import { createJiraClient, type JiraClient, type JiraKind } from './client.ts';
import { sprints, statuses } from './common-streams.ts';
import { issues, oneIssue } from './issue-streams.ts';

export const connectJira =
  (kind: JiraKind) =>
  (account: CollectAccount, parts: CollectorParts): JiraClient => {
    if (account.source !== 'tracker') throw new Error('Jira is a tracker');
    return createJiraClient(kind, account, parts);
  };

export const jiraCollector = createCollector({
  streams: [statuses, issues, sprints],
  items: [oneIssue],
  resourceOf: () => 'core',
  connect: connectJira('jira'),
});
