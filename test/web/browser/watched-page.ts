// A page of a real browser whose every complaint is kept: errors in the console, uncaught errors, reports
// of the content security policy, and what axe finds.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Calls, addresses of the API, and names with underscores. */
const INTERNAL = /\b(?:GET|POST|PUT|DELETE) \/\S*|\S*\/api\/v1\S*|\b[a-z]+(?:_[a-z]+)+\b/g;

export interface WatchedPage {
  readonly page: Page;
  /** Complaints so far; taking them empties the list. */
  takeComplaints(): Promise<string[]>;
  /** Serious and critical findings of axe, one line each. */
  findBarriers(): Promise<string[]>;
  /** What the page says in words of the API instead of words for people. */
  findInternalNames(): Promise<string[]>;
  close(): Promise<void>;
}

export async function openWatchedPage(browser: Browser, options: BrowserContextOptions = {}): Promise<WatchedPage> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(`console: ${message.text()}`);
  });
  page.on('pageerror', (error) => complaints.push(`uncaught: ${error.message}`));
  // A blocked resource is also an error in the console; this names the directive.
  await page.addInitScript(`document.addEventListener('securitypolicyviolation', (event) => {
    console.error('policy: ' + event.violatedDirective + ' blocked ' + event.blockedURI);
  })`);
  return {
    page,
    takeComplaints: async () => complaints.splice(0),
    findBarriers: async () => {
      // Evaluated by the debugger, so that the page's own policy does not stop it.
      await page.evaluate(AXE);
      const { violations } = await page.evaluate<AxeResult>("axe.run(document, { resultTypes: ['violations'] })");
      return violations
        .filter(({ impact }) => impact === 'serious' || impact === 'critical')
        .map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html.slice(0, 160)).join(' | ')}`);
    },
    findInternalNames: async () => (await page.locator('body').allInnerTexts()).join().match(INTERNAL) ?? [],
    close: () => context.close(),
  };
}

interface AxeResult {
  readonly violations: readonly {
    readonly id: string;
    readonly impact: string;
    readonly nodes: readonly { readonly html: string }[];
  }[];
}

/** Until every figure of the page is drawn or says why it is empty. */
export async function waitForFigures(page: Page): Promise<void> {
  await page.waitForSelector('main figure[data-drawn]', { timeout: 30_000 });
  // What the first chart does not need comes after it.
  await page.locator('main [data-later]').waitFor({ state: 'detached', timeout: 30_000 });
  // Locators only: waiting for an expression would be an eval, which the page's policy forbids.
  await page.locator('main figure:not([data-drawn])').first().waitFor({ state: 'detached', timeout: 30_000 });
}
