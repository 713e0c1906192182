// What follows from a host's pull requests, from end to end: provisioned, listed, imported, collected, derived. The history
// is made so that lines, times and messages alone lead to other answers than the host's word.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cacheProviderRepos } from '../../../src/jobs/cache-provider-repos.ts';
import { importRepo } from '../../../src/jobs/import/repo.ts';
import { storeSetting } from '../../../src/storage/access/entity-settings.ts';
import { type CompanyKit, createCompanyKit } from '../../collect/company-kit.ts';
import { jobContext } from '../../jobs/import/import-kit.ts';
import { GITHUB } from '../../world/company-hosts/hosts.ts';
import { buildLandedWork, GRACE, type LandedWork } from '../../world/landed-work.ts';

let kit: CompanyKit;
let work: LandedWork;

beforeAll(async () => {
  work = buildLandedWork();
  kit = await createCompanyKit(work.company, GITHUB, {
    clock: new Date('2026-11-10T10:00:00Z'),
    folder: work.git.path,
  });
  await kit.collectAll();
  await kit.derive();
}, 300_000);
afterAll(() => kit.close());

const set = (key: string, value: unknown) =>
  storeSetting(kit.store.db, { entity_id: kit.entityId, key, value }, kit.clock);

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
      'agent 1',
      'agent 2',
      'agent 3',
      'agent 4',
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

const ofAgents = () =>
  kit.query<{ sha: string; author: string; agent: string }>(
    `select encode(c.sha, 'hex') as sha, a.committer_user_name as author, g.committer_user_name as agent from commits c
     join committers a on a.id = c.author_id join committers g on g.id = c.agent_id where c.rolled_up order by c.authored_at`,
  );

test('the work of an agent belongs to who requested, was assigned or merged it', async () => {
  const rows = await ofAgents();
  expect(rows.map(({ sha, author, agent }) => [work.git.label(sha), author, agent])).toEqual([
    ['agent 1', 'grace-example', 'copilot'],
    ['agent 2', 'linus-example', 'copilot'],
    ['agent 3', 'ada', 'copilot'],
    ['agent 4', 'copilot', 'copilot'],
  ]);
  const pulls = await kit.query<{ number: number; author: string; agent: string }>(
    `select p.number, a.committer_user_name as author, g.committer_user_name as agent from pull_requests p
     join committers a on a.id = p.author_id join committers g on g.id = p.agent_id order by p.number`,
  );
  expect(pulls).toEqual([
    { number: 9, author: 'linus-example', agent: 'copilot' },
    { number: 10, author: 'ada', agent: 'copilot' },
    { number: 11, author: 'copilot', agent: 'copilot' },
  ]);
  const [sums] = await kit.query<{ commits: number; counted: number }>(
    `select (select sum(commit_count)::int from daily_commits d join committers a on a.id = d.committer_id
        where a.committer_user_name = 'linus-example') as commits,
       (select count(*)::int from commits c join committers a on a.id = c.author_id
        where c.rolled_up and a.committer_user_name = 'linus-example') as counted`,
  );
  expect(sums!.commits).toBe(sums!.counted);
});

test('reviews of bots and agents are not those of people', async () => {
  const [pull] = await kit.query('select first_review_at, first_human_review_at from pull_requests where number = 4');
  expect(pull).toEqual({ first_review_at: '2026-09-05T09:00:00Z', first_human_review_at: '2026-09-05T15:00:00Z' });
});

test('a label that a tool put on a pull request is evidence of AI under a name of its own, and goes with the label', async () => {
  const read = async () =>
    (
      await kit.query<{ sha: string; source: string; provider: string }>(
        `select encode(c.sha, 'hex') as sha, a.source, a.provider from commit_ai a join commits c on c.id = a.commit_id
         where a.position = 0 and a.source <> 'author' order by c.authored_at`,
      )
    ).map(({ sha, source, provider }) => [work.git.label(sha), source, provider]);
  expect(await read()).toEqual([
    ['lexer 1', 'pr_label', 'vendorC_platform'],
    ['lexer 2', 'pr_label', 'vendorC_platform'],
    ['squashed', expect.stringMatching(/^(?:squashed_commit|pr_label)$/), 'vendorC_platform'],
  ]);
  const query = `resource_path=acme&resource_type=commits&sha=${work.git.sha('lexer 2')}`;
  const { text } = await kit.app.request({ route: 'GET /audits', query });
  expect(text).toContain('pr_label');
  const pull = work.pull(5);
  pull.labels = [];
  pull.updatedAt = kit.clock.toISOString();
  kit.clock = new Date(kit.clock.getTime() + 3_600_000);
  await kit.collectAll();
  await kit.derive();
  expect(await read()).toEqual([]);
});

test('ticket type and phase of a pull request split what the commits add', async () => {
  const split = async (segment: string) => {
    const query = `resource_path=acme&segment_by=${segment}&start_date=2026-08-01&end_date=2026-11-01`;
    const { body, status, text } = await kit.app.request({ route: 'GET /reports', query });
    expect(status, text).toBe(200);
    const series = body.series_segments as Record<string, readonly { readonly y: number | null }[]>;
    return Object.entries(series)
      .filter(([, points]) => points.some(({ y }) => (y ?? 0) > 0))
      .map(([name]) => name)
      .sort();
  };
  expect(await split('ticket_type')).toEqual(expect.arrayContaining(['Bug', 'Issue']));
  expect(await split('pull_request_phase')).toEqual(
    expect.arrayContaining(['No pull request', 'Preparing', 'Under review']),
  );
});

test('critical defects come from priorities of bugs, chosen values and terms, and go with them', async () => {
  const read = async () =>
    (
      await kit.query<{ defect_key: string; source_em: string; detected_at: string; commits: number; repo: number }>(
        `select d.defect_key, d.source_em, d.detected_at, count(k.commit_id)::int as commits, d.repo_id is not null as repo
         from critical_defects d left join defect_commits k on k.defect_id = d.id
         group by d.id, d.defect_key, d.source_em, d.detected_at, d.repo_id order by 1`,
      )
    ).map(({ defect_key, source_em, detected_at, commits, repo }) => [
      defect_key,
      source_em,
      detected_at,
      commits,
      repo,
    ]);
  expect(await read()).toEqual([]);
  await set('critical_defect_fields', [{ field: 'label', value: 'SEV1' }]);
  await set('critical_defect_terms', ['outage']);
  // GitHub has no priorities; another tracker would have sent one.
  await kit.query(`update issues set priority = 'Highest' where key in ('works/engine#1', 'works/engine#2')`);
  await kit.derive();
  expect(await read()).toEqual([
    ['works/engine#1', 'issue', '2026-09-01T11:00:00Z', 3, true],
    ['works/engine#3', 'issue', '2026-09-01T13:00:00Z', 3, true],
    ['works/engine#7', 'term', '2026-09-09T18:00:00Z', 1, true],
  ]);
  const [marked] = await kit.query<{ keys: string[] }>(
    'select array_agg(key order by key) as keys from issues where is_critical_defect',
  );
  expect(marked!.keys).toEqual(['works/engine#1', 'works/engine#3']);
  await set('bug_issue_types', ['Incident']);
  await set('critical_defect_terms', []);
  await kit.derive();
  expect(await read()).toEqual([['works/engine#3', 'issue', '2026-09-01T13:00:00Z', 3, true]]);
});

test('a defect that a rule found and a call removed is not found again', async () => {
  const { status, text } = await kit.app.request({
    route: 'DELETE /critical_defects',
    json: { resource_path: 'acme', defect_key: 'works/engine#3' },
  });
  expect(status, text).toBe(200);
  await kit.derive();
  expect(await kit.query('select from critical_defects')).toEqual([]);
});

test('a release resolves an issue of the host by its bare number', async () => {
  const json = {
    resource_path: 'acme/works/engine',
    release_sha: work.git.sha('landed 1'),
    issue_keys_resolved: ['1'],
  };
  const { status, text } = await kit.app.request({ route: 'POST /releases', json });
  expect(status, text).toBe(200);
  await set('bug_issue_types', ['Bug']);
  await kit.derive();
  expect(
    await kit.query('select defect_key, source_em from critical_defects where source_em = $1', ['release']),
  ).toEqual([{ defect_key: 'works/engine#1', source_em: 'release' }]);
  const [made] = await kit.query<{ id: number }>(`select id from releases where triggered_by = 'api'`);
  const query = `resource_path=acme/works/engine&release_id=${made!.id}`;
  const gone = await kit.app.request({ route: 'DELETE /releases', query });
  expect(gone.status, gone.text).toBe(200);
  await kit.query(`delete from critical_defects`);
});

test('deployments, workflows and merged pull requests are releases, at the times of the host', async () => {
  const read = async () =>
    (
      await kit.query<{ sha: string; triggered_by: string; released_at: string; name: string | null }>(
        `select encode(release_sha, 'hex') as sha, triggered_by, released_at, name from releases order by released_at`,
      )
    ).map(({ sha, triggered_by, released_at, name }) => [work.git.label(sha), triggered_by, released_at, name]);
  const deployments = [
    ['start', 'workflow_success', '2026-09-01T13:05:00Z', null],
    ['merged', 'workflow_success', '2026-09-06T13:05:00Z', 'v1.0.0'],
  ];
  expect(await read()).toEqual(deployments);
  expect(await kit.query(`select deployed_at from deployments`)).toEqual([{ deployed_at: '2026-09-07T09:05:00Z' }]);
  await set('release_workflows', ['release']);
  await set('release_pull_request_branches', ['main']);
  await set('release_pull_request_pattern', '^change 6$');
  await kit.derive();
  expect(await read()).toEqual([
    ...deployments,
    ['squashed', 'workflow_success', '2026-09-07T14:00:00Z', null],
    ['landed 2', 'merged_pull_request', '2026-09-08T12:00:00Z', 'Change 6'],
  ]);
  const pulls = await kit.query<{ number: number; released_at: string | null }>(
    'select number, released_at from pull_requests order by number',
  );
  expect(pulls.map(({ released_at }) => released_at)).toEqual([
    '2026-09-06T13:05:00Z',
    '2026-09-07T14:00:00Z',
    '2026-09-08T12:00:00Z',
    ...[7, 8, 9, 10, 11].map(() => null),
  ]);
  await set('release_environments', []);
  await kit.derive();
  expect((await read()).slice(0, 2)).toEqual([
    ['merged', 'git_tag', '2026-09-06T12:00:00Z', 'v1.0.0'],
    ['squashed', 'workflow_success', '2026-09-07T14:00:00Z', null],
  ]);
});

test('a team of the host is a team, with its members by their accounts', async () => {
  const show = async () => {
    const { body, text } = await kit.app.request({ route: 'GET /teams', query: 'resource_path=acme&name=makers' });
    const team = body.team as Record<string, unknown> & { developer_members: { committer_user_name: string }[] };
    expect(team?.external_source_em, text).toBe('source_hostC');
    return team.developer_members.map(({ committer_user_name }) => committer_user_name);
  };
  expect(await show()).toEqual(['ada-example', 'margaret']);
  work.company.teams[0]!.members.splice(0, 1, GRACE);
  kit.clock = new Date(kit.clock.getTime() + 2 * 86_400_000);
  await kit.collectAll();
  await kit.derive();
  expect(await show()).toEqual(['grace-example', 'margaret']);
});

test('facts that are derived anew keep the author of record', async () => {
  const before = await ofAgents();
  const { imports } = kit.parts;
  const derivation = { ...imports.derivation, measures: imports.derivation.measures + 1 };
  for (const { id } of await kit.query<{ id: number }>('select id from imports where repo_id is not null')) {
    const parts = { ...kit.parts, imports: { ...imports, derivation } };
    await importRepo.run({ entity_id: kit.entityId, import_id: id }, jobContext(), parts);
  }
  expect(await ofAgents()).toEqual(before);
  expect(before.map(({ author }) => author)).toContain('ada');
});

test('an import that links copies anew keeps the host’s word', async () => {
  work.git.git('tag', 'v0.1', work.git.sha('start'));
  await kit.refresh();
  expect(await copies()).toEqual(SAID_BY_HOST);
});

test('a repo that a later list shows is offered, and imported once somebody accepts', async () => {
  const list = async () => {
    const [connection_id] = kit.connectionIds;
    const job = jobContext();
    const log = { ...job.log, info: (fields: object) => void logged.push(fields) };
    await cacheProviderRepos.run(
      { entity_id: kit.entityId, connection_id: connection_id! },
      { ...job, log },
      kit.parts,
    );
  };
  const logged: object[] = [];
  const statuses = async () => {
    const { body } = await kit.app.request({ route: 'GET /imports', query: 'resource_path=acme' });
    return (body.repos as { repo_path: string; import_status: string }[]).map((row) => [
      row.repo_path,
      row.import_status,
    ]);
  };
  const imported = ['works/engine', 'processing_completed'];
  work.company.repos.push({ ...work.repo, id: 78, name: 'Loom', pulls: [], issues: [], deployments: [], runs: [] });
  kit.clock = new Date(kit.clock.getTime() + 86_400_000);
  await list();
  expect(await statuses()).toEqual([imported, ['works/Loom', 'offered_pending_acceptance']]);
  expect(logged).toContainEqual({ entity_id: kit.entityId, repos: ['works/Loom'], count: 1 });
  await kit.refresh();
  expect(await statuses()).toEqual([imported, ['works/Loom', 'offered_pending_acceptance']]);
  const { status, text } = await kit.app.request({
    route: 'POST /imports',
    json: { resource_path: 'acme', repo_path: 'WORKS/loom' },
  });
  expect(status, text).toBe(200);
  expect(await statuses()).toEqual([imported, ['works/Loom', 'pending']]);
  await list();
  expect(await statuses()).toEqual([imported, ['works/Loom', 'pending']]);
});

test('people are found by the ids and logins of their accounts, also without a commit', async () => {
  for (const identifier of ['14', 'margaret', 'MARGARET', '11']) {
    const query = `resource_path=acme&committer_identifier=${identifier}`;
    const { body, text } = await kit.app.request({ route: 'GET /developers', query });
    expect((body.committers as unknown[] | undefined)?.length, text).toBe(1);
  }
});

test('commits do not belong to an issue that the tracker has deleted', async () => {
  const links = () => kit.query<{ issue_id: number }>('select issue_id, commit_id from issue_commits order by 1, 2');
  const before = await links();
  const { issue_id: id } = before[0]!;
  await kit.query('update issues set deleted_at = now() where id = $1', [id]);
  await kit.derive();
  expect(await links()).toEqual(before.filter(({ issue_id }) => issue_id !== id));
  await kit.query('update issues set deleted_at = null where id = $1', [id]);
  await kit.derive();
  expect(await links()).toEqual(before);
});
