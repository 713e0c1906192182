// A branch that is merged has no commits of its own: it changes nothing of what is told.
import { expect, test } from 'vitest';
import { readBranches } from '../../../src/engine/git/list-commits.ts';
import { openRepository } from '../../../src/engine/git/run-git.ts';
import type { AnalysisEvent } from '../../../src/engine/model/events.ts';
import { analyzeRepository } from '../../../src/engine/walk/analyze.ts';
import { goldenRepo } from '../../world/golden-repo.ts';

const LINES = ['alpha', 'beta', 'gamma', 'delta', 'epsilon', 'zeta'].map((word) => `const ${word} = '${word}';`);

/** `picked` repeats what `main` has; `merged` has nothing that `main` has not. `again` repeats work within `main`. */
function build() {
  const names = { files: { b: `${LINES.join('\n')}\n` }, message: 'Add names\n' };
  return goldenRepo('main')
    .commit('first', { on: 'main', files: { a: 'first\n' } })
    .branch('picked', 'first')
    .branch('merged', 'first')
    .commit('work', { on: 'main', ...names })
    .commit('undone', { on: 'main', delete: ['b'] })
    .commit('again', { on: 'main', ...names, authored: 1_700_000_000, committed: 1_800_000_000 })
    .commit('copy', { on: 'picked', ...names })
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
  expect(alone.shas).toHaveLength(4);
  expect(await analyze(repo.path, ['main', 'merged'])).toEqual(alone);
  const all = await analyze(repo.path, ['main', 'merged', 'picked']);
  expect(all.shas.toSorted()).toEqual([...alone.shas, repo.sha('copy')].toSorted());
  expect(all.copies).toContainEqual([repo.sha('copy'), expect.any(String)]);
  repo.cleanup();
});
