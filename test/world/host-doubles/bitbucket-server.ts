// Bitbucket Data Center as its REST documentation has it: pages by `start`, the user's name in a header.
import { type Answerer, DOUBLE_PAGE_SIZE, startHostDouble } from './host-double.ts';

export const BITBUCKET_SERVER_TOKEN = 'BBDC-BitbucketServerDoubleToken';

const projects = ['ENG', 'LOOM', 'MILL'].map((key, index) => ({
  id: 500 + index,
  key,
  name: key.toLowerCase(),
  public: false,
  type: 'NORMAL',
}));

const repos = ['difference', 'manual', 'tables'].map((slug, index) => ({
  id: 800 + index,
  slug,
  name: slug,
  state: 'AVAILABLE',
  public: slug === 'manual',
  project: projects[0],
  links: {
    clone: [
      { name: 'ssh', href: `ssh://git@bitbucket.example.com:7999/eng/${slug}.git` },
      { name: 'http', href: `https://bitbucket.example.com/scm/eng/${slug}.git` },
    ],
  },
}));

const answer: Answerer = ({ path, query, headers }) => {
  if (headers.authorization !== `Bearer ${BITBUCKET_SERVER_TOKEN}`) {
    return {
      status: 401,
      body: {
        errors: [{ context: null, message: 'Authentication failed.', exceptionName: 'AuthenticationException' }],
      },
    };
  }
  const list =
    path === '/git/rest/api/1.0/projects'
      ? projects
      : path === '/git/rest/api/1.0/projects/ENG/repos'
        ? repos
        : /^\/git\/rest\/api\/1\.0\/projects\/(LOOM|MILL)\/repos$/.test(path)
          ? []
          : null;
  if (list === null) return { status: 404, body: { errors: [{ message: 'No such thing' }] } };
  const start = Number(query.get('start') ?? 0);
  const size = Math.min(DOUBLE_PAGE_SIZE, Number(query.get('limit') ?? DOUBLE_PAGE_SIZE));
  const values: readonly object[] = list.slice(start, start + size);
  const isLastPage = start + size >= list.length;
  return {
    headers: { 'x-ausername': 'ada', 'x-auserid': '41' },
    body: {
      size: values.length,
      limit: size,
      isLastPage,
      values,
      start,
      nextPageStart: isLastPage ? null : start + size,
    },
  };
};

export const startBitbucketServer = () => startHostDouble(answer);
