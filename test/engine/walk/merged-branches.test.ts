// A branch that is merged has no commits of its own: it changes nothing of what is told.
import { expect, test } from 'vitest';
import { readBranches } from '../../../src/engine/git/list-commits.ts';
import { openRepository } from '../../../src/engine/git/run-git.ts';
import type { AnalysisEvent } from '../../../src/engine/model/events.ts';
import { analyzeRepository } from '../../../src/engine/walk/analyze.ts';
import { goldenRepo } from '../../world/golden-repo.ts';

const LINES = ['alpha', 'beta', 'gamma', 'delta', 'epsilon', 'zeta'].map((word) => `const ${word} = '${word}';`);

/** `rebased` repeats what `main` has but for a line, which lines alone show; `merged` has nothing that `main` has not. */
function build() {
  const names = (lines: readonly string[]) => ({
    files: { b: `${lines.join('\n')}\n` },
    message: 'Add names\n',
    authored: 1_700_000_000,
  });
  return goldenRepo('main')
    .commit('first', { on: 'main', files: { a: 'first\n' } })
    .branch('rebased', 'first')
    .branch('merged', 'first')
    .commit('work', { on: 'main', ...names(LINES) })
    .commit('copy', { on: 'rebased', ...names([...LINES.slice(0, -1), 'const eta = 1;']) })
    .build();
}

async function analyze(path: string, names: readonly string[]) {
  const repository = await openRepository(path);
  const branches = await readBranches(repository);
  const tips = new Map([...branches.tips].filter(([name]) => names.includes(name)));
  const events: AnalysisEvent[] = [];
  for await (const event of analyzeRepository(repository, { since: null, threads: 1, branches: { ...branches, tips } }))
    events.push(event);
  const shas = events.flatMap((event) => (event.kind === 'commit' ? [event.fact.sha] : []));
  const copies = events.flatMap((event) => (event.kind === 'verdict' ? [[event.sha, event.derived_from]] : []));
  return { shas, copies };
}

test('only a branch that has more is compared with the default branch', async () => {
  const repo = build();
  const alone = await analyze(repo.path, ['main']);
  expect(alone).toEqual({ shas: [repo.sha('work'), repo.sha('first')], copies: [] });
  expect(await analyze(repo.path, ['main', 'merged'])).toEqual(alone);
  const all = await analyze(repo.path, ['main', 'merged', 'rebased']);
  expect(all.shas.toSorted()).toEqual([...alone.shas, repo.sha('copy')].toSorted());
  expect(all.copies).toEqual([[repo.sha('copy'), repo.sha('work')]]);
  repo.cleanup();
});
