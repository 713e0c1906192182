import { beforeEach, describe, expect, test } from 'vitest';
import { OPERATOR } from '../../../src/operations/index.ts';
import { resolveSignatures, type SignatureSeed } from '../../../src/storage/people/commit-people.ts';
import { createTestApp, type TestApp } from '../../support/app.ts';
import { addCommit, addPerson, countedCommits, dataVersion, entityIdOf } from './people-kit.ts';

let app: TestApp;
let entityId: number;
const ids: Record<string, number> = {};

beforeEach(async () => {
  app = await createTestApp();
  entityId = await entityIdOf(app.store, 'acme');
  ids.ada = await addPerson(app.store, entityId, { name: 'ada', providerId: '111' });
  ids.bo = await addPerson(app.store, entityId, { name: 'bo', status: 'not_processing' });
  ids.cy = await addPerson(app.store, entityId, { name: 'cy', status: 'limited_processing', providerId: '333' });
  ids.dot = await addPerson(app.store, entityId, { name: 'dot', email: 'admin@example.com' });
  await addCommit(app.store, entityId, ids.ada, 'core/site', '2026-10-05T10:00:00Z');
  await addCommit(app.store, entityId, ids.ada, 'core/site', '2026-10-06T10:00:00Z');
  await addCommit(app.store, entityId, ids.bo, 'core/site', '2026-11-01T10:00:00Z');
  await addCommit(app.store, entityId, ids.bo, 'labs/toy', '2026-09-01T10:00:00Z');
  await addCommit(app.store, entityId, ids.cy, 'labs/toy', '2026-08-01T10:00:00Z');
});

const list = async (query = '') => {
  const answer = await app.request({ route: 'GET /developers', query: `resource_path=acme&${query}` });
  expect(answer.status, answer.text).toBe(200);
  return answer.body as { committers: Record<string, unknown>[]; [field: string]: unknown };
};
const names = async (query = '') => (await list(query)).committers.map((row) => row.committer_user_name);

const post = (action: string, json: object, token?: string) =>
  app.request({ route: `POST /developers/${action}`, json, ...(token === undefined ? {} : { token }) });

describe('the list of developers', () => {
  test('has each person with times, status, host id, user and seats', async () => {
    const body = await list();
    expect(body).toMatchObject({
      action_em: 'action_developer_list',
      page: 1,
      total_pages: 1,
      seats: { used: 3, limit: null, expires_on: null },
    });
    expect(body.committers[0]).toEqual({
      id: ids.ada,
      committer_user_name: 'ada',
      full_name: 'Ada',
      git_provider_id: '111',
      is_ai_agent: false,
      last_commit_authored_at: '2026-10-06T10:00:00Z',
      last_commit_committed_at: '2026-10-06T10:00:00Z',
      processing_status_em: 'processing_stats',
      provider_email: 'ada@example.com',
      teams: [],
      user_id: null,
    });
    expect(body.committers[3]).toMatchObject({ committer_user_name: 'dot', last_commit_authored_at: null });
    expect(body.committers[3]?.user_id).toEqual(expect.any(Number));
  });

  test.each([
    ['committer_user_name=ada', ['ada']],
    ['committer_user_name=ada,cy', ['ada', 'cy']],
    ['committer_user_name[]=ada&committer_user_name[]=bo', ['ada', 'bo']],
    ['committer_identifier=BO@example.com', ['bo']],
    ['committer=333', ['cy']],
    ['committer_user_name=ada,cy&committer_identifier=333', ['cy']],
    ['git_provider_ids=111,333', ['ada', 'cy']],
    ['git_provider_id=333', ['cy']],
    ['processing_status=not_processing', ['bo']],
    ['start_date=2026-10-01', ['ada', 'bo']],
    ['start_date=2026-10-07', ['bo']],
    ['sort_by=last_authored_at', ['bo', 'ada', 'cy', 'dot']],
    ['sort_by=processing_status', ['ada', 'dot', 'cy', 'bo']],
    ['page=2', []],
  ])('%s gives %j', async (query, expected) => {
    expect(await names(query)).toEqual(expected);
  });

  test('covers only people with a commit in the organization or repo, with their times there', async () => {
    const within = async (path: string) =>
      (await app.request({ route: 'GET /developers', query: `resource_path=${path}&sort_by=last_authored_at` })).body;
    expect(((await within('acme/core')).committers as { id: number }[]).map(({ id }) => id)).toEqual([ids.bo, ids.ada]);
    expect((await within('acme/labs/toy')).committers).toMatchObject([
      { committer_user_name: 'bo', last_commit_authored_at: '2026-09-01T10:00:00Z' },
      { committer_user_name: 'cy' },
    ]);
    expect((await app.request({ route: 'GET /developers', query: 'resource_path=acme/none' })).status).toBe(404);
  });

  test('names filters that match nobody, and knows nobody of another entity', async () => {
    await addPerson(app.store, await entityIdOf(app.store, 'other'), { name: 'spy' });
    const body = await list('committer_user_name=ada,spy');
    expect(body.committers).toHaveLength(1);
    expect(body.warnings).toEqual(['no committer is known as "spy"']);
  });

  test('has pages of 50', async () => {
    for (let n = 0; n < 97; n++) await addPerson(app.store, entityId, { name: `extra${n}` });
    const first = await list();
    expect([first.committers.length, first.total_pages, first.total_count]).toEqual([50, 3, 101]);
    expect((await list('page=3')).committers).toHaveLength(1);
  });
});

describe('set_processing', () => {
  const statuses = ['processing_stats', 'limited_processing', 'not_processing'] as const;
  const expectedCommits = { processing_stats: { ada: 2 }, limited_processing: {}, not_processing: {} };

  test.each(statuses.flatMap((from) => statuses.map((to) => [from, to] as const)))(
    'leads from %s to %s, and reports follow at once',
    async (from, to) => {
      await post('set_processing', { committer_user_name: 'ada', processing_status: from });
      const before = await dataVersion(app.store, entityId);
      const answer = await post('set_processing', { committer_user_name: 'ada', processing_status: to });
      expect(answer.body).toMatchObject({
        action_em: 'action_developer_set_processing',
        committers: [{ committer_user_name: 'ada', processing_status: to }],
      });
      expect(await countedCommits(app.store, entityId)).toEqual(expectedCommits[to]);
      expect(await dataVersion(app.store, entityId)).toBeGreaterThan(before);
    },
  );

  test('sets several people at once, by any identifier, each once', async () => {
    const answer = await post('set_processing', {
      committer_user_name: ['bo', 'ada'],
      committer_identifier: ['333', 'bo@example.com'],
      processing_status: 'processing_stats',
    });
    expect((answer.body.committers as object[]).length).toBe(3);
    expect(await countedCommits(app.store, entityId)).toEqual({ ada: 2, bo: 2, cy: 1 });
  });

  test('changes nobody when one name is unknown, and says how people become known', async () => {
    const answer = await post('set_processing', {
      committer_user_name: 'bo,ghost',
      processing_status: 'processing_stats',
    });
    expect([answer.status, answer.body.response_em]).toEqual([422, 'response_unprocessable']);
    expect(answer.body.response_detail).toContain('"ghost"');
    expect(answer.body.response_detail).toContain('imported');
    expect(await names('processing_status=not_processing')).toEqual(['bo']);
    const nobody = await post('set_processing', { processing_status: 'not_processing' });
    expect([nobody.status, nobody.body.response_em]).toEqual([422, 'response_invalid_parameter']);
  });

  test('refuses a seat beyond the limit with 409 and changes nothing, but lets seats change hands', async () => {
    await app.operations.settings.set(OPERATOR, 'acme', 'seat_limit', 3);
    const over = await post('set_processing', { committer_user_name: 'bo', processing_status: 'limited_processing' });
    expect([over.status, over.body.response_em]).toEqual([409, 'response_conflict']);
    expect(over.body.response_detail).toContain('4 seats');
    expect(await names('processing_status=not_processing')).toEqual(['bo']);
    const same = await post('set_processing', { committer_user_name: 'cy', processing_status: 'processing_stats' });
    expect(same.status).toBe(200);
    await post('set_processing', { committer_user_name: 'cy', processing_status: 'not_processing' });
    const free = await post('set_processing', { committer_user_name: 'bo', processing_status: 'limited_processing' });
    expect(free.status).toBe(200);
  });

  test('finds no seats beyond the limit taken by people whom an import brings', async () => {
    await app.operations.settings.set(OPERATOR, 'acme', 'seat_limit', 5);
    const seeds = ['eve', 'fay', 'ida', 'gus', 'hal'].map(
      (name): SignatureSeed => ({
        name,
        email: `${name}@x.org`,
        address_key: `${name}@x.org`,
        user_name: name,
        kind: name === 'fay' ? 'bot' : name === 'ida' ? 'ai_agent' : 'person',
        git_provider_id: null,
        belongs_to: null,
      }),
    );
    await resolveSignatures(app.store.db, entityId, seeds, 'processing_stats');
    const { committers, seats } = await list('committer_user_name=eve,fay,ida,gus,hal');
    expect(committers.map((row) => row.processing_status_em)).toEqual([
      'processing_stats',
      'limited_processing',
      'processing_stats',
      'processing_stats',
      'not_processing',
    ]);
    expect(committers.map((row) => row.is_ai_agent)).toEqual([false, false, true, false, false]);
    expect(seats).toMatchObject({ used: 5, limit: 5 });
    await post('set_processing', { committer_user_name: 'eve', processing_status: 'not_processing' });
    await post('set_processing', { committer_user_name: 'ida', processing_status: 'limited_processing' });
    expect((await list('')).seats).toMatchObject({ used: 5, limit: 5 });
  });

  test('gives the last seat to one of two calls that arrive together', async () => {
    await post('set_processing', { committer_user_name: 'cy', processing_status: 'not_processing' });
    await app.operations.settings.set(OPERATOR, 'acme', 'seat_limit', 3);
    const set = (name: string) =>
      post('set_processing', { committer_user_name: name, processing_status: 'processing_stats' });
    const answers = await Promise.all([set('bo'), set('cy')]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  });
});

describe('time off', () => {
  const range = { resource_path: 'acme', start_date: '2026-11-23', end_date: '2026-11-29' }; // Thanksgiving is the 26th

  test('is listed, of all or of some, in pages', async () => {
    await post('record_time_off', { ...range, committer_user_name: 'ada' });
    await post('record_time_off', { ...range, end_date: '2026-11-23', committer_user_name: 'bo' });
    const listed = async (query: string, token = app.tokens.manager) =>
      app.request({ route: 'GET /developers/time_off', token, query: `resource_path=acme&${query}` });
    const { body } = await listed('start_date=2026-11-01&end_date=2026-11-24');
    expect(body).toMatchObject({ action_em: 'action_time_off_list', page: 1, total_count: 3 });
    expect(
      (body.days_off as { user_name: string; date: string }[]).map(({ user_name, date }) => [user_name, date]),
    ).toEqual([
      ['ada', '2026-11-23'],
      ['bo', '2026-11-23'],
      ['ada', '2026-11-24'],
    ]);
    const one = await listed('start_date=2026-11-01&committer_identifier=BO');
    expect(one.body).toMatchObject({ total_count: 1 });
    expect((await listed('start_date=2026-11-02&end_date=2026-11-01')).status).toBe(400);
    expect((await listed('', app.tokens.member)).status).toBe(403);
    await post('remove_time_off', { ...range, committer_user_name: ['ada', 'bo'] });
  });

  test('counts business days of the entity’s calendar', async () => {
    const answer = await post('record_time_off', { ...range, committer_user_name: 'ada' });
    expect(answer.body).toEqual({
      action_em: 'action_record_time_off',
      response_em: 'response_success',
      response_detail: 'The range has 4 days off of ada.',
      days_off_in_range_count: 4,
      full_success: true,
      start_date: '2026-11-23',
      end_date: '2026-11-29',
      user_name: 'ada',
      committers: [{ user_name: 'ada', days_off_in_range_count: 4, full_success: true }],
    });
    await app.operations.settings.set(OPERATOR, 'acme', 'holiday_calendar', 'none');
    const again = await post('record_time_off', { ...range, committer_user_name: 'bo' });
    expect(again.body.days_off_in_range_count).toBe(5);
  });

  test('is no full success where days were set already or the range has none', async () => {
    const one = { ...range, end_date: undefined, committer_identifier: '111' };
    expect((await post('record_time_off', one)).body).toMatchObject({
      days_off_in_range_count: 1,
      full_success: true,
      end_date: '2026-11-23',
    });
    expect((await post('record_time_off', { ...range, committer_user_name: 'ada' })).body).toMatchObject({
      days_off_in_range_count: 4,
      full_success: false,
    });
    const weekend = { ...range, start_date: '2026-11-28', committer_user_name: 'ada' };
    expect((await post('record_time_off', weekend)).body).toMatchObject({
      days_off_in_range_count: 0,
      full_success: false,
      response_detail: 'The range has no business day.',
    });
  });

  test('is removed by range, and counts what was removed', async () => {
    await post('record_time_off', { ...range, end_date: '2026-11-24', committer_user_name: 'ada' });
    const before = await dataVersion(app.store, entityId);
    const removed = await post('remove_time_off', { ...range, committer_user_name: 'ada' });
    expect(removed.body).toMatchObject({
      action_em: 'action_remove_time_off',
      days_off_in_range_count: 2,
      full_success: false, // the 25th and the 27th were absent
      user_name: 'ada',
    });
    expect(await dataVersion(app.store, entityId)).toBeGreaterThan(before);
    const nothing = await post('remove_time_off', { ...range, committer_user_name: 'ada' });
    expect(nothing.body).toMatchObject({ days_off_in_range_count: 0, full_success: false });
    await post('record_time_off', { ...range, committer_user_name: 'ada' });
    const all = await post('remove_time_off', { ...range, committer_user_name: 'ada' });
    expect(all.body).toMatchObject({ days_off_in_range_count: 4, full_success: true });
  });

  test('takes several people', async () => {
    await post('record_time_off', { ...range, committer_user_name: 'bo' });
    const answer = await post('record_time_off', { ...range, committer_user_name: 'ada,bo' });
    expect(answer.body).toMatchObject({
      days_off_in_range_count: 8,
      full_success: false,
      user_name: 'ada,bo',
      committers: [{ full_success: true }, { full_success: false }],
    });
  });

  test.each([
    [{ end_date: '2026-11-22' }, 'is before start_date'],
    [{ end_date: '2035-01-01' }, 'expected at most'],
    [{ committer_user_name: undefined }, 'is missing'],
  ])('refuses %j', async (change, message) => {
    const answer = await post('record_time_off', { ...range, committer_user_name: 'ada', ...change });
    expect(answer.status).toBe(422);
    expect(answer.body.response_detail).toContain(message);
  });

  test.each(['GET /developers/time_off', 'GET /surveys'])(
    '%s refuses days that end before they begin',
    async (route) => {
      const query = 'resource_path=acme&start_date=2026-11-24&end_date=2026-11-23';
      const { status, body } = await app.request({ route, query });
      expect([status, body.response_em]).toEqual([400, 'response_invalid_parameter']);
      expect(body.errors).toEqual({ start_date: [expect.stringContaining('2026-11-24 is after the end 2026-11-23')] });
    },
  );

  test('is a manager’s to record', async () => {
    const json = { ...range, committer_user_name: 'ada' };
    expect((await post('record_time_off', json, app.tokens.member)).status).toBe(403);
    expect((await post('record_time_off', json, app.tokens.manager)).status).toBe(200);
  });
});
