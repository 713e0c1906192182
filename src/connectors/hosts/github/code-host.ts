// Organizations and repos of GitHub. The person's own account counts as one that holds repos, and so does whoever let the
// person collaborate on a repo.
import type { CodeHost, HostOrganization, HostRepo } from '../../../domain/repos/code-host.ts';
import { HostError } from '../../../domain/repos/code-host.ts';
import { nextLink } from '../../http/next-link.ts';
import { readAnswer } from '../../http/read-answer.ts';
import { type Connector, type ConnectorParts, MOST_PAGES, PAGE_SIZE } from '../connector.ts';
import { type GithubOwner, type GithubRepo, githubOrganizations, githubRepos, githubUser } from './answers.ts';
import { createGithubClient, type GithubAnswer } from './client.ts';

/** A classic token names its scopes; any of these lets it list the organizations of its owner. */
const ORGANIZATION_SCOPES = ['read:org', 'write:org', 'admin:org', 'user'];

export const github: Connector = {
  defaultAddress: 'https://api.github.com',
  connect,
  cloneCredentials: ({ token }) => ({ username: 'x-access-token', password: token }),
};

function connect(parts: ConnectorParts): CodeHost {
  const client = createGithubClient(parts);
  const { provider } = parts.account;
  /** Repos of others that the token's owner collaborates on, by the login of their owner. */
  const shared = new Map<string, GithubRepo[]>();

  async function* pages(route: string, values: Readonly<Record<string, string>>, signal: AbortSignal) {
    let answer = await client.get(route, { ...values, per_page: PAGE_SIZE }, signal);
    for (let page = 1; page <= MOST_PAGES; page += 1) {
      yield answer.body;
      const next = nextLink(answer.headers);
      if (next === null) return;
      answer = await client.follow(next, signal);
    }
  }

  return {
    async whoAmI(signal) {
      const answer = await client.get('/user', {}, signal);
      checkScopes(answer);
      const user = readAnswer(provider, githubUser, answer.body);
      return { user_name: user.login, external_id: String(user.id), token_expires_at: readExpiry(answer) };
    },

    async *listOrganizations(user, signal) {
      const known = new Set([user.user_name.toLowerCase()]);
      yield [{ slug: user.user_name, name: user.user_name, external_id: user.external_id, is_personal: true }];
      for await (const body of pages('/user/orgs', {}, signal)) {
        const organizations = readAnswer(provider, githubOrganizations, body);
        for (const { login } of organizations) known.add(login.toLowerCase());
        yield organizations.map(ownerToRecord);
      }
      shared.clear();
      const owners: HostOrganization[] = [];
      for await (const body of pages('/user/repos', { affiliation: 'collaborator' }, signal)) {
        for (const repo of readAnswer(provider, githubRepos, body)) {
          if (repo.owner === undefined || known.has(repo.owner.login.toLowerCase())) continue;
          const list = shared.get(repo.owner.login);
          if (list === undefined) owners.push(ownerToRecord(repo.owner));
          shared.set(repo.owner.login, [...(list ?? []), repo]);
        }
      }
      if (owners.length > 0) yield owners;
    },

    async *listRepos(organization, signal) {
      const own = shared.get(organization.slug);
      if (own !== undefined) {
        yield own.map(repoToRecord);
        return;
      }
      const bodies = organization.is_personal
        ? pages('/user/repos', { affiliation: 'owner' }, signal)
        : pages('/orgs/{org}/repos', { org: organization.slug, type: 'all' }, signal);
      for await (const body of bodies) yield readAnswer(provider, githubRepos, body).map(repoToRecord);
    },
  };
}

/** Without the scope GitHub answers with the public organizations only, which would look like success. */
function checkScopes({ headers }: GithubAnswer): void {
  const given = headers.get('x-oauth-scopes');
  if (given === null) return;
  const scopes = given.split(',').map((scope) => scope.trim());
  if (scopes.some((scope) => ORGANIZATION_SCOPES.includes(scope))) return;
  throw new HostError(
    'insufficient_scope',
    `GitHub accepts the token, but it has the scopes "${scopes.join(', ')}" and needs read:org; make a token with the scopes repo and read:org`,
  );
}

/** Such as `2027-01-31 18:00:00 UTC`. */
function readExpiry({ headers }: GithubAnswer): Date | null {
  const text = headers.get('github-authentication-token-expiration');
  const time = text === null ? null : new Date(text.replace(' UTC', 'Z').replace(' ', 'T'));
  return time === null || Number.isNaN(time.getTime()) ? null : time;
}

const ownerToRecord = ({ id, login }: GithubOwner): HostOrganization => ({
  slug: login,
  name: login,
  external_id: String(id),
  is_personal: false,
});

const repoToRecord = (repo: GithubRepo): HostRepo => ({
  slug: repo.name,
  external_id: String(repo.id),
  clone_url: repo.clone_url ?? `${repo.html_url}.git`,
  default_branch: repo.default_branch ?? null,
  is_private: repo.private,
});
