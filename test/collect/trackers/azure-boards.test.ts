// Azure Boards from end to end: connected, collected by revisions, derived; rows and sprint figures are what the
// generator's own records say.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { generateTracker, SMALL_TRACKER } from '../../world/company/generate-tracker.ts';
import { current } from '../../world/company/tracker-company.ts';
import { AZURE_BOARDS } from '../../world/tracker-doubles/trackers.ts';
import { expectIssues, expectSprints } from './tracker-facts.ts';
import { createTrackerKit, type TrackerKit } from './tracker-kit.ts';

const company = generateTracker(5, { ...SMALL_TRACKER, isSingle: true, hasLegacy: false });
const WORDS = AZURE_BOARDS;
let kit: TrackerKit;

beforeAll(async () => {
  const double = await AZURE_BOARDS.start(company);
  kit = await createTrackerKit(double, AZURE_BOARDS.connection(double), new Date('2026-11-10T10:00:00Z'));
  await kit.collectAll();
}, 120_000);
afterAll(() => kit.close());

test('work items have their type, points, epic, assignee and times', () => expectIssues(kit, company, WORDS));

test('sprints have the points that stood at their start and end', () => expectSprints(kit, company));

test('a quiet look takes one call', async () => {
  kit.clock = new Date(kit.clock.getTime() + 11 * 60_000);
  const { calls } = await kit.collect();
  expect(calls).toBe(1);
});

test('a revision that comes alone continues what was known', async () => {
  const issue = company.issues.find((each) => each.type === 'Story' && current(each, 'status') === 'doing')!;
  const at = kit.clock.toISOString().replace(/\.\d+Z/, '.000Z');
  issue.changes.push({ id: 1, at, by: null, field: 'status', before: 'doing', after: 'done' });
  company.sprints[1]!.name = 'Renamed';
  kit.clock = new Date(kit.clock.getTime() + 61 * 60_000);
  await kit.collectAll();
  await expectIssues(kit, company, WORDS);
  await expectSprints(kit, company);
});

test('a sign-in page is a token that is not accepted', async () => {
  const answer = await kit.app.request({
    route: 'POST /trackers',
    json: { tracker_em: 'azure_boards', site_url: `${kit.double.address}/acme`, token: 'another' },
  });
  expect(answer.body).toMatchObject({ response_em: 'response_provider_rejected' });
});
