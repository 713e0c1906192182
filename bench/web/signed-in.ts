// A browser that is signed in to the service that runs on a data folder.
import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import type { Browser, BrowserContext, BrowserContextOptions } from 'playwright-core';
import { launchChromium } from '../../test/support/chromium.ts';

export interface SignedIn {
  readonly browser: Browser;
  readonly base: string;
  readonly entity: string;
  /** A context of its own that carries the session. */
  open(options?: BrowserContextOptions): Promise<BrowserContext>;
}

export async function signIn(): Promise<SignedIn> {
  const { values } = parseArgs({ options: { data: { type: 'string', default: 'data' }, link: { type: 'string' } } });
  const link = values.link ?? printLink(values.data);
  const browser = await launchChromium();
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(link);
  await page.waitForURL(/\/e\//, { timeout: 60_000 });
  const storageState = await context.storageState();
  const { origin, pathname } = new URL(page.url());
  await context.close();
  return {
    browser,
    base: origin,
    entity: pathname.split('/')[2]!,
    // Expressions that are waited for are evaluated in the page, which its policy forbids.
    open: (options = {}) =>
      browser.newContext({ viewport: { width: 1440, height: 900 }, bypassCSP: true, ...options, storageState }),
  };
}

function printLink(data: string): string {
  const { stdout, stderr } = spawnSync(process.execPath, ['bin/strata.mjs', 'sign-in-link', '--data', data], {
    encoding: 'utf8',
  });
  const link = /https?:\/\/\S+#\S+/.exec(stdout)?.[0];
  if (link === undefined) throw new Error(`no sign-in link for ${data}: ${stderr}`);
  return link;
}
