// Pictures of the main pages for the documentation, from a running service.
//
//   npm run screenshots [-- --data data]
import { mkdirSync } from 'node:fs';
import { waitForFigures } from '../../test/web/browser/watched-page.ts';
import { signIn } from './signed-in.ts';

interface Shot {
  readonly name: string;
  readonly path: string;
  readonly theme: 'light' | 'dark';
  readonly width: number;
  readonly height: number;
}

const SHOTS: readonly Shot[] = [
  { name: 'overview', path: 'overview?range=12m', theme: 'light', width: 1280, height: 860 },
  { name: 'statistic-dark', path: 's/churn_line_percent?range=12m', theme: 'dark', width: 1280, height: 860 },
  { name: 'imports', path: 'imports', theme: 'light', width: 1280, height: 620 },
  { name: 'phone', path: 'overview?range=12m', theme: 'light', width: 390, height: 780 },
];
const FOLDER = 'docs/images';

const { browser, base, entity, open } = await signIn();
mkdirSync(FOLDER, { recursive: true });
for (const { name, path, theme, width, height } of SHOTS) {
  const context = await open({ viewport: { width, height }, colorScheme: theme });
  const page = await context.newPage();
  await page.goto(`${base}/e/${entity}/${path}`);
  if (path !== 'imports') await waitForFigures(page);
  await page.waitForLoadState('networkidle');
  await page.waitForTimeout(500);
  await page.screenshot({ path: `${FOLDER}/${name}.png` });
  await context.close();
}
// The records of a point need a point.
const context = await open({ viewport: { width: 1280, height: 860 }, colorScheme: 'light' });
const page = await context.newPage();
await page.goto(`${base}/e/${entity}/s/line_operation_counts?range=12m`);
// A stack's top layer may be too thin to hit, so its link is followed instead.
const point = await page.locator('svg[data-chart] a[href*="Added@"]').last().getAttribute('href');
await page.goto(base + point);
await page.waitForSelector('aside [data-sum]');
await page.waitForLoadState('networkidle');
await page.screenshot({ path: `${FOLDER}/records.png` });
await browser.close();
