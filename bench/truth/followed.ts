// Samples removed lines of real repositories and compares their followed origins with `git blame -w -M -C`, which looks
// through whitespace and moves by rules of its own: it needs 20 letters or digits for a move within a file and 40 between
// files. Says how often both agree, and who goes further back where they do not.
//   npm run bench:followed -- REPO… [--lines 300] [--seed N] [--show 5]
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
const wanted = option('--lines', 300);
const seed = option('--seed', 1);
const shown = option('--show', 5);

let state = seed >>> 0;
function random(): number {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return state / 2 ** 32;
}
function git(gitDir: string, ...command: string[]): string {
  return spawnSync('git', ['--git-dir', gitDir, ...command], { maxBuffer: 1 << 30, encoding: 'latin1' }).stdout;
}

interface Line {
  readonly run: OriginRun;
  readonly line: number;
}
/** A fair sample of lines without keeping all of them. */
class Sample {
  readonly lines: Line[] = [];
  seen = 0;

  add(line: Line): void {
    this.seen++;
    const place = this.seen <= wanted ? this.seen - 1 : Math.floor(random() * this.seen);
    if (place < wanted) this.lines[place] = line;
  }
}

for (const path of args) {
  const repository = await openRepository(path);
  const { head } = await readBranches(repository);
  if (head === null) throw new Error(`${path} has no commits`);
  const followed = new Sample();
  const same = new Sample();
  let plain: OriginRun[] = [];
  for await (const event of analyzeRepository(repository, { branchHead: head, withOrigins: true })) {
    if (event.kind === 'origins') plain = [...event.runs];
    if (event.kind !== 'followed_origins') continue;
    const origins = new Map<string, string | null>();
    for (const { path: file, line, count, origin } of plain)
      for (let i = 0; i < count; i++) origins.set(`${file}\0${line + i}`, origin);
    for (const run of event.runs)
      for (let i = 0; i < run.count; i++) {
        const isSame = origins.get(`${run.path}\0${run.line + i}`) === run.origin;
        (isSame ? same : followed).add({ run, line: run.line + i });
      }
  }
  const all = followed.seen + same.seen;
  const share = ((100 * followed.seen) / all).toFixed(1);
  console.log(`${path}: ${followed.seen} of ${all} removed lines (${share} %) have another followed origin`);
  for (const [name, { lines }] of Object.entries({ followed, same })) {
    const counts = {
      equal: 0,
      'blame stays at the plain one': 0,
      'we go further back': 0,
      'blame goes further back': 0,
      other: 0,
    };
    let left = shown;
    for (const { run, line } of lines) {
      const ask = (...flags: string[]) =>
        git(
          repository.gitDir,
          'blame',
          '--porcelain',
          ...flags,
          '-L',
          `${line},${line}`,
          run.parent,
          '--',
          run.path,
        ).slice(0, 40);
      const theirs = ask('-w', '-M', '-C');
      const ours = run.origin ?? '';
      const isAncestor = (one: string, two: string) =>
        spawnSync('git', ['--git-dir', repository.gitDir, 'merge-base', '--is-ancestor', one, two]).status === 0;
      let kind: keyof typeof counts;
      if (theirs === ours) kind = 'equal';
      else if (name === 'followed' && theirs === ask()) kind = 'blame stays at the plain one';
      else if (isAncestor(ours, theirs)) kind = 'we go further back';
      else kind = isAncestor(theirs, ours) ? 'blame goes further back' : 'other';
      counts[kind]++;
      if (kind !== 'equal' && left-- > 0)
        console.log(
          `  ${name}: ${kind}: ${run.parent.slice(0, 10)} ${run.path}:${line} blame ${theirs.slice(0, 10)} ours ${ours.slice(0, 10)}`,
        );
    }
    console.log(
      `  of ${lines.length} lines whose followed origin is ${name === 'same' ? 'the plain one' : 'another'}: ${JSON.stringify(counts)}`,
    );
  }
}
