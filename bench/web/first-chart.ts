// How long it takes from a fresh clone to the first chart: `npm start -- --import .`, the link that it prints at a
// terminal, and Chromium. What `npm ci` does, installing and building, is done before and not counted.
//
//   node --import ./bench/typescript.mjs bench/web/first-chart.ts [--repo <folder to import>]
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { launchChromium } from '../../test/support/chromium.ts';

const BAR_SECONDS = 60;
const GIVE_UP_MS = 300_000;
const LINK = /https?:\/\/\S+\/sign-in#[\w-]+/;

const { values } = parseArgs({ options: { repo: { type: 'string', default: '.' } } });
const folder = mkdtempSync(join(tmpdir(), 'strata-first-chart-'));
const clone = join(folder, 'strata');
const run = (command: string, args: readonly string[], cwd: string): void => {
  const { status, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}: ${stderr}`);
};
run('git', ['clone', '--quiet', '.', clone], process.cwd());
symlinkSync(resolve('node_modules'), join(clone, 'node_modules'));
run(process.execPath, ['bin/build.mjs'], clone);

const browser = await launchChromium();
const target = values.repo === '.' ? '.' : resolve(values.repo);
const began = performance.now();
const seconds = (): string => ((performance.now() - began) / 1000).toFixed(1);
// The link is shown to people only, so there has to be a terminal; script(1) is one.
const service = spawn('script', ['-qfec', `npm start -- --port 0 --import '${target}'`, '/dev/null'], {
  cwd: clone,
  env: { ...process.env, NODE_ENV: '', STRATA_DATA: join(folder, 'data') },
  stdio: ['ignore', 'pipe', 'inherit'],
});
let printed = '';
service.stdout.on('data', (chunk) => {
  printed += String(chunk);
});
try {
  while (!LINK.test(printed)) {
    if (performance.now() - began > GIVE_UP_MS || service.exitCode !== null) throw new Error(`no link:\n${printed}`);
    await sleep(50);
  }
  console.log(`| link printed | ${seconds()} s |`);
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  await page.goto(LINK.exec(printed)![0]);
  await page.waitForSelector('main [role=progressbar], main figure[data-drawn]', { timeout: GIVE_UP_MS });
  console.log(`| first bar of progress or chart | ${seconds()} s |`);
  await page.waitForSelector('main svg[data-chart] a[href*="at="]', { timeout: GIVE_UP_MS });
  const first = seconds();
  console.log(`| first chart | ${first} s | bar ${BAR_SECONDS} s | ${Number(first) <= BAR_SECONDS ? '' : 'over'} |`);
  await page.waitForSelector('main [role=progressbar]', { state: 'detached', timeout: GIVE_UP_MS });
  console.log(`| import complete | ${seconds()} s |`);
} finally {
  await browser.close();
  const ended = new Promise((done) => service.once('exit', done));
  service.kill('SIGTERM');
  await ended;
  rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 500 });
}
