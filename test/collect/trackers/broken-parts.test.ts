// A part of a tracker that cannot be read: a board, or a project from which a work item came. All other parts arrive.
import { afterEach, expect, test } from 'vitest';
import { generateTracker, SMALL_TRACKER } from '../../world/company/generate-tracker.ts';
import type { DoubleAnswer, DoubleRequest } from '../../world/host-doubles/host-double.ts';
import { AZURE_BOARDS, type CompanyTracker, JIRA } from '../../world/tracker-doubles/trackers.ts';
import { createTrackerKit, type TrackerKit } from './tracker-kit.ts';

const HOUR_MS = 3_600_000;

let kit: TrackerKit | null = null;
afterEach(() => kit?.close());

async function collectDay(tracker: CompanyTracker, instead: (request: DoubleRequest) => DoubleAnswer | null) {
  const double = await tracker.start(generateTracker(7, { ...SMALL_TRACKER, isSingle: tracker.isSingle }));
  kit = await createTrackerKit(double, tracker.connection(double), new Date('2026-11-10T10:00:00Z'));
  double.instead = instead;
  for (let look = 0; look < 8; look += 1) {
    await kit.collect();
    kit.clock = new Date(kit.clock.getTime() + 3 * HOUR_MS);
  }
  return kit;
}

const shown = async ({ app }: TrackerKit) => {
  const { text } = await app.request({ route: 'GET /trackers', query: 'resource_path=acme' });
  return JSON.parse(text)[0] as { error_em: string | null; error_detail: string | null };
};

test.each([500, 403])('Jira: a board that answers %i is named, and other boards have their sprints', async (status) => {
  const isBroken = (path: string): boolean => path === '/rest/agile/1.0/board/84/sprint';
  const found = await collectDay(JIRA, ({ path }) =>
    isBroken(path) ? { status, body: { errorMessages: ['fault'] } } : null,
  );
  // The one to come has no dates.
  const sprints = SMALL_TRACKER.sprints - 1;
  expect(await found.query('select count(*)::int as sprints from sprints')).toEqual([{ sprints }]);
  const { error_em, error_detail } = await shown(found);
  expect(error_em).toBeNull();
  expect(error_detail).toMatch(/^without the sprints of the board "Blue": /);
  found.double.instead = null;
  found.clock = new Date(found.clock.getTime() + HOUR_MS);
  await found.collect();
  expect((await shown(found)).error_detail).toBeNull();
});

const revision = (id: number, rev: number, project: string, state: string) => ({
  id,
  rev,
  fields: {
    'System.Title': `Item ${id}`,
    'System.WorkItemType': 'User Story',
    'System.State': state,
    'System.CreatedDate': '2026-09-01T09:00:00Z',
    'System.ChangedDate': `2026-10-0${rev}T09:00:00Z`,
    'System.TeamProject': project,
  },
});

test.each([404, 403])('Azure Boards: work items arrive from a project that answers %i', async (status) => {
  const pages = [
    [revision(1, 1, 'Payments', 'todo'), revision(2, 1, 'Secret', 'todo')],
    [revision(2, 2, 'Payments', 'done'), revision(3, 1, 'Payments', 'done')],
  ];
  const found = await collectDay(AZURE_BOARDS, ({ path, query, origin }) => {
    if (path.startsWith('/acme/Secret/')) return { status, body: { message: 'TF200016' } };
    if (!path.endsWith('/workitemrevisions')) return null;
    const place = Number(query.get('continuationToken') ?? 0);
    const nextLink = `${origin}${path}?continuationToken=${place + 1}`;
    const isLastBatch = place >= pages.length - 1;
    return { body: { values: pages[place] ?? [], isLastBatch, continuationToken: String(place + 1), nextLink } };
  });
  expect(await found.query('select key, status_category from issues order by key')).toEqual([
    { key: 'AB#1', status_category: 'new' },
    { key: 'AB#2', status_category: 'done' },
    { key: 'AB#3', status_category: 'done' },
  ]);
  expect(await shown(found)).toMatchObject({ error_em: null, error_detail: null });
});

test('Azure Boards: a project whose iterations are hidden is named, and other projects have their sprints', async () => {
  const found = await collectDay(AZURE_BOARDS, ({ path }) => {
    const value = ['Secret', 'Payments'].map((name) => ({ id: name, name }));
    if (path === '/acme/_apis/projects') return { body: { count: 2, value } };
    return path.startsWith('/acme/Secret/') ? { status: 403, body: { message: 'TF50309' } } : null;
  });
  expect(await found.query('select distinct board_id from sprints')).toEqual([{ board_id: 'Payments' }]);
  expect((await shown(found)).error_detail).toMatch(/^without the sprints of the project "Secret": /);
});
