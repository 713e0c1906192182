// What follows from a host's pull requests, from end to end: provisioned, listed, imported, collected, derived. The history
// is made so that lines, times and messages alone lead to other answers than the host's word.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type CollectKit, createCollectKit } from '../../collect/collect-kit.ts';
import { buildLandedWork, type LandedWork } from '../../world/landed-work.ts';

let kit: CollectKit;
let work: LandedWork;

beforeAll(async () => {
  work = buildLandedWork();
  kit = await createCollectKit(work.company, { clock: new Date('2026-11-10T10:00:00Z'), folder: work.git.path });
  await kit.collectAll();
  await kit.derive();
}, 120_000);
afterAll(() => kit.close());

const copies = async (): Promise<Record<string, readonly [string, string]>> => {
  const rows = await kit.query<{ sha: string; not_counted: string; derived_from: string }>(
    `select encode(sha, 'hex') as sha, not_counted, encode(derived_from, 'hex') as derived_from from commits
     where derived_from is not null`,
  );
  return Object.fromEntries(
    rows.map((row) => [work.git.label(row.sha), [row.not_counted, work.git.label(row.derived_from)] as const]),
  );
};

const SAID_BY_HOST = {
  'lexer 1': ['squash_source', 'squashed'],
  'lexer 2': ['squash_source', 'squashed'],
  'tidy 1': ['rebase_copy', 'landed 1'],
  'tidy 2': ['rebase_copy', 'landed 2'],
};

test('what a squash or a rebase landed is what the host says, whatever the lines say', async () => {
  expect(await copies()).toEqual(SAID_BY_HOST);
  const rows = await kit.query<{ sha: string }>(`select encode(sha, 'hex') as sha from commits where rolled_up`);
  expect(rows.map(({ sha }) => work.git.label(sha)).sort()).toEqual(
    [
      'start',
      'twin',
      'parser 1',
      'parser 2',
      'squashed',
      'landed 1',
      'landed 2',
      'open',
      'sign-in 1',
      'sign-in 2',
    ].sort(),
  );
});

test('every commit of a pull request knows it, whichever way it landed', async () => {
  const rows = await kit.query<{ sha: string; number: number | null; pull_request_phase: string }>(
    `select encode(c.sha, 'hex') as sha, p.number, t.pull_request_phase from commit_traits t
     join commits c on c.id = t.commit_id left join pull_requests p on p.id = t.pull_request_id`,
  );
  expect(
    Object.fromEntries(rows.map((row) => [work.git.label(row.sha), [row.number, row.pull_request_phase]])),
  ).toMatchObject({
    start: [null, 'No pull request'],
    twin: [null, 'No pull request'],
    'parser 1': [4, 'Preparing'],
    'parser 2': [4, 'Preparing'],
    squashed: [5, 'Under review'],
    'landed 1': [6, 'Preparing'],
    'landed 2': [6, 'Preparing'],
    open: [7, 'Preparing'],
  });
});

test('commits belong to the issues that messages, branches, titles and the host name', async () => {
  const rows = await kit.query<{ sha: string; key: string; issue_count: number }>(
    `select encode(c.sha, 'hex') as sha, i.key, k.issue_count from issue_commits k
     join commits c on c.id = k.commit_id join issues i on i.id = k.issue_id order by i.key`,
  );
  const byIssue = new Map<string, string[]>();
  for (const { sha, key } of rows) byIssue.set(key, [...(byIssue.get(key) ?? []), work.git.label(sha)].sort());
  expect(Object.fromEntries(byIssue)).toEqual({
    // By the host's own link.
    'works/engine#1': ['merged', 'parser 1', 'parser 2'],
    // By the name of the branch; the squash took its commits in.
    'works/engine#2': ['lexer 1', 'lexer 2', 'squashed'],
    // By a message, and by a branch without a pull request.
    'works/engine#3': ['sign-in 1', 'sign-in 2', 'twin'],
  });
  const [issue] = await kit.query<Record<string, string>>(
    `select first_commit_authored_at, last_commit_authored_at, started_at from issues where key = 'works/engine#1'`,
  );
  expect(issue).toEqual({
    first_commit_authored_at: '2026-09-03T12:00:00Z',
    last_commit_authored_at: '2026-09-06T12:00:00Z',
    started_at: '2026-09-03T12:00:00Z',
  });
});

test('an issue of the host is found by its bare number', async () => {
  for (const key of ['1', 'works/engine%231', 'WORKS/Engine%231']) {
    const query = `resource_path=acme&resource_type=issues&issue_key=${key}`;
    const { body, text } = await kit.app.request({ route: 'GET /audits', query });
    expect(
      (body.issues as { key: string }[] | undefined)?.map(({ key: found }) => found),
      text,
    ).toEqual(['works/engine#1']);
  }
});

test('an import that links copies anew keeps the host’s word', async () => {
  work.git.git('tag', 'v0.1', work.git.sha('start'));
  await kit.refresh();
  expect(await copies()).toEqual(SAID_BY_HOST);
});
