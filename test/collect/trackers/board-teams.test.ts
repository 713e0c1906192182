// Boards of a tracker as teams, derived by the job while the tracker is still being collected and after: whoever was there
// when its history had been read has always belonged.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { deriveDelivery } from '../../../src/jobs/derive-delivery.ts';
import { silentLog } from '../../../src/kit/log.ts';
import { OPERATOR } from '../../../src/operations/index.ts';
import { generateTracker, SMALL_TRACKER } from '../../world/company/generate-tracker.ts';
import { current, type Member, type TrackerCompany } from '../../world/company/tracker-company.ts';
import { JIRA } from '../../world/tracker-doubles/trackers.ts';
import { createTrackerKit, type TrackerKit } from './tracker-kit.ts';

const START = new Date('2026-11-10T10:00:00Z');
const LATER = new Date('2026-11-12T12:00:00Z');
const NEW_MEMBER: Member = { id: '5b10a2844c20165700ede29g', name: 'Barbara Example', email: 'barbara@example.com' };

let company: TrackerCompany;
let kit: TrackerKit;

beforeEach(async () => {
  company = generateTracker(3, SMALL_TRACKER);
  const double = await JIRA.start(company);
  kit = await createTrackerKit(double, JIRA.connection(double), START);
});
afterEach(() => kit.close());

const derive = () =>
  deriveDelivery.run(
    { entity_id: kit.entityId },
    { log: silentLog, signal: new AbortController().signal } as Parameters<typeof deriveDelivery.run>[1],
    kit.parts,
  );

const readTeams = () =>
  kit.query<{ name: string; sprints: number; members: { name: string; from_on: string | null }[] }>(
    `select t.name, (select count(*)::int from sprints s where s.team_id = t.id) as sprints,
       coalesce((select json_agg(json_build_object('name', c.full_name, 'from_on', m.from_on) order by c.full_name)
         from team_members m join committers c on c.id = m.committer_id
         where m.team_id = t.id and m.until_on is null), '[]') as members
     from teams t where t.source_key is not null order by t.project_board_id`,
  );

/** Everybody of the company works on both boards. */
const always = () =>
  [...company.members].map(({ name }) => ({ name, from_on: null })).sort((a, b) => (a.name < b.name ? -1 : 1));

/** Of the six sprints the last has not begun. */
const EVERYTHING = [
  { name: 'Payments board 84', sprints: 3 },
  { name: 'Payments board 86', sprints: 2 },
];

test('a tracker that was just connected has its teams by the first derivation, with all members and sprints', async () => {
  await kit.collect();
  await derive();
  expect(await readTeams()).toEqual(EVERYTHING.map((team) => ({ ...team, members: always() })));
});

test('whoever is found while issues are still being collected has always belonged too', async () => {
  const isIssues = (path: string) => path.includes('/search');
  let pages = 0;
  kit.double.instead = ({ path }) => {
    if (!isIssues(path)) return null;
    pages += 1;
    return pages > 1 ? { status: 429, headers: { 'retry-after': '90' }, body: 'slow down' } : null;
  };
  const { again } = await kit.collect();
  await derive();
  kit.double.instead = null;
  kit.clock = again!;
  await kit.collect();
  await derive();
  expect(await readTeams()).toEqual(EVERYTHING.map((team) => ({ ...team, members: always() })));
});

test.each([
  ['UTC', '2026-11-12'],
  ['Pacific/Auckland', '2026-11-13'],
])('whoever is assigned work later belongs from the day on which that was seen in %s', async (zone, day) => {
  await kit.app.operations.settings.set(OPERATOR, kit.app.entity, 'time_zone', zone);
  await kit.collectAll();
  await derive();
  const issue = company.issues.find(
    (one) => one.type === 'Story' && current(one, 'sprints').includes(37) && !current(one, 'sprints').includes(38),
  )!;
  kit.clock = LATER;
  const before = current(issue, 'assignee');
  const at = new Date(LATER.getTime() - 60_000).toISOString();
  issue.changes.push({ id: 99_000, at, by: before, field: 'assignee', before, after: NEW_MEMBER });
  issue.updatedAt = at;
  await kit.collectAll();
  await derive();
  const found = (await readTeams()).flatMap(({ members }) => members).filter(({ name }) => name === NEW_MEMBER.name);
  expect(found.map(({ from_on }) => from_on)).toContain(day);
  expect(new Set(found.map(({ from_on }) => from_on)).size).toBe(1);
});
