// Projects and repos of Azure DevOps. A project is what holds repos, and their names are unique only
// within it; so a project is the organization of a resource path.
import { type CodeHost, HostError, type HostRepo } from '../../../domain/repos/code-host.ts';
import { failureOf } from '../../http/answer-failure.ts';
import type { JsonClient } from '../../http/json-client.ts';
import { pathPart, readAnswer, withoutUser } from '../../http/read-answer.ts';
import { type Connector, type ConnectorParts, MOST_PAGES, PAGE_SIZE } from '../connector.ts';
import { type AzureRepo, azureConnection, azureProjects, azureRepos } from './answers.ts';
import { azureCloneCredentials, createAzureClient } from './client.ts';

/** Whom a request without a valid token is taken for. */
const ANONYMOUS = 'aaaaaaaa-aaaa-aaaa-aaaa-aaaaaaaaaaaa';

export const azureDevops: Connector = {
  defaultAddress: 'https://dev.azure.com',
  connect: (parts) => connectAzure(parts, createAzureClient(parts), '7.1'),
  cloneCredentials: azureCloneCredentials,
};

/** Services and Server differ in their address and in the newest version of the API that is everywhere. */
export function connectAzure(parts: ConnectorParts, client: JsonClient, version: string): CodeHost {
  const { provider, tenant_id } = parts.account;
  return {
    async whoAmI(signal) {
      const { body, headers } = await client.get(`/_apis/connectionData?api-version=${version}-preview.1`, signal);
      const user = readAnswer(provider, azureConnection, body).authenticatedUser;
      if (user.id === ANONYMOUS) throw failureOf(provider, { status: 401, headers }, parts.now());
      const tenant = headers.get('x-vss-resourcetenant');
      if (tenant_id !== null && tenant !== null && tenant.toLowerCase() !== tenant_id.toLowerCase()) {
        throw new HostError('rejected', 'the organization belongs to another tenant than the tenant_id sent');
      }
      const user_name = user.customDisplayName ?? user.providerDisplayName ?? user.id;
      return { user_name, external_id: user.id, token_expires_at: null };
    },

    async *listOrganizations(_user, signal) {
      let continuation: string | null = null;
      for (let count = 0; count < MOST_PAGES; count += 1) {
        const after: string = continuation === null ? '' : `&continuationToken=${encodeURIComponent(continuation)}`;
        const { body, headers } = await client.get(
          `/_apis/projects?api-version=${version}&$top=${PAGE_SIZE}${after}`,
          signal,
        );
        yield readAnswer(provider, azureProjects, body).value.map(({ id, name }) => ({
          slug: name,
          name,
          external_id: id,
          is_personal: false,
        }));
        continuation = headers.get('x-ms-continuationtoken');
        if (continuation === null) return;
      }
    },

    async *listRepos(organization, signal) {
      const project = pathPart(organization.external_id);
      const { body } = await client.get(`/${project}/_apis/git/repositories?api-version=${version}`, signal);
      const { value } = readAnswer(provider, azureRepos, body);
      yield value.filter(({ isDisabled }) => isDisabled !== true).map(repoToRecord);
    },
  };
}

function repoToRecord(repo: AzureRepo): HostRepo {
  const address = repo.remoteUrl ?? repo.webUrl;
  if (address === undefined) throw new HostError('unexpected_answer', `${repo.name} has no address to clone from`);
  return {
    slug: repo.name,
    external_id: repo.id,
    clone_url: withoutUser(address),
    default_branch: repo.defaultBranch?.replace(/^refs\/heads\//, '') ?? null,
    is_private: repo.project?.visibility !== 'public',
  };
}
