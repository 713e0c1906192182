// Projects and repos of Bitbucket Data Center.
import { type CodeHost, HostError, type HostRepo } from '../../../domain/repos/code-host.ts';
import { failureOf } from '../../http/answer-failure.ts';
import { pathPart, readAnswer, withoutUser } from '../../http/read-answer.ts';
import { type Connector, type ConnectorParts, MOST_PAGES, PAGE_SIZE } from '../connector.ts';
import { type BitbucketServerRepo, bitbucketServerProjects, bitbucketServerRepos } from './answers.ts';
import { createBitbucketServerClient } from './client.ts';

export const bitbucketServer: Connector = {
  defaultAddress: null,
  connect,
  cloneCredentials: ({ token }) => ({ username: 'x-token-auth', password: token }),
};

interface Page {
  readonly isLastPage: boolean;
  readonly nextPageStart?: number | null | undefined;
}

function connect(parts: ConnectorParts): CodeHost {
  const client = createBitbucketServerClient(parts);
  const { provider } = parts.account;

  async function* pages<T extends Page>(
    path: string,
    read: (body: unknown) => T,
    signal: AbortSignal,
  ): AsyncGenerator<T> {
    let start = 0;
    for (let count = 0; count < MOST_PAGES; count += 1) {
      const page = read((await client.get(`${path}?limit=${PAGE_SIZE}&start=${start}`, signal)).body);
      yield page;
      if (page.isLastPage || page.nextPageStart == null) return;
      start = page.nextPageStart;
    }
  }

  return {
    async whoAmI(signal) {
      const { body, headers } = await client.get('/projects?limit=1', signal);
      readAnswer(provider, bitbucketServerProjects, body);
      // The only place where it names the user. Without it the token was overlooked and we are anonymous.
      const user = headers.get('x-ausername');
      if (user === null || user === '') throw failureOf(provider, { status: 401, headers }, parts.now());
      return { user_name: decodeURIComponent(user), external_id: user, token_expires_at: null };
    },

    async *listOrganizations(_user, signal) {
      const read = (body: unknown) => readAnswer(provider, bitbucketServerProjects, body);
      for await (const { values } of pages('/projects', read, signal)) {
        yield values.map(({ id, key, name, type }) => ({
          slug: key,
          name,
          external_id: String(id),
          is_personal: type === 'PERSONAL',
        }));
      }
    },

    async *listRepos(organization, signal) {
      const read = (body: unknown) => readAnswer(provider, bitbucketServerRepos, body);
      const path = `/projects/${pathPart(organization.slug)}/repos`;
      for await (const { values } of pages(path, read, signal)) yield values.map(repoToRecord);
    },
  };
}

function repoToRecord(repo: BitbucketServerRepo): HostRepo {
  const http = repo.links.clone?.find(({ name }) => name === 'http' || name === 'https');
  if (http === undefined) {
    throw new HostError('unexpected_answer', `${repo.slug} cannot be cloned over HTTP; allow that in Bitbucket`);
  }
  return {
    slug: repo.slug,
    external_id: String(repo.id),
    clone_url: withoutUser(http.href),
    // Known only by a further request per repo; git learns it when the repo is cloned.
    default_branch: null,
    is_private: repo.public !== true,
  };
}
