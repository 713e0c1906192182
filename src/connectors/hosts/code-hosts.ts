// The table of connectors, and how an account finds its own.
import { type CodeHosts, type GitProvider, HostError } from '../../domain/repos/code-host.ts';
import { createGuardedFetch, type GuardedFetchOptions } from '../http/guarded-fetch.ts';
import { azureDevops } from './azure-devops/code-host.ts';
import { azureDevopsServer } from './azure-devops-server/code-host.ts';
import { bitbucket } from './bitbucket/code-host.ts';
import { bitbucketServer } from './bitbucket-server/code-host.ts';
import type { Connector } from './connector.ts';
import { github } from './github/code-host.ts';
import { gitlab } from './gitlab/code-host.ts';

const CONNECTORS = {
  devops_suite: azureDevops,
  devops_suite_on_prem: azureDevopsServer,
  hostB: bitbucket,
  hostB_server: bitbucketServer,
  hostC: github,
  hostD: gitlab,
} as const satisfies Record<GitProvider, Connector>;

export interface CodeHostOptions extends GuardedFetchOptions {
  now(): Date;
}

export function createCodeHosts({ now, ...options }: CodeHostOptions): CodeHosts {
  const fetch = createGuardedFetch(options);
  return {
    connect(account) {
      const connector: Connector = CONNECTORS[account.provider];
      const address = account.endpoint_url ?? connector.defaultAddress;
      if (address === null) throw new HostError('unexpected_answer', 'this host has no address of its own');
      return connector.connect({ account, address: address.replace(/\/+$/, ''), fetch, now });
    },
    cloneCredentials: (account) => CONNECTORS[account.provider].cloneCredentials(account),
  };
}
