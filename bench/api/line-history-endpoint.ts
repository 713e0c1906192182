// The endpoint of line histories against git's own, on a service that runs as users run it.
//   node --import ./bench/typescript.mjs bench/api/line-history-endpoint.ts REPO [--lines 40] [--seed 1] [--since 2026-01-01]
// Imports a little of the repository (its mirror has all of it), starts the service, asks one question so that
// the repo is opened and its index is built, and then asks for lines it was never asked for. Prints the median
// of `git log -L` over the endpoint, and the endpoint's median and 99th percentile.
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const args = process.argv.slice(2);
function option(name: string, fallback: string): string {
  const at = args.indexOf(name);
  return at < 0 ? fallback : args.splice(at, 2)[1]!;
}
const lines = Number(option('--lines', '40'));
const since = option('--since', '2026-01-01');
const settleSeconds = Number(option('--settle', '20'));
let state = Number(option('--seed', '1')) >>> 0;
const [repository] = args;
if (repository === undefined)
  throw new Error('usage: bench/api/line-history-endpoint.ts REPO [--lines N] [--seed N] [--since DATE]');
const repo = resolve(repository);
const STRATA = resolve('bin/strata.mjs');
const MAX_HOPS = 5;

const random = (below: number): number => {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
  return Math.floor((state / 2 ** 32) * below);
};
const git = (...command: string[]): string =>
  execFileSync('git', ['-C', repo, ...command], { encoding: 'utf8', maxBuffer: 1 << 30 });
const quantile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.ceil(share * values.length) - 1)]!;

const head = git('rev-parse', 'HEAD').trim();
const files = git('ls-tree', '-r', '-z', '--name-only', head)
  .split('\0')
  .filter((path) => /\.(py|js|ts|md|txt|html|css|json)$/.test(path) && !/["\\\n]/.test(path));

function sample(): { path: string; line: number } {
  for (;;) {
    const path = files[random(files.length)]!;
    const rows = git('show', `${head}:${path}`).split('\n');
    const line = 1 + random(rows.length);
    if (/\w{4}/.test(rows[line - 1]!)) return { path, line };
  }
}

const data = mkdtempSync(join(tmpdir(), 'strata-bench-'));
let service: ReturnType<typeof spawn> | undefined;
try {
  const imported = spawnSync(
    process.execPath,
    [STRATA, 'import', repo, '--as', 'bench/repo', '--since', since, '--data', data],
    {
      stdio: ['ignore', 'ignore', 'inherit'],
    },
  );
  if (imported.status !== 0) throw new Error('the import failed');
  const credentialsPath = join(data, 'credentials.json');
  const before = existsSync(credentialsPath) ? readFileSync(credentialsPath, 'utf8') : '';
  const port = 20_000 + (process.pid % 20_000);
  service = spawn(process.execPath, [STRATA, 'serve', '--data', data, '--port', String(port)], { stdio: 'ignore' });
  const { token, entity } = JSON.parse(before) as { token: string; entity: string };
  const ask = async ({ path, line }: { path: string; line: number }): Promise<number> => {
    const query = new URLSearchParams({
      resource_path: `${entity}/bench/repo`,
      file_path: path,
      sha: head,
      line_number_after: String(line),
      max_hops: String(MAX_HOPS),
      earliest_authored_at: '1970-01-02',
    });
    const startedAt = performance.now();
    const answer = await fetch(`http://127.0.0.1:${port}/api/v1/code_introspections/line_history?${query}`, {
      headers: { authorization: `Bearer ${token}` },
    });
    const text = await answer.text();
    if (answer.status !== 200) throw new Error(text);
    return performance.now() - startedAt;
  };
  for (let attempt = 0; ; attempt++) {
    try {
      await ask(sample());
      break;
    } catch (error) {
      if (attempt > 60) throw error;
      await sleep(500);
    }
  }
  await sleep(settleSeconds * 1000);
  const ratios: number[] = [];
  const times: number[] = [];
  for (let n = 0; n < lines; n++) {
    const place = sample();
    const startedAt = performance.now();
    const log = spawnSync(
      'git',
      [
        '-C',
        repo,
        'log',
        '-s',
        '--format=%H',
        `--max-count=${MAX_HOPS + 1}`,
        `-L${place.line},${place.line}:${place.path}`,
        head,
      ],
      { stdio: 'ignore' },
    );
    const gitMs = performance.now() - startedAt;
    const ms = await ask(place);
    times.push(ms);
    if (log.status === 0) ratios.push(gitMs / ms);
  }
  console.log(`lines ${lines}`);
  console.log(`git log -L over the endpoint, median: ${quantile(ratios, 0.5).toFixed(1)}`);
  console.log(
    `endpoint: median ${quantile(times, 0.5).toFixed(1)} ms, 99th percentile ${quantile(times, 0.99).toFixed(1)} ms`,
  );
} finally {
  if (service !== undefined) {
    service.kill('SIGTERM');
    await new Promise((done) => service?.once('exit', done));
  }
  rmSync(data, { recursive: true, force: true });
}
