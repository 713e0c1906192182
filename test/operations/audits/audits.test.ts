// GET /audits: every filter alone and in pairs against a plain JavaScript filter, the records, the paging and
// who may ask.
import { beforeAll, describe, expect, test } from 'vitest';
import { AUDIT_TYPES } from '../../../src/domain/audit-types.ts';
import { FILTERS, type Filter, nameOf, PLAIN } from '../../oracles/audits.ts';
import { createTestApp, type TestApp } from '../../support/app.ts';
import { NOW, seedAuditData } from '../../world/audit-data.ts';
import { seedCommits, seedEntityId, seedRepo, shaOf } from '../seed-records.ts';

let app: TestApp;
let entityId: number;
beforeAll(async () => {
  app = await createTestApp({ now: () => NOW });
  entityId = await seedEntityId(app.store, 'acme');
  await seedAuditData(app.store, entityId);
});

type Params = Readonly<Record<string, unknown>>;
const ask = (params: Params, token = app.tokens.admin) =>
  app.request({ route: 'GET /audits', token, json: { resource_path: 'acme', ...params } });
type Type = keyof typeof PLAIN;
const TYPES = Object.keys(PLAIN) as Type[];

async function namesOf(type: Type, params: Params): Promise<string[]> {
  const answer = await ask({ resource_type: type, ...params });
  expect(answer.status, `${JSON.stringify(params)}: ${answer.text}`).toBe(200);
  const records = answer.body[type] as Record<string, unknown>[];
  expect(answer.body.total_count).toBe(records.length);
  return records.map(nameOf[type]);
}

const sorted = (names: readonly string[]) => names.toSorted();

describe.each(TYPES)('%s', (type) => {
  const filters = FILTERS[type];

  test('are all listed without a filter, newest first', async () => {
    const names = await namesOf(type, {});
    expect(sorted(names)).toEqual(sorted(PLAIN[type].map(({ name }) => name)));
    if (type === 'committers') return;
    const times = names.map((name) => PLAIN[type].find((record) => record.name === name)!.at!);
    expect(times).toEqual(times.toSorted().reverse());
  });

  test('are narrowed by each filter', async () => {
    let narrowed = 0;
    for (const filter of filters) {
      const expected = PLAIN[type].filter(filter.keeps).map(({ name }) => name);
      expect(sorted(await namesOf(type, filter.params)), JSON.stringify(filter.params)).toEqual(sorted(expected));
      if (expected.length > 0 && expected.length < PLAIN[type].length) narrowed++;
    }
    // The data must be able to tell a filter from none.
    expect(narrowed).toBeGreaterThan(filters.length / 3);
  });

  test('are narrowed by filters in pairs', async () => {
    const clash = (a: Filter, b: Filter) => Object.keys(a.params).some((name) => kindOf(name) in kindsOf(b));
    const pairs = filters.flatMap((first, index) =>
      filters.flatMap((second, other) => (other > index && !clash(first, second) ? [[first, second] as const] : [])),
    );
    const check = async ([first, second]: readonly [Filter, Filter]) => {
      const params = { ...first.params, ...second.params };
      const expected = PLAIN[type].filter((record) => first.keeps(record) && second.keeps(record));
      const names = sorted(await namesOf(type, params));
      expect(names, JSON.stringify(params)).toEqual(sorted(expected.map(({ name }) => name)));
    };
    for (let from = 0; from < pairs.length; from += 8) await Promise.all(pairs.slice(from, from + 8).map(check));
  });
});

/** Names that set the same filter. */
const KINDS: Readonly<Record<string, string>> = {
  beginning_date: 'start_date',
  ending_date: 'start_date',
  end_date: 'start_date',
  committer: 'committer_identifier',
  committer_user_name: 'committer_identifier',
  number: 'pull_request_number',
  issue_number: 'issue_key',
  tag: 'tag_name_contains',
  pull_request_phase: 'phase_em',
};
const kindOf = (name: string): string => KINDS[name] ?? name;
const kindsOf = (filter: Filter) => Object.fromEntries(Object.keys(filter.params).map((name) => [kindOf(name), true]));

describe('teams', () => {
  const slugs = async (params: Params) =>
    ((await ask({ resource_type: 'teams', ...params })).body.teams as { slug: string }[])
      .map(({ slug }) => slug)
      .toSorted();

  test('are listed with their members, and filtered by slug, member and repo', async () => {
    expect(await slugs({})).toEqual(['all-contributors', 'alpha', 'beta']);
    expect(await slugs({ team_slug: 'beta' })).toEqual(['beta']);
    expect(await slugs({ committer_identifier: 'cyd' })).toEqual(['all-contributors', 'beta']);
    // Beta has its own list of repos; alpha is wherever its members are.
    expect(await slugs({ resource_path: 'acme/shop/api' })).toEqual(['all-contributors', 'alpha', 'beta']);
    expect(await slugs({ resource_path: 'acme/lab' })).toEqual(['all-contributors', 'alpha']);
    const { body } = await ask({ resource_type: 'teams', team_slug: 'alpha' });
    expect(body.teams).toMatchObject([{ name: 'Alpha', developer_members: [{ committer_user_name: 'ada' }] }]);
  });
});

describe('a record', () => {
  test('of a commit says what it takes back and what took it back', async () => {
    const revert = await ask({ resource_type: 'commits', sha: shaOf('w4') });
    expect(revert.body.commits).toMatchObject([{ reverts: null, reverted_by: [] }]);
    await app.store.pool.query('update commits set reverts = $1 where entity_id = $2 and sha = decode($3, $4)', [
      shaOf('w5').slice(0, 10),
      entityId,
      shaOf('w4'),
      'hex',
    ]);
    const commits = async (name: string) => (await ask({ resource_type: 'commits', sha: shaOf(name) })).body.commits;
    expect(await commits('w4')).toMatchObject([{ reverts: shaOf('w5').slice(0, 10), reverted_by: [] }]);
    expect(await commits('w5')).toMatchObject([{ reverts: null, reverted_by: [shaOf('w4')] }]);
    await app.store.pool.query('update commits set reverts = null where entity_id = $1', [entityId]);
  });

  test('of a commit has its children, its copies and their branches', async () => {
    const { body } = await ask({ resource_type: 'commits', sha: shaOf('w5') });
    expect(body.commits).toEqual([
      {
        id: expect.any(Number),
        sha: shaOf('w5'),
        authored_at: '2026-03-02T23:30:00Z',
        child_shas: [],
        contributor: { full_name: 'cyd', username: 'cyd' },
        diff_delta: 0,
        entered_service_at: '2026-03-02T23:30:00Z',
        message: 'w5',
        presence: 'existent',
        not_counted_because: null,
        counted_in: [],
        reverts: null,
        reverted_by: [],
        ai_evidence: [],
        repo: 'web',
        repo_path: 'shop/web',
        sites: [
          { branches: ['main'], current_branch: 'main', committed_at: '2026-03-02T23:30:00Z', sha: shaOf('w5') },
          { branches: ['topic'], current_branch: 'topic', committed_at: '2026-03-04T10:00:00Z', sha: shaOf('topic2') },
        ],
        state: 'analysis_complete',
      },
    ]);
    const copy = await ask({ resource_type: 'commits', sha: shaOf('topic2') });
    expect(copy.body.commits).toMatchObject([{ sites: [{ sha: shaOf('topic2') }, { sha: shaOf('w5') }] }]);
    const forked = await ask({ resource_type: 'commits', sha: shaOf('w4') });
    expect((forked.body.commits as { child_shas: string[] }[])[0]!.child_shas).toEqual(
      [shaOf('w5'), shaOf('topic1')].toSorted(),
    );
    const gone = await ask({ resource_type: 'commits', sha: shaOf('gone') });
    expect(gone.body.commits).toMatchObject([{ presence: 'removed', sites: [{ branches: [], current_branch: null }] }]);
    const first = await ask({ resource_type: 'commits', sha: shaOf('w1') });
    expect(first.body.commits).toMatchObject([{ diff_delta: 1.5, contributor: { username: 'ada' } }]);
  });

  test('of a commit that counts nowhere says that it was skipped', async () => {
    const { pool } = app.store;
    const state = async (name: string) => {
      const { body } = await ask({ resource_type: 'commits', sha: shaOf(name) });
      return (body.commits as { state: string }[])[0]!.state;
    };
    const set = (name: string, change: string) =>
      pool.query(`update commits set ${change} where sha = decode($1, 'hex')`, [shaOf(name)]);
    await set('w3', `is_merge = true, not_counted = 'merge'`);
    expect(await state('w3')).toBe('analysis_skipped');
    await set('w3', `is_merge = false, not_counted = 'ignored_revision'`);
    expect(await state('w3')).toBe('analysis_skipped');
    await set('w3', 'not_counted = null');
    expect(await state('w3')).toBe('analysis_complete');
    const touch = (category: number) =>
      pool.query(
        `insert into commit_files (entity_id, commit_id, status, file_index, path, category)
         select entity_id, id, 'added', $2::int, 'file', $2::int from commits where sha = decode($1, 'hex')`,
        [shaOf('w3'), category],
      );
    await touch(13);
    expect(await state('w3')).toBe('analysis_skipped');
    await touch(10);
    expect(await state('w3')).toBe('analysis_complete');
    await pool.query(`update committers set processing_status = 'not_processing' where committer_user_name = 'cyd'`);
    expect(await state('w5')).toBe('analysis_skipped');
    await pool.query(`update committers set processing_status = 'processing_stats' where committer_user_name = 'cyd'`);
  });

  test('of a pull request has its commits with their phases', async () => {
    const { body } = await ask({ resource_type: 'pull_requests', resource_path: 'acme/shop/web', number: 1 });
    expect(body).toMatchObject({ page: 1, page_count: 1, per_page: 50, total_count: 1 });
    expect(body.pull_requests).toMatchObject([
      {
        number: 1,
        phase_em: 'phase_merged',
        contributor: { full_name: 'ada', user_name: 'ada' },
        business_minutes_cycle_time: 90,
        business_minutes_lead_time: null,
        commits: [
          { sha: shaOf('w1'), phase_em: 'phase_preparing', presence_em: 'existent', state_em: 'analysis_complete' },
          { sha: shaOf('w2'), phase_em: 'phase_post_merge', contributor: { user_name: 'ada' }, repo_path: 'shop/web' },
        ],
      },
    ]);
    const open = await ask({ resource_type: 'pull_requests', resource_path: 'acme/shop/web', number: 3 });
    expect(open.body.pull_requests).toMatchObject([
      { commits: [{ phase_em: 'phase_preparing' }, { phase_em: 'phase_reviewing' }] },
    ]);
  });

  test('of an issue has its commits and points, of a tag its release', async () => {
    const { body } = await ask({ resource_type: 'issues', issue_key: 'WEB-12' });
    expect(body.issues).toMatchObject([
      {
        assignee: { user_name: 'ada' },
        story_points: 2.5,
        commit_shas: [shaOf('w1'), shaOf('w2')],
        is_critical_defect: false,
      },
    ]);
    const tags = await ask({ resource_type: 'tags', tag: 'v1.0', resource_path: 'acme/shop/web' });
    expect(tags.body.tags).toEqual([
      { name: 'v1.0', sha: shaOf('w2'), repo_path: 'shop/web', tagged_at: '2026-02-11T10:00:00Z', is_release: true },
    ]);
  });
});

describe('a filter that the type does not have', () => {
  test.each([
    ['commits', { phase_em: 'phase_open' }, 'phase_em', 'pull_requests'],
    ['teams', { start_date: '2026-01-01' }, 'start_date', 'commits, committers, issues, pull_requests, tags'],
    ['tags', { committer_user_name: 'ada' }, 'committer_user_name', 'commits, committers'],
    ['commits', { critical_defects_only: true }, 'critical_defects_only', 'issues'],
    ['sprints', { sha: shaOf('w1') }, 'sha', 'commits'],
  ])('%s refuse %j and say who has it', async (resource_type, params, field, having) => {
    const answer = await ask({ resource_type, ...params });
    expect([answer.status, Object.keys(answer.body.errors as object)]).toEqual([422, [field]]);
    expect(answer.body.response_detail).toContain(`resource types that can are ${having}`);
  });

  test('usage and sprints belong to no repo, which a narrower path is told', async () => {
    const answer = await ask({ resource_type: 'ai_usages', resource_path: 'acme/shop' });
    expect([answer.body.total_count, answer.body.warnings]).toEqual([
      6,
      [expect.stringContaining('belong to no repo')],
    ]);
  });
});

describe('what cannot be', () => {
  test.each([
    [{ team_slug: 'nowhere' }, 404, 'team_slug'],
    [{ committer_identifier: 'grace' }, 422, 'committer_identifier'],
    [{ committer_user_name: ['ada', 'grace'] }, 422, 'committer_user_name'],
    [{ start_date: '2026-02-01', end_date: '2026-01-01' }, 400, 'start_date'],
    [
      { resource_type: 'issues', resolved_start_date: '2026-02-01', resolved_end_date: '2026-01-01' },
      400,
      'resolved_start_date',
    ],
    [{ resource_type: 'people' }, 400, 'resource_type'],
    [{ sha: 'abc' }, 400, 'sha'],
    [{ page: 0 }, 400, 'page'],
  ])('%j is refused by name', async (params, status, field) => {
    const answer = await ask({ resource_type: 'commits', ...params });
    expect([answer.status, Object.keys(answer.body.errors as object)]).toEqual([status, [field]]);
  });

  test('a committer named both ways must fit both', async () => {
    expect(await namesOf('commits', { committer_identifier: 'ada', committer_user_name: 'bob' })).toEqual([]);
    expect(await namesOf('committers', { committer_identifier: 'ada', committer_user_name: 'bob,ada' })).toEqual([
      'ada',
    ]);
  });
});

describe('access', () => {
  test.each(AUDIT_TYPES)('%s are for admins alone, and unknown to others', async (resource_type) => {
    const statuses = [];
    for (const role of ['member', 'manager', 'admin', 'superAdmin', 'foreignAdmin'] as const) {
      statuses.push((await ask({ resource_type }, app.tokens[role])).status);
    }
    expect(statuses).toEqual([403, 403, 200, 200, 404]);
  });

  test('no record of another entity is listed', async () => {
    const other = await seedEntityId(app.store, 'other');
    await seedAuditData(app.store, other);
    for (const type of TYPES) expect(await namesOf(type, {})).toHaveLength(PLAIN[type].length);
    const theirs = await ask({ resource_path: 'other', resource_type: 'commits' }, app.tokens.foreignAdmin);
    expect(theirs.body.total_count).toBe(PLAIN.commits.length);
  });
});

describe('pages', () => {
  test('are 50 long, hold every record once, and end', async () => {
    const repoId = await seedRepo(app.store, entityId, 'many/commits');
    const { rows } = await app.store.pool.query(`select id from committers where entity_id = $1 limit 1`, [entityId]);
    // All at the same moment, so that only the key can order them.
    const commits = Array.from({ length: 120 }, (_, n) => ({ name: `many-${n}`, at: '2025-01-01T00:00:00Z' }));
    await seedCommits(app.store, entityId, repoId, rows[0].id, commits);
    const seen: string[] = [];
    for (const [page, length] of [
      [1, 50],
      [2, 50],
      [3, 20],
      [4, 0],
    ] as const) {
      const { body } = await ask({ resource_type: 'commits', resource_path: 'acme/many', page });
      expect(body).toMatchObject({ page, page_count: 3, per_page: 50, total_count: 120 });
      expect(body.commits).toHaveLength(length);
      seen.push(...(body.commits as { sha: string }[]).map(({ sha }) => sha));
    }
    expect(new Set(seen).size).toBe(120);
    const again = await ask({ resource_type: 'commits', resource_path: 'acme/many', page: 2 });
    expect((again.body.commits as { sha: string }[]).map(({ sha }) => sha)).toEqual(seen.slice(50, 100));
  });
});

describe('CSV', () => {
  test('has the columns of the record, quoted where needed, and no formulas', async () => {
    await app.store.pool.query(`update issues set title = '=1+1, "quoted"' where entity_id = $1 and key = 'WEB-12'`, [
      entityId,
    ]);
    const answer = await ask({ resource_type: 'issues', issue_key: 'WEB-12', format: 'csv' });
    expect(answer.headers['content-type']).toBe('text/csv; charset=utf-8');
    expect(answer.headers).toMatchObject({ 'x-total-count': '1', 'x-page-count': '1' });
    const [header, row, end] = answer.text.split('\r\n');
    expect(header).toMatch(/^id,key,title,type,.*,assignee\.full_name,assignee\.user_name,story_points,/);
    expect(row).toMatch(/^\d+,WEB-12,"'=1\+1, ""quoted""",Bug,.*,ada,ada,2\.5,/);
    expect(end).toBe('');
  });

  test('of an empty page is the header alone, for every type', async () => {
    for (const resource_type of AUDIT_TYPES) {
      const answer = await ask({ resource_type, page: 99, format: 'csv' });
      expect(answer.text.split('\r\n')).toEqual([expect.stringMatching(/^(id|name),/), '']);
    }
  });
});
