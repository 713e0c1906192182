// The strip under a chart has all releases and defects, each on the day on which reports count it.
import { expect, test } from 'vitest';
import { readPages } from '../../web/src/api/read-pages.ts';
import { chartEvents } from '../../web/src/report/chart-events.ts';

const release = (released_at: string) => ({ name: 'v9', released_at }) as never;
const defect = (detectedAt: string) => ({ defectKey: 'D-1', detectedAt }) as never;

test.each([
  { zone: 'UTC', day: '2026-11-11' },
  { zone: 'America/Los_Angeles', day: '2026-11-10' },
  { zone: 'Pacific/Auckland', day: '2026-11-11' },
])('a release of 07:59 UTC is of $day in $zone', ({ zone, day }) => {
  const [event] = chartEvents({ releases: [{ releases: [release('2026-11-11T07:59:59Z')] }], defects: [] }, zone);
  expect(event).toMatchObject({ kind: 'release', day });
});

test('a defect is of the day that its text says', () => {
  const list = [{ critical_defects: [defect('November 8, 2026 11:59 PM PST')] }];
  expect(chartEvents({ releases: [], defects: list }, 'America/Los_Angeles')).toMatchObject([{ day: '2026-11-08' }]);
});

test.each([0, 1, 2, 20])('a list of %d pages is read whole', async (page_count) => {
  const pages = await readPages(async (page) => ({ page, page_count }));
  expect(pages.map(({ page }) => page)).toEqual(Array.from({ length: Math.max(1, page_count) }, (_, n) => n + 1));
});

test('of a list that is too long to be read nothing is drawn, rather than a part', async () => {
  let calls = 0;
  const pages = await readPages(async () => {
    calls += 1;
    return { page_count: 21 };
  });
  expect([pages, calls]).toEqual([[], 1]);
});
