// Samples removed lines of real repositories and compares their origins with `git blame`, and compares the
// added and removed lines of every commit with `git log --numstat -M`.
//   node dist-bench… ; npm run bench:agreement -- REPO… [--lines 2000] [--seed N]
import { spawnSync } from 'node:child_process';
import { readBranches } from '../../src/engine/git/list-commits.ts';
import { openRepository } from '../../src/engine/git/run-git.ts';
import type { OriginRun } from '../../src/engine/model/events.ts';
import { analyzeRepository } from '../../src/engine/walk/analyze.ts';

const args = process.argv.slice(2);
const option = (name: string, fallback: number): number => {
  const at = args.indexOf(name);
  return at < 0 ? fallback : Number(args.splice(at, 2)[1]);
};
const wantedLines = option('--lines', 2000);
const seed = option('--seed', 1);
const perRepository = Math.ceil(wantedLines / Math.max(1, args.length));

let state = seed >>> 0;
function random(): number {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return state / 2 ** 32;
}

function git(gitDir: string, ...command: string[]): string {
  const result = spawnSync('git', ['--git-dir', gitDir, ...command], { maxBuffer: 1 << 30, encoding: 'latin1' });
  if (result.status !== 0) throw new Error(`git ${command[0]}: ${result.stderr}`);
  return result.stdout;
}

interface Counts {
  readonly added: number;
  readonly removed: number;
}
// Without context, as the engine and blame compare: git trims what is equal at the end only then, which changes
// the edit that it finds in a few commits.
const NUMSTAT = ['log', '--numstat', '-U0', '-M', '-l1000', '--root', '--format=%H'];

function sumFiles(files: readonly Counts[]): Counts {
  let [added, removed] = [0, 0];
  for (const file of files) {
    added += file.added;
    removed += file.removed;
  }
  return { added, removed };
}

function compareTotals(path: string, ours: ReadonlyMap<string, Counts>, numstat: string): void {
  const theirs = new Map<string, { added: number; removed: number }>();
  let current = { added: 0, removed: 0 };
  for (const line of numstat.split('\n')) {
    const row = /^(\d+)\t(\d+)\t/.exec(line);
    if (row !== null) {
      current.added += Number(row[1]);
      current.removed += Number(row[2]);
    } else if (/^[0-9a-f]{40}$/.test(line)) {
      current = { added: 0, removed: 0 };
      theirs.set(line, current);
    }
  }
  const differing = [...theirs].filter(([sha, { added, removed }]) => {
    const own = ours.get(sha);
    return own === undefined || own.added !== added || own.removed !== removed;
  });
  const [git, engine] = [sumFiles([...theirs.values()]), sumFiles([...ours.values()])];
  console.log(
    `${path}: git counts ${git.added} added and ${git.removed} removed lines, the engine ${engine.added} and ` +
      `${engine.removed}; ${differing.length} of ${theirs.size} commits differ`,
  );
  for (const [sha] of differing.slice(0, 5)) console.log(`  ${sha}`);
}

let compared = 0;
let equal = 0;
for (const path of args) {
  const repository = await openRepository(path);
  const { head } = await readBranches(repository);
  if (head === null) throw new Error(`${path} has no commits`);
  // One pass keeps a fair sample of lines without keeping all of them.
  const sample: { run: OriginRun; line: number }[] = [];
  let seen = 0;
  const counts = new Map<string, Counts>();
  for await (const event of analyzeRepository(repository, { branchHead: head, withOrigins: true })) {
    if (event.kind === 'commit') counts.set(event.fact.sha, sumFiles(event.fact.files));
    if (event.kind === 'final') counts.set(event.sha, sumFiles(event.files));
    if (event.kind !== 'origins') continue;
    for (const run of event.runs)
      for (let i = 0; i < run.count; i++) {
        seen++;
        const place = seen <= perRepository ? seen - 1 : Math.floor(random() * seen);
        if (place < perRepository) sample[place] = { run, line: run.line + i };
      }
  }
  let same = 0;
  for (const { run, line } of sample) {
    const text = git(repository.gitDir, 'blame', '--porcelain', '-L', `${line},${line}`, run.parent, '--', run.path);
    const truth = text.slice(0, 40);
    if (truth === run.origin) same++;
    else {
      const origin = run.origin ?? 'nothing';
      const kind = git(repository.gitDir, 'merge-base', truth, origin === 'nothing' ? truth : origin).trim();
      const order =
        kind === truth ? 'blame goes further back' : kind === origin ? 'we go further back' : 'another branch';
      console.log(
        `  ${run.commit.slice(0, 12)} ${run.path}:${line} blame ${truth.slice(0, 12)} ours ${origin.slice(0, 12)}: ${order}`,
      );
    }
  }
  compareTotals(path, counts, git(repository.gitDir, ...NUMSTAT, head));
  compared += sample.length;
  equal += same;
  console.log(`${path}: ${same} of ${sample.length} sampled lines agree (of ${seen} removed lines)`);
}
console.log(`agreement: ${equal} of ${compared} = ${((100 * equal) / compared).toFixed(3)}%`);
