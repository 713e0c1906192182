// Releases told by the API: which commit they are tied to, which calls mean the same release, what they fix,
// and what the list shows.
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { deriveDelivery } from '../../../src/jobs/derive-delivery.ts';
import { jobContext } from '../../jobs/import/import-kit.ts';
import { createTestApp, type TestApp } from '../../support/app.ts';
import { importSettings } from '../../support/import-settings.ts';
import { seedCommits, seedCommitter, seedEntityId, seedRepo, shaOf } from '../seed-records.ts';

let now = new Date('2026-10-20T12:00:00Z');
let app: TestApp;
let entityId: number;
let websiteId: number;
let adaId: number;

beforeAll(async () => {
  app = await createTestApp({ now: () => now });
  entityId = await seedEntityId(app.store, 'acme');
  websiteId = await seedRepo(app.store, entityId, 'shop/website');
  await seedRepo(app.store, entityId, 'tools/cli');
  adaId = await seedCommitter(app.store, entityId, { userName: 'ada', email: 'ada@example.com', providerId: '4711' });
  await seedCommits(app.store, entityId, websiteId, adaId, [
    { name: 'one', at: '2026-10-01T10:00:00Z' },
    { name: 'two', at: '2026-10-05T10:00:00Z' },
    { name: 'three', at: '2026-10-09T10:00:00Z' },
    { name: 'side', at: '2026-10-09T11:00:00Z', parents: ['two'], offDefault: true },
    { name: 'four', at: '2026-10-12T10:00:00Z', parents: ['three', 'side'], isMerge: true },
  ]);
  await app.store.pool.query(`insert into teams (entity_id, slug, name) values ($1, 'toolers', 'Toolers')`, [entityId]);
  await app.store.pool.query(
    `insert into team_repos (entity_id, team_id, organization_slug, repo_slug)
     select entity_id, id, 'tools', 'cli' from teams where slug = 'toolers'`,
  );
});

beforeEach(async () => {
  now = new Date('2026-10-20T12:00:00Z');
  await app.store.pool.query('delete from critical_defects');
  await app.store.pool.query('delete from issues');
  await app.store.pool.query('delete from releases');
});

const post = (fields: object, token = app.tokens.admin) =>
  app.request({ route: 'POST /releases', token, json: { resource_path: 'acme/shop/website', ...fields } });
const list = (query = 'resource_path=acme', token = app.tokens.admin) =>
  app.request({ route: 'GET /releases', token, query });
const records = async (query?: string) => (await list(query)).body.releases as Record<string, unknown>[];
const stored = async () => {
  const { rows } = await app.store.pool.query(
    'select name, release_sha, released_at, triggered_by, is_baseline, commit_count from releases order by released_at, id',
  );
  return rows.map((row) => ({ ...row, release_sha: row.release_sha?.toString('hex') ?? null }));
};
const derive = () =>
  deriveDelivery.run({ entity_id: entityId, repo_id: websiteId }, jobContext(), {
    store: app.store,
    sources: [],
    imports: importSettings('/nowhere'),
    now: () => now,
  });

describe('the release commit', () => {
  test.each([
    ['ISO 8601', '2026-10-09T09:59:59Z', 'two'],
    ['seconds since 1970', Date.parse('2026-10-09T10:00:00Z') / 1000, 'three'],
    ['seconds as text', String(Date.parse('2026-10-09T11:30:00Z') / 1000), 'three'],
    ['before every commit', '2026-09-01', null],
  ])('of a time given as %s is the one of the default branch that preceded it', async (_, released_at, commit) => {
    const answer = await post({ released_at });
    expect(answer.body).toMatchObject({ action_em: 'action_release_created', response_em: 'response_success' });
    expect(await stored()).toMatchObject([
      { release_sha: commit === null ? null : shaOf(commit), triggered_by: 'api' },
    ]);
  });

  test('of a release now is the newest', async () => {
    await post({ release_now: 'true' });
    expect(await stored()).toMatchObject([{ release_sha: shaOf('four'), released_at: '2026-10-20T12:00:00Z' }]);
  });

  test.each(['release_sha', 'head_long'])('is taken as told in %s, with its authored time', async (name) => {
    await post({ [name]: shaOf('side') });
    expect(await stored()).toMatchObject([{ release_sha: shaOf('side'), released_at: '2026-10-09T11:00:00Z' }]);
  });

  test('may be told together with a time', async () => {
    await post({ release_sha: shaOf('two').toUpperCase(), head_long: shaOf('two'), released_at: '2026-10-06' });
    expect(await stored()).toMatchObject([{ release_sha: shaOf('two'), released_at: '2026-10-06T00:00:00Z' }]);
  });

  test('that was written after the release is kept, with a warning', async () => {
    const early = await post({ release_sha: shaOf('two'), released_at: '2025-10-06' });
    expect(early.body.warnings).toEqual([
      expect.stringMatching(
        /^released_at: 2025-10-06T00:00:00.000Z is before [0-9a-f]{40} was written, 2026-10-05T10:00/,
      ),
    ]);
    expect(await stored()).toMatchObject([{ release_sha: shaOf('two'), released_at: '2025-10-06T00:00:00Z' }]);
    // Clocks differ by minutes.
    const close = await post({ release_sha: shaOf('three'), released_at: '2026-10-09T09:55:00Z' });
    expect(close.body.warnings).toBeUndefined();
  });

  test.each([
    ['nothing', {}, 422, 'released_at'],
    ['no flag', { release_now: false }, 422, 'released_at'],
    ['a commit that the repo does not have', { release_sha: shaOf('never') }, 422, 'release_sha'],
    ['the same under its other name', { head_long: shaOf('never') }, 422, 'head_long'],
    ['two commits', { release_sha: shaOf('one'), head_long: shaOf('two') }, 422, 'head_long'],
    ['an organization', { resource_path: 'acme/shop', release_now: true }, 400, 'resource_path'],
  ])('cannot be told by %s', async (_, fields, status, field) => {
    const answer = await post(fields);
    expect([answer.status, Object.keys(answer.body.errors as object)]).toEqual([status, [field]]);
    expect(await stored()).toEqual([]);
  });

  test('of a repo that nobody imported is not found, nor of another entity', async () => {
    expect((await post({ resource_path: 'acme/shop/none', release_now: true })).status).toBe(404);
    expect((await post({ release_now: true }, app.tokens.foreignAdmin)).status).toBe(404);
  });

  test.each([
    [
      'pending',
      /^there is no repo acme\/shop\/New yet; it is being imported, and GET \/imports says how far that has come/,
    ],
    [
      'unable_to_import_no_repo',
      /^there is no repo acme\/shop\/New; its import has failed, and GET \/imports says why/,
    ],
    ['offered_pending_acceptance', /import it first/],
  ])('of a repo whose import is %s says so', async (status, detail) => {
    await app.store.pool.query(
      `insert into imports (entity_id, organization_slug, repo_slug, status) values ($1, 'shop', 'new', $2)`,
      [entityId, status],
    );
    const answer = await post({ resource_path: 'acme/shop/New', release_now: true });
    await app.store.pool.query('delete from imports');
    expect(answer.status).toBe(404);
    expect(answer.body.response_detail).toMatch(detail);
  });

  test('that comes later than the news of the release is found by the job', async () => {
    await app.store.pool.query(
      `insert into releases (entity_id, repo_id, released_at, triggered_by) values ($1, $2, '2026-10-06', 'api')`,
      [entityId, websiteId],
    );
    await derive();
    expect(await stored()).toMatchObject([{ release_sha: shaOf('two') }]);
  });
});

const deployments = async () =>
  (await app.store.pool.query('select deployed_at, name, deployed_by_user_name from deployments order by deployed_at'))
    .rows;

describe('the same release', () => {
  test('is what a repeated call means, and stays as it is', async () => {
    for (const [call, detail, warnings] of [
      [{ release_sha: shaOf('two'), name: 'v2', deployed_by: 'ada' }, 'Created', undefined],
      [{ release_sha: shaOf('two'), name: 'v2' }, 'Kept', undefined],
      [{ release_sha: shaOf('two'), name: 'v9', deployed_by: 'bo' }, 'Kept', 1],
      [{ head_long: shaOf('two'), released_at: '2026-10-05T10:00:59Z' }, 'Kept', undefined],
    ] as const) {
      const { body } = await post(call);
      expect(body.response_detail).toMatch(new RegExp(`^${detail} the release of 2026-10-05T10:00:00`));
      if (warnings === undefined && !('deployed_by' in call)) expect(body.warnings).toBeUndefined();
    }
    expect(await stored()).toMatchObject([{ name: 'v2', released_at: '2026-10-05T10:00:00Z' }]);
    expect(await records()).toMatchObject([{ deployed_by: { committer_user_name: 'ada' }, deployment_count: 1 }]);
    expect(await deployments()).toEqual([]);
  });

  test('takes what it did not say yet', async () => {
    await post({ release_sha: shaOf('two') });
    await post({ release_sha: shaOf('two'), name: 'v2', deployed_by: 'ada' });
    expect(await records()).toMatchObject([{ name: 'v2', deployed_by: { committer_user_name: 'ada' } }]);
  });

  test('deployed again at another time is a deployment, and no release', async () => {
    await post({ release_sha: shaOf('four'), name: 'v4', deployed_by: 'ada' });
    const before = await stored();
    for (const call of [
      { release_now: true, name: 'again', deployed_by: 'bo' },
      { release_sha: shaOf('four'), release_now: true },
      { release_sha: shaOf('four'), released_at: '2026-10-15T08:00:00Z' },
      { released_at: '2026-10-16T08:00:00Z' },
    ]) {
      const { body } = await post(call);
      expect(body.response_detail).toMatch(/^Recorded a deployment at 2026-10-\S+ of the release of 2026-10-12T10/);
      expect(body.warnings).toEqual(
        expect.arrayContaining([expect.stringMatching(/is a deployment and no release of its own/)]),
      );
    }
    expect(await stored()).toEqual(before);
    expect(await deployments()).toEqual([
      { deployed_at: '2026-10-15T08:00:00Z', name: null, deployed_by_user_name: null },
      { deployed_at: '2026-10-16T08:00:00Z', name: null, deployed_by_user_name: null },
      { deployed_at: '2026-10-20T12:00:00Z', name: 'again', deployed_by_user_name: 'bo' },
    ]);
    expect(await records()).toMatchObject([{ name: 'v4', deployment_count: 4 }]);
  });

  test('is one of the same minute', async () => {
    await post({ released_at: '2026-10-06T08:00:10Z', name: 'first' });
    await post({ release_sha: shaOf('one'), released_at: '2026-10-06T08:00:50Z', name: 'second' });
    expect(await stored()).toMatchObject([
      { name: 'second', release_sha: shaOf('one'), released_at: '2026-10-06T08:00:50Z' },
    ]);
    await post({ release_sha: shaOf('two'), released_at: '2026-10-06T08:01:00Z' });
    expect(await stored()).toHaveLength(2);
  });

  test('is made once by many calls at once', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => post({ release_sha: shaOf('two') })));
    expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([200]));
    expect(await stored()).toHaveLength(1);
  });
});

describe('defects and issues', () => {
  const defect = (defect_key: string) =>
    app.request({
      route: 'POST /critical_defects',
      json: { resource_path: 'acme', defect_key, detected_at: '2026-10-04T00:00:00Z' },
    });
  const defects = async () =>
    (await app.request({ route: 'GET /critical_defects', query: 'resource_path=acme' })).body
      .critical_defects as Record<string, unknown>[];

  test('named by key, in any case, are fixed by the release', async () => {
    await defect('BUG-1');
    await defect('BUG-2');
    await post({ release_sha: shaOf('two'), defect_keys: 'bug-1' });
    await post({ release_sha: shaOf('two'), defect_keys_resolved: ['BUG-1', 'Bug-2'] });
    for (const record of await defects()) {
      expect(record).toMatchObject({ resolvedAt: 'October 5, 2026 10:00 AM UTC', repoPaths: ['shop/website'] });
    }
    expect(await records()).toMatchObject([{ defect_count: 2 }]);
    const { rows } = await app.store.pool.query('select count(*) as count from defect_fixes');
    expect(rows).toEqual([{ count: 2 }]);
  });

  test('are not resolved in the past by a release that went out before; a deployment resolves them', async () => {
    await post({ release_sha: shaOf('two') });
    now = new Date('2026-10-08T12:00:00Z');
    await app.request({
      route: 'POST /critical_defects',
      json: { resource_path: 'acme', defect_key: 'BUG-1', detected_at: '2026-10-07T00:00:00Z' },
    });
    const kept = await post({ release_sha: shaOf('two'), defect_keys_resolved: 'BUG-1' });
    expect(kept.body.warnings).toEqual([expect.stringMatching(/"BUG-1" was detected at .* it stays open/)]);
    expect(await defects()).toMatchObject([{ resolvedAt: null }]);
    await post({ release_now: true, defect_keys_resolved: 'BUG-1', issue_keys_resolved: 'SHOP-1' });
    await derive();
    expect(await defects()).toMatchObject([{ resolvedAt: 'October 8, 2026 12:00 PM UTC' }]);
    expect(await records()).toMatchObject([{ defect_count: 0, issue_count: 0, released_at: '2026-10-05T10:00:00Z' }]);
  });

  test('are not resolved by a release before their detection, also when the same call makes the release', async () => {
    await app.request({
      route: 'POST /critical_defects',
      json: { resource_path: 'acme', defect_key: 'BUG-1', detected_at: '2026-10-07T00:00:00Z' },
    });
    const fields = { released_at: '2026-10-06T10:00:00Z', defect_keys_resolved: 'BUG-1' };
    const first = await post(fields);
    const second = await post(fields);
    for (const { body } of [first, second]) {
      expect(body.warnings).toEqual([expect.stringMatching(/"BUG-1" was detected at .* it stays open/)]);
    }
    expect(await defects()).toMatchObject([{ resolvedAt: null }]);
    expect(await records()).toMatchObject([{ defect_count: 0 }]);
  });

  const totalsOfThatDay = async (segment: string) => {
    const query = `resource_path=acme&segment_by=${segment}&start_date=2026-10-05&end_date=2026-10-05`;
    const { body } = await app.request({ route: 'GET /reports', query: `${query}&suppress_aggregation=true` });
    return (body.series as { total: number | null }[]).map(({ total }) => total);
  };

  test.each([
    ['commit', { fix_released_sha: shaOf('two') }],
    ['time', { fix_released_at: '2026-10-05T10:20:00Z' }],
  ])('whose fix is told by its %s are not repaired by a release that went out before', async (_, fix) => {
    await post({ release_sha: shaOf('one') });
    await post({ release_sha: shaOf('two') });
    const told = async (detected_at: string) => {
      await app.request({
        route: 'POST /critical_defects',
        json: { resource_path: 'acme/shop/website', defect_key: 'LATE-77', detected_at, ...fix },
      });
      await derive();
      return {
        counted: (await records())[0]?.defect_count,
        repairing: await totalsOfThatDay('release_resolves_defect_count'),
        percent: await totalsOfThatDay('release_defect_percent'),
      };
    };
    // A count has no series where there is nothing to count.
    const notRepaired = { counted: 0, repairing: [], percent: [0] };
    expect(await told('2026-10-05T10:10:00Z')).toEqual(notRepaired);
    expect(await told('2026-10-04T00:00:00Z')).toEqual({ counted: 1, repairing: [1], percent: [100] });
    expect(await told('2026-10-05T10:10:00Z')).toEqual(notRepaired);
    expect(await defects()).toMatchObject([{ resolvedAt: expect.any(String) }]);
  });

  test('are not repaired by a release that names them when their detection is moved past it', async () => {
    await defect('BUG-1');
    await post({ release_sha: shaOf('two'), defect_keys_resolved: 'BUG-1' });
    expect(await records()).toMatchObject([{ defect_count: 1 }]);
    await app.request({
      route: 'POST /critical_defects',
      json: { resource_path: 'acme', defect_key: 'BUG-1', detected_at: '2026-10-07T00:00:00Z' },
    });
    await derive();
    expect(await records()).toMatchObject([{ defect_count: 0 }]);
  });

  test('are one defect in any case, whoever names it', async () => {
    await issue('SHOP-1', 'Bug');
    await defect('shop-1');
    await post({ release_sha: shaOf('two'), issue_keys_resolved: 'Shop-1,SHOP-1' });
    expect((await defects()).map((record) => record.defectKey)).toEqual(['shop-1']);
    expect(await records()).toMatchObject([{ issue_count: 1, defect_count: 1 }]);
  });

  test('that nobody submitted are refused, and with them the release', async () => {
    await defect('BUG-1');
    const answer = await post({ release_now: true, defect_keys_resolved: ['BUG-1', 'BUG-9'] });
    expect([answer.status, answer.body.errors]).toEqual([
      422,
      { defect_keys_resolved: [expect.stringMatching(/^"BUG-9" unknown/)] },
    ]);
    expect(await stored()).toEqual([]);
  });

  const issue = (key: string, type: string) =>
    app.store.pool.query(
      `insert into issues (entity_id, provider_em, key, title, type, status, opened_at)
       values ($1, 'tracker_a', $2, $2 || ' is broken', $3, 'Open', '2026-10-03T00:00:00Z')`,
      [entityId, key, type],
    );

  test.each(['now', 'later'])('a Bug or Hotfix that the release names, known %s, becomes a defect', async (when) => {
    const know = async () => {
      await issue('SHOP-1', 'Bug');
      await issue('SHOP-2', 'hotfix');
      await issue('SHOP-3', 'Story');
    };
    if (when === 'now') await know();
    await post({ release_sha: shaOf('two'), issue_keys_resolved: 'shop-1,SHOP-2,SHOP-3,SHOP-4' });
    if (when === 'later') {
      expect(await defects()).toEqual([]);
      await know();
      await derive();
    }
    expect((await defects()).map((record) => record.defectKey).toSorted()).toEqual(['SHOP-1', 'SHOP-2']);
    expect(await defects()).toContainEqual(
      expect.objectContaining({
        defectKey: 'SHOP-1',
        detectedAt: 'October 3, 2026 12:00 AM UTC',
        resolvedAt: 'October 5, 2026 10:00 AM UTC',
        issueTracker: expect.objectContaining({ issueIdentifier: 'SHOP-1' }),
      }),
    );
    expect(await records()).toMatchObject([{ issue_count: 4, defect_count: 2 }]);
  });

  test('a Bug that was opened after the release that names it is a defect, which is open', async () => {
    await issue('SHOP-1', 'Bug');
    await post({ released_at: '2026-10-02T10:00:00Z', issue_keys_resolved: 'SHOP-1' });
    await derive();
    expect(await defects()).toMatchObject([{ defectKey: 'SHOP-1', resolvedAt: null }]);
  });
});

describe('a time that has not come', () => {
  test.each([
    ['POST /releases', { resource_path: 'acme/shop/website', released_at: '2026-10-20T12:06:00Z' }, 'released_at'],
    ['POST /critical_defects', { resource_path: 'acme', defect_key: 'F-1', detected_at: '2026-10-21' }, 'detected_at'],
    [
      'POST /critical_defects',
      { resource_path: 'acme/shop/website', defect_key: 'F-1', detected_now: true, fix_released_at: '2027-01-01' },
      'fix_released_at',
    ],
    ['POST /ai_usages', { resource_path: 'acme', llm_model_name: 'm', date: '2026-10-21' }, 'date'],
  ])('is refused by %s', async (route, json, field) => {
    const answer = await app.request({ route, json });
    expect([answer.status, Object.keys(answer.body.errors as object)]).toEqual([422, [field]]);
    expect(answer.body.response_detail).toContain('is in the future');
  });

  test('is not one that a clock is ahead by a little', async () => {
    expect((await post({ released_at: '2026-10-20T12:04:00Z' })).status).toBe(200);
  });
});

describe('deleting', () => {
  const remove = (release_id: number, token = app.tokens.admin) =>
    app.request({
      route: 'DELETE /releases',
      token,
      query: `resource_path=acme/shop/website&release_id=${release_id}`,
    });
  const idOf = async () => (await records())[0]?.id as number;

  test('a release opens the defects that it fixed', async () => {
    await app.request({
      route: 'POST /critical_defects',
      json: { resource_path: 'acme', defect_key: 'BUG-1', detected_at: '2026-10-04T00:00:00Z' },
    });
    await post({ release_sha: shaOf('two'), defect_keys: 'BUG-1' });
    const id = await idOf();
    expect((await remove(id, app.tokens.manager)).status).toBe(403);
    expect((await remove(id + 1)).status).toBe(404);
    expect((await remove(id)).body).toMatchObject({ action_em: 'action_release_deleted' });
    expect(await records()).toEqual([]);
    const { body } = await app.request({ route: 'GET /critical_defects', query: 'resource_path=acme' });
    expect(body.critical_defects).toMatchObject([{ resolvedAt: null }]);
  });

  test('a release of a tag is refused, because it would be found again', async () => {
    await app.store.pool.query(
      `insert into releases (entity_id, repo_id, released_at, triggered_by) values ($1, $2, '2026-10-06', 'git_tag')`,
      [entityId, websiteId],
    );
    expect((await remove(await idOf())).status).toBe(422);
    expect(await records()).toHaveLength(1);
  });

  test('a defect goes with its fixes, and is needed by nothing', async () => {
    const query = 'resource_path=acme&defect_key=bug-1';
    expect((await app.request({ route: 'DELETE /critical_defects', query })).status).toBe(404);
    await app.request({
      route: 'POST /critical_defects',
      json: { resource_path: 'acme', defect_key: 'BUG-1', detected_at: '2026-10-04T00:00:00Z' },
    });
    await post({ release_sha: shaOf('two'), defect_keys: 'BUG-1' });
    const member = await app.request({ route: 'DELETE /critical_defects', query, token: app.tokens.member });
    expect(member.status).toBe(403);
    const { body } = await app.request({ route: 'DELETE /critical_defects', query });
    expect(body.response_detail).toBe('Deleted the defect BUG-1.');
    await derive();
    const listed = await app.request({ route: 'GET /critical_defects', query: 'resource_path=acme' });
    expect(listed.body.critical_defects).toEqual([]);
    expect(await records()).toMatchObject([{ defect_count: 0 }]);
  });

  test('a defect that an issue of a release made stays away, and the release keeps the issue', async () => {
    await app.store.pool.query(
      `insert into issues (entity_id, provider_em, key, title, type, status, opened_at)
       values ($1, 'tracker_a', 'SHOP-1', 'broken', 'Bug', 'Open', '2026-10-03T00:00:00Z')`,
      [entityId],
    );
    await post({ release_sha: shaOf('two'), issue_keys_resolved: 'SHOP-1,SHOP-2' });
    expect(await records()).toMatchObject([{ issue_count: 2, defect_count: 1 }]);
    const query = 'resource_path=acme&defect_key=SHOP-1';
    expect((await app.request({ route: 'DELETE /critical_defects', query })).status).toBe(200);
    await derive();
    expect(await records()).toMatchObject([{ issue_count: 2, defect_count: 0 }]);
    const { rows } = await app.store.pool.query('select is_critical_defect, released_at from issues');
    expect(rows).toEqual([{ is_critical_defect: false, released_at: '2026-10-05T10:00:00Z' }]);
    await app.request({
      route: 'POST /critical_defects',
      json: { resource_path: 'acme', defect_key: 'SHOP-1', detected_at: '2026-10-04T00:00:00Z' },
    });
    await derive();
    expect(await records()).toMatchObject([{ defect_count: 1 }]);
  });
});

describe('the list', () => {
  test('says of a release what audits say of it', async () => {
    await app.store.pool.query(
      `insert into issues (entity_id, provider_em, key, title, type, status, opened_at)
       values ($1, 'tracker_a', 'SHOP-1', 'broken', 'Bug', 'Open', '2026-10-03T00:00:00Z'),
         ($1, 'tracker_a', 'SHOP-2', 'new', 'Story', 'Open', '2026-10-03T00:00:00Z')`,
      [entityId],
    );
    await app.store.pool.query(
      `insert into issue_commits (entity_id, commit_id, issue_id, issue_count)
       select c.entity_id, c.id, i.id, 2 from commits c, issues i where c.sha = $1`,
      [Buffer.from(shaOf('two'), 'hex')],
    );
    await post({ released_at: '2026-09-01' });
    await post({ release_sha: shaOf('one'), name: 'v1' });
    await post({ release_sha: shaOf('two'), issue_keys_resolved: 'shop-1,SHOP-9' });
    await derive();
    const shown = await records();
    expect(shown).toMatchObject([
      { name: shaOf('two').slice(0, 7), defect_count: 1, issue_count: 3 },
      { name: 'v1', defect_count: 0, issue_count: 0 },
      { name: '2026-09-01T00:00:00Z', defect_count: 0, issue_count: 0 },
    ]);
    const audits = await app.request({ route: 'GET /audits', query: 'resource_path=acme&resource_type=releases' });
    const same = ({ id, name, defect_count, issue_count }: Record<string, unknown>) => [
      id,
      name,
      defect_count,
      issue_count,
    ];
    expect((audits.body.releases as Record<string, unknown>[]).map(same)).toEqual(shown.map(same));
  });

  test('shows who deployed, as far as known', async () => {
    await post({ release_sha: shaOf('one'), deployed_by_user_name: 'ada', name: 'v1' });
    const unknown = await post({ release_sha: shaOf('two'), user: 'octocat' });
    expect(unknown.body.warnings).toEqual([expect.stringContaining('nobody is known as "octocat"')]);
    await post({ release_sha: shaOf('three') });
    expect(await records()).toEqual([
      expect.objectContaining({ name: shaOf('three').slice(0, 7), deployed_by: null }),
      expect.objectContaining({
        deployed_by: expect.objectContaining({ id: null, committer_user_name: 'octocat', full_name: null }),
      }),
      {
        id: expect.any(Number),
        name: 'v1',
        repo: 'website',
        repo_id: websiteId,
        repo_path: 'shop/website',
        triggered_by: 'api',
        deployed_by: {
          id: adaId,
          committer_user_name: 'ada',
          full_name: 'ada',
          git_provider_id: '4711',
          last_commit_authored_at: '2026-10-12T10:00:00Z',
          last_commit_committed_at: '2026-10-12T10:00:00Z',
          processing_status: 'processing_stats',
          provider_email: null,
          user_id: null,
        },
        released_at: '2026-10-01T10:00:00Z',
        commit_count: 0,
        defect_count: 0,
        issue_count: 0,
        deployment_count: 1,
      },
    ]);
    await seedCommitter(app.store, entityId, { userName: 'octocat', email: 'octocat@example.com' });
    await derive();
    const [, second] = await records();
    expect(second).toMatchObject({ deployed_by: { id: expect.any(Number), full_name: 'octocat' } });
  });

  test('counts the commits that each release shipped first, and none for the first', async () => {
    for (const name of ['one', 'three', 'four']) await post({ release_sha: shaOf(name) });
    await derive();
    // four is a merge, which does not count; it brings side.
    expect((await records()).map((record) => record.commit_count)).toEqual([1, 2, 0]);
    expect(await stored()).toMatchObject([{ is_baseline: true }, { is_baseline: false }, { is_baseline: false }]);
    await post({ release_sha: shaOf('two') });
    await derive();
    expect((await records()).map((record) => record.commit_count)).toEqual([1, 1, 1, 0]);
  });

  test('takes the last 90 days unless told otherwise', async () => {
    for (const released_at of ['2026-07-22T12:00:00Z', '2026-07-23T00:00:00Z', '2026-10-15T00:00:00Z']) {
      await app.store.pool.query(
        `insert into releases (entity_id, repo_id, name, released_at, triggered_by) values ($1, $2, $3::text, $3::timestamptz, 'api')`,
        [entityId, websiteId, released_at],
      );
    }
    const days = async (query: string) =>
      (await records(`resource_path=acme${query}`)).map((record) => String(record.name).slice(5, 10));
    expect(await days('')).toEqual(['10-15', '07-23']);
    expect(await days('&days_ago=91')).toEqual(['10-15', '07-23', '07-22']);
    expect(await days('&start_date=2026-07-22&end_date=2026-07-22')).toEqual(['07-22']);
    expect(await days('&ending_date=2026-10-14')).toEqual(['07-23', '07-22']);
  });

  test('is narrowed by path and team', async () => {
    await post({ release_now: true });
    await post({ resource_path: 'acme/tools/cli', release_now: true });
    const paths = async (query: string) => (await records(`resource_path=${query}`)).map((record) => record.repo_path);
    expect(await paths('acme')).toEqual(['tools/cli', 'shop/website']);
    expect(await paths('acme/shop')).toEqual(['shop/website']);
    expect(await paths('acme/shop/website,acme/tools/cli')).toEqual(['tools/cli', 'shop/website']);
    expect(await paths('acme&team_slug=toolers')).toEqual(['tools/cli']);
    expect((await list('resource_path=acme&team_slug=none')).status).toBe(404);
    expect((await list('resource_path=acme', app.tokens.foreignAdmin)).status).toBe(404);
  });

  test('comes in pages of 50', async () => {
    await app.store.pool.query(
      `insert into releases (entity_id, repo_id, released_at, triggered_by)
       select $1, $2, '2026-10-01'::timestamptz + n * interval '1 hour', 'api' from generate_series(1, 51) n`,
      [entityId, websiteId],
    );
    const second = await list('resource_path=acme&page=2');
    expect(second.body).toMatchObject({ page: 2, page_count: 2, per_page: 50, total_count: 51 });
    expect(second.body.releases).toHaveLength(1);
  });
});

describe('rules of the entity', () => {
  const set = async (key: string, value: unknown, at: string) => {
    await app.store.pool.query(
      `insert into entity_settings (entity_id, key, value, updated_at) values ($1, $2, $3, $4)
       on conflict (entity_id, key) do update set value = excluded.value, updated_at = excluded.updated_at`,
      [entityId, key, JSON.stringify(value), at],
    );
  };
  const branch = (name: string, head: string) =>
    app.store.pool.query(
      `insert into branches (entity_id, repo_id, updated_at, name, head_sha) values ($1, $2, now(), $3, $4)
       on conflict (entity_id, repo_id, name) do update set head_sha = excluded.head_sha`,
      [entityId, websiteId, name, Buffer.from(shaOf(head), 'hex')],
    );
  const told = async () => (await stored()).map((row) => [row.triggered_by, row.name, row.released_at]);

  beforeEach(async () => {
    await app.store.pool.query('delete from entity_settings');
    await app.store.pool.query('delete from branches');
    await branch('main', 'three');
    await branch('production', 'two');
    await branch('release/7', 'side');
  });

  test('make no release by themselves', async () => {
    await derive();
    expect(await stored()).toEqual([]);
  });

  test('make a release of each push to a branch, but not of what was there before the rule', async () => {
    await set('release_branches', ['production'], '2026-10-06T00:00:00Z');
    await derive();
    expect(await told()).toEqual([]);
    await branch('production', 'three');
    await derive();
    await derive();
    expect(await told()).toEqual([['branch_push', null, '2026-10-09T10:00:00Z']]);
    await branch('production', 'four');
    await derive();
    expect(await told()).toHaveLength(2);
  });

  test('make a release of branches with a prefix', async () => {
    await set('release_branch_prefixes', ['release/', 'hotfix/'], '2026-10-09T11:00:01Z');
    await derive();
    expect(await told()).toEqual([]);
    await set('release_branch_prefixes', ['release/', 'hotfix/'], '2026-10-09T11:00:00Z');
    await derive();
    expect(await told()).toEqual([['branch_prefix', 'release/7', '2026-10-09T11:00:00Z']]);
  });

  test('make a release of commits of the default branch whose message says so', async () => {
    await set('release_message_pattern', '^(one|two|three|side)$', '2026-10-03T00:00:00Z');
    await derive();
    expect(await told()).toEqual([
      ['commit_message', null, '2026-10-05T10:00:00Z'],
      ['commit_message', null, '2026-10-09T10:00:00Z'],
    ]);
  });

  test('give way to what the API tells of the same commit', async () => {
    await post({ release_sha: shaOf('three'), released_at: '2026-10-10T00:00:00Z', name: 'told' });
    await set('release_branches', ['main'], '2026-10-06T00:00:00Z');
    await derive();
    expect(await told()).toEqual([['api', 'told', '2026-10-10T00:00:00Z']]);
  });
});

describe('pull requests and issues', () => {
  const merged = (number: number, sha: string) =>
    app.store.pool.query(
      `insert into pull_requests (entity_id, repo_id, number, title, branch_name, base_branch, created_at, opened_at,
         closed_at, merged_at, merge_sha, first_commit_authored_at, last_activity_at)
       values ($1, $2, $3, 't', 'b', 'main', $5, $5, $5, $5, $4, $5, $5)`,
      [entityId, websiteId, number, Buffer.from(shaOf(sha), 'hex'), '2026-10-05T10:00:00Z'],
    );
  const issue = async (key: string, ...commits: string[]) => {
    await app.store.pool.query(
      `insert into issues (entity_id, provider_em, key, title, type, status, opened_at)
       values ($1, 'tracker_a', $2, $2, 'Story', 'Done', '2026-10-01')`,
      [entityId, key],
    );
    await app.store.pool.query(
      `insert into issue_commits (entity_id, commit_id, issue_id, issue_count)
       select c.entity_id, c.id, i.id, 1 from commits c, issues i where i.key = $1 and c.sha = any($2)`,
      [key, commits.map((name) => Buffer.from(shaOf(name), 'hex'))],
    );
  };
  const times = async (table: string, column: string) =>
    Object.fromEntries(
      (await app.store.pool.query(`select ${column} as name, released_at from ${table}`)).rows.map((row) => [
        row.name,
        row.released_at,
      ]),
    );

  test('are released with the first release that holds their commits, but not with the baseline', async () => {
    await app.store.pool.query('delete from pull_requests');
    await merged(1, 'one');
    await merged(2, 'two');
    await merged(4, 'four');
    await issue('PAST', 'one');
    await issue('OUT', 'one', 'two', 'three');
    await issue('HALF', 'two', 'four');
    await issue('SIDE', 'side');
    for (const [name, at] of [
      ['one', '2026-10-02T00:00:00Z'],
      ['two', '2026-10-06T00:00:00Z'],
      ['three', '2026-10-10T00:00:00Z'],
    ]) {
      await post({ release_sha: shaOf(name!), released_at: at });
    }
    await derive();
    expect(await times('pull_requests', 'number')).toEqual({ 1: null, 2: '2026-10-06T00:00:00Z', 4: null });
    expect(await times('issues', 'key')).toEqual({
      PAST: null,
      OUT: '2026-10-10T00:00:00Z',
      HALF: null,
      SIDE: null,
    });
    const { rows } = await app.store.pool.query(
      'select business_minutes_lead_time as minutes from pull_requests where number = 2',
    );
    expect(rows).toEqual([{ minutes: 7 * 60 }]);
    await post({ release_sha: shaOf('four'), released_at: '2026-10-13T00:00:00Z' });
    await derive();
    expect(await times('pull_requests', 'number')).toMatchObject({ 4: '2026-10-13T00:00:00Z' });
    expect(await times('issues', 'key')).toMatchObject({ HALF: '2026-10-13T00:00:00Z' });
  });

  test('issues that calls name are released with the earliest release that deployed them, a baseline too', async () => {
    await issue('NAMED');
    await issue('shop/website#7');
    await issue('LATE', 'two', 'three');
    await issue('EARLY', 'one', 'two');
    await post({ release_sha: shaOf('one'), released_at: '2026-10-02T00:00:00Z', issue_keys_resolved: '7' });
    await post({ release_sha: shaOf('two'), released_at: '2026-10-06T00:00:00Z', issue_keys_resolved: 'named,LATE' });
    await post({
      release_sha: shaOf('three'),
      released_at: '2026-10-10T00:00:00Z',
      issue_keys_resolved: 'NAMED,EARLY,#7',
    });
    await derive();
    expect(await times('issues', 'key')).toEqual({
      NAMED: '2026-10-06T00:00:00Z',
      'shop/website#7': '2026-10-02T00:00:00Z',
      LATE: '2026-10-06T00:00:00Z',
      EARLY: '2026-10-06T00:00:00Z',
    });
    const { rows } = await app.store.pool.query('select id from releases where release_sha = $1', [
      Buffer.from(shaOf('two'), 'hex'),
    ]);
    await app.request({
      route: 'DELETE /releases',
      query: `resource_path=acme/shop/website&release_id=${rows[0].id}`,
    });
    await derive();
    expect(await times('issues', 'key')).toMatchObject({ NAMED: '2026-10-10T00:00:00Z' });
  });
});
