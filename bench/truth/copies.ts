// Which commits do not count because they repeat others, by reason, and a sample of them to be judged by reading:
// both commits with authors, times, subjects and files, and how many of the source's added lines git shows in the
// other. docs/engine/copies-measured.md holds the judgements.
//   node --import ./bench/typescript.mjs bench/truth/copies.ts REPO… [--sample N] [--seed TEXT] [--pulls N]
// --sample N prints N of each reason; --pulls N adds the heads of the newest N pull requests (refs/pull/*/head) to the
// branches, where a mirror has them.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { basename, dirname } from 'node:path';
import { chooseBranches } from '../../src/engine/git/counted-branches.ts';
import { readBranches } from '../../src/engine/git/list-commits.ts';
import { openRepository } from '../../src/engine/git/run-git.ts';
import { analyzeRepository } from '../../src/engine/walk/analyze.ts';

const args = process.argv.slice(2);
function option(name: string, otherwise: string): string {
  const at = args.indexOf(name);
  return at < 0 ? otherwise : (args.splice(at, 2)[1] ?? otherwise);
}
const sampleSize = Number(option('--sample', '0'));
const seed = option('--seed', 'strata');
const pulls = Number(option('--pulls', '0'));

type Verdict = { readonly sha: string; readonly not_counted: string; readonly derived_from: string };

/** The same sample for the same seed, whatever else is excluded. */
const rank = (sha: string) => createHash('sha256').update(`${seed} ${sha}`).digest('hex');

function addedLines(git: (...args: string[]) => string, sha: string): Set<string> {
  const lines = new Set<string>();
  let path = '';
  for (const line of git('show', '-U0', '--no-renames', '--format=', sha).split('\n')) {
    if (line.startsWith('+++ ')) path = line.slice(6);
    else if (line.startsWith('+') && /\w.*\w.*\w/.test(line))
      lines.add(`${path}\0${line.slice(1).replace(/\s+/g, '')}`);
  }
  return lines;
}

for (const path of args) {
  const repository = await openRepository(path);
  const git = (...command: string[]) =>
    execFileSync('git', ['-C', path, ...command], {
      maxBuffer: 2 ** 30,
      stdio: ['ignore', 'pipe', 'ignore'],
    }).toString();
  const branches = await readBranches(repository);
  const { tips: counted, leftOut } = await chooseBranches(repository, branches);
  const tips = new Map(counted);
  if (pulls > 0) {
    const format = '--format=%(objectname) %(refname)';
    for (const line of git(
      'for-each-ref',
      '--sort=-version:refname',
      `--count=${pulls}`,
      format,
      'refs/pull/*/head',
    ).split('\n')) {
      const [sha = '', ref = ''] = line.split(' ');
      if (sha !== '') tips.set(ref, sha);
    }
  }
  const reasons = new Map<string, number>();
  const verdicts = new Map<string, Verdict>();
  let commits = 0;
  for await (const event of analyzeRepository(repository, { branches: { ...branches, tips } })) {
    if (event.kind === 'commit') {
      commits += 1;
      if (event.fact.not_counted !== null)
        reasons.set(event.fact.not_counted, (reasons.get(event.fact.not_counted) ?? 0) + 1);
    }
    if (event.kind !== 'verdict' || event.not_counted === null || event.derived_from === null) continue;
    reasons.set(event.not_counted, (reasons.get(event.not_counted) ?? 0) + 1);
    verdicts.set(event.sha, { ...event, not_counted: event.not_counted, derived_from: event.derived_from });
  }
  const name = basename(path) === 'repo' ? basename(dirname(path)) : basename(path);
  const counts = [...reasons].sort().map(([reason, count]) => `${reason} ${count}`);
  console.log(`${name}: ${commits} commits, ${tips.size} branches; not counted: ${counts.join(', ')}`);
  for (const branch of leftOut)
    console.log(`  left out: ${branch.name} (${branch.reason}), ${branch.commit_count} commits`);
  for (const reason of ['rebase_copy', 'cherry_pick_copy', 'squash_source']) {
    const sample = [...verdicts.values()]
      .filter(({ not_counted }) => not_counted === reason)
      .sort((a, b) => (rank(a.sha) < rank(b.sha) ? -1 : 1))
      .slice(0, sampleSize);
    for (const { sha, derived_from } of sample) {
      const [own, other] = [addedLines(git, sha), addedLines(git, derived_from)];
      const shared = [...own].filter((line) => other.has(line)).length;
      console.log(
        `\n${name} ${reason} ${sha} -> ${derived_from}: ${shared} of its ${own.size} lines, the other has ${other.size}`,
      );
      for (const each of [sha, derived_from]) {
        console.log(
          git('show', '--no-patch', '--format=  %h %an, authored %aI, committed %cI%n    %s', each).trimEnd(),
        );
        const files = git('show', '--format=', '--numstat', '--no-renames', each).trim().split('\n');
        console.log(
          `    ${files.slice(0, 6).join('; ').replaceAll('\t', ' ')}${files.length > 6 ? `; and ${files.length - 6} more` : ''}`,
        );
      }
    }
  }
}
