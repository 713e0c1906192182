// GitLab as its REST documentation has it: pages by X-Next-Page and Link, personal access tokens.
import { type Answerer, type DoubleAnswer, pageOf, startHostDouble } from './host-double.ts';

export const GITLAB_TOKEN = 'glpat-GitlabDoubleToken012';

const groups = ['engines', 'engines/parts', 'looms', 'mills', 'notes'].map((full_path, index) => ({
  id: 500 + index,
  name: full_path.split('/').at(-1),
  path: full_path.split('/').at(-1),
  full_path,
  full_name: full_path.replaceAll('/', ' / '),
  visibility: 'private',
  parent_id: full_path.includes('/') ? 500 : null,
  web_url: `https://gitlab.example.com/groups/${full_path}`,
}));

const project = (namespace: string, path: string, id: number) => ({
  id,
  name: path,
  path,
  path_with_namespace: `${namespace}/${path}`,
  default_branch: path === 'empty' ? null : 'main',
  http_url_to_repo: `https://gitlab.example.com/${namespace}/${path}.git`,
  ssh_url_to_repo: `git@gitlab.example.com:${namespace}/${path}.git`,
  visibility: path === 'manual' ? 'public' : 'private',
  archived: false,
});

/** Of a group that ada is in, and of somebody who made her a member of one project. */
const memberships = [
  {
    ...project('engines', 'manual', 802),
    namespace: { id: 500, name: 'engines', path: 'engines', kind: 'group', full_path: 'engines' },
  },
  {
    ...project('babbage', 'sketches', 900),
    namespace: { id: 942, name: 'Babbage', path: 'babbage', kind: 'user', full_path: 'babbage' },
  },
];

const projectsByPath: Readonly<Record<string, readonly object[]>> = {
  '/api/v4/groups/500/projects': [
    project('engines', 'difference', 800),
    project('engines', 'empty', 801),
    project('engines', 'manual', 802),
  ],
  '/api/v4/groups/501/projects': [],
  // Shared with the group.
  '/api/v4/groups/502/projects': memberships.slice(0, 1),
  '/api/v4/groups/503/projects': [],
  '/api/v4/groups/504/projects': [],
  '/api/v4/users/41/projects': [project('ada', 'diary', 700)],
};

const unauthorized: DoubleAnswer = { status: 401, body: { message: '401 Unauthorized' } };

const answer: Answerer = ({ path, query, headers, origin }) => {
  if (headers['private-token'] !== GITLAB_TOKEN) return unauthorized;
  if (path === '/api/v4/user') return { body: { id: 41, username: 'ada', name: 'Ada', state: 'active' } };
  const list =
    path === '/api/v4/groups' && query.get('min_access_level') === '10'
      ? groups
      : path === '/api/v4/projects' && query.get('membership') === 'true'
        ? memberships
        : (projectsByPath[path] ?? null);
  if (list === null) return { status: 404, body: { error: '404 Not Found' } };
  const number = Number(query.get('page') ?? 1);
  const { items, hasNext } = pageOf<object>(list, number);
  const next = new URL(`${origin}${path}?${query}`);
  next.searchParams.set('page', String(number + 1));
  return {
    headers: {
      'x-page': String(number),
      'x-per-page': '2',
      'x-next-page': hasNext ? String(number + 1) : '',
      'x-total': String(list.length),
      ...(hasNext ? { link: `<${next.href}>; rel="next"` } : {}),
    },
    body: items,
  };
};

export const startGitlab = () => startHostDouble(answer);
