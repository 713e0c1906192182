// A real browser for tests. Without one the tests are skipped, and the output says so.
import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const PLACES = [
  process.env.STRATA_TEST_CHROMIUM,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

export const chromiumPath: string | undefined = PLACES.find((path) => path !== undefined && existsSync(path));

if (chromiumPath === undefined) {
  console.warn(
    '\n*** NO CHROMIUM FOUND: BROWSER TESTS ARE SKIPPED ***\n' +
      'Install one (Debian: apt-get install chromium) or name it in STRATA_TEST_CHROMIUM.\n',
  );
}

export function launchChromium(): Promise<Browser> {
  if (chromiumPath === undefined) throw new Error('there is no Chromium on this machine');
  // Root has no sandbox; only pages of this project are opened.
  return chromium.launch({ executablePath: chromiumPath, args: ['--no-sandbox', '--disable-dev-shm-usage'] });
}
