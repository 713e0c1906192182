// The documentation page in a real browser, cut off from the internet: a person enters a token and tries
// a call. The screenshot lands in a temporary folder that the output names.
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../support/app.ts';
import { chromiumPath, launchChromium } from '../../support/chromium.ts';
import { addressOf } from '../../support/server-address.ts';

describe.skipIf(chromiumPath === undefined)('the documentation page', () => {
  let app: TestApp;
  let browser: Browser;
  let page: Page;
  let address: string;
  const problems: string[] = [];
  const foreign: string[] = [];

  beforeAll(async () => {
    app = await createTestApp();
    await app.server.listen({ host: '127.0.0.1', port: 0 });
    address = addressOf(app.server);
    browser = await launchChromium();
    page = await browser.newPage({ viewport: { width: 1200, height: 1400 } });
    page.on('console', (message) => {
      if (message.type() === 'error') problems.push(message.text());
    });
    page.on('pageerror', (error) => problems.push(String(error)));
    await page.route('**', (route) => {
      const isOurs = route.request().url().startsWith(address) || route.request().url().startsWith('data:');
      if (isOurs) return route.continue();
      foreign.push(route.request().url());
      return route.abort();
    });
  });
  afterAll(async () => {
    await browser?.close();
  });

  test('lets a person enter a token and try a call, without internet', async () => {
    await page.goto(`${address}/docs`);
    await page.getByText('Strata API').first().waitFor();
    await page.getByRole('button', { name: 'Authorize' }).click();
    await page.locator('.auth-container input').fill(app.tokens.admin);
    await page.locator('.auth-btn-wrapper button[type=submit]').click();
    await page.locator('.auth-btn-wrapper .btn-done').click();
    await page.locator('#operations-API_tokens-get_api_tokens .opblock-summary-control').click();
    await page.locator('#operations-API_tokens-get_api_tokens .execute').click();
    const answer = page.locator('.live-responses-table .highlight-code').first();
    await answer.waitFor();
    expect(await answer.textContent()).toContain('The token is valid for the entity acme');
    const shot = join(mkdtempSync(join(tmpdir(), 'strata-docs-')), 'docs-page.png');
    await page.screenshot({ path: shot });
    console.log(`screenshot of the documentation page: ${shot}`);
    expect(problems).toEqual([]);
    expect(foreign).toEqual([]);
  });

  test('runs no script but its own', async () => {
    await page.goto(`${address}/docs`);
    // As text: the browser's own names are not part of this project's types.
    const ran = await page.evaluate(`(() => {
      globalThis.ran = false;
      const script = document.createElement('script');
      script.textContent = 'globalThis.ran = true';
      document.body.append(script);
      return globalThis.ran;
    })()`);
    expect(ran).toBe(false);
    expect(problems.join()).toContain('Content Security Policy');
  });
});
