// Which branches count may become known while the commits of the default branch are listed.
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { readBranches } from '../../../src/engine/git/list-commits.ts';
import { openRepository } from '../../../src/engine/git/run-git.ts';
import type { AnalysisEvent } from '../../../src/engine/model/events.ts';
import { analyzeRepository } from '../../../src/engine/walk/analyze.ts';
import { goldenRepo } from '../../world/golden-repo.ts';

const LINES = ['alpha', 'beta', 'gamma', 'delta', 'epsilon', 'zeta'].map((word) => `const ${word} = '${word}';`);

/** `picked` repeats what `main` has; `merged` has nothing that `main` has not. */
function build() {
  return goldenRepo('main')
    .commit('first', { on: 'main', files: { a: 'first\n' } })
    .branch('picked', 'first')
    .branch('merged', 'first')
    .commit('work', { on: 'main', files: { b: `${LINES.join('\n')}\n` }, message: 'Add names\n' })
    .commit('copy', { on: 'picked', files: { b: `${LINES.join('\n')}\n` }, message: 'Add names\n' })
    .build();
}

async function analyze(
  path: string,
  counted: (all: ReadonlyMap<string, string>) => Promise<ReadonlyMap<string, string>>,
) {
  const repository = await openRepository(path);
  const branches = await readBranches(repository);
  const events: AnalysisEvent[] = [];
  const options = { since: null, threads: 1, branches, counted: counted(branches.tips) };
  for await (const event of analyzeRepository(repository, options)) events.push(event);
  const shas = events.flatMap((event) => (event.kind === 'commit' ? [event.fact.sha] : []));
  const copies = events.flatMap((event) => (event.kind === 'verdict' ? [[event.sha, event.derived_from]] : []));
  return { shas, copies };
}

test('those that count are read, the others are not', async () => {
  const repo = build();
  const [first, work, copy] = ['first', 'work', 'copy'].map((label) => repo.sha(label));
  const all = await analyze(repo.path, (tips) => sleep(50, tips));
  expect(all.shas.toSorted()).toEqual([first, work, copy].toSorted());
  expect(all.copies).toEqual([[copy, work]]);
  const merged = await analyze(repo.path, (tips) =>
    sleep(50, new Map([...tips].filter(([name]) => name !== 'picked'))),
  );
  expect(merged.shas.toSorted()).toEqual([first, work].toSorted());
  expect(merged.copies).toEqual([]);
  repo.cleanup();
});

test('what keeps it from being known ends the analysis', async () => {
  const repo = build();
  const failing = () => sleep(50).then(() => Promise.reject(new Error('no branches')));
  await expect(analyze(repo.path, failing)).rejects.toThrow('no branches');
  repo.cleanup();
});
