// Connecting, listing and disconnecting trackers: who may, what is refused and how, and that no token is shown.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sweepCollected } from '../../../src/jobs/sweep/sweep-collected.ts';
import type { JobParts } from '../../../src/jobs/task.ts';
import { silentLog } from '../../../src/kit/log.ts';
import { jobContext } from '../../jobs/import/import-kit.ts';
import { createTestApp, type TestApp } from '../../support/app.ts';
import { generateTracker, SMALL_TRACKER } from '../../world/company/generate-tracker.ts';
import { startJira } from '../../world/tracker-doubles/jira.ts';
import { TRACKER_EMAIL, TRACKER_TOKEN, type TrackerDouble } from '../../world/tracker-doubles/tracker-double.ts';

let app: TestApp;
let double: TrackerDouble;

beforeAll(async () => {
  app = await createTestApp();
  double = await startJira(generateTracker(7, { ...SMALL_TRACKER, issues: 5 }), { isCloud: true });
}, 120_000);
afterAll(() => double.close());

const connection = () => ({
  tracker_em: 'jira',
  site_url: `${double.address}/`,
  email: TRACKER_EMAIL,
  token: TRACKER_TOKEN,
});
const connect = (change: Record<string, unknown> = {}) =>
  app.request({ route: 'POST /trackers', json: { ...connection(), ...change } });

describe('a refusal says what to change', () => {
  test.each([
    ['another token', { token: 'another' }, null, 'response_provider_rejected', 'token'],
    ['a project that the account does not see', { projects: ['NOPE'] }, null, 'response_provider_scope', 'token'],
    ['the other product', { tracker_em: 'jira_server' }, null, 'response_provider_mismatch', 'site_url'],
    [
      'a quota',
      {},
      { status: 429, headers: { 'retry-after': '30' }, body: 'slow' },
      'response_provider_quota',
      'token',
    ],
    ['a fault of the site', {}, { status: 503, body: 'down' }, 'response_provider_unreachable', 'site_url'],
    ['a missing right', {}, { status: 403, body: {} }, 'response_provider_scope', 'token'],
    ['no address', { site_url: 'http://127.0.0.1:9' }, null, 'response_provider_unreachable', 'site_url'],
  ])('%s', async (_name, change, instead, expected, parameter) => {
    double.instead = instead === null ? null : () => instead;
    // Data Center takes other credentials; what answers there is what counts.
    const body = 'tracker_em' in change ? { body: { deploymentType: 'Cloud' } } : null;
    if (body !== null) double.instead = () => body;
    const answer = await connect(change);
    double.instead = null;
    expect(answer.body.response_em).toBe(expected);
    expect(Object.keys(answer.body.errors as object)).toEqual([parameter]);
    const { rows } = await app.store.pool.query('select 1 from trackers');
    expect(rows).toEqual([]);
  });

  test('an e-mail address is needed for Jira Cloud', async () => {
    const answer = await connect({ email: undefined });
    expect(answer.body.errors).toEqual({ email: [expect.stringContaining('Jira Cloud')] });
  });
});

test('a tracker is connected once however its address is written, listed without its token, and disconnected', async () => {
  const first = await connect();
  expect(first.body).toMatchObject({ response_detail: expect.stringContaining('1 project can be read') });
  const again = await connect({ site_url: double.address, projects: ['PAY'] });
  expect(again.status).toBe(200);
  const listed = await app.request({ route: 'GET /trackers', token: app.tokens.manager });
  const [tracker, ...others] = JSON.parse(listed.text) as Record<string, unknown>[];
  expect(others).toEqual([]);
  expect(tracker).toMatchObject({
    tracker_em: 'jira',
    settings: { projects: ['PAY'] },
    created_by: 'admin@example.com',
  });
  const { rows } = await app.store.pool.query('select token_sealed, email from trackers');
  expect(rows[0].token_sealed.includes(TRACKER_TOKEN)).toBe(false);
  expect(`${first.text}${listed.text}${app.logged()}`).not.toContain(TRACKER_TOKEN);
  const foreign = await app.request({
    route: 'DELETE /trackers',
    token: app.tokens.foreignAdmin,
    json: { tracker_id: tracker!.id },
  });
  expect(foreign.status).toBe(404);
  const removed = await app.request({ route: 'DELETE /trackers', json: { tracker_id: tracker!.id } });
  expect(removed.status).toBe(200);
  const { rows: left } = await app.store.pool.query(
    'select (select count(*)::int from trackers where token_sealed is not null) as tokens, (select count(*)::int from sync_streams) as streams',
  );
  expect(left).toEqual([{ tokens: 0, streams: 0 }]);
  expect((await app.request({ route: 'GET /trackers' })).text).toBe('[]');
});

test.each(['member', 'manager'] as const)('a %s cannot connect one', async (role) => {
  const answer = await app.request({ route: 'POST /trackers', token: app.tokens[role], json: connection() });
  expect(answer.status).toBe(403);
});

test('the end of a tracker’s token is warned of 14 days before, and daily from 3 days before', async () => {
  expect((await connect({ token_expires_at: '2030-01-20T12:00:00Z' })).status).toBe(200);
  const warned: [object, string][] = [];
  const log = { ...silentLog, warn: (fields: object, text: string) => warned.push([fields, text]) };
  const parts = { store: app.store } as JobParts;
  const warnedOn = async (day: string) => {
    warned.length = 0;
    await sweepCollected.run({}, { ...jobContext(), log }, { ...parts, now: () => new Date(`${day}T06:00:00Z`) });
    return warned.map(([, text]) => text);
  };
  expect(await warnedOn('2030-01-04')).toEqual([]);
  expect(await warnedOn('2030-01-06')).toEqual(['the token expires in 14 days; provision a new one']);
  expect(await warnedOn('2030-01-10')).toEqual([]);
  expect(await warnedOn('2030-01-17')).toEqual(['the token expires in 3 days; provision a new one']);
  expect(await warnedOn('2030-01-18')).toEqual(['the token expires in 2 days; provision a new one']);
});
