// node --import ./bench/typescript.mjs bench/engine/import.ts REPOSITORY [--runs 1] [--all-branches]
//
// Prints in one run, each as the median of the runs: a plain `git log -p -U0 -M` of the
// default branch, or of all branches, the whole import of the same commits into a fresh embedded database by a process of its
// own, their ratio; then database bytes per commit, the importing process's peak memory, a refresh with
// nothing new, and, of the default branch alone, the import of the newest 100 commits. Cloning is not part of it: a folder of this
// machine lends its objects.
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { openStore } from '../../src/storage/database/handle.ts';
import { startEmbedded } from '../../src/storage/embedded/start-embedded.ts';

const {
  values,
  positionals: [repository],
} = parseArgs({
  allowPositionals: true,
  options: { runs: { type: 'string', default: '1' }, 'all-branches': { type: 'boolean', default: false } },
});
if (repository === undefined) throw new Error('usage: bench/engine/import.ts REPOSITORY [--runs N] [--all-branches]');
const runs = Number(values.runs);
const STRATA = resolve('bin/strata.mjs');
const NEW_COMMITS = 100;

const git = (folder: string, ...args: string[]): string =>
  execFileSync('git', ['--git-dir', folder, ...args], { encoding: 'utf8', maxBuffer: 1 << 30 }).trim();

/** A repository that borrows the objects and has all branches, or the default one, a hundred commits behind. */
function makeSource(folder: string): { path: string; older: string; newest: string } {
  const path = join(folder, 'source.git');
  execFileSync('git', ['init', '-q', '--bare', '--initial-branch=main', path]);
  const objects = git(resolve(repository!), 'rev-parse', '--path-format=absolute', '--git-path', 'objects');
  mkdirSync(join(path, 'objects', 'info'), { recursive: true });
  writeFileSync(join(path, 'objects', 'info', 'alternates'), `${objects}\n`);
  const newest = git(resolve(repository!), 'rev-parse', 'HEAD');
  const older = git(path, 'rev-list', '--first-parent', `-${NEW_COMMITS + 1}`, newest)
    .split('\n')
    .find((sha) => Number(git(path, 'rev-list', '--count', newest, `^${sha}`)) >= NEW_COMMITS)!;
  git(path, 'update-ref', 'refs/heads/main', values['all-branches'] ? newest : older);
  if (values['all-branches']) {
    const format = '--format=%(objectname) %(refname:lstrip=2)';
    const branches = git(resolve(repository!), 'for-each-ref', format, 'refs/heads').split('\n');
    for (const [sha = '', name = ''] of branches.map((branch) => branch.split(' '))) {
      git(path, 'update-ref', `refs/heads/branches/${name}`, sha);
    }
  }
  return { path, older, newest };
}

/** Wall and processor time. */
function timeGitLog(path: string): { wall: number; cpu: number } {
  const startedAt = performance.now();
  const before = readCpu('self').children;
  const heads = values['all-branches'] ? '--branches' : 'main';
  const result = spawnSync('git', ['--git-dir', path, 'log', '-p', '-U0', '-M', heads], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (result.status !== 0) throw new Error('git log failed');
  return { wall: (performance.now() - startedAt) / 1000, cpu: readCpu('self').children - before };
}

interface Cost {
  /** Peak of the importing process. */
  megabytes: number;
  /** Of the importing process with its threads; of the git processes it started; of the database. */
  cpuSeconds: { node: number; git: number; database: number };
}

const TICKS_PER_SECOND = 100;

/** User and system time of a process, and of its children that have ended, in seconds. */
function readCpu(pid: number | string): { own: number; children: number; parent: number } {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ').map(Number);
  const [own, children] = [fields[11]! + fields[12]!, fields[13]! + fields[14]!];
  return { own: own / TICKS_PER_SECOND, children: children / TICKS_PER_SECOND, parent: fields[1]! };
}

/** The server's processes are its postmaster's children; those that ended are in the postmaster's sum. */
function readDatabaseCpu(data: string): number {
  const postmaster = Number(readFileSync(join(data, 'postgres', 'cluster', 'postmaster.pid'), 'utf8').split('\n')[0]);
  const { own, children } = readCpu(postmaster);
  let seconds = own + children;
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    try {
      const process = readCpu(name);
      if (process.parent === postmaster) seconds += process.own;
    } catch {
      // it has just ended
    }
  }
  return seconds;
}

/** Runs `strata import` to its end. */
async function runImport(data: string, source: string): Promise<Cost> {
  const args = [STRATA, 'import', source, '--as', 'bench/repo', '--since', 'all', '--data', data];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'] });
  let megabytes = 0;
  const cpuSeconds = { node: 0, git: 0, database: 0 };
  const timer = setInterval(() => {
    try {
      const peak = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1];
      megabytes = Math.max(megabytes, Number(peak ?? 0) / 1024);
      // While the database runs: once it has ended, its time is in that of the children.
      cpuSeconds.database = Math.max(cpuSeconds.database, readDatabaseCpu(data));
      const { own, children } = readCpu(child.pid!);
      cpuSeconds.node = own;
      cpuSeconds.git = children;
    } catch {
      // it has just ended, or the database is not there yet
    }
  }, 200);
  const code = await new Promise((done) => child.on('close', done));
  clearInterval(timer);
  if (code !== 0) throw new Error(`strata import ended with ${code}`);
  return { megabytes, cpuSeconds };
}

interface Look {
  seconds: number;
  commits: number;
  bytes: Record<string, number>;
}

async function look(data: string): Promise<Look> {
  const server = await startEmbedded({ dataDir: data });
  const store = await openStore({ databaseUrl: server.databaseUrl, poolSize: 1 });
  try {
    const [record] = (
      await store.pool.query(
        `select extract(epoch from finished_at - started_at)::float8 as seconds, commits_complete_count as commits from imports`,
      )
    ).rows;
    const sizes = await store.pool.query<{ name: string; bytes: number }>(
      `select relname as name, pg_total_relation_size(c.oid) as bytes from pg_class c
       where relkind = 'r' and relnamespace = 'public'::regnamespace and pg_total_relation_size(c.oid) > 100000
       order by 2 desc`,
    );
    const bytes = Object.fromEntries(sizes.rows.map((row) => [row.name, row.bytes]));
    return { seconds: record.seconds, commits: record.commits, bytes };
  } finally {
    await store.close();
    await server.stop();
  }
}

const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!;
const say = (label: string, value: string): void => console.log(`${label.padEnd(44)} ${value}`);

const folder = mkdtempSync(join(tmpdir(), 'strata-bench-import-'));
try {
  const source = makeSource(folder);
  const logs: { wall: number; cpu: number }[] = [];
  const imports: number[] = [];
  const costs: Cost[] = [];
  let whole: Look | undefined;
  let data = '';
  for (let run = 0; run < runs; run += 1) {
    if (data !== '') rmSync(data, { recursive: true, force: true });
    data = join(folder, `data-${run}`);
    logs.push(timeGitLog(source.path));
    costs.push(await runImport(data, source.path));
    whole = await look(data);
    imports.push(whole.seconds);
  }
  if (whole === undefined) throw new Error('RUNS must be at least 1');
  const total = Object.values(whole.bytes).reduce((sum, bytes) => sum + bytes, 0);
  say('commits', String(whole.commits));
  const log = median(logs.map(({ wall }) => wall));
  const cpu = (read: (cost: Cost['cpuSeconds']) => number) =>
    median(costs.map((cost) => read(cost.cpuSeconds))).toFixed(1);
  say(
    'git log -p -U0 -M, one process',
    `${log.toFixed(1)} s (${median(logs.map((one) => one.cpu)).toFixed(1)} s of CPU)`,
  );
  say('whole import', `${median(imports).toFixed(1)} s`);
  say('ratio', (median(imports) / log).toFixed(2));
  say('  CPU: Node, git, database', `${cpu((c) => c.node)} s, ${cpu((c) => c.git)} s, ${cpu((c) => c.database)} s`);
  say('database bytes per commit', (total / whole.commits).toFixed(0));
  for (const [name, bytes] of Object.entries(whole.bytes)) say(`  ${name}`, (bytes / whole.commits).toFixed(0));
  say('peak memory of the importing process', `${Math.max(...costs.map(({ megabytes }) => megabytes)).toFixed(0)} MB`);
  await runImport(data, source.path);
  say('refresh with nothing new', `${(await look(data)).seconds.toFixed(2)} s`);
  if (!values['all-branches']) {
    git(source.path, 'update-ref', 'refs/heads/main', source.newest);
    const count = git(source.path, 'rev-list', '--count', source.newest, `^${source.older}`);
    await runImport(data, source.path);
    say(`import of ${count} new commits`, `${(await look(data)).seconds.toFixed(2)} s`);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
