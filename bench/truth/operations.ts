// Compares the operation of every changed line of sampled commits with the plain reading of the rules in
// test/oracles/operations.ts.
//   npm run bench:operations -- REPO… [--lines 4000] [--seed N] [--show 5]
import { spawnSync } from 'node:child_process';
import { type ComparedLine, compareOperations } from '../../test/oracles/compare-operations.ts';

const args = process.argv.slice(2);
const option = (name: string, fallback: number): number => {
  const at = args.indexOf(name);
  return at < 0 ? fallback : Number(args.splice(at, 2)[1]);
};
/** Of each repository. */
const wantedLines = option('--lines', 4000);
const seed = option('--seed', 1);
const shown = option('--show', 5);
/** The plain reading takes its time for huge commits. */
const MOST_LINES = 3000;

let state = seed >>> 0;
function random(): number {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return state / 2 ** 32;
}

const percent = (part: number, all: number): string => `${((100 * part) / Math.max(1, all)).toFixed(2)} %`;

let all = 0;
let allEqual = 0;
for (const gitDir of args) {
  const listed = spawnSync(
    'git',
    ['--git-dir', gitDir, 'log', '--no-merges', '--format=%H', '--shortstat', '-M', 'HEAD'],
    { maxBuffer: 1 << 30, encoding: 'latin1' },
  ).stdout;
  const commits = [...listed.matchAll(/^([0-9a-f]{40})\n\n (.*)$/gm)].map(([, sha, stat]) => ({
    sha: sha!,
    lines: [...stat!.matchAll(/(\d+) (?:insertion|deletion)/g)].reduce((sum, [, count]) => sum + Number(count), 0),
  }));
  const sampled: string[] = [];
  for (let lines = 0; lines < wantedLines && commits.length > 0; ) {
    const [commit] = commits.splice(Math.floor(random() * commits.length), 1);
    if (commit === undefined || commit.lines > MOST_LINES) continue;
    sampled.push(commit.sha);
    lines += commit.lines;
  }
  const compared = compareOperations(gitDir, sampled);
  const differing = compared.filter(({ engine, plain }) => engine !== plain);
  const equal = compared.length - differing.length;
  console.log(
    `${gitDir}: ${equal} of ${compared.length} lines of ${sampled.length} commits, ${percent(equal, compared.length)}`,
  );
  const kinds = new Map<string, ComparedLine[]>();
  for (const line of differing) {
    const kind = `${line.engine}, plainly ${line.plain}`;
    kinds.set(kind, [...(kinds.get(kind) ?? []), line]);
  }
  for (const [kind, lines] of kinds) {
    console.log(`  ${kind}: ${lines.length}`);
    for (const { sha, path, sign, text } of lines.slice(0, shown))
      console.log(`    ${sha.slice(0, 10)} ${path} ${sign}${text.slice(0, 120)}`);
  }
  all += compared.length;
  allEqual += equal;
}
console.log(`equal: ${allEqual} of ${all} = ${percent(allEqual, all)}`);
