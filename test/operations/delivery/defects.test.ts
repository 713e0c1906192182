// Critical defects: the state table of the specification, what each field of the list says, and what the
// list leaves out.
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../support/app.ts';
import { seedCommits, seedCommitter, seedEntityId, seedRepo, shaOf } from '../seed-records.ts';

const NOW = new Date('2026-10-20T12:00:00Z');
let app: TestApp;
let entityId: number;

beforeAll(async () => {
  app = await createTestApp({ now: () => NOW });
  entityId = await seedEntityId(app.store, 'acme');
  const website = await seedRepo(app.store, entityId, 'shop/website');
  await seedRepo(app.store, entityId, 'shop/api');
  await seedRepo(app.store, entityId, 'tools/cli');
  const ada = await seedCommitter(app.store, entityId, { userName: 'ada', email: 'ada@example.com' });
  await seedCommits(app.store, entityId, website, ada, [
    { name: 'early', at: '2026-09-01T10:00:00Z' },
    { name: 'repair', at: '2026-10-05T12:30:00Z' },
    { name: 'draft', at: '2026-10-05T11:00:00Z', parents: ['early'], offDefault: true },
  ]);
  await app.store.pool.query(`insert into teams (entity_id, slug, name) values ($1, 'toolers', 'Toolers')`, [entityId]);
  await app.store.pool.query(
    `insert into team_repos (entity_id, team_id, organization_slug, repo_slug)
     select entity_id, id, 'tools', 'cli' from teams where slug = 'toolers'`,
  );
});

beforeEach(() => app.store.pool.query('delete from critical_defects'));

const DETECTED = '2026-10-05T09:00:00Z';
const post = (fields: object, token = app.tokens.admin) =>
  app.request({
    route: 'POST /critical_defects',
    token,
    json: { resource_path: 'acme/shop/website', defect_key: 'BUG-1', ...fields },
  });
const create = (fields: object = {}) => post({ detected_at: DETECTED, ...fields });
const list = (query = '', token = app.tokens.admin) =>
  app.request({ route: 'GET /critical_defects', token, query: query === '' ? 'resource_path=acme' : query });
const records = async (query = '') => (await list(query)).body.critical_defects as Record<string, unknown>[];
const only = async () => {
  const [record, ...others] = await records();
  expect(others).toEqual([]);
  return record!;
};
const keys = async (query: string) => (await records(query)).map((record) => record.defectKey);

describe('the state table', () => {
  test('nothing → detected, by a time or by the flag, on an entity, an organization or a repo', async () => {
    for (const [index, path] of ['acme', 'acme/shop', 'acme/shop/website'].entries()) {
      const answer = await create({ resource_path: path, defect_key: `PATH-${index}` });
      expect(answer.body).toMatchObject({
        action_em: 'action_defect_created',
        response_detail: `Created the defect PATH-${index}.`,
      });
    }
    await post({ defect_key: 'NOW-1', detected_now: 'true' });
    expect(await records()).toMatchObject([
      { defectKey: 'NOW-1', detectedAt: 'October 20, 2026 12:00 PM UTC', resolvedAt: null },
      { defectKey: 'PATH-2', repoPaths: ['shop/website'] },
      { defectKey: 'PATH-1', repoPaths: [] },
      { defectKey: 'PATH-0', detectedAt: 'October 5, 2026 9:00 AM UTC', resolvedAt: null },
    ]);
  });

  test('nothing stays nothing without a time of detection', async () => {
    for (const fields of [{}, { detected_now: false }, { fix_released_now: true }]) {
      const answer = await post(fields);
      expect([answer.status, answer.body.response_em]).toEqual([422, 'response_invalid_parameter']);
      expect(answer.body.errors).toEqual({ detected_at: [expect.stringContaining('detected_now')] });
    }
    expect(await records()).toEqual([]);
  });

  const FIXES = [
    ['fix_released_at', { fix_released_at: '2026-10-06T09:00:00Z' }, 'October 6, 2026 9:00 AM UTC'],
    ['fix_released_now', { fix_released_now: true }, 'October 20, 2026 12:00 PM UTC'],
    ['fix_released_sha', { fix_released_sha: shaOf('repair') }, 'October 5, 2026 12:30 PM UTC'],
  ] as const;

  test.each(FIXES)('detected → fix released by %s', async (_, fix, resolvedAt) => {
    await create();
    expect((await post(fix)).body.response_detail).toBe('Updated the defect BUG-1 and marked a fix.');
    expect(await only()).toMatchObject({ resolvedAt, firstFixReleasedAt: resolvedAt, finalFixReleasedAt: resolvedAt });
  });

  test.each(FIXES)('a fix by %s cannot be marked on an organization or an entity', async (_, fix) => {
    await create({ resource_path: 'acme' });
    for (const resource_path of ['acme', 'acme/shop']) {
      const answer = await post({ resource_path, ...fix });
      expect([answer.status, answer.body.response_em]).toEqual([422, 'response_unprocessable']);
      expect(answer.body.errors).toEqual({ resource_path: [expect.stringContaining('fix_repo_path')] });
    }
    expect(await only()).toMatchObject({ resolvedAt: null });
  });

  test('a fix can be marked from above when the repo is named beside it', async () => {
    await create({ resource_path: 'acme' });
    const fix = { resource_path: 'acme', fix_released_at: '2026-10-06', fix_repo_path: 'acme/tools/cli' };
    expect((await post(fix)).status).toBe(200);
    expect(await only()).toMatchObject({ repoPaths: ['tools/cli'], resolvedAt: 'October 6, 2026 12:00 AM UTC' });
  });

  test('fix released → resolved at the latest fix over all repos', async () => {
    await create();
    await post({ fix_released_at: '2026-10-08T00:00:00Z' });
    await post({ resource_path: 'acme/tools/cli', fix_released_at: '2026-10-12T00:00:00Z' });
    await post({ resource_path: 'acme/shop/api', fix_released_at: '2026-10-06T00:00:00Z' });
    expect(await only()).toMatchObject({
      firstFixReleasedAt: 'October 6, 2026 12:00 AM UTC',
      finalFixReleasedAt: 'October 12, 2026 12:00 AM UTC',
      resolvedAt: 'October 12, 2026 12:00 AM UTC',
      repoPaths: ['shop/api', 'shop/website', 'tools/cli'],
    });
  });
});

describe('a call', () => {
  test('that is repeated changes nothing', async () => {
    const fields = { detected_now: true, fix_released_at: '2026-10-20T12:01:00Z', description: 'x', severity: 2 };
    await post(fields);
    const before = await only();
    const answer = await post(fields);
    expect(answer.body.warnings).toEqual([expect.stringContaining('detected_now: ignored')]);
    expect(await only()).toEqual(before);
    const { rows } = await app.store.pool.query('select count(*) as count from defect_fixes');
    expect(rows).toEqual([{ count: 1 }]);
  });

  test('changes only the fields that it sends', async () => {
    await create({ category: 'Outage', description: 'first', severity: 1 });
    await post({ severity: 3 });
    await post({ detected_at: '2026-10-04T09:00:00Z' });
    expect(await only()).toMatchObject({
      customerDefectIdentifier: 'Outage',
      htmlDescription: '<p>first</p>',
      severity: 3,
      detectedAt: 'October 4, 2026 9:00 AM UTC',
    });
  });

  test('takes the flag before the commit and the commit before the time, and says so', async () => {
    await create();
    const sha = shaOf('repair');
    const bySha = await post({ fix_released_sha: sha, fix_released_at: '2026-10-09' });
    expect(bySha.body.warnings).toEqual(['fix_released_at: ignored beside fix_released_sha']);
    expect(await only()).toMatchObject({ resolvedAt: 'October 5, 2026 12:30 PM UTC' });
    await post({ fix_released_sha: sha, fix_released_now: true });
    expect(await only()).toMatchObject({ resolvedAt: 'October 20, 2026 12:00 PM UTC' });
  });

  test('with a commit that the repo does not have is refused', async () => {
    await create();
    for (const [path, sha] of [
      ['acme/shop/website', shaOf('never')],
      ['acme/tools/cli', shaOf('repair')],
    ]) {
      const answer = await post({ resource_path: path, fix_released_sha: sha });
      expect([answer.status, Object.keys(answer.body.errors as object)]).toEqual([422, ['fix_released_sha']]);
    }
    expect(await only()).toMatchObject({ resolvedAt: null });
  });

  test('on a repo that nobody imported, or of another entity, is not found', async () => {
    expect((await create({ resource_path: 'acme/shop/none' })).status).toBe(404);
    expect((await create({ fix_repo_path: 'other/shop/website', fix_released_now: true })).status).toBe(404);
    expect((await post({ detected_at: DETECTED }, app.tokens.foreignAdmin)).status).toBe(404);
    expect(await records()).toEqual([]);
  });

  test('may come from any member', async () => {
    expect((await post({ detected_at: DETECTED }, app.tokens.member)).status).toBe(200);
  });

  test('by many at once makes one defect with all the fixes', async () => {
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, day) => create({ fix_released_at: `2026-10-${10 + day}` })),
    );
    expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([200]));
    expect(await only()).toMatchObject({ resolvedAt: 'October 19, 2026 12:00 AM UTC' });
  });
});

describe('a record', () => {
  test('has the spans between its times and the timeline', async () => {
    await create({ category: 'Outage', fix_pushed_at: '2026-10-05T11:30:00Z' });
    await post({ fix_released_sha: shaOf('repair') });
    await post({ resource_path: 'acme/shop/api', fix_released_at: '2026-10-06T12:30:00Z' });
    expect(await only()).toEqual({
      id: expect.any(Number),
      defectKey: 'BUG-1',
      customerDefectIdentifier: 'Outage',
      detectedAt: 'October 5, 2026 9:00 AM UTC',
      detectedAtWords: '15 days ago',
      detectedAtVisibleTimestamp: 'Oct 5, 2026',
      firstFixActivityAt: 'October 5, 2026 11:30 AM UTC',
      firstFixReleasedAt: 'October 5, 2026 12:30 PM UTC',
      finalFixReleasedAt: 'October 6, 2026 12:30 PM UTC',
      resolvedAt: 'October 6, 2026 12:30 PM UTC',
      hoursToFirstActivity: 2.5,
      minutesToFirstActivity: 150,
      minutesActivityToDeploy: 0,
      minutesToResolved: 27.5 * 60,
      htmlDescription: '',
      severity: null,
      path: '/acme/critical_defects/BUG-1',
      repoPaths: ['shop/api', 'shop/website'],
      timelineHours: [
        { title: 'Detection to first activity', hours: 2.5, key: 'hours_to_first_activity' },
        { title: 'First activity to first merged fix', hours: 1, key: 'first_fix_merged_at' },
        { title: 'Last activity to first release', hours: 0, key: 'activity_to_first_release' },
        { title: 'First release to final release', hours: 24, key: 'first_release_to_final_release' },
      ],
      issueTracker: null,
    });
    const { rows } = await app.store.pool.query(
      `select business_minutes_to_first_activity as a, business_minutes_to_first_release as r,
              business_minutes_to_final_release as f from critical_defects`,
    );
    expect(rows).toEqual([{ a: 150, r: 210, f: 8 * 60 + 210 }]);
  });

  test('that is open tells how long it has waited since anything happened', async () => {
    await create({ fix_pushed_at: '2026-10-20T10:30:00Z' });
    expect((await only()).timelineHours).toContainEqual({
      title: 'Last activity to now',
      hours: 1.5,
      key: 'activity_to_now',
    });
  });

  test('never has a negative span, also when the fix is older than the detection', async () => {
    const early = await create({ defect_key: 'BUG-9', fix_released_at: '2026-10-01', fix_pushed_at: '2026-10-02' });
    expect(early.body.warnings).toEqual([
      expect.stringMatching(
        /^fix_released_at: 2026-10-01\S+ is before the defect was detected, at 2026-10-05\S+; it counts/,
      ),
      expect.stringMatching(/^fix_pushed_at: 2026-10-02/),
    ]);
    await app.store.pool.query(`delete from critical_defects where defect_key = 'BUG-9'`);
    await create({ fix_released_at: '2026-10-01', fix_pushed_at: '2026-10-02' });
    expect(await only()).toMatchObject({
      resolvedAt: 'October 5, 2026 9:00 AM UTC',
      minutesToResolved: 0,
      minutesToFirstActivity: 0,
      minutesActivityToDeploy: 0,
    });
  });

  test('warns when its detection is moved past a fix', async () => {
    await create({ fix_released_at: '2026-10-13' });
    const later = await create({ detected_at: '2026-10-14' });
    expect(later.body.warnings).toEqual([
      expect.stringMatching(/^detected_at: a fix that was recorded is of 2026-10-13\S+, before it; it counts as of/),
    ]);
    expect((await create({ detected_at: '2026-10-12' })).body.warnings).toBeUndefined();
  });

  test('shows its times in the zone of the entity', async () => {
    const east = await createTestApp({ now: () => NOW });
    await east.operations.settings.set('operator', 'acme', 'time_zone', 'America/New_York');
    const json = { resource_path: 'acme', defect_key: 'Z', detected_at: '2026-10-05 09:00' };
    await east.request({ route: 'POST /critical_defects', json });
    const answer = await east.request({ route: 'GET /critical_defects', query: 'resource_path=acme' });
    expect(answer.body.critical_defects).toMatchObject([{ detectedAt: 'October 5, 2026 9:00 AM EDT' }]);
  });

  test.each([
    ['**bold** and `code`', '<p><strong>bold</strong> and <code>code</code></p>'],
    ['<script>alert(1)</script>', '<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>'],
    ['<img src=x onerror=alert(1)>', '<p>&lt;img src=x onerror=alert(1)&gt;</p>'],
    ['[x](javascript:alert(1))', '<p>[x](javascript:alert(1))</p>'],
    ['[x](JaVaScRiPt&colon;alert(1))', '<p>[x](JaVaScRiPt:alert(1))</p>'],
    ['[x](data:text/html;base64,PHNjcmlwdD4=)', '<p>[x](data:text/html;base64,PHNjcmlwdD4=)</p>'],
    [
      '[x](https://example.com/"onmouseover="alert(1))',
      '<p><a href="https://example.com/%22onmouseover=%22alert(1)" rel="nofollow noopener noreferrer">x</a></p>',
    ],
    ['[x]: vbscript:msgbox(1)\n\n[x]', '<p>[x]: vbscript:msgbox(1)</p>\n<p>[x]</p>'],
  ])('turns the Markdown %s into safe HTML', async (description, html) => {
    await create({ description });
    expect((await only()).htmlDescription).toBe(html);
  });

  test('names the issue that it came from', async () => {
    await create();
    await app.store.pool.query(
      `insert into issues (entity_id, provider_em, key, title, type, status, url, project_name, opened_at)
       values ($1, 'tracker_a', 'SHOP-9', 'It burns', 'Bug', 'Open', 'https://tracker.example.com/9', 'Shop', now())`,
      [entityId],
    );
    await app.store.pool.query(`update critical_defects set issue_id = (select id from issues where key = 'SHOP-9')`);
    expect((await only()).issueTracker).toEqual({
      issueIdentifier: 'SHOP-9',
      projectName: 'Shop',
      url: 'https://tracker.example.com/9',
      title: 'It burns',
    });
  });
});

describe('the list', () => {
  beforeEach(async () => {
    await create({ defect_key: 'OLD-1', detected_at: '2026-08-01', fix_released_at: '2026-08-10T12:00:00Z' });
    await create({ defect_key: 'OPEN-1', detected_at: '2026-08-05', resource_path: 'acme/tools/cli' });
    await create({ defect_key: 'NEW-1', detected_at: '2026-10-19T23:30:00Z', resource_path: 'acme' });
  });

  test.each([
    ['', ['NEW-1', 'OPEN-1', 'OLD-1']],
    ['&end_date=2026-08-04', ['OLD-1']],
    ['&end_date=2026-08-05', ['OPEN-1', 'OLD-1']],
    ['&start_date=2026-08-10', ['NEW-1', 'OPEN-1', 'OLD-1']],
    ['&start_date=2026-08-11', ['NEW-1', 'OPEN-1']],
    ['&beginning_date=2026-08-11&ending_date=2026-10-18', ['OPEN-1']],
    ['&days_ago=2', ['NEW-1', 'OPEN-1']],
    ['&days_ago=100', ['NEW-1', 'OPEN-1', 'OLD-1']],
    ['&days_ago=1&start_date=2026-08-01&end_date=2026-08-02', ['OLD-1']],
  ])('of the range "%s" holds what was active in it', async (range, expected) => {
    expect(await keys(`resource_path=acme${range}`)).toEqual(expected);
  });

  test.each([
    ['acme/shop', ['OLD-1']],
    ['acme/tools', ['OPEN-1']],
    ['acme/tools/cli', ['OPEN-1']],
    ['acme/shop/api', []],
    ['acme/tools,acme/shop/website', ['OPEN-1', 'OLD-1']],
    ['acme&team_slug=toolers', ['OPEN-1']],
    ['acme&team_slug=all-contributors', ['NEW-1', 'OPEN-1', 'OLD-1']],
    ['acme/shop&team_slug=toolers', []],
  ])('of %s holds what was recorded there', async (path, expected) => {
    expect(await keys(`resource_path=${path}`)).toEqual(expected);
  });

  test('refuses an unknown team, path and an end before the start', async () => {
    expect((await list('resource_path=acme&team_slug=none')).status).toBe(404);
    expect((await list('resource_path=acme/none')).status).toBe(404);
    expect((await list('resource_path=acme', app.tokens.foreignAdmin)).status).toBe(404);
    const answer = await list('resource_path=acme&start_date=2026-09-02&end_date=2026-09-01');
    expect([answer.status, Object.keys(answer.body.errors as object)]).toEqual([400, ['start_date']]);
  });

  test('comes in pages of 50', async () => {
    await app.store.pool.query(
      `insert into critical_defects (entity_id, defect_key, source_em, detected_at)
       select $1, 'MANY-' || n, 'api', '2026-07-01'::timestamptz + n * interval '1 minute' from generate_series(1, 60) n`,
      [entityId],
    );
    const second = await list('resource_path=acme&page=2');
    expect(second.body).toMatchObject({ page: 2, page_count: 2, per_page: 50, total_count: 63 });
    expect((second.body.critical_defects as object[]).length).toBe(13);
    expect((await list('resource_path=acme&page=3')).body).toMatchObject({ critical_defects: [], total_count: 63 });
  });
});

test('moments outside of the dates that are taken are refused at once, and nothing is stored', async () => {
  const begin = performance.now();
  for (const fields of [
    { detected_at: '0001-01-01T00:00:00+14:00' },
    { detected_at: '9999-12-31' },
    { detected_at: DETECTED, fix_released_at: '9999-12-31' },
    { detected_at: DETECTED, fix_pushed_at: '1969-12-31T23:59:59Z' },
  ]) {
    const answer = await post(fields);
    expect([answer.status, answer.body.response_em], JSON.stringify(fields)).toEqual([
      400,
      'response_invalid_parameter',
    ]);
    expect(answer.body.response_detail).toContain('from 1970 to 10 years from now');
  }
  expect((await list()).body.total_count).toBe(0);
  expect(performance.now() - begin).toBeLessThan(10_000);
});
