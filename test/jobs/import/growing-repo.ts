// A repository that grows under test: it borrows the objects of a finished one, and its branches are set to
// what they were at any earlier moment.
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type GoldenRepo, isolatedGitEnvironment } from '../../world/golden-repo.ts';
import { makeFolder } from './import-kit.ts';

export interface GrowingRepo {
  readonly path: string;
  /** Makes the branches exactly these: name → sha. */
  setBranches(heads: Readonly<Record<string, string>>): void;
  git(...args: string[]): string;
}

export function growingRepo(whole: GoldenRepo): GrowingRepo {
  const path = join(makeFolder(), 'source.git');
  const run = (args: readonly string[], input = '') =>
    execFileSync('git', args, { env: isolatedGitEnvironment(), input, encoding: 'utf8' }).trim();
  run(['init', '-q', '--bare', '--template=', '--initial-branch=main', path]);
  mkdirSync(join(path, 'objects', 'info'), { recursive: true });
  writeFileSync(join(path, 'objects', 'info', 'alternates'), `${join(whole.path, 'objects')}\n`);
  const git = (...args: string[]) => run(['-C', path, ...args]);
  return {
    path,
    git,
    setBranches(heads) {
      const before = git('for-each-ref', '--format=%(refname:short)', 'refs/heads/').split('\n').filter(Boolean);
      const commands = before.filter((name) => !(name in heads)).map((name) => `delete refs/heads/${name}\n`);
      for (const [name, sha] of Object.entries(heads)) commands.push(`update refs/heads/${name} ${sha}\n`);
      run(['-C', path, 'update-ref', '--stdin'], commands.join(''));
    },
  };
}

/** The branches as they were when only the first `count` commits (in order of making) existed. */
export function branchesAt(whole: GoldenRepo, count: number): Record<string, string> {
  const made = new Set(Object.values(whole.shas).slice(0, count));
  const heads: Record<string, string> = {};
  for (const line of whole.git('for-each-ref', '--format=%(refname:short) %(objectname)', 'refs/heads/').split('\n')) {
    const [name = '', tip = ''] = line.split(' ');
    const newest = whole
      .git('rev-list', '--first-parent', tip)
      .split('\n')
      .find((sha) => made.has(sha));
    if (newest !== undefined) heads[name] = newest;
  }
  return heads;
}
