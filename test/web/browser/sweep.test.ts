// The page of every statistic, in both themes, as chart and as table: no complaint of the browser, nothing
// that keeps people out, and records that make up their point. A sample in every run; all of them, which
// takes some minutes, with `npm run sweep:web`.
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readStaticPage } from '../../../src/api/static.ts';
import { SEGMENT_IDS, type SegmentId } from '../../../src/domain/segments.ts';
import { seedEntityId } from '../../operations/seed-records.ts';
import { createTestApp, type TestApp } from '../../support/app.ts';
import { chromiumPath, launchChromium } from '../../support/chromium.ts';
import { addressOf } from '../../support/server-address.ts';
import { FIRST_DAY, seedExplainedCompany } from '../../world/explained-company.ts';
import { createVerdict } from './sweep-verdict.ts';
import { openWatchedPage, type WatchedPage, waitForFigures } from './watched-page.ts';

const ALL = process.env.STRATA_SWEEP_ALL === '1';
/** One of each form: bars, stack, parts of a whole, line, steps, cohorts, times, one per thing of the data. */
const SAMPLE = [
  'none',
  'provenance',
  'quality_cornerstones_percent',
  'churn_line_percent',
  'pr_awaiting_review_count',
  'delta_cohorts_per_committer',
  'pr_cycle',
  'ai_cost_cents',
  'active_committer_in_week_count',
] as const;
const RANGE = `${FIRST_DAY}..2026-03-25`;
const POINTS = 2;

describe.skipIf(chromiumPath === undefined)('the page of a statistic', () => {
  let app: TestApp;
  let browser: Browser;
  const pages = new Map<'light' | 'dark', WatchedPage>();
  let base: string;

  beforeAll(async () => {
    app = await createTestApp({ now: () => new Date('2026-04-20T12:00:00Z'), page: readStaticPage('dist/web') });
    await seedExplainedCompany(app.store, await seedEntityId(app.store, 'acme'), 1);
    await app.server.listen({ port: 0, host: '127.0.0.1' });
    base = addressOf(app.server);
    browser = await launchChromium();
    for (const colorScheme of ['light', 'dark'] as const) {
      const extraHTTPHeaders = { authorization: `Bearer ${app.tokens.admin}` };
      pages.set(colorScheme, await openWatchedPage(browser, { colorScheme, extraHTTPHeaders }));
    }
  });
  const segments: readonly SegmentId[] = ALL ? SEGMENT_IDS : SAMPLE;
  const verdict = createVerdict(segments.length);
  const swept = verdict.sweep;
  afterAll(() => browser?.close());

  // Once more where all are swept: in an hour on a busy machine one page may be late.
  test.each(segments)(
    '%s has no complaint, no barrier and true records',
    { timeout: 300_000, retry: ALL ? 1 : 0 },
    async (segment) => {
      try {
        await sweepStatistic(segment);
        verdict.passed(segment);
      } catch (error) {
        verdict.failed(segment, error);
        throw error;
      }
    },
  );

  async function sweepStatistic(segment: SegmentId): Promise<void> {
    const address = `${base}/e/acme/s/${segment}?range=${RANGE}&by=none`;
    for (const [theme, watched] of pages) {
      const { page } = watched;
      for (const view of ['chart', 'table']) {
        await page.goto(`${address}&view=${view}`);
        await waitForFigures(page);
        swept.pages += 1;
        const main = page.locator('main');
        expect(await main.locator('h1').textContent()).not.toBe('');
        expect(await main.locator('figure figcaption').count()).toBeGreaterThan(0);
        const isEmpty = (await main.locator('figure [data-empty]').first().count()) > 0;
        if (view === 'table' && !isEmpty) expect(await main.locator('table').count()).toBeGreaterThan(0);
        expect(await watched.takeComplaints(), `${segment} ${theme} ${view}`).toEqual([]);
        expect(await watched.findInternalNames(), `${segment} ${theme} ${view}`).toEqual([]);
        if (theme === 'light' || view === 'chart')
          expect(await watched.findBarriers(), `${segment} ${theme} ${view}`).toEqual([]);
      }
    }
    const { page } = pages.get('light')!;
    const cells = await page.locator('main section table tbody td a').all();
    const hrefs = await Promise.all(cells.map(async (cell) => (await cell.getAttribute('href')) ?? ''));
    // Rows of the breakdown lead to another split, not to records.
    const links = hrefs.filter((href) => /[?&]at=/.test(href));
    if (links.length === 0) swept.withoutPoints.push(segment);
    const step = Math.max(1, Math.floor(links.length / POINTS));
    for (const link of links.filter((_, index) => index % step === 0).slice(0, POINTS)) {
      await page.goto(base + link);
      const sum = page.locator('[data-sum]');
      await sum.waitFor({ timeout: 30_000 });
      const [total, point] = [await sum.getAttribute('data-sum'), await sum.getAttribute('data-point')];
      // One number cannot be worked out of totals everywhere; what was compared is counted below.
      if (total === '' || point === '') swept.uncomparable.push(segment);
      else {
        expect(Number(total), `${segment} ${link}`).toBeCloseTo(Number(point), 1);
        swept.compared += 1;
      }
      expect(await page.locator('aside').count()).toBe(1);
    }
  }
});
