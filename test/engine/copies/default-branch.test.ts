// What a linker is not told of the default branch. That the verdicts are those of all commits test/jobs/import/link-copies.test.ts
// compares on random histories.
import { expect, test } from 'vitest';
import { createCopyLinker } from '../../../src/engine/copies/copy-linker.ts';
import type { SeenCommits } from '../../../src/engine/copies/default-branch.ts';
import type { CopyCandidate } from '../../../src/engine/copies/linked-commit.ts';
import { minHashToBytes } from '../../../src/engine/copies/min-hash.ts';

const sha = (letter: string): string => letter.repeat(40).slice(0, 40);
const linesOf = (first: number): Uint32Array => Uint32Array.from({ length: 8 }, (_, n) => 2 * (first + n) + 1);

let clock = 0;
const commit = (letter: string, parent: string | null, more: Partial<CopyCandidate> = {}): CopyCandidate => ({
  sha: sha(letter),
  parents: parent === null ? [] : [sha(parent)],
  isOnDefaultBranch: true,
  author: 'ann@x.org',
  coAuthors: [],
  authoredAt: 1_700_000_000 + ++clock,
  committedAt: 1_700_000_000 + clock,
  message: `The change that is ${letter}\n`,
  patchId: sha(letter),
  minHash: { hashes: linesOf(100 * clock), lineCount: 8 },
  ...more,
});

const columnsOf = (commits: readonly CopyCandidate[]): SeenCommits => ({
  ids: Float64Array.from(commits.keys()),
  said: new Uint8Array(commits.length),
  shas: Buffer.from(commits.map((each) => each.sha).join(''), 'hex'),
  patches: Buffer.from(commits.map(({ patchId }) => patchId!.slice(0, 16)).join(''), 'hex'),
  authoredAt: Float64Array.from(commits, ({ authoredAt }) => authoredAt),
  committedAt: Float64Array.from(commits, ({ committedAt }) => committedAt),
  parents: Buffer.from(commits.flatMap(({ parents }) => parents).join(''), 'hex'),
  parentEnds: Int32Array.from(commits, (_, n) => 20 * commits.slice(0, n + 1).flatMap(({ parents }) => parents).length),
  subjects: commits.map(({ message }) => message.trim()),
});

test('what a branch builds upon is no squash of it, though the commit was a bystander until its lines were looked at', () => {
  const onDefault = [
    commit('a', null),
    commit('b', 'a', { minHash: { hashes: linesOf(5000), lineCount: 8 } }),
    commit('c', 'b'),
    commit('d', 'c', { patchId: sha('0f') }),
  ];
  const others = [
    // Shares a patch, so that what it builds upon is walked before squashes are looked for.
    commit('e', 'c', { isOnDefaultBranch: false, patchId: sha('0f') }),
    commit('f', 'e', { isOnDefaultBranch: false, minHash: { hashes: linesOf(5000), lineCount: 8 } }),
  ];
  const linker = createCopyLinker();
  for (const other of others) linker.add(other);
  const tied = linker.lookAtDefaultBranch(columnsOf(onDefault));
  expect(tied).toEqual([3]);
  for (const id of tied) linker.add(onDefault[id]!);
  const squashes = linker.settleAllButSquashes()!;
  onDefault.forEach(({ minHash }, id) => {
    const bytes = minHashToBytes(minHash);
    squashes.note(id, bytes, 0, bytes.length);
  });
  const possible = squashes.list();
  expect(possible).toEqual([1]);
  for (const id of possible) linker.addPossibleSquash(onDefault[id]!);
  expect(linker.resolve()).toEqual([{ sha: sha('e'), not_counted: 'cherry_pick_copy', derived_from: sha('d') }]);
});

test('a title that was cut within a sign is the same on both sides', () => {
  const message = `${'Remove what nobody uses any more '.repeat(7).slice(0, 199)}\u{1F680} and so on\n`;
  const lines = { minHash: { hashes: linesOf(7000), lineCount: 8 }, message };
  const original = commit('a', null, lines);
  const linker = createCopyLinker();
  linker.add(commit('b', null, { ...lines, isOnDefaultBranch: false, author: 'bo@x.org' }));
  expect(linker.lookAtDefaultBranch(columnsOf([original]))).toEqual([0]);
});

test('what takes a commit back by its title is no squash, whatever lines it has', () => {
  const lines = { minHash: { hashes: linesOf(9000), lineCount: 8 } };
  const onDefault = [
    commit('a', null),
    commit('b', 'a', { ...lines, message: 'Revert "The change"\n' }),
    commit('c', 'b', lines),
  ];
  const linker = createCopyLinker();
  linker.add(commit('d', 'a', { ...lines, isOnDefaultBranch: false, authoredAt: 1_600_000_000 }));
  expect(linker.lookAtDefaultBranch(columnsOf(onDefault))).toEqual([]);
  const squashes = linker.settleAllButSquashes()!;
  onDefault.forEach(({ minHash }, id) => {
    const bytes = minHashToBytes(minHash);
    squashes.note(id, bytes, 0, bytes.length);
  });
  expect(squashes.list()).toEqual([2]);
});
