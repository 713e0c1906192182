// Workspaces and repos of Bitbucket Cloud. A personal account is a workspace there, like any other.
import { type CodeHost, HostError, type HostRepo } from '../../../domain/repos/code-host.ts';
import { pathPart, readAnswer, withoutUser } from '../../http/read-answer.ts';
import { type Connector, type ConnectorParts, MOST_PAGES, PAGE_SIZE } from '../connector.ts';
import { type BitbucketRepo, bitbucketRepos, bitbucketUser, bitbucketWorkspaces } from './answers.ts';
import { bitbucketCloneCredentials, createBitbucketClient } from './client.ts';

export const bitbucket: Connector = {
  defaultAddress: 'https://api.bitbucket.org/2.0',
  connect,
  cloneCredentials: bitbucketCloneCredentials,
};

function connect(parts: ConnectorParts): CodeHost {
  const client = createBitbucketClient(parts);
  const { provider } = parts.account;

  async function* pages<T extends { readonly next?: string | undefined }>(
    first: string,
    read: (body: unknown) => T,
    signal: AbortSignal,
  ): AsyncGenerator<T> {
    let path: string | undefined = first;
    for (let count = 0; path !== undefined && count < MOST_PAGES; count += 1) {
      const page: T = read((await client.get(path, signal)).body);
      yield page;
      path = page.next;
    }
  }

  return {
    async whoAmI(signal) {
      const user = readAnswer(provider, bitbucketUser, (await client.get('/user', signal)).body);
      const user_name = user.username ?? user.nickname ?? user.display_name ?? user.uuid;
      return { user_name, external_id: user.uuid, token_expires_at: null };
    },

    async *listOrganizations(_user, signal) {
      const read = (body: unknown) => readAnswer(provider, bitbucketWorkspaces, body);
      for await (const { values } of pages(`/user/workspaces?pagelen=${PAGE_SIZE}`, read, signal)) {
        yield values.map(({ workspace }) => ({
          slug: workspace.slug,
          name: workspace.name ?? workspace.slug,
          external_id: workspace.uuid,
          is_personal: false,
        }));
      }
    },

    async *listRepos(organization, signal) {
      const read = (body: unknown) => readAnswer(provider, bitbucketRepos, body);
      const path = `/repositories/${pathPart(organization.slug)}?pagelen=${PAGE_SIZE}`;
      for await (const { values } of pages(path, read, signal)) yield values.map(repoToRecord);
    },
  };
}

function repoToRecord(repo: BitbucketRepo): HostRepo {
  const https = repo.links.clone.find(({ name }) => name === 'https');
  if (https === undefined) throw new HostError('unexpected_answer', `${repo.slug} has no address to clone from`);
  return {
    slug: repo.slug,
    external_id: repo.uuid,
    clone_url: withoutUser(https.href),
    default_branch: repo.mainbranch?.name ?? null,
    is_private: repo.is_private,
  };
}
