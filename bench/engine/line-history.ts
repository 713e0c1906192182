// Line histories of sampled lines against git's own: how much faster, and where they differ.
//   node --import ./bench/typescript.mjs bench/engine/line-history.ts REPO [--lines 50] [--seed 1]
//   node --import ./bench/typescript.mjs bench/engine/line-history.ts --agree REPO… [--lines 210] [--seed 1]
//   node --import ./bench/typescript.mjs bench/engine/line-history.ts --newest REPO… [--lines 200] [--seed 1]
// Speed: `git log -L n,n:file` limited to as many changes as we may show, against a first question about
// that line on an open, indexed repository ("warm"), and the same question once more ("repeated").
// Newest: only the commit that made the line as it stands, against `git blame`.
// Agreement: every hop is checked by asking `git log -L` and `git blame` who wrote the line at that place.
import { spawnSync } from 'node:child_process';
import { basename, dirname } from 'node:path';
import { DEFAULT_MAX_HOPS } from '../../src/engine/line-history/default-max-hops.ts';
import { type LineHistoryEntry, type OpenLineHistory, openLineHistory } from '../../src/engine/line-history/index.ts';

const args = process.argv.slice(2);
function option(name: string, fallback: number): number {
  const at = args.indexOf(name);
  return at < 0 ? fallback : Number(args.splice(at, 2)[1]);
}
function flag(name: string): boolean {
  const at = args.indexOf(name);
  if (at >= 0) args.splice(at, 1);
  return at >= 0;
}
const isAgreement = flag('--agree');
const isNewestOnly = flag('--newest');
const lines = option('--lines', isAgreement ? 210 : isNewestOnly ? 200 : 50);
const seed = option('--seed', 1);

let state = seed >>> 0;
function random(): number {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return state / 2 ** 32;
}

function tryGit(repo: string, ...command: string[]): string | null {
  const run = spawnSync('git', ['-C', repo, ...command], { maxBuffer: 1 << 30, encoding: 'utf8' });
  return run.status === 0 ? run.stdout : null;
}
function git(repo: string, ...command: string[]): string {
  const answer = tryGit(repo, ...command);
  if (answer === null) throw new Error(`git ${command.join(' ')} failed`);
  return answer;
}

interface Sample {
  readonly path: string;
  readonly lineNumber: number;
}

/** Lines that say something: a random text file of HEAD, a random line of it with at least four letters. */
function sampleLines(repo: string, head: string, count: number): Sample[] {
  const files = git(repo, 'ls-tree', '-r', '-z', '--format=%(objectmode) %(objectsize) %(path)', head)
    .split('\0')
    .flatMap((row) => {
      const match = /^100\d{3} +(\d+) (.+)$/s.exec(row);
      return match && Number(match[1]) > 0 && !/["\\\n]/.test(match[2]!) ? [match[2]!] : [];
    });
  const samples: Sample[] = [];
  while (samples.length < count) {
    const path = files[Math.floor(random() * files.length)]!;
    const text = tryGit(repo, 'show', `${head}:${path}`);
    if (text === null || text.includes('\0')) continue;
    const rows = text.split('\n');
    const lineNumber = 1 + Math.floor(random() * rows.length);
    if (/\w{4}/.test(rows[lineNumber - 1]!)) samples.push({ path, lineNumber });
  }
  return samples;
}

const logL = (repo: string, at: string, { path, lineNumber }: Sample, max: number): string[] | null =>
  tryGit(repo, 'log', '-s', '--format=%H', `--max-count=${max}`, `-L${lineNumber},${lineNumber}:${path}`, at)
    ?.split('\n')
    .filter((line) => line !== '') ?? null;

function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)]!;
}

async function timed(run: () => unknown): Promise<number> {
  const startedAt = performance.now();
  await run();
  return performance.now() - startedAt;
}

async function measureSpeed(repo: string): Promise<void> {
  const head = git(repo, 'rev-parse', 'HEAD').trim();
  const [warmUp, ...samples] = sampleLines(repo, head, lines + 1);
  const history = await openLineHistory(repo);
  const ask = ({ path, lineNumber }: Sample) => history.history({ sha: head, path, lineNumber });
  console.log(
    `${nameOf(repo)}: ${git(repo, 'rev-list', '--count', head).trim()} commits, ${lines} lines, seed ${seed}`,
  );
  const cold = await timed(() => ask(warmUp!));
  const indexing = await timed(() => history.buildIndex());
  console.log(`first question without index ${cold.toFixed(0)} ms, index built in ${indexing.toFixed(0)} ms`);
  const rows: { git: number; warm: number; repeated: number }[] = [];
  for (const sample of samples) {
    const byGit = await timed(() => logL(repo, head, sample, DEFAULT_MAX_HOPS + 1));
    const warm = await timed(() => ask(sample));
    rows.push({ git: byGit, warm, repeated: await timed(() => ask(sample)) });
  }
  history.close();
  for (const key of ['git', 'warm', 'repeated'] as const) {
    const times = rows.map((row) => row[key]);
    console.log(
      `${key.padEnd(9)} median ${quantile(times, 0.5).toFixed(1)} ms, p99 ${quantile(times, 0.99).toFixed(1)} ms`,
    );
  }
  const ratios = rows.map((row) => row.git / row.warm);
  const repeats = rows.map((row) => row.git / row.repeated);
  console.log(`git log -L ÷ warm: median ${quantile(ratios, 0.5).toFixed(1)}, p1 ${quantile(ratios, 0.01).toFixed(1)}`);
  console.log(`git log -L ÷ repeated: median ${quantile(repeats, 0.5).toFixed(1)}`);
  console.log(`peak memory ${(process.resourceUsage().maxRSS / 1024).toFixed(0)} MB`);
  const isMet = quantile(ratios, 0.5) >= 10;
  console.log(isMet ? 'bar ≥ 10: met' : 'bar ≥ 10: MISSED');
  if (!isMet) process.exitCode = 1;
}

const nameOf = (repo: string): string => (basename(repo) === 'repo' ? basename(dirname(repo)) : basename(repo));

/** Who wrote the line at a place, by both of git's tools. */
function authorsOf(repo: string, at: string, sample: Sample): { log: string | null; blame: string | null } {
  const { path, lineNumber } = sample;
  const blame = tryGit(repo, 'blame', '-s', '--porcelain', `-L${lineNumber},${lineNumber}`, at, '--', path);
  return { log: logL(repo, at, sample, 1)?.[0] ?? null, blame: blame?.slice(0, 40) ?? null };
}

/** The line has the same text in another file: the file was renamed, or the line was carried over. */
const isFromOtherFile = (entry: LineHistoryEntry): boolean =>
  entry.operation_em === 'operation_move' &&
  entry.line_number_before !== null &&
  entry.code_file_path_before !== entry.code_file_path_after;

/** Git looks through renames of a file but takes a line carried over from another file for a new one. */
function acceptedWriters(entries: readonly LineHistoryEntry[]): string[] {
  const end = entries.findIndex((entry) => !isFromOtherFile(entry));
  return entries.slice(0, end === -1 ? entries.length : end + 1).map((entry) => entry.commit_sha);
}

async function measureAgreement(repos: readonly string[]): Promise<void> {
  const lists = new Map<string, number>();
  const hops = new Map<string, number>();
  const count = (table: Map<string, number>, key: string) => table.set(key, (table.get(key) ?? 0) + 1);
  const odd: string[] = [];
  for (const repo of repos) {
    const head = git(repo, 'rev-parse', 'HEAD').trim();
    const history = await openLineHistory(repo);
    await history.buildIndex();
    for (const sample of sampleLines(repo, head, Math.ceil(lines / repos.length))) {
      await compareLine(repo, head, history, sample);
    }
    history.close();
  }
  const print = (title: string, table: Map<string, number>) => {
    const total = [...table.values()].reduce((sum, each) => sum + each, 0);
    console.log(`${title}: ${total}`);
    for (const [key, number] of [...table].sort((a, b) => b[1] - a[1])) {
      console.log(`  ${String(number).padStart(5)}  ${((100 * number) / total).toFixed(1).padStart(5)}%  ${key}`);
    }
  };
  print(`whole histories against git log -L (seed ${seed})`, lists);
  print('hops against git log -L and git blame', hops);
  for (const line of odd.slice(0, 40)) console.log(line);

  async function compareLine(repo: string, head: string, history: OpenLineHistory, sample: Sample): Promise<void> {
    const where = `${nameOf(repo)} ${sample.path}:${sample.lineNumber}`;
    const question = {
      sha: head,
      path: sample.path,
      lineNumber: sample.lineNumber,
      earliest: new Date(0),
      maxHops: 50,
    };
    const { line_history } = await history.history(question);
    const theirs = logL(repo, head, sample, 51) ?? [];
    count(lists, classifyLists(line_history, theirs));

    let at = head;
    let place: Sample | null = sample;
    const entries = line_history;
    for (let index = 0; index < entries.length && place !== null; index++) {
      const entry: LineHistoryEntry = entries[index]!;
      const isRename: boolean = isFromOtherFile(entry);
      const { log, blame } = authorsOf(repo, at, place);
      const accepted = acceptedWriters(entries.slice(index));
      const inLog = log !== null && accepted.includes(log);
      const inBlame = blame !== null && accepted.includes(blame);
      const verdict =
        inLog && inBlame ? 'as both' : inBlame ? 'as blame only' : inLog ? 'as log -L only' : 'as neither';
      count(hops, `${verdict}${isRename ? ', at a move or rename' : ''}`);
      if (!(inLog && inBlame)) {
        odd.push(
          `${verdict}: ${where} hop ${index}: ours ${entry.commit_sha.slice(0, 9)} ${entry.operation_em}, log -L ${log?.slice(0, 9)}, blame ${blame?.slice(0, 9)}`,
        );
      }
      if (entry.line_number_before === null) break;
      at = `${entry.commit_sha}^`;
      place = { path: entry.code_file_path_before!, lineNumber: entry.line_number_before };
    }
  }
}

/** Whether the newest change of each line is the commit that blame names. */
async function compareNewest(repo: string): Promise<void> {
  const head = git(repo, 'rev-parse', 'HEAD').trim();
  const history = await openLineHistory(repo);
  await history.buildIndex();
  const odd: string[] = [];
  for (const { path, lineNumber } of sampleLines(repo, head, lines)) {
    const question = { sha: head, path, lineNumber, earliest: new Date(0), maxHops: 50 };
    const { line_history } = await history.history(question);
    const range = `-L${lineNumber},${lineNumber}`;
    const blame = git(repo, 'blame', '-s', '--porcelain', range, head, '--', path).slice(0, 40);
    if (!acceptedWriters(line_history).includes(blame)) odd.push(`${path}:${lineNumber} blame ${blame}`);
  }
  history.close();
  console.log(
    `${nameOf(repo)}: ${lines - odd.length} of ${lines} newest changes are those of git blame (seed ${seed})`,
  );
  for (const line of odd) console.log(`  ${line}`);
}

/** In which way a whole list differs from git's. */
function classifyLists(ours: readonly LineHistoryEntry[], theirs: readonly string[]): string {
  const changes = ours.filter((entry) => !isFromOtherFile(entry)).map((entry) => entry.commit_sha);
  const all = ours.map((entry) => entry.commit_sha);
  if (all.join() === theirs.join()) return 'the same commits in the same order';
  if (changes.join() === theirs.join()) return 'the same but for file renames, which git does not list';
  const shared = changes.filter((sha) => theirs.includes(sha));
  if (shared.length === changes.length) {
    if (changes.join() === theirs.slice(0, changes.length).join()) {
      return 'ours is the newer part: git goes on with all lines of the replaced hunk';
    }
    return 'ours is a part: git also lists changes to other lines of the replaced hunk';
  }
  if (ours.some((entry) => entry.operation_em === 'operation_move'))
    return 'ours follows a move that git takes for an addition';
  return 'another path';
}

if (args.length === 0) {
  console.error(
    'usage: bench/engine/line-history.ts REPO [--lines N] [--seed N] | --agree REPO… | --newest REPO… [--lines N] [--seed N]',
  );
  process.exitCode = 2;
} else if (isAgreement) await measureAgreement(args);
else for (const repo of args) await (isNewestOnly ? compareNewest(repo) : measureSpeed(repo));
