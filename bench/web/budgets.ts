// What the page costs its reader, measured in Chromium against a running service, held against the budgets.
//
//   npm start                                    a service with some history in ./data
//   npm run bench:web [-- --data data --link http://…#key]
import type { Page } from 'playwright-core';
import { waitForFigures } from '../../test/web/browser/watched-page.ts';
import { signIn } from './signed-in.ts';

const RUNS = 20;
/** Half an hour with a change every four seconds, made as fast as the charts follow. */
const RANGE_CHANGES = 450;
const ROWS = 10_000;
/** Longer than the pause between two looks at imports. */
const HIDDEN_MILLISECONDS = 20_000;

const { browser, base, entity, open } = await signIn();
const statistic = `${base}/e/${entity}/s/none?range=12m`;
const rows: { what: string; measured: number; bar: number; unit: string }[] = [];
const note = (what: string, measured: number, bar: number, unit: string): void =>
  void rows.push({ what, measured, bar, unit });
const percentile75 = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * 0.75)] ?? Number.NaN;

const firstChart = async (page: Page): Promise<number> => {
  await page.waitForFunction("performance.getEntriesByName('first-chart').length > 0", null, { timeout: 60_000 });
  return page.evaluate<number>("performance.getEntriesByName('first-chart')[0].startTime");
};
const OBSERVE = `
  globalThis.seen = { lcp: 0, cls: 0, long: [], interactions: new Map() };
  const on = (type, take, more = {}) => new PerformanceObserver((list) => list.getEntries().forEach(take)).observe({ type, buffered: true, ...more });
  on('largest-contentful-paint', (entry) => { seen.lcp = entry.startTime; });
  on('layout-shift', (entry) => { if (!entry.hadRecentInput) seen.cls += entry.value; });
  on('longtask', (entry) => seen.long.push(entry.duration));
  new MutationObserver((_, observer) => {
    if (document.querySelector('aside ul li') === null) return;
    seen.rows = performance.now();
    observer.disconnect();
  }).observe(document, { childList: true, subtree: true });
  // The events of one press or click share a number; the slowest of them counts.
  on('event', ({ interactionId: id, duration }) => {
    if (id > 0) seen.interactions.set(id, Math.max(duration, seen.interactions.get(id) ?? 0));
  }, { durationThreshold: 16 });
  /** From the next input, as the browser stamped it, to the frame that shows what it leads to. */
  globalThis.timeNextInput = (isShown) => new Promise((resolve) => {
    const begin = ({ timeStamp }) => {
      for (const type of ['keydown', 'pointerdown']) removeEventListener(type, begin, true);
      const look = () => isShown() ? requestAnimationFrame(() => resolve(performance.now() - timeStamp)) : requestAnimationFrame(look);
      look();
    };
    for (const type of ['keydown', 'pointerdown']) addEventListener(type, begin, true);
  });`;
const DRAWN = "document.querySelector('main:not([data-old]) figure[data-drawn]:not([data-old])') !== null";
const HALF_A_YEAR = `location.search.includes('6m') && ${DRAWN}`;

async function measureLoads(): Promise<void> {
  const cold: number[] = [];
  const warm: number[] = [];
  const paints: number[] = [];
  const shifts: number[] = [];
  for (let run = 0; run < RUNS; run++) {
    const context = await open();
    const page = await context.newPage();
    await page.addInitScript(OBSERVE);
    await page.goto(statistic);
    cold.push(await firstChart(page));
    await page.waitForTimeout(300);
    paints.push(await page.evaluate<number>('seen.lcp'));
    shifts.push(await page.evaluate<number>('seen.cls'));
    await page.reload();
    warm.push(await firstChart(page));
    await context.close();
  }
  note('HTML to first chart, cold', percentile75(cold), 800, 'ms');
  note('HTML to first chart, warm', percentile75(warm), 350, 'ms');
  note('largest contentful paint', percentile75(paints), 1000, 'ms');
  note('layout shift', percentile75(shifts), 0.02, '');
}

async function measureSlowProcessor(): Promise<void> {
  const context = await open();
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: 4 });
  await page.goto(statistic);
  note('first chart, processor at a quarter', await firstChart(page), 1800, 'ms');
  await context.close();
}

async function measureOverview(): Promise<void> {
  const context = await open();
  const page = await context.newPage();
  let calls = 0;
  let bytes = 0;
  page.on('requestfinished', async (request) => {
    if (!request.url().includes('/api/')) return;
    calls += 1;
    bytes += (await request.sizes()).responseBodySize;
  });
  await page.goto(`${base}/e/${entity}/overview`);
  await waitForFigures(page);
  await page.waitForTimeout(1_000);
  note('overview: requests', calls, 14, '');
  note('overview: answers, compressed', bytes / 1000, 60, 'kB');
  await context.close();
}

/** A key in the moment in which the first chart is there and the rest of the page is about to be drawn. */
async function measureEarlyUse(): Promise<void> {
  const took: number[] = [];
  for (let run = 0; run < RUNS; run++) {
    const context = await open();
    const page = await context.newPage();
    await page.addInitScript(`${OBSERVE} globalThis.took = timeNextInput(() => ${HALF_A_YEAR});`);
    await page.goto(statistic);
    await page.waitForFunction("performance.getEntriesByName('first-chart').length > 0", null, { polling: 'raf' });
    await page.keyboard.press('3');
    took.push(await page.evaluate<number>('took'));
    await context.close();
  }
  note('range change right after the first chart', percentile75(took), 250, 'ms');
}

async function measureUse(): Promise<void> {
  const context = await open();
  const page = await context.newPage();
  await page.addInitScript(OBSERVE);
  await page.goto(statistic);
  await firstChart(page);
  // What the first chart made wait is drawn right after it.
  await page.waitForLoadState('networkidle');
  const timed = async (act: () => Promise<void>, until: string): Promise<number> => {
    await page.evaluate(`globalThis.took = timeNextInput(() => ${until}); undefined`);
    await act();
    return page.evaluate<number>('took');
  };
  note('range change to new chart', await timed(() => page.keyboard.press('3'), HALF_A_YEAR), 250, 'ms');
  note(
    'key t to table',
    await timed(() => page.keyboard.press('t'), "document.querySelector('main table caption') !== null"),
    100,
    'ms',
  );
  await page.keyboard.press('t');
  await page.waitForSelector('svg[data-chart] a[href*="at="]');
  const shown = "document.querySelector('aside [data-sum]') !== null";
  const points = page.locator('svg[data-chart] a[href*="at="]');
  const own = page.locator('main section svg[data-chart]').first().locator('a[href*="at="]');
  note('point to its records', await timed(() => own.last().click(), shown), 300, 'ms');
  await page.keyboard.press('Escape');
  await page.waitForSelector('aside', { state: 'detached' });
  await page.waitForLoadState('networkidle');
  // The last of the page is one of the companion's, whose records are on its own page.
  note('point of the companion to its records', await timed(() => points.last().click(), shown), 300, 'ms');
  await page.goBack();
  await page.waitForSelector('aside', { state: 'detached' });
  await page.waitForLoadState('networkidle');
  const session = await context.newCDPSession(page);
  const heap = async (): Promise<number> => {
    await session.send('HeapProfiler.collectGarbage');
    return (await session.send('Runtime.getHeapUsage')).usedSize / 1e6;
  };
  const before = await heap();
  for (let change = 0; change < RANGE_CHANGES; change++) {
    await page.keyboard.press(String((change % 4) + 1));
    await page.waitForFunction(DRAWN, null, { polling: 'raf' });
  }
  await page.waitForLoadState('networkidle');
  note(`heap after ${RANGE_CHANGES} changes of range`, (await heap()) - before, 20, 'MB more');
  const interactions = (await page.evaluate<number[]>('[...seen.interactions.values()]')).toSorted((a, b) => b - a);
  // As browsers define it: one outlier in fifty is left out.
  const outliers = Math.floor((await page.evaluate<number>('performance.interactionCount')) / 50);
  note('interaction to next paint', interactions[outliers] ?? 0, 100, 'ms');
  await context.close();
}

/** When the first list of records was parsed. */
const WATCH_PARSING = `
  const parse = Response.prototype.json;
  Response.prototype.json = async function () {
    const value = await parse.call(this);
    if (this.url.includes('/audits')) globalThis.parsedAt ??= performance.now();
    return value;
  };`;

const PER_PAGE = 50;

/** A point with very many records: the first answer's are repeated, since no history at hand has such a week. */
async function openManyRecords(page: Page, perPage: number): Promise<void> {
  await page.addInitScript(OBSERVE + WATCH_PARSING);
  await page.route('**/api/v1/audits?**', async (route) => {
    const reply = await route.fetch();
    const body = await reply.json();
    const [name, records] = Object.entries(body).find(([, value]) => Array.isArray(value) && value.length > 0) as [
      string,
      object[],
    ];
    const many = Array.from({ length: perPage }, (_, index) => ({ ...records[index % records.length], id: index + 1 }));
    await route.fulfill({
      response: reply,
      json: { ...body, [name]: many, total_count: ROWS, page_count: ROWS / perPage },
    });
  });
  await page.goto(statistic);
  const point = await page.locator('svg[data-chart] a[href*="at="]').first().getAttribute('href');
  await page.goto(base + point);
  await page.waitForSelector('aside ul li');
}

/** As the service answers: 50 records of 10,000, the next when the end of the list is near. */
async function measureFirstRows(): Promise<void> {
  const context = await open();
  const page = await context.newPage();
  await openManyRecords(page, PER_PAGE);
  const answered =
    "performance.getEntriesByType('resource').filter(({ name }) => name.includes('/audits')).at(0).responseEnd";
  const first = await page.evaluate<number>(`seen.rows - ${answered}`);
  note(`${ROWS} records, ${PER_PAGE} an answer: answer to first rows`, first, 100, 'ms');
  // The next answers may be under way.
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await context.close();
}

/** A list of 10,000 in one answer, which the service does not give: what the list itself costs. */
async function measureRows(): Promise<void> {
  const context = await open();
  const page = await context.newPage();
  await openManyRecords(page, ROWS);
  note(`${ROWS} records at once: parsed to first rows`, await page.evaluate<number>('seen.rows - parsedAt'), 100, 'ms');
  const rowCount = "document.querySelectorAll('aside ul li').length";
  await page.evaluate('seen.long.length = 0');
  let most = 0;
  await page.locator('aside ul li').first().hover();
  for (let step = 0; step < 100; step++) {
    await page.mouse.wheel(0, 2_000);
    await page.waitForTimeout(16);
    most = Math.max(most, await page.evaluate<number>(rowCount));
  }
  note(`${ROWS} records at once: rows in the page at most`, most, 60, '');
  note(
    `${ROWS} records at once: longest task while scrolling`,
    Math.max(0, ...(await page.evaluate<number[]>('seen.long'))),
    50,
    'ms',
  );
  await context.close();
}

async function measureHidden(): Promise<void> {
  const context = await open();
  const page = await context.newPage();
  await page.goto(statistic);
  await firstChart(page);
  // What is fetched in a quiet moment after the first chart is no part of this.
  await page.waitForTimeout(3_000);
  await page.evaluate(`Object.defineProperty(document, 'visibilityState', { get: () => 'hidden' });
    document.dispatchEvent(new Event('visibilitychange')); window.dispatchEvent(new Event('visibilitychange'))`);
  let calls = 0;
  page.on('request', () => {
    calls += 1;
  });
  await page.waitForTimeout(HIDDEN_MILLISECONDS);
  note(`requests of a hidden tab in ${HIDDEN_MILLISECONDS / 1000} s`, calls, 0, '');
  await context.close();
}

await measureLoads();
await measureSlowProcessor();
await measureOverview();
await measureEarlyUse();
await measureUse();
await measureFirstRows();
await measureRows();
await measureHidden();
await browser.close();
console.log('| what | measured | bar | |\n|---|---|---|---|');
for (const { what, measured, bar, unit } of rows) {
  const digits = bar < 1 ? 3 : measured < 10 ? 1 : 0;
  console.log(`| ${what} | ${measured.toFixed(digits)} ${unit} | ${bar} ${unit} | ${measured <= bar ? '' : 'over'} |`);
}
