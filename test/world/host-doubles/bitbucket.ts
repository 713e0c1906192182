// Bitbucket Cloud as its REST documentation has it: `values` and `next`, API tokens beside the e-mail
// address.
import { type Answerer, pageOf, startHostDouble } from './host-double.ts';

export const BITBUCKET_TOKEN = 'ATATT3xFfGF0BitbucketDoubleToken';
export const BITBUCKET_EMAIL = 'ada@example.com';

const workspaces = ['engines', 'looms', 'mills'].map((slug, index) => ({
  type: 'workspace_access',
  administrator: index === 0,
  workspace: { type: 'workspace_base', slug, uuid: `{00000000-0000-4000-8000-00000000050${index}}` },
}));

const repos = ['difference', 'empty', 'manual'].map((slug, index) => ({
  type: 'repository',
  uuid: `{00000000-0000-4000-8000-00000000080${index}}`,
  slug,
  name: slug,
  full_name: `engines/${slug}`,
  is_private: slug !== 'manual',
  mainbranch: slug === 'empty' ? null : { type: 'branch', name: 'main' },
  links: {
    clone: [
      { name: 'https', href: `https://ada@bitbucket.org/engines/${slug}.git` },
      { name: 'ssh', href: `git@bitbucket.org:engines/${slug}.git` },
    ],
  },
}));

const sketches = {
  ...repos[0],
  uuid: '{00000000-0000-4000-8000-000000000900}',
  slug: 'sketches',
  name: 'sketches',
  full_name: 'babbage/sketches',
  workspace: { type: 'workspace', slug: 'babbage', name: 'Babbage', uuid: '{00000000-0000-4000-8000-000000000942}' },
  links: { clone: [{ name: 'https', href: 'https://ada@bitbucket.org/babbage/sketches.git' }] },
};
const contributed = [{ ...repos[2], workspace: workspaces[0]!.workspace }, sketches];

const EXPECTED = `Basic ${Buffer.from(`${BITBUCKET_EMAIL}:${BITBUCKET_TOKEN}`).toString('base64')}`;

const answer: Answerer = ({ path, query, headers, origin }) => {
  if (headers.authorization !== EXPECTED) {
    return { status: 401, body: { type: 'error', error: { message: 'Token is invalid, expired, or not supported.' } } };
  }
  if (path === '/user') {
    return { body: { type: 'user', uuid: '{41}', username: 'ada', nickname: 'ada', display_name: 'Ada Lovelace' } };
  }
  const list =
    path === '/user/workspaces'
      ? workspaces
      : path === '/repositories' && query.get('role') === 'contributor'
        ? contributed
        : path === '/repositories/engines'
          ? repos
          : /^\/repositories\/(looms|mills)$/.test(path)
            ? []
            : null;
  if (list === null) return { status: 404, body: { type: 'error', error: { message: 'Resource not found' } } };
  const number = Number(query.get('page') ?? 1);
  const { items, hasNext } = pageOf<object>(list, number);
  return {
    body: {
      values: items,
      pagelen: 2,
      page: number,
      ...(hasNext ? { next: `${origin}${path}?pagelen=100&page=${number + 1}` } : {}),
    },
  };
};

export const startBitbucket = () => startHostDouble(answer);
