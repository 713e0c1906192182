// The table of what can be collected from, by kind of host or tracker.
import type { CollectAccount, Collectors, Meter } from '../../domain/collect/stream.ts';
import type { GitProvider } from '../../domain/repos/code-host.ts';
import type { TrackerKind } from '../../domain/work/issue.ts';
import { azureDevopsCollector, azureDevopsServerCollector } from '../hosts/azure-devops/collector.ts';
import { bitbucketCollector } from '../hosts/bitbucket/collector.ts';
import { bitbucketServerCollector } from '../hosts/bitbucket-server/collector.ts';
import { githubCollector } from '../hosts/github/collector.ts';
import { gitlabCollector } from '../hosts/gitlab/collector.ts';
import { createGuardedFetch, type GuardedFetchOptions } from '../http/guarded-fetch.ts';
import { azureBoardsCollector } from '../trackers/azure-boards/collector.ts';
import { jiraCollector } from '../trackers/jira/collector.ts';
import { jiraServerCollector } from '../trackers/jira-server/collector.ts';
import { linearCollector } from '../trackers/linear/collector.ts';
import type { Collector } from './collector.ts';
import { replayFetch } from './replay-fetch.ts';

/** Kinds without a row give nothing but git. */
const COLLECTORS: Partial<Record<GitProvider | TrackerKind, Collector>> = {
  devops_suite: azureDevopsCollector,
  devops_suite_on_prem: azureDevopsServerCollector,
  hostB: bitbucketCollector,
  hostB_server: bitbucketServerCollector,
  hostC: githubCollector,
  hostD: gitlabCollector,
  azure_boards: azureBoardsCollector,
  jira: jiraCollector,
  jira_server: jiraServerCollector,
  linear: linearCollector,
};

export interface CollectorsOptions extends GuardedFetchOptions {
  now(): Date;
}

export function createCollectors({ now, ...options }: CollectorsOptions): Collectors {
  const fetch = createGuardedFetch(options);
  const find = (kind: string): Collector | undefined => (COLLECTORS as Readonly<Record<string, Collector>>)[kind];
  return {
    streamsOf: (kind) => find(kind)?.streams ?? [],
    itemsOf: (kind) => find(kind)?.items ?? [],
    open(account, meter) {
      const kind = kindOf(account);
      const collector = find(kind);
      if (collector === undefined) throw new Error(`nothing is collected from ${kind}`);
      return collector.open(account, meter, { fetch, now });
    },
    replay(account, answers, at) {
      const kind = kindOf(account);
      const collector = find(kind);
      if (collector === undefined) throw new Error(`nothing is collected from ${kind}`);
      return collector.open(account, NO_METER, { fetch: replayFetch(answers), now: () => at });
    },
  };
}

const NO_METER: Meter = { before: () => undefined, after: () => undefined };

const kindOf = (account: CollectAccount): string => (account.source === 'host' ? account.host.provider : account.kind);
