// GitHub Enterprise Server as GitHub's OpenAPI description has it: records are made from the description's
// own examples, and github-openapi.test.ts holds every answer against its schemas.
import { readFileSync } from 'node:fs';
import { type Answerer, type DoubleAnswer, pageOf, startHostDouble } from './host-double.ts';

export const GITHUB_TOKEN = 'ghp_GithubDoubleToken0123456789abcdefgh';

type Example = { readonly value: unknown };
const description = JSON.parse(readFileSync(new URL('github-openapi.json', import.meta.url), 'utf8')) as {
  readonly components: { readonly examples: Readonly<Record<string, Example>> };
};
const example = (name: string): Record<string, unknown> => {
  const { value } = description.components.examples[name]!;
  return structuredClone((Array.isArray(value) ? value[0] : value) as Record<string, unknown>);
};

const ada = {
  ...example('private-user-response-with-public-and-private-profile-information'),
  login: 'ada',
  id: 41,
  user_view_type: 'private',
};

const organizations = ['engines', 'looms', 'mills', 'notes', 'tables'].map((login, index) => ({
  ...example('organization-simple-items'),
  login,
  id: 500 + index,
}));

const repo = (owner: string, name: string, id: number) => ({
  clone_url: `https://github.example.com/${owner}/${name}.git`,
  html_url: `https://github.example.com/${owner}/${name}`,
  full_name: `${owner}/${name}`,
  name,
  id,
  private: name !== 'manual',
  default_branch: 'main',
});

const ownRepos = ['diary'].map((name, index) => ({
  ...example('repository-items-default-response'),
  ...repo('ada', name, 700 + index),
}));
const shownOwner = example('repository-items-default-response').owner as object;
/** Of an organization that ada is in, and of somebody who let her collaborate. */
const sharedRepos = [
  { owner: 'engines', name: 'manual', id: 802 },
  { owner: 'babbage', name: 'sketches', id: 900 },
].map(({ owner, name, id }) => ({
  ...example('repository-items-default-response'),
  ...repo(owner, name, id),
  owner: { ...shownOwner, login: owner, id: owner === 'engines' ? 500 : 42 },
}));
const orgRepos = ['difference', 'analytical', 'manual'].map((name, index) => ({
  ...example('minimal-repository-items'),
  ...repo('engines', name, 800 + index),
}));

const error = (status: number, message: string): DoubleAnswer => ({
  status,
  body: { message, documentation_url: 'https://docs.github.com/rest', status: String(status) },
});

const answer: Answerer = ({ path, query, headers, origin }) => {
  const authorization = headers.authorization ?? '';
  if (!/^(bearer|token) /i.test(authorization) || !authorization.endsWith(GITHUB_TOKEN)) {
    return error(401, 'Bad credentials');
  }
  const common = {
    'x-oauth-scopes': 'read:org, repo',
    'x-accepted-oauth-scopes': '',
    'x-ratelimit-limit': '5000',
    'x-ratelimit-remaining': '4990',
    'x-ratelimit-reset': '1900000000',
    'github-authentication-token-expiration': '2031-01-31 18:00:00 UTC',
  };
  if (path === '/api/v3/user') return { headers: common, body: ada };
  const list =
    path === '/api/v3/user/orgs'
      ? organizations
      : path === '/api/v3/user/repos'
        ? query.get('affiliation') === 'owner'
          ? ownRepos
          : sharedRepos
        : path === '/api/v3/orgs/engines/repos'
          ? orgRepos
          : /^\/api\/v3\/orgs\/(looms|mills|notes|tables)\/repos$/.test(path)
            ? []
            : null;
  if (list === null) return error(404, 'Not Found');
  const number = Number(query.get('page') ?? 1);
  const { items, hasNext } = pageOf<unknown>(list, number);
  const next = new URL(`${origin}${path}?${query}`);
  next.searchParams.set('page', String(number + 1));
  return {
    headers: { ...common, ...(hasNext ? { link: `<${next.href}>; rel="next", <${next.href}>; rel="last"` } : {}) },
    body: items,
  };
};

export const startGithub = () => startHostDouble(answer);
