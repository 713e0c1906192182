// Workspaces and repos of Bitbucket Cloud. A personal account is a workspace there, like any other; and so is whoever let the
// person contribute to a single repo.
import { type CodeHost, HostError, type HostOrganization, type HostRepo } from '../../../domain/repos/code-host.ts';
import { pathPart, readAnswer, withoutUser } from '../../http/read-answer.ts';
import { type Connector, type ConnectorParts, MOST_PAGES, PAGE_SIZE } from '../connector.ts';
import {
  type BitbucketRepo,
  type BitbucketWorkspace,
  bitbucketRepos,
  bitbucketUser,
  bitbucketWorkspaces,
} from './answers.ts';
import { bitbucketCloneCredentials, createBitbucketClient } from './client.ts';

export const bitbucket: Connector = {
  defaultAddress: 'https://api.bitbucket.org/2.0',
  connect,
  cloneCredentials: bitbucketCloneCredentials,
};

const WITHDRAWN = [403, 404, 410];

function connect(parts: ConnectorParts): CodeHost {
  const client = createBitbucketClient(parts);
  const { provider } = parts.account;
  /** Repos of workspaces that the token's owner is not in, by workspace. */
  const shared = new Map<string, BitbucketRepo[]>();

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

  /** Bitbucket takes lists across workspaces away from some tokens: then there are none. */
  async function listContributed(signal: AbortSignal): Promise<BitbucketRepo[]> {
    const found: BitbucketRepo[] = [];
    try {
      const read = (body: unknown) => readAnswer(provider, bitbucketRepos, body);
      const path = `/repositories?role=contributor&pagelen=${PAGE_SIZE}`;
      for await (const { values } of pages(path, read, signal)) found.push(...values);
    } catch (error) {
      if (!(error instanceof HostError) || error.status === null || !WITHDRAWN.includes(error.status)) throw error;
    }
    return found;
  }

  return {
    async whoAmI(signal) {
      const user = readAnswer(provider, bitbucketUser, (await client.get('/user', signal)).body);
      const user_name = user.username ?? user.nickname ?? user.display_name ?? user.uuid;
      return { user_name, external_id: user.uuid, token_expires_at: null };
    },

    async *listOrganizations(_user, signal) {
      const known = new Set<string>();
      const read = (body: unknown) => readAnswer(provider, bitbucketWorkspaces, body);
      for await (const { values } of pages(`/user/workspaces?pagelen=${PAGE_SIZE}`, read, signal)) {
        for (const { workspace } of values) known.add(workspace.slug.toLowerCase());
        yield values.map(({ workspace }) => workspaceToRecord(workspace));
      }
      shared.clear();
      const owners: HostOrganization[] = [];
      for (const repo of await listContributed(signal)) {
        const { workspace } = repo;
        if (workspace === undefined || known.has(workspace.slug.toLowerCase())) continue;
        const list = shared.get(workspace.slug);
        if (list === undefined) owners.push(workspaceToRecord(workspace));
        shared.set(workspace.slug, [...(list ?? []), repo]);
      }
      if (owners.length > 0) yield owners;
    },

    async *listRepos(organization, signal) {
      const own = shared.get(organization.slug);
      if (own !== undefined) {
        yield own.map(repoToRecord);
        return;
      }
      const read = (body: unknown) => readAnswer(provider, bitbucketRepos, body);
      const path = `/repositories/${pathPart(organization.slug)}?pagelen=${PAGE_SIZE}`;
      for await (const { values } of pages(path, read, signal)) yield values.map(repoToRecord);
    },
  };
}

const workspaceToRecord = ({ slug, name, uuid }: BitbucketWorkspace): HostOrganization => ({
  slug,
  name: name ?? slug,
  external_id: uuid,
  is_personal: false,
});

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
