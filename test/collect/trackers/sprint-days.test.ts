// Sprints of a tracker that knows days only lie in the zone of the entity, and those of one that knows moments do not move.
import { afterEach, expect, test } from 'vitest';
import { storeSetting } from '../../../src/storage/access/entity-settings.ts';
import { generateTracker, SMALL_TRACKER } from '../../world/company/generate-tracker.ts';
import { AZURE_BOARDS, JIRA } from '../../world/tracker-doubles/trackers.ts';
import { createTrackerKit, type TrackerKit } from './tracker-kit.ts';

const START = new Date('2026-11-10T10:00:00Z');
let kit: TrackerKit;
afterEach(() => kit.close());

async function collect(tracker: typeof AZURE_BOARDS | typeof JIRA, zone: string) {
  const company = generateTracker(3, SMALL_TRACKER);
  const first = company.sprints[0]!;
  Object.assign(first, {
    state: 'closed',
    startsAt: '2026-10-01T00:00:00Z',
    endsAt: '2026-10-14T00:00:00Z',
  });
  const double = await tracker.start(company);
  kit = await createTrackerKit(double, tracker.connection(double), START);
  await storeSetting(kit.app.store.db, { entity_id: kit.entityId, key: 'time_zone', value: zone }, START);
  await kit.collectAll();
  return kit.query<{ starts: string; ends: string }>(
    `select to_char(starts_at at time zone '${zone}', 'YYYY-MM-DD HH24:MI:SS') as starts,
       to_char(ends_at at time zone '${zone}', 'YYYY-MM-DD HH24:MI:SS') as ends from sprints where external_id = '${first.id}'`,
  );
}

test.each(['UTC', 'America/Los_Angeles', 'Asia/Tokyo'])('days are those of %s', async (zone) => {
  expect(await collect(AZURE_BOARDS, zone)).toEqual([{ starts: '2026-10-01 00:00:00', ends: '2026-10-14 23:59:59' }]);
});

test('moments are the same everywhere', async () => {
  const [sprint] = await collect(JIRA, 'Asia/Tokyo');
  expect(sprint!.starts).toBe('2026-10-01 09:00:00');
});
