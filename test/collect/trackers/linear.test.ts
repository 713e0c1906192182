// Linear from end to end: connected, collected, derived; rows and cycle figures are what the generator's own records say.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { generateTracker, SMALL_TRACKER } from '../../world/company/generate-tracker.ts';
import { TRACKER_TOKEN } from '../../world/tracker-doubles/tracker-double.ts';
import { LINEAR } from '../../world/tracker-doubles/trackers.ts';
import { expectNight } from './night.ts';
import { expectIssues, expectSprints } from './tracker-facts.ts';
import { createTrackerKit, type TrackerKit } from './tracker-kit.ts';

const company = generateTracker(6, { ...SMALL_TRACKER, isSingle: true, hasLegacy: false });
const WORDS = LINEAR;
let kit: TrackerKit;

beforeAll(async () => {
  const double = await LINEAR.start(company);
  kit = await createTrackerKit(double, LINEAR.connection(double), new Date('2026-11-10T10:00:00Z'));
  await kit.collectAll();
}, 120_000);
afterAll(() => kit.close());

test('issues and projects have their type, points, epic, assignee and times', () => expectIssues(kit, company, WORDS));

test('cycles have the points that stood at their start and end', () => expectSprints(kit, company));

test('a quiet look takes one call', async () => {
  kit.clock = new Date(kit.clock.getTime() + 11 * 60_000);
  const { calls } = await kit.collect();
  expect(calls).toBe(1);
});

test('a limit that comes as a refused query is waited out', async () => {
  kit.clock = new Date(kit.clock.getTime() + 61 * 60_000);
  kit.double.instead = () => ({
    status: 400,
    body: { errors: [{ message: 'Rate limit exceeded', extensions: { code: 'RATELIMITED' } }] },
  });
  const { again } = await kit.collect();
  expect(again!.getTime()).toBeGreaterThanOrEqual(kit.clock.getTime() + 60_000);
  kit.double.instead = null;
  kit.clock = again!;
  await kit.collectAll();
  await expectIssues(kit, company, WORDS);
});

test('a night compares what is open, and stores what changed without a word', () => expectNight(kit, company));

test('a key that is not accepted is told from a site that is not Linear', async () => {
  const connect = (site_url: string, token: string) =>
    kit.app.request({ route: 'POST /trackers', json: { tracker_em: 'linear', site_url, token } });
  expect((await connect(kit.double.address, 'another')).body.response_em).toBe('response_provider_rejected');
  kit.double.instead = () => ({ body: { hello: 'world' } });
  expect((await connect(kit.double.address, TRACKER_TOKEN)).body.response_em).toBe('response_provider_mismatch');
  kit.double.instead = null;
});
