// What the page says of its figures is what the API says of them: which filter they took, which days they are compared
// with, what is withheld, hidden or not imported, and which records make them up.
import { readFileSync } from 'node:fs';
import { sql } from 'kysely';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readStaticPage } from '../../../src/api/static.ts';
import { bumpDataVersion, reconcileRollups } from '../../../src/storage/commits/rollups.ts';
import { splitRows } from '../../../web/src/api/join-csv.ts';
import type { Introspection, Report } from '../../../web/src/api/queries.ts';
import { cutAt, ignoresProvider, importedFrom } from '../../../web/src/api/said-of-report.ts';
import { hasSummary } from '../../../web/src/report/form-rule.ts';
import { totalOf } from '../../../web/src/report/read-report.ts';
import { formatDay } from '../../../web/src/text/dates.ts';
import { formatValue } from '../../../web/src/text/numbers.ts';
import { comparisonDays } from '../../../web/src/url/range.ts';
import { seedEntityId } from '../../operations/seed-records.ts';
import { createTestApp, type RoleName, type TestApp } from '../../support/app.ts';
import { chromiumPath, launchChromium } from '../../support/chromium.ts';
import { addressOf } from '../../support/server-address.ts';
import { FIRST_DAY, seedExplainedCompany } from '../../world/explained-company.ts';
import { openWatchedPage, type WatchedPage, waitForFigures } from './watched-page.ts';

const ALL_DAYS = `range=${FIRST_DAY}..2026-03-25`;
/** By day, and no whole number of weeks. */
const MONTH = { start: '2026-02-20', end: '2026-03-21' };
const BEFORE = { start: '2026-01-21', end: '2026-02-19' };
const RATIO = { interval_combination: 'ratio' } as const;
const MONTH_RANGE = `range=${MONTH.start}..${MONTH.end}`;

describe.skipIf(chromiumPath === undefined)('what the page says of its figures', () => {
  let app: TestApp;
  let browser: Browser;
  let base: string;
  let entityId: number;

  beforeAll(async () => {
    app = await createTestApp({ now: () => new Date('2026-04-20T12:00:00Z'), page: readStaticPage('dist/web') });
    entityId = await seedEntityId(app.store, 'acme');
    await seedExplainedCompany(app.store, entityId, 1);
    // As many again in the first month, so that its records are on several pages.
    await sql`insert into commits
      select (jsonb_populate_record(c, jsonb_build_object('id', c.id + 1000, 'sha', '\\x' || lpad(c.id::text, 40, 'a')))).*
      from commits c where c.authored_on < '2026-02-01'`.execute(app.store.db);
    await reconcileRollups(app.store.db, entityId, 'entity');
    await app.server.listen({ port: 0, host: '127.0.0.1' });
    base = addressOf(app.server);
    browser = await launchChromium();
  });
  afterAll(() => browser?.close());

  const openAs = (role: RoleName, viewport = { width: 1280, height: 900 }): Promise<WatchedPage> =>
    openWatchedPage(browser, {
      viewport,
      acceptDownloads: true,
      extraHTTPHeaders: { authorization: `Bearer ${app.tokens[role]}` },
    });
  const show = async (page: Page, path: string): Promise<void> => {
    await page.goto(`${base}/e/acme/${path}`);
    await waitForFigures(page);
  };
  const report = async (query: string): Promise<Report> => {
    const { body } = await app.request({ route: 'GET /reports', query: `resource_path=acme&${query}` });
    return body as unknown as Report;
  };
  const set = (setting: 'stats_access' | 'small_group_floor', value: unknown): Promise<unknown> =>
    app.operations.settings.set('operator', 'acme', setting, value as never);
  const importFrom = (moment: string | null): Promise<unknown> =>
    sql`update repos set processed_from = ${moment}`.execute(app.store.db);
  const tile = (page: Page, segment: string) => page.locator(`main figure[data-segment=${segment}]`).first();

  test('how far figures reach is what the API says, and what its summary does', { timeout: 120_000 }, async () => {
    const asked = `start_date=${MONTH.start}&end_date=${MONTH.end}&generate_summary_stats=true`;
    expect(ignoresProvider(await report(`segment_by=commit_count&ai_provider=vendorA_assistant`))).toBe(true);
    expect(ignoresProvider(await report(`segment_by=ai_commit_rate&ai_provider=vendorA_assistant`))).toBe(false);
    const whole = await report(`segment_by=commit_count&${asked}`);
    expect(cutAt(whole, BEFORE.start)).toBeNull();
    expect(whole.calculated_summary_stats?.[0]?.previous_value).toEqual(expect.any(Number));
    await importFrom('2026-02-01T00:00:00Z');
    const cut = await report(`segment_by=commit_count&${asked}`);
    expect([cutAt(cut, BEFORE.start), importedFrom(cut)]).toEqual(['2026-02-01', null]);
    expect(cut.calculated_summary_stats?.[0]?.previous_value).toBeNull();
    expect(importedFrom(await report(`segment_by=commit_count&start_date=2026-01-10&end_date=2026-03-01`))).toBe(
      '2026-02-01',
    );
    await importFrom(null);
  });

  test('the days before are those of the API, and so is their total, for every statistic', {
    timeout: 300_000,
  }, async () => {
    expect(comparisonDays(MONTH, 'prev', false)).toEqual(BEFORE);
    const { body } = await app.request({ route: 'GET /segment_introspections', query: 'resource_path=acme' });
    const { segments } = body as unknown as Introspection;
    const differing: string[] = [];
    for (const segment of segments) {
      // The others take the summary itself.
      if (hasSummary(segment, 'none') || !segment.aggregation_options.includes('none')) continue;
      const of = `segment_by=${segment.segment_em}&aggregate_by=none&fill_all_dates=true`;
      const { calculated_summary_stats: [card] = [] } = await report(
        `${of}&start_date=${MONTH.start}&end_date=${MONTH.end}&generate_summary_stats=true`,
      );
      const before = totalOf(await report(`${of}&start_date=${BEFORE.start}&end_date=${BEFORE.end}`), segment);
      const previous = card?.previous_value ?? null;
      const isSame = before === null || previous === null ? before === previous : Math.abs(before - previous) < 0.06;
      if (!isSame) differing.push(`${segment.segment_em}: ${before} is not ${previous}`);
    }
    expect(differing).toEqual([]);
  });

  test('an AI provider is said not to narrow what does not tell providers apart', { timeout: 120_000 }, async () => {
    const watched = await openAs('admin');
    const { page } = watched;
    await show(page, `overview?${ALL_DAYS}&ai=vendorA_assistant`);
    const said = (segment: string) => tile(page, segment).locator('[data-all-providers]').count();
    expect(await said('none')).toBe(1);
    expect(await said('churn_line_percent')).toBe(1);
    expect(await said('ai_code_line_percent')).toBe(0);
    const hero = page.locator('main figure[data-segment=provenance] [data-all-providers]');
    expect(await hero.textContent()).toContain('does not tell them apart');
    expect(await page.locator('main table thead [data-all-providers]').count()).toBeGreaterThan(0);
    expect(await watched.findBarriers()).toEqual([]);

    // A statistic that takes the filter without being split by it is narrowed.
    const whole = await report(`segment_by=ai_code_line_percent&start_date=${FIRST_DAY}&end_date=2026-03-25`);
    const narrowed = await report(
      `segment_by=ai_code_line_percent&start_date=${FIRST_DAY}&end_date=2026-03-25&aggregate_by=none&ai_provider=vendorA_assistant`,
    );
    expect(totalOf(narrowed, RATIO)).not.toBe(totalOf(whole, RATIO));
    expect(await tile(page, 'ai_code_line_percent').textContent()).toContain(
      formatValue(totalOf(narrowed, RATIO), { unit: narrowed.unit, precision: narrowed.value_precision }),
    );

    await show(page, `s/commit_count?${ALL_DAYS}&ai=vendorA_assistant`);
    await page.locator('[data-export]').first().click();
    const href = await page.getByRole('menuitem', { name: 'CSV' }).getAttribute('href');
    expect(href).toContain('commit_count');
    expect(href).not.toContain('ai_provider');
    expect(await watched.findInternalNames()).toEqual([]);
    await watched.close();
  });

  test('an unknown AI provider is not shown as if it were chosen', { timeout: 60_000 }, async () => {
    const watched = await openAs('admin');
    await show(watched.page, `overview?${ALL_DAYS}&ai=foo`);
    expect(await watched.page.getByRole('toolbar').textContent()).toContain('Any AI');
    expect(await watched.page.locator('[data-all-providers]').count()).toBe(0);
    expect(await watched.takeComplaints()).toEqual([]);
    await watched.close();
  });

  test.each([
    ['repo', 'in', 'org/repo1', 'org/gone', 'There is no org/gone here.'],
    ['team', 'team', null, 'gone', 'There is no team gone here.'],
    ['person', 'who', 'user1', 'gone', 'Nobody here is known as gone.'],
  ])(
    'a link to a %s that is gone says so, and leads on without it',
    {
      timeout: 120_000,
    },
    async (_, key, known, gone, said) => {
      const watched = await openAs('admin');
      const { page } = watched;
      const calls: string[] = [];
      page.on('request', (request) => calls.push(new URL(request.url()).pathname));
      // As a report leads to the records of a point.
      await show(page, `s/commit_count?${ALL_DAYS}&${key}=${gone}&at=commit_count@${FIRST_DAY}`);
      const chart = page.locator('main figure').first();
      expect(await chart.getByRole('alert').textContent()).toContain(said);
      expect(await page.locator('aside').getByRole('alert').textContent()).toContain(said);
      expect(await watched.findInternalNames()).toEqual([]);
      expect(await watched.findBarriers()).toEqual([]);
      await chart.getByRole('link', { name: 'Remove the filter' }).click();
      await page.waitForSelector('main figure[data-drawn] svg[data-chart]');
      expect(page.url()).not.toMatch(/gone|at=/);

      calls.length = 0;
      await show(page, `overview?${ALL_DAYS}&${key}=${gone}`);
      expect(await tile(page, 'none').textContent()).toContain(said);
      expect(await watched.findInternalNames()).toEqual([]);
      expect(await watched.findBarriers()).toEqual([]);
      // What is refused together for this is not asked for once more by each tile.
      expect(calls.filter((path) => path === '/api/v1/reports')).toEqual([]);
      await page.getByRole('alert').first().getByRole('link', { name: 'Remove the filter' }).click();
      await page.locator('main figure svg').first().waitFor();
      expect(page.url()).not.toContain('gone');

      if (known !== null) {
        await show(page, `s/commit_count?${ALL_DAYS}&${key}=${gone},${known}`);
        expect(await chart.getByRole('alert').textContent()).toContain(said);
        await chart.getByRole('link', { name: 'Remove from the filter' }).click();
        await page.waitForSelector('main figure[data-drawn] svg[data-chart]');
        expect(new URL(page.url()).searchParams.get(key)).toBe(known);
      }
      await watched.close();
    },
  );

  test('CSV of records has the whole list of the tab that is open', { timeout: 120_000 }, async () => {
    const watched = await openAs('admin');
    const { page } = watched;
    await show(page, `s/commit_count?${ALL_DAYS}&grain=month`);
    await page.locator('svg[data-chart] a[href*="at="]').first().click();
    const drawer = page.locator('aside');
    await drawer.locator('[data-sum]').waitFor();
    const countOn = async (tab: string): Promise<number> =>
      Number(/\d+/.exec((await drawer.getByRole('link', { name: tab }).last().textContent()) ?? '')?.[0]);
    const savedRows = async (): Promise<string[]> => {
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        drawer.getByRole('button', { name: 'CSV of these' }).click(),
      ]);
      return splitRows(readFileSync(await download.path(), 'utf8')).slice(1);
    };
    const records = await countOn('Records');
    expect(records).toBeGreaterThan(50);
    expect(await drawer.locator('footer').textContent()).toContain(`${records} records in all`);
    expect(await savedRows()).toHaveLength(records);

    await expect.poll(() => countOn('Not counted')).toBeGreaterThan(0);
    const left = await countOn('Not counted');
    await drawer.getByRole('link', { name: 'Not counted' }).click();
    await drawer.locator('footer', { hasText: `${left} record` }).waitFor();
    const rows = await savedRows();
    expect(rows).toHaveLength(left);
    expect(rows.every((row) => /squash|limited|not/i.test(row))).toBe(true);
    await drawer.getByRole('link', { name: 'How' }).click();
    await expect.poll(() => drawer.locator('footer').count()).toBe(0);
    await watched.close();
  });

  test('a total is compared with the period that the API compares with, and the line behind names its days', {
    timeout: 120_000,
  }, async () => {
    const { calculated_summary_stats: [card] = [] } = await report(
      `segment_by=commit_count&aggregate_by=none&start_date=${MONTH.start}&end_date=${MONTH.end}&generate_summary_stats=true`,
    );
    const watched = await openAs('admin');
    const { page } = watched;
    await show(page, `s/commit_count?${MONTH_RANGE}`);
    const headline = page.locator('main section p').first();
    await expect
      .poll(() => headline.textContent())
      .toContain(`${card!.previous_value} the period before, 21 Jan – 19 Feb`);
    // Five weeks earlier, so that weekdays meet.
    const line = comparisonDays(MONTH, 'prev', true)!;
    expect(line).not.toEqual(BEFORE);
    await page.locator('main ul li', { hasText: 'same weekdays before: 16 Jan – 14 Feb' }).first().waitFor();
    await page.locator('svg[data-chart] a[href*="at="]').first().hover();
    await page
      .getByText(/^before: /)
      .first()
      .waitFor();
    await watched.close();
  });

  test('days that are not imported are neither compared with nor shown as if nothing had happened', {
    timeout: 120_000,
  }, async () => {
    await importFrom('2026-02-01T00:00:00Z');
    const watched = await openAs('admin');
    const { page } = watched;
    await show(page, `s/commit_count?${MONTH_RANGE}`);
    const day = formatDay('2026-02-01');
    const headline = page.locator('main section p').first();
    await expect.poll(() => headline.textContent()).toContain(`not compared: commits before ${day}`);
    expect(await headline.textContent()).not.toContain('the period before');
    await show(page, `overview?${MONTH_RANGE}`);
    await expect.poll(() => tile(page, 'none').textContent()).toContain('not compared');
    await expect.poll(() => page.locator('main table tbody').textContent()).toContain('not compared');

    await show(page, 's/commit_count?range=2025-10-01..2025-11-01');
    const empty = page.locator('main figure [data-empty]').first();
    expect(await empty.textContent()).toContain(`Not imported before ${day}`);
    await show(page, 'code?range=2025-10-01..2025-11-01');
    await page.getByText(`Not imported before ${day}`).first().waitFor();
    expect(await page.locator('main').textContent()).toContain('--since all');
    expect(await watched.findBarriers()).toEqual([]);
    await importFrom(null);
    await watched.close();
  });

  test('figures of people who are not the reader’s to see are not 0', { timeout: 120_000 }, async () => {
    await set('stats_access', 'private');
    const watched = await openAs('member');
    const { page } = watched;
    for (const path of ['overview', 'code']) {
      await show(page, `${path}?${ALL_DAYS}`);
      const text = await tile(page, path === 'overview' ? 'none' : 'line_operation_counts').textContent();
      expect(text).toContain('–');
      expect(text).toContain('are not yours to see');
    }
    const values = await page.locator('main figure p:first-of-type').allTextContents();
    expect(values.filter((value) => /^0\b/.test(value))).toEqual([]);
    await show(page, `s/commit_count?${ALL_DAYS}`);
    expect(await page.locator('main figure [data-empty]').first().getAttribute('data-empty')).toBe('not visible');
    await set('stats_access', undefined);
    await watched.close();
  });

  test('figures of some of the people say of how many, in tiles and in the table of teams', {
    timeout: 120_000,
  }, async () => {
    const member = await sql`update committers set email = u.email
      from users u where u.email like 'member@%' and committers.id = (
        select min(m.committer_id) from team_members m join teams t on t.id = m.team_id and t.name = 'Team 1')
      returning u.email`.execute(app.store.db);
    expect(member.rows).toHaveLength(1);
    await set('stats_access', 'private');
    const watched = await openAs('member');
    const { page } = watched;
    await page.addInitScript(`globalThis.shifted = 0;
      new PerformanceObserver((list) => list.getEntries().forEach(({ value }) => { shifted += value; }))
        .observe({ type: 'layout-shift', buffered: true });`);
    await show(page, `overview?${ALL_DAYS}`);
    const said = tile(page, 'none').locator('[data-coverage]');
    expect(await said.textContent()).toMatch(/^covers 1 of \d+ developers$/);
    expect(await said.getAttribute('title')).toContain('stats_access');
    const cell = page.locator('main table tbody tr', { hasText: 'Team 1' }).locator('td').first();
    await expect.poll(() => cell.textContent()).toContain('covers 1 of 2 developers');
    const link = cell.getByRole('link');
    expect(await link.getAttribute('aria-label')).toMatch(/^[\d,]+, covers 1 of 2 developers$/);
    expect(await link.getAttribute('title')).toContain('stats_access');
    expect(
      await page.locator('main table tbody tr', { hasText: 'Team 2' }).locator('td').first().textContent(),
    ).toContain('nothing that is yours to see');
    expect(await page.evaluate<number>('shifted')).toBeLessThan(0.02);
    // A release is of nobody.
    await show(page, `s/release_count?${ALL_DAYS}`);
    expect(await page.locator('main').textContent()).not.toContain('developers');
    expect(await watched.findBarriers()).toEqual([]);
    await set('stats_access', undefined);
    await watched.close();
  });

  /** Calls the first developer so while `look` runs. */
  async function withLongName(name: string, look: () => Promise<void>): Promise<void> {
    const { rows } = await sql<{ id: number; full_name: string }>`select id, full_name from committers
      where root_committer_id = id and processing_status = 'processing_stats' order by id limit 1`.execute(
      app.store.db,
    );
    const call = async (as: string) => {
      await sql`update committers set full_name = ${as} where id = ${rows[0]!.id}`.execute(app.store.db);
      await bumpDataVersion(app.store.db, entityId);
    };
    await call(name);
    try {
      await look();
    } finally {
      await call(rows[0]!.full_name);
    }
  }

  test('a long name is cut in the legend and does not widen the page', { timeout: 120_000 }, async () => {
    const name = 'Aurelia'.repeat(28);
    await withLongName(name, async () => {
      for (const width of [1280, 390]) {
        const { page, close } = await openAs('admin', { width, height: 844 });
        await show(page, `s/none?by=committer&${ALL_DAYS}`);
        const entry = page.locator('main figure ul li', { hasText: 'Aurelia' }).first();
        await entry.waitFor();
        expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
        expect(await entry.locator('[title]').getAttribute('title')).toContain(name);
        await close();
      }
    });
  });

  test('a name without blanks is broken in the breakdown and does not widen the page', {
    timeout: 120_000,
  }, async () => {
    for (const name of ['platform_infrastructure_reliability_team', 'Aurelia'.repeat(28)]) {
      await withLongName(name, async () => {
        const { page, close } = await openAs('admin', { width: 340, height: 844 });
        await show(page, `s/commit_count?split=committer&${ALL_DAYS}`);
        await page.locator('main table th[scope=row]', { hasText: name }).waitFor();
        expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(340);
        await close();
      });
    }
  });

  test('what is withheld because of few people says so, in tiles and in the table of teams', {
    timeout: 120_000,
  }, async () => {
    await set('small_group_floor', 3);
    const watched = await openAs('admin');
    const { page } = watched;
    await show(page, `overview?${ALL_DAYS}`);
    await expect.poll(() => page.locator('main table tbody').textContent()).toContain('fewer than 3 people');
    await set('small_group_floor', 50);
    await show(page, `overview?${ALL_DAYS}`);
    expect(await tile(page, 'none').textContent()).toContain('Fewer than 50 people');
    await set('small_group_floor', undefined);
    await watched.close();
  });

  test('a team that did nothing has a 0, and its people are counted, not their identities', {
    timeout: 120_000,
  }, async () => {
    const watched = await openAs('admin');
    const { page } = watched;
    await show(page, 'overview?range=2026-04-05..2026-04-15');
    const cell = page.locator('main table tbody tr').first().locator('td').first();
    await expect.poll(() => cell.textContent()).toMatch(/^0/);
    // The first of the second team has two identities.
    expect(await page.locator('main table tbody th').allTextContents()).toEqual(['Team 12 people', 'Team 22 people']);
    expect(await tile(page, 'active_committer_in_week_count').textContent()).toContain('0developers');
    await watched.close();
  });

  test('teams that come later do not push the page down on a small screen', { timeout: 60_000 }, async () => {
    const { page, close } = await openAs('admin', { width: 390, height: 844 });
    await page.addInitScript(`globalThis.shifted = 0;
      new PerformanceObserver((list) => list.getEntries().forEach(({ value }) => { shifted += value; }))
        .observe({ type: 'layout-shift', buffered: true });`);
    await show(page, `overview?${ALL_DAYS}`);
    await page.getByRole('button', { name: /^Team/ }).waitFor();
    await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))');
    expect(await page.evaluate<number>('shifted')).toBeLessThan(0.02);
    await close();
  });

  test('on a small screen everything has a name, and links in notices are told apart', {
    timeout: 120_000,
  }, async () => {
    const watched = await openAs('admin', { width: 390, height: 844 });
    const { page } = watched;
    await show(page, 'overview?range=2026-04-05..2026-04-15');
    await page.getByText('Show the last days with commits').first().waitFor();
    expect(await watched.findBarriers()).toEqual([]);
    expect(await page.getByRole('link', { name: 'Strata' }).count()).toBe(1);
    await page.getByRole('button', { name: 'Search or jump' }).click();
    await page.getByRole('dialog').waitFor();
    await watched.close();
  });

  test('a manager is offered what a manager may import', { timeout: 60_000 }, async () => {
    const watched = await openAs('manager');
    const { page } = watched;
    await page.goto(`${base}/e/acme/imports`);
    await page.getByLabel('Repo of a connected host').fill('https://example.com/a/b.git');
    await page.getByRole('button', { name: 'Import', exact: true }).click();
    await page.getByText('Only an admin imports from addresses').waitFor();
    expect(await page.getByText('Clone address').count()).toBe(0);
    // The page says so itself, without a call that is refused.
    expect(await watched.takeComplaints()).toEqual([]);
    await watched.close();
  });
});
