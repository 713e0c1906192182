// One double per kind of host, with the account that it lets in and what that account sees there.
import type { GitProvider, HostAccount } from '../../../src/domain/repos/code-host.ts';
import { AZURE_TENANT, AZURE_TOKEN, startAzure, startAzureServer } from './azure-devops.ts';
import { BITBUCKET_EMAIL, BITBUCKET_TOKEN, startBitbucket } from './bitbucket.ts';
import { BITBUCKET_SERVER_TOKEN, startBitbucketServer } from './bitbucket-server.ts';
import { GITHUB_TOKEN, startGithub } from './github.ts';
import { GITLAB_TOKEN, startGitlab } from './gitlab.ts';
import type { HostDouble } from './host-double.ts';

export interface DoubleKind {
  start(): Promise<HostDouble>;
  /** Behind the double's address. */
  readonly path: string;
  readonly account: Pick<HostAccount, 'token' | 'organization_name' | 'tenant_id'>;
  readonly user: string;
  readonly organizations: readonly string[];
  /** Which of them has repos, and which. */
  readonly withRepos: string;
  readonly repos: readonly (readonly [slug: string, branch: string | null, isPrivate: boolean, cloneUrl: string])[];
}

const plain = { organization_name: null, tenant_id: null };
export const ADA = BITBUCKET_EMAIL;

export const DOUBLES: Readonly<Record<GitProvider, DoubleKind>> = {
  hostC: {
    start: startGithub,
    path: '',
    account: { ...plain, token: GITHUB_TOKEN },
    user: 'ada',
    organizations: ['ada', 'engines', 'looms', 'mills', 'notes', 'tables', 'babbage'],
    withRepos: 'engines',
    repos: [
      ['difference', 'main', true, 'https://github.example.com/engines/difference.git'],
      ['analytical', 'main', true, 'https://github.example.com/engines/analytical.git'],
      ['manual', 'main', false, 'https://github.example.com/engines/manual.git'],
    ],
  },
  hostD: {
    start: startGitlab,
    path: '',
    account: { ...plain, token: GITLAB_TOKEN },
    user: 'ada',
    organizations: ['ada', 'engines', 'engines/parts', 'looms', 'mills', 'notes', 'babbage'],
    withRepos: 'engines',
    repos: [
      ['difference', 'main', true, 'https://gitlab.example.com/engines/difference.git'],
      ['empty', null, true, 'https://gitlab.example.com/engines/empty.git'],
      ['manual', 'main', false, 'https://gitlab.example.com/engines/manual.git'],
    ],
  },
  hostB: {
    start: startBitbucket,
    path: '',
    account: { ...plain, token: BITBUCKET_TOKEN },
    user: 'ada',
    organizations: ['engines', 'looms', 'mills', 'babbage'],
    withRepos: 'engines',
    repos: [
      ['difference', 'main', true, 'https://bitbucket.org/engines/difference.git'],
      ['empty', null, true, 'https://bitbucket.org/engines/empty.git'],
      ['manual', 'main', false, 'https://bitbucket.org/engines/manual.git'],
    ],
  },
  hostB_server: {
    start: startBitbucketServer,
    path: '/git',
    account: { ...plain, token: BITBUCKET_SERVER_TOKEN },
    user: 'ada',
    organizations: ['ENG', 'LOOM', 'MILL'],
    withRepos: 'ENG',
    repos: [
      ['difference', null, true, 'https://bitbucket.example.com/scm/eng/difference.git'],
      ['manual', null, false, 'https://bitbucket.example.com/scm/eng/manual.git'],
      ['tables', null, true, 'https://bitbucket.example.com/scm/eng/tables.git'],
    ],
  },
  devops_suite: {
    start: startAzure,
    path: '',
    account: { token: AZURE_TOKEN, organization_name: 'contoso', tenant_id: AZURE_TENANT },
    user: 'Ada Lovelace',
    organizations: ['Engines', 'Loom Works', 'Mills'],
    withRepos: 'Engines',
    repos: [
      ['difference', 'main', true, 'https://dev.azure.com/contoso/Engines/_git/difference'],
      ['empty', null, true, 'https://dev.azure.com/contoso/Engines/_git/empty'],
    ],
  },
  devops_suite_on_prem: {
    start: startAzureServer,
    path: '/tfs',
    account: { token: AZURE_TOKEN, organization_name: 'contoso', tenant_id: null },
    user: 'Ada Lovelace',
    organizations: ['Engines', 'Loom Works', 'Mills'],
    withRepos: 'Engines',
    repos: [
      ['difference', 'main', true, 'https://dev.azure.com/contoso/Engines/_git/difference'],
      ['empty', null, true, 'https://dev.azure.com/contoso/Engines/_git/empty'],
    ],
  },
};
