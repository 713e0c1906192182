// What people do, in a real browser against the real service on a history that it imported by itself.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeDataFolder, type RunningService, runStrata, startService } from '../../service/running-service.ts';
import { chromiumPath, launchChromium } from '../../support/chromium.ts';
import { type GoldenRepo, goldenRepo } from '../../world/golden-repo.ts';
import { openWatchedPage, waitForFigures } from './watched-page.ts';

const DAY_MS = 86_400_000;
const daysAgo = (days: number): string => new Date(Date.now() - days * DAY_MS).toISOString();

/** Two months of work of two people, with a rewrite of young lines and two releases. */
function buildHistory(): GoldenRepo {
  const repo = goldenRepo();
  for (let week = 8; week >= 1; week--) {
    const lines = Array.from({ length: 20 + week }, (_, line) => `export const value${line} = ${line * week};`);
    repo.commit(`week ${week}`, {
      author: week % 2 === 0 ? 'Ada <ada@x.org>' : 'Bo <bo@x.org>',
      at: daysAgo(week * 7 - 1),
      files: { [`src/part${week % 3}.ts`]: `${lines.join('\n')}\n` },
      message: `Change part ${week % 3}\n`,
    });
    if (week % 4 === 0) repo.tag(`v1.${8 - week}.0`, `week ${week}`);
  }
  return repo.build();
}

describe.skipIf(chromiumPath === undefined)('in a browser', () => {
  const data = makeDataFolder();
  let repo: GoldenRepo;
  let service: RunningService;
  let browser: Browser;
  let base: string;

  beforeAll(async () => {
    repo = buildHistory();
    browser = await launchChromium();
    service = await startService(data.path, ['--port', '0']);
    base = service.credentials.base_url;
  }, 180_000);
  afterAll(async () => {
    await browser?.close();
    await service?.end('SIGTERM');
    data.remove();
    repo?.cleanup();
  }, 60_000);

  const signInLink = async (...args: string[]): Promise<string> => {
    const { out, err } = await runStrata(['sign-in-link', '--data', data.path, ...args]);
    const link = /https?:\/\/\S+#\S+/.exec(out)?.[0];
    if (link === undefined) throw new Error(`no link was printed: ${out}${err}`);
    return link;
  };
  const signIn = async (page: Page, ...args: string[]): Promise<void> => {
    await page.goto(await signInLink(...args));
    await page.waitForURL(/\/e\/local\//, { timeout: 30_000 });
  };
  let admin: BrowserContext;

  test('a fresh start leads over the link to the first run, and an import turns it into the first chart', {
    timeout: 180_000,
  }, async () => {
    const watched = await openWatchedPage(browser);
    const { page } = watched;
    admin = page.context();
    await page.goto(base);
    await page.waitForURL(/\/sign-in/);
    // The browser itself writes the refused call into its console.
    await watched.takeComplaints();
    const link = await signInLink();
    await page.goto(link);
    await page.waitForSelector('[data-first-run]', { timeout: 30_000 });
    expect(page.url()).not.toContain('#');
    expect(await watched.findBarriers()).toEqual([]);
    const imported = await runStrata([
      'import',
      repo.path,
      '--as',
      'acme/parts',
      '--since',
      'all',
      '--follow',
      '--data',
      data.path,
    ]);
    expect(imported.code, imported.err).toBe(0);
    await waitForFigures(page);
    await page.waitForSelector('main figure[data-segment=none]', { timeout: 30_000 });
    expect(await page.locator('main figure').count()).toBeGreaterThan(3);
    expect(await watched.takeComplaints()).toEqual([]);
    expect(await watched.findBarriers()).toEqual([]);

    // The link has been used up.
    const second = await browser.newContext();
    const other = await second.newPage();
    await other.goto(link);
    await other.waitForSelector('[role=alert]');
    expect(other.url()).toContain('/sign-in');
    await second.close();
  });

  test('the first chart of a statistic waits for one call of the API, and the rest for the chart', {
    timeout: 60_000,
  }, async () => {
    const page = await admin.newPage();
    await page.goto(`${base}/e/local/s/churn_line_percent?range=90d`);
    await waitForFigures(page);
    const calls = await page.evaluate<string[]>(`(() => {
      const [{ startTime }] = performance.getEntriesByName('first-chart');
      const before = performance.getEntriesByType('resource').filter((entry) => entry.startTime < startTime);
      return before.map(({ name }) => new URL(name).pathname).filter((path) => path.startsWith('/api/'));
    })()`);
    expect(calls).toEqual(['/api/v1/reports']);
    await page.close();
  });

  test('a server that does not answer is said so, and charts come when it does', { timeout: 60_000 }, async () => {
    const page = await admin.newPage();
    await page.goto(`${base}/e/local/s/none?range=90d`);
    await waitForFigures(page);
    await page.route('**/api/v1/reports?**', (route) => route.abort());
    await page.keyboard.press('3');
    const failed = page.locator('main figure [role=alert]').first();
    await failed.waitFor();
    expect(await failed.textContent()).toContain('The server does not answer');
    await page.unroute('**/api/v1/reports?**');
    await failed.getByRole('button', { name: 'Try again' }).click();
    await failed.waitFor({ state: 'detached' });
    await page.waitForSelector('main figure[data-drawn] svg[data-chart]');
    await page.close();
  });

  test('a mark opens the records behind it, and their sum is the point', { timeout: 60_000 }, async () => {
    const page = await admin.newPage();
    await page.goto(`${base}/e/local/s/commit_count?range=90d`);
    await waitForFigures(page);
    const mark = page.locator('svg[data-chart] a[href*="at="]').first();
    const label = await mark.getAttribute('aria-label');
    await mark.click();
    const sum = page.locator('aside [data-sum]');
    await sum.waitFor();
    expect(await sum.getAttribute('data-sum')).toBe(await sum.getAttribute('data-point'));
    expect(label).toContain(`${await sum.getAttribute('data-point')} commit`);
    expect(await page.locator('aside ul li').count()).toBe(Number(await sum.getAttribute('data-point')));
    await page.keyboard.press('Escape');
    await page.waitForSelector('aside', { state: 'detached' });
    await page.close();
  });

  test('a mark of the companion chart leads to the same point, whatever its length', { timeout: 60_000 }, async () => {
    const page = await admin.newPage();
    await page.goto(`${base}/e/local/s/commit_count?range=90d&grain=month`);
    await waitForFigures(page);
    const mark = page.locator('figure[data-segment="none"] svg[data-chart] a[href*="at="]').first();
    const label = await mark.getAttribute('aria-label');
    await mark.click();
    await page.waitForURL(/s\/none\?.*grain=month/);
    const sum = page.locator('aside [data-sum]');
    await sum.waitFor();
    expect(label).toContain(`: ${Math.round(Number(await sum.getAttribute('data-point'))).toLocaleString('en-US')} `);
    await page.close();
  });

  test('the records of a median are not added up', { timeout: 60_000 }, async () => {
    const page = await admin.newPage();
    await page.goto(`${base}/e/local/s/dora_change_lead_time?range=90d&stat=median`);
    await waitForFigures(page);
    await page.locator('svg[data-chart] a[href*="at="]').first().click();
    const sum = page.locator('aside [data-sum]');
    await sum.waitFor();
    expect(await sum.textContent()).toMatch(/^Median of \d+ commits?$/);
    expect(await page.locator('aside').textContent()).not.toContain('Data arrived in between');
    await page.close();
  });

  test('records are requested when a point is pressed or rested on, not when it is passed by', {
    timeout: 60_000,
  }, async () => {
    const page = await admin.newPage();
    const asked: string[] = [];
    page.on('request', (request) => {
      if (request.url().includes('/audits?')) asked.push(request.url());
    });
    await page.goto(`${base}/e/local/s/commit_count?range=90d`);
    await waitForFigures(page);
    const points = page.locator('svg[data-chart] a[href*="at="]');
    asked.length = 0;
    // Over it and away within a moment.
    await page.evaluate(`(() => {
      const point = document.querySelector('svg[data-chart] a[href*="at="]');
      for (const type of ['pointerover', 'pointerout']) point.dispatchEvent(new PointerEvent(type, { bubbles: true }));
    })()`);
    await page.waitForTimeout(300);
    expect(asked).toEqual([]);
    await points.nth(0).dispatchEvent('pointerdown', { button: 0 });
    await expect.poll(() => asked.length, { timeout: 5_000 }).toBe(1);
    await points.nth(1).dispatchEvent('pointerover');
    await expect.poll(() => asked.length, { timeout: 5_000 }).toBe(2);
    // What was fetched ahead is what the drawer shows.
    await points.nth(0).click();
    await page.locator('aside [data-sum]').waitFor();
    expect(asked.filter((address) => address === asked[0])).toEqual([asked[0]]);
    await page.close();
  });

  test('a drag over the chart narrows the range, a press whose release nobody saw does not', {
    timeout: 60_000,
  }, async () => {
    const page = await admin.newPage();
    const address = `${base}/e/local/s/commit_count?range=90d`;
    await page.goto(address);
    await waitForFigures(page);
    const points = page.locator('svg[data-chart] a[href*="at="]');
    await points.nth(0).dispatchEvent('pointerdown', { button: 0 });
    await points.nth(3).hover();
    await points.nth(0).hover();
    await points.nth(0).click();
    await page.locator('aside [data-sum]').waitFor();
    expect(page.url()).not.toContain('..');
    await page.keyboard.press('Escape');
    await page.waitForSelector('aside', { state: 'detached' });

    await points.nth(1).hover();
    await page.mouse.down();
    await points.nth(3).hover();
    await page.mouse.up();
    await page.waitForURL(/range=\d{4}-\d\d-\d\d\.\./);
    await page.close();
  });

  test('a part of the page whose script does not come is said so', { timeout: 60_000 }, async () => {
    const page = await admin.newPage();
    // Before the page is opened: it fetches the palette ahead by itself.
    await page.route(/palette-.*\.js/, (route) => route.abort());
    await page.goto(`${base}/e/local/s/commit_count?range=90d`);
    await waitForFigures(page);
    await page.keyboard.press('Control+k');
    await page.getByText('A part of the page did not come').waitFor({ timeout: 10_000 });
    await page.unroute(/palette-.*\.js/);
    await page.getByRole('button', { name: 'Try again' }).click();
    await waitForFigures(page);
    await page.close();
  });

  test.each(['js', 'css'])(
    'a page whose %s does not come is said so, in the frame',
    { timeout: 60_000 },
    async (ending) => {
      const page = await admin.newPage();
      await page.goto(`${base}/e/local/s/commit_count?range=90d`);
      await waitForFigures(page);
      // All that is fetched from now on: the server is away, or has other files after an upgrade.
      await page.route(new RegExp(`/assets/.*\\.${ending}$`), (route) => route.abort());
      await page.getByRole('link', { name: 'Imports' }).first().click();
      await page.getByText('A part of the page did not come').waitFor({ timeout: 10_000 });
      expect(await page.locator('main').count()).toBe(1);
      expect(await page.locator('main img').count()).toBe(0);
      await page.close();
    },
  );

  test('the focus goes back to the point when its records are closed', { timeout: 60_000 }, async () => {
    const page = await admin.newPage();
    await page.goto(`${base}/e/local/s/commit_count?range=90d`);
    await waitForFigures(page);
    const point = page.locator('svg[data-chart] a[href*="at="]').first();
    await point.focus();
    await page.keyboard.press('Enter');
    await page.locator('aside [data-sum]').waitFor();
    await page.keyboard.press('Escape');
    await page.waitForSelector('aside', { state: 'detached' });
    const focused = () => page.evaluate('document.activeElement?.closest("svg[data-chart]") !== null');
    await expect.poll(focused, { timeout: 5_000 }).toBe(true);
    await page.close();
  });

  test('a shared link shows the same to somebody else', { timeout: 60_000 }, async () => {
    const page = await admin.newPage();
    await page.goto(`${base}/e/local/s/line_operation_counts?range=6m&view=table&vs=none`);
    await waitForFigures(page);
    const seen = await page.locator('main table').first().textContent();
    const other = await (await browser.newContext()).newPage();
    await other.goto(page.url());
    await other.waitForURL(/\/sign-in\?to=/);
    const link = await signInLink();
    await other.goto(`${base}/sign-in${new URL(other.url()).search}${new URL(link).hash}`);
    await other.waitForURL(/line_operation_counts/);
    await waitForFigures(other);
    expect(other.url()).toBe(page.url());
    expect(await other.locator('main table').first().textContent()).toBe(seen);
    await other.context().close();
    await page.close();
  });

  test('a page whose every call is refused leaves for the door once', { timeout: 60_000 }, async () => {
    const page = await (await browser.newContext()).newPage();
    let refused = 0;
    page.on('response', (response) => {
      if (response.status() === 401) refused += 1;
    });
    let navigations = 0;
    // The door is slow to open: all answers are there before it.
    await page.route(/\/sign-in(\?|$)/, async (route) => {
      navigations += 1;
      await expect.poll(() => refused, { timeout: 10_000 }).toBeGreaterThan(1);
      await page.waitForTimeout(500);
      await route.continue();
    });
    await page.goto(`${base}/e/local/s/line_operation_counts?range=6m`, { waitUntil: 'commit' });
    await page.waitForURL(/\/sign-in\?to=/);
    expect(navigations).toBe(1);
    await page.context().close();
  });

  test('keys alone lead from the overview to the records of a point and back', { timeout: 60_000 }, async () => {
    const page = await admin.newPage();
    await page.goto(`${base}/e/local/overview`);
    await waitForFigures(page);
    await page.keyboard.press('Control+k');
    await page.getByPlaceholder(/A page, statistic/).fill('Commits');
    await page.waitForSelector('[role=option][data-highlighted]');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/s\//);
    await page.goto(`${base}/e/local/s/commit_count`);
    await waitForFigures(page);
    await page.keyboard.press('t');
    await page.waitForSelector('main table caption', { state: 'attached' });
    expect(page.url()).toContain('view=table');
    await page.keyboard.press('t');
    await page.locator('[role=application]').first().focus();
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    await page.waitForSelector('aside [data-sum]');
    await page.keyboard.press('Escape');
    await page.waitForSelector('aside', { state: 'detached' });
    await page.keyboard.press('1');
    await page.waitForURL(/range=30d/);
    await page.keyboard.press('?');
    await page.waitForSelector('[role=dialog]');
    await page.close();
  });

  test('the copied lines for a terminal show what the chart shows, and CSV has its rows', {
    timeout: 120_000,
  }, async () => {
    const context = await browser.newContext({ permissions: ['clipboard-read', 'clipboard-write'] });
    const page = await context.newPage();
    await signIn(page);
    await page.goto(`${base}/e/local/s/line_operation_counts?range=90d&grain=week&in=acme/parts&who=ada@x.org`);
    await waitForFigures(page);
    const total = (await page.locator('main section p').first().allInnerTexts())
      .join()
      .match(/[\d,]+/)![0]
      .replaceAll(',', '');
    const copied = async (entry: string): Promise<string> => {
      await page.locator('[data-export]').first().click();
      await page.getByRole('menuitem', { name: entry }).click();
      await page.getByText(/copied$/).waitFor();
      return page.evaluate('navigator.clipboard.readText()');
    };
    const sumOf = (values: readonly (number | null)[]): number => values.reduce<number>((sum, y) => sum + (y ?? 0), 0);

    const env = { ...process.env, TOKEN: service.credentials.token };
    const curl = spawnSync('sh', ['-c', await copied('Copy as curl')], { encoding: 'utf8', env });
    const answer = JSON.parse(curl.stdout) as { series: { total: number }[] };
    expect(String(sumOf(answer.series.map((series) => series.total)))).toBe(total);

    const line = await copied('Copy as strata report');
    // As where strata is installed, with the service's own data folder.
    const strata = `strata() { "${process.execPath}" bin/strata.mjs "$@" --data '${data.path}' --format csv; }`;
    const report = spawnSync('sh', ['-c', `${strata}\n${line}`], { encoding: 'utf8' });
    expect(report.status, report.stderr).toBe(0);
    const rows = report.stdout.trim().split('\n').slice(1);
    expect(String(sumOf(rows.map((row) => Number(row.split(',').at(-1)))))).toBe(total);

    await page.locator('[data-export]').first().click();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: 'CSV' }).click(),
    ]);
    const csv = readFileSync(await download.path(), 'utf8')
      .trim()
      .split('\r\n');
    expect(csv[0]).toBe('series,start_date,end_date,x,y,unit');
    await page.locator('[data-export]').first().click();
    const [picture] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: 'Picture' }).click(),
    ]);
    expect(
      readFileSync(await picture.path())
        .subarray(1, 4)
        .toString(),
    ).toBe('PNG');
    await context.close();
  });

  test('cells of the table are links to their records', { timeout: 60_000 }, async () => {
    const page = await admin.newPage();
    await page.goto(`${base}/e/local/s/commit_count?range=90d`);
    await waitForFigures(page);
    await page.keyboard.press('t');
    // The breakdown below has a table too, without a caption.
    const cell = page.locator('main table:has(caption) tbody td a').first();
    await cell.waitFor();
    const value = (await cell.allInnerTexts()).join();
    await cell.click();
    expect(await page.locator('aside [data-sum]').getAttribute('data-point')).toBe(value);
    await page.close();
  });

  test('back, forward and reload show what the address says', { timeout: 60_000 }, async () => {
    const page = await admin.newPage();
    await page.goto(`${base}/e/local/s/none?range=90d`);
    await waitForFigures(page);
    await page.keyboard.press('4');
    await page.waitForURL(/range=12m/);
    await page.goBack();
    await page.waitForURL(({ search }) => !search.includes('12m'));
    expect(await page.locator('button[data-range]').textContent()).toContain('90 days');
    await page.goForward();
    await page.reload();
    await waitForFigures(page);
    expect(await page.locator('button[data-range]').textContent()).toContain('12 months');
    await page.close();
  });

  test('a member sees figures but neither imports nor connections to change; a foreign entity is as if it were not there', {
    timeout: 120_000,
  }, async () => {
    await runStrata(['user', 'create', 'mia@x.org', '--entity', 'local', '--role', 'member', '--data', data.path]);
    await runStrata(['entity', 'create', 'other', '--data', data.path]);
    const watched = await openWatchedPage(browser);
    const { page } = watched;
    await signIn(page, '--email', 'mia@x.org');
    await waitForFigures(page);
    await page.goto(`${base}/e/local/imports`);
    await page.getByText('does not start imports').waitFor();
    expect(await page.getByText('Connections to code hosts').count()).toBe(0);
    await page.goto(`${base}/e/other/overview`);
    await page.getByText('Nothing here for you').waitFor();
    await watched.close();
  });

  test('a session that is ended elsewhere, and a signed-out one, lead to the door', { timeout: 120_000 }, async () => {
    const first = await (await browser.newContext()).newPage();
    await signIn(first);
    const second = await (await browser.newContext()).newPage();
    await signIn(second);
    await second.goto(`${base}/e/local/account`);
    await second.getByText('this one').waitFor();
    const ends = second.getByRole('button', { name: 'End', exact: true });
    for (let left = await ends.count(); left > 0; left--) {
      await ends.first().click();
      await expect.poll(() => ends.count(), { timeout: 15_000 }).toBe(left - 1);
    }
    await first.getByText('Your session has ended').waitFor({ timeout: 30_000 });
    await first.goto(`${base}/e/local/s/none`);
    await first.waitForURL(/\/sign-in\?to=/, { timeout: 30_000 });
    await second.getByRole('button', { name: 'Sign out' }).click();
    await second.waitForURL(/\/sign-in/);
    await second.goto(`${base}/e/local/overview`);
    await second.waitForURL(/\/sign-in\?to=/);
    expect(await second.content()).not.toContain('acme/parts');
    await first.context().close();
    await second.context().close();
  });
});
