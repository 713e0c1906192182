// The first run by the page alone: what the form refuses and why, a folder that the operator allowed, and the first chart.
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeDataFolder, type RunningService, runStrata, startService } from '../../service/running-service.ts';
import { chromiumPath, launchChromium } from '../../support/chromium.ts';
import { type GoldenRepo, goldenRepo } from '../../world/golden-repo.ts';
import { openWatchedPage, waitForFigures } from './watched-page.ts';

const DAY_MS = 86_400_000;

function buildHistory(): GoldenRepo {
  const repo = goldenRepo();
  for (let week = 6; week >= 1; week--) {
    repo.commit(`week ${week}`, {
      author: 'Ada <ada@x.org>',
      at: new Date(Date.now() - week * 7 * DAY_MS).toISOString(),
      files: { 'src/main.ts': Array.from({ length: 10 * week }, (_, line) => `line(${line + week});`).join('\n') },
      message: `Week ${week}\n`,
    });
  }
  return repo.build();
}

describe.skipIf(chromiumPath === undefined)('the first run', () => {
  const data = makeDataFolder();
  let repo: GoldenRepo;
  let service: RunningService;
  let browser: Browser;

  beforeAll(async () => {
    repo = buildHistory();
    browser = await launchChromium();
    service = await startService(data.path, ['--port', '0', '--import-folders', repo.path]);
  }, 180_000);
  afterAll(async () => {
    await browser?.close();
    await service?.end('SIGTERM');
    data.remove();
    repo?.cleanup();
  }, 60_000);

  test('refuses with a reason, imports a folder that is allowed, and turns into the first chart', {
    timeout: 240_000,
  }, async () => {
    const { out } = await runStrata(['sign-in-link', '--data', data.path]);
    const watched = await openWatchedPage(browser);
    const { page } = watched;
    await page.goto(/https?:\/\/\S+#\S+/.exec(out)![0]);
    const form = page.locator('[data-first-run] form');
    await form.waitFor({ timeout: 30_000 });
    expect(await watched.takeComplaints()).toEqual([]);
    expect(await watched.findInternalNames()).toEqual([]);

    const field = form.getByLabel('Folder or clone address');
    const problem = form.locator('[data-problem]');
    const elsewhere = join(data.path, 'elsewhere');
    mkdirSync(elsewhere);
    const attempts: readonly (readonly [string, RegExp])[] = [
      [elsewhere, /below/],
      ['/no/such/folder', /below|no such|not there|does not exist/],
      [join(repo.path, '..'), /below/],
      ['ftp://127.0.0.1/a/b.git', /not accepted|expected|address/],
      ['acme/nowhere', /not found/i],
    ];
    for (const [text, reason] of attempts) {
      await expect.poll(() => problem.count()).toBe(0);
      await field.fill(text);
      await field.press('Enter');
      await expect.poll(() => problem.textContent({ timeout: 10_000 }), { timeout: 20_000 }).toMatch(reason);
      expect(await problem.textContent(), text).toMatch(reason);
      expect(
        (await page.locator('[data-first-run]').allInnerTexts()).join().match(/[a-z]+_[a-z_]+/g) ?? [],
        text,
      ).toEqual([]);
      await field.fill('');
    }
    // The browser itself writes each refused call into its console.
    await watched.takeComplaints();

    await form.getByLabel('Everything').check();
    await field.fill(repo.path);
    await form.getByRole('button', { name: 'Import', exact: true }).click();
    await page.waitForSelector('[data-first-run]', { state: 'detached', timeout: 30_000 });
    await page.waitForSelector('main figure[data-segment=provenance] svg[data-chart]', { timeout: 60_000 });
    await waitForFigures(page);
    const marks = page.locator('main figure[data-segment=provenance] svg[data-chart] a[href*="at="]');
    await expect.poll(() => marks.count(), { timeout: 60_000 }).toBeGreaterThan(0);
    expect(await watched.takeComplaints()).toEqual([]);
    rmSync(elsewhere, { recursive: true });
    await watched.close();
  });
});
