// People and times that are not written as git writes them: what git reads of them is what counts.
import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { personAndStamp } from '../../../src/engine/git/commit-head.ts';
import { listCommits } from '../../../src/engine/git/list-commits.ts';
import { listFirstCommits } from '../../../src/engine/git/list-first-commits.ts';
import { openRepository } from '../../../src/engine/git/run-git.ts';
import { collectAnalysis } from '../../support/collect-analysis.ts';
import { goldenRepo, isolatedGitEnvironment } from '../../world/golden-repo.ts';

const AUTHORS = [
  'A <a@x> 1312735823 +0130',
  'A <a@x> 1312735823 -0800',
  'A <a@x> 1312735823 +051800',
  'A <a@x> 1312735823 +0',
  'A <a@x> 1312735823 -7',
  'A <a@x> 1312735823 +130',
  'A <a@x> 1312735823 +2400',
  'A <a@x> 1312735823 +9999',
  'A <a@x> 1312735823 +5:30',
  'A <a@x> 1312735823 +00:00',
  'A <a@x>  1312735823  +0100',
  'A <a@x>1312735823+0100',
  'A <a@x> 1312735823 0500',
  'A <a@x> 1312735823',
  'A <a@x> -5 +0100',
  'A <a@x> soon',
  'A <a <b@x> 1312735823 +0100',
  '<> 1312735823 +0100',
  'Bob bob@x.org 1312735823 +0100',
  'nobody',
];

/** A commit of each of them, the last one first. */
function oddHistory() {
  const repo = goldenRepo()
    .commit('root', { files: { a: 'one\n' } })
    .build();
  let parent = repo.sha('root');
  for (const author of AUTHORS) {
    const text = `tree ${repo.git('rev-parse', 'main^{tree}').trim()}\nparent ${parent}\nauthor ${author}\ncommitter C <c@x> 1700000000 +0000\n\nodd\n`;
    const args = [`--git-dir=${repo.path}`, 'hash-object', '-t', 'commit', '-w', '--stdin', '--literally'];
    parent = execFileSync('git', args, { input: text, env: isolatedGitEnvironment() }).toString().trim();
  }
  repo.git('update-ref', 'refs/heads/main', parent);
  return repo;
}

test('times are those that git reads, and nobody is called by a placeholder', async () => {
  const repo = oddHistory();
  const odd = `-${AUTHORS.length}`;
  const shown = repo.git('log', odd, '--format=%H|%at|%ai').trim().split('\n').reverse();
  const listed = await listCommits(await openRepository(repo.path), { heads: [repo.git('rev-parse', 'main').trim()] });
  const { commits } = await collectAnalysis(repo.path, { threads: 1 });
  for (const [i, line] of shown.entries()) {
    const [sha = '', seconds = '', iso = ''] = line.split('|');
    const author = AUTHORS[i]!;
    const { stamp } = personAndStamp(author);
    expect(stamp.at, author).toBe(Number(seconds) || 0);
    // What is more than a day from Greenwich is no zone.
    const [, sign, hours, minutes] = /([+-])(\d+)(\d\d)$/.exec(iso) ?? [null, '+', '0', '0'];
    const zone = (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
    expect(stamp.zone, author).toBe(Math.abs(zone) > 24 * 60 ? 0 : zone || 0);
    const commit = listed.find((each) => each.sha === sha)!;
    expect(commit.authoredAt, author).toBe(stamp.at);
    expect(commit.authorName, author).toBe(author.includes('<') && author.startsWith('A') ? 'A' : '');
    expect(commit.authorEmail, author).not.toContain('%');
    expect(commits.get(sha)!.authored, author).toEqual(stamp);
  }
});

test('who wrote the first commit is nobody by a placeholder either', async () => {
  const repo = oddHistory();
  const head = repo.git('rev-parse', 'main').trim();
  const firsts = await listFirstCommits(await openRepository(repo.path), [head], head);
  expect([...firsts.keys()].filter((key) => key.includes('%'))).toEqual([]);
  expect(firsts.get('a@x')).toBe(1312735823);
});
