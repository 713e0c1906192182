// GitHub as a child process for bench/collect/collect.ts: items are made when they are asked for, so that however many there are,
// neither it nor what is measured holds them. It counts calls.
import { createServer } from 'node:http';

const [pulls = 0, issues = 0] = process.argv.slice(2).map(Number);
const PAGE = 100;
const NEWEST_MS = Date.UTC(2026, 9, 1);
const hex = (n: number, salt: number) => (n * 16 + salt).toString(16).padStart(40, '0');
const at = (n: number, of: number, minutes = 0) =>
  new Date(NEWEST_MS - (of - n) * 600_000 + minutes * 60_000).toISOString().replace('.000Z', 'Z');
const person = (n: number) => ({
  __typename: 'User',
  login: `person-${n % 200}`,
  databaseId: 1 + (n % 200),
  name: `Person ${n % 200}`,
});
const list = (nodes: readonly object[]) => ({
  totalCount: nodes.length,
  pageInfo: { hasNextPage: false, endCursor: null },
  nodes,
});

/** Three commits, two reviews, a thread and an event: what a pull request usually has. */
const pull = (n: number) => ({
  fullDatabaseId: String(1_000_000 + n),
  number: n,
  title: `Change ${n}`,
  state: 'MERGED',
  isDraft: false,
  createdAt: at(n, pulls, -300),
  updatedAt: at(n, pulls),
  closedAt: at(n, pulls),
  mergedAt: at(n, pulls),
  url: `https://github.example.com/works/repo/pull/${n}`,
  headRefName: `work/${n}`,
  baseRefName: 'main',
  headRefOid: hex(n, 2),
  author: person(n),
  mergedBy: person(n + 1),
  mergeCommit: { oid: hex(n, 9), authoredDate: at(n, pulls), parents: { totalCount: 2 } },
  labels: list([{ name: 'feature' }]),
  assignees: list([]),
  closingIssuesReferences: list([]),
  commits: list(
    [0, 1, 2].map((index) => ({
      commit: {
        oid: hex(n, index),
        authoredDate: at(n, pulls, index - 400),
        author: { email: `person-${n % 200}@example.com`, user: person(n) },
      },
    })),
  ),
  reviews: list(
    [0, 1].map((index) => ({
      fullDatabaseId: String(10_000_000 + n * 2 + index),
      state: index === 0 ? 'COMMENTED' : 'APPROVED',
      submittedAt: at(n, pulls, index - 60),
      author: person(n + 3 + index),
      commit: { oid: hex(n, 2) },
    })),
  ),
  reviewThreads: list([{ isResolved: true, comments: { nodes: [{ fullDatabaseId: String(20_000_000 + n) }] } }]),
  timelineItems: list([
    {
      __typename: 'ReviewRequestedEvent',
      id: `E${n}`,
      createdAt: at(n, pulls, -200),
      actor: person(n),
      requestedReviewer: person(n + 3),
    },
  ]),
});

const issue = (n: number) => ({
  id: 5_000_000 + n,
  number: n,
  title: `Wish ${n}`,
  state: 'closed',
  state_reason: 'completed',
  html_url: `https://github.example.com/works/repo/issues/${n}`,
  repository_url: 'https://github.example.com/repos/works/repo',
  labels: n % 3 === 0 ? [{ name: 'bug' }] : [],
  assignee: { id: 1 + (n % 200), login: `person-${n % 200}`, type: 'User' },
  user: { id: 1 + ((n + 7) % 200), login: `person-${(n + 7) % 200}`, type: 'User' },
  created_at: at(n, issues, -900),
  updated_at: at(n, issues),
  closed_at: at(n, issues),
});

/** By budget, as GitHub counts them. */
const calls = { core: 0, graphql: 0 };
function graphql(body: string): object {
  const { query, variables } = JSON.parse(body) as { query: string; variables: Record<string, string | number | null> };
  if (query.includes('r0:')) {
    const data: Record<string, object> = {};
    for (let n = 0; variables[`n${n}`] !== undefined; n += 1) {
      const changed = { nodes: [{ updatedAt: at(pulls, pulls) }] };
      data[`r${n}`] = {
        databaseId: Number(String(variables[`n${n}`]).split('-')[1]),
        pullRequests: changed,
        issues: changed,
      };
    }
    return { data };
  }
  const databaseId = Number(String(variables.name).split('-')[1]);
  if (query.includes('deployments(')) return { data: { repository: { databaseId, deployments: list([]) } } };
  const newest = variables.after == null ? pulls : Number(variables.after) - 1;
  const count = Math.max(0, Math.min(Number(variables.first), newest));
  const nodes = Array.from({ length: count }, (_, index) => pull(newest - index));
  const last = newest - count + 1;
  const pageInfo = { hasNextPage: last > 1, endCursor: String(last) };
  return { data: { repository: { databaseId, pullRequests: { totalCount: pulls, pageInfo, nodes } } } };
}

const server = createServer(async (request, answer) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const url = new URL(request.url ?? '/', 'http://127.0.0.1');
  const headers: Record<string, string> = {
    'content-type': 'application/json',
    'x-ratelimit-limit': '5000',
    'x-ratelimit-remaining': '4999',
    'x-ratelimit-reset': String(Math.ceil(Date.now() / 1000) + 3600),
    'x-ratelimit-resource': url.pathname.endsWith('/graphql') ? 'graphql' : 'core',
  };
  let body: unknown;
  if (url.pathname === '/calls') body = calls;
  else {
    calls[url.pathname.endsWith('/graphql') ? 'graphql' : 'core'] += 1;
    const byId = /\/repositories\/(\d+)$/.exec(url.pathname);
    if (url.pathname.endsWith('/graphql')) body = graphql(Buffer.concat(chunks).toString('utf8'));
    else if (byId !== null) body = { id: Number(byId[1]), full_name: `works/repo-${byId[1]}` };
    else if (/\/issues$/.test(url.pathname)) {
      const since = url.searchParams.get('since');
      const from = since === null ? 1 : Math.max(1, Math.ceil(issues - (NEWEST_MS - Date.parse(since)) / 600_000));
      const start = from + PAGE * (Number(url.searchParams.get('page') ?? 1) - 1);
      const count = Math.max(0, Math.min(PAGE, issues - start + 1));
      body = Array.from({ length: count }, (_, index) => issue(start + index));
      if (start + count <= issues) {
        url.searchParams.set('page', String(Number(url.searchParams.get('page') ?? 1) + 1));
        headers.link = `<http://${request.headers.host}${url.pathname}${url.search}>; rel="next"`;
      }
    } else body = /\/actions\/runs$/.test(url.pathname) ? { total_count: 0, workflow_runs: [] } : [];
  }
  answer.writeHead(200, headers);
  answer.end(JSON.stringify(body));
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (typeof address === 'object' && address !== null) process.send?.(address.port);
});
process.on('disconnect', () => process.exit(0));
