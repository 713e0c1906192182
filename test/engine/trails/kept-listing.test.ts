// The list of commits that a walk keeps is the one that git would give to the next walk.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { type ListedCommit, listCommits } from '../../../src/engine/git/list-commits.ts';
import { openRepository } from '../../../src/engine/git/run-git.ts';
import { allOf, type CommitList, listOf } from '../../../src/engine/model/commit-list.ts';
import { keepListing, openListing, readListing } from '../../../src/engine/trails/kept-listing.ts';
import { LISTING_NAME } from '../../../src/engine/trails/place.ts';
import { collectSlices } from '../../support/collect-analysis.ts';
import { goldenRepo } from '../../world/golden-repo.ts';
import { createRandom, randomHistory } from '../../world/random-history.ts';

const SEEDS = [41, 787287083, Math.floor(Math.random() * 2 ** 31)];
const folder = mkdtempSync(join(tmpdir(), 'strata-listing-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let folders = 0;
const newFolder = () => join(folder, String(folders++));

const bySha = (commits: readonly ListedCommit[]) => new Map(commits.map((commit) => [commit.sha, commit]));

function expectChildrenFirst(commits: readonly ListedCommit[]): void {
  const seen = new Set<string>();
  for (const { sha, parents } of commits) {
    for (const parent of parents) expect(seen.has(parent), `${parent} before ${sha}`).toBe(false);
    seen.add(sha);
  }
  expect(seen.size).toBe(commits.length);
}

/** What a list says of places is what its commits say. */
function expectPlaces(list: CommitList): void {
  const plain = listOf(allOf(list));
  const [words, plainWords] = [new Uint32Array(8), new Uint32Array(8)];
  // Asked of a list that nothing was looked for in, and once more below of one that has a table by then.
  expect(list.find('0'.repeat(40))).toBe(-1);
  for (let i = 0; i < list.length; i++) {
    expect(list.shaWords(i, words)).toBe(plain.shaWords(i, plainWords));
    expect(words).toEqual(plainWords);
    expect(list.parentCountOf(i)).toBe(list.at(i).parents.length);
    expect(list.find(list.at(i).sha)).toBe(i);
    expect(list.parentsOf(i)).toEqual(plain.parentsOf(i));
    expect(list.firstParentOf(i)).toBe(plain.firstParentOf(i));
    expect(list.committedAt(i)).toBe(plain.committedAt(i));
  }
  expect(list.find('0'.repeat(40))).toBe(-1);
  expect(list.find('f'.repeat(64))).toBe(-1);
}

test('a sha that begins in the midst of another one, or across two, is not found', () => {
  const commit = (sha: string): ListedCommit => ({
    sha,
    parents: [],
    authorName: 'a',
    authorEmail: 'b',
    committerName: 'c',
    committerEmail: 'd',
    authoredAt: 1,
    committedAt: 2,
  });
  const [first, second] = ['ab'.repeat(10) + 'cd'.repeat(10), 'ef'.repeat(20)];
  const keptIn = newFolder();
  mkdirSync(keptIn);
  const of = { heads: [first, second], shallow: null, mailmap: null };
  const commits = listOf([commit(first), commit(second)]);
  keepListing(keptIn, of, { commits, fresh: 2, before: null, beforeHeads: [] });
  const list = readListing(openListing(keptIn, of)!);
  expect(list.find('cd'.repeat(10) + 'ef'.repeat(10))).toBe(-1);
  expect(list.find(second)).toBe(1);
  expect(list.find('ef'.repeat(8))).toBe(-1);
  expect(list.hasSome(new Set(['cd'.repeat(10) + 'ef'.repeat(10), 'abab'.padEnd(40, '0')]))).toBe(false);
  expect(list.hasSome(new Set(['00'.repeat(20), second]))).toBe(true);
});

describe.each(SEEDS)('random history %d', (seed) => {
  test('heads come and go, and what is kept is what they lead to', async () => {
    const random = createRandom(seed);
    const repo = randomHistory(seed, { commits: 50, words: 20 });
    const repository = await openRepository(repo.path);
    const shas = repo.git('rev-list', '--all').split('\n');
    const trailsIn = newFolder();
    let known: string[] = [];
    let continued = 0;
    for (let step = 0; step < 12; step++) {
      // From the oldest commit, which leaves something to continue with, mostly further on; now and
      // then to some other branches.
      const picked =
        step === 0 ? [shas.at(-1)!] : Array.from({ length: 1 + random(3) }, () => shas[random(shas.length)]!);
      const heads = [...new Set(random(3) === 0 ? picked : [...picked, ...known])];
      const [head = '', ...otherHeads] = heads;
      const slice = { heads: [head], otherHeads, notHeads: known, onDefaultBranch: true, conventionsAt: head };
      const { commits } = await collectSlices(repo.path, [{ ...slice, threads: 1, trailsIn }]);
      if (commits.size === 0) continue;
      const kept = openListing(trailsIn, { heads, shallow: null })!;
      const list = readListing(kept);
      const read = allOf(list);
      expectChildrenFirst(read);
      expect(bySha(read)).toEqual(bySha(await listCommits(repository, { heads, mailmapAt: head })));
      expectPlaces(list);
      expect(openListing(trailsIn, { heads: [...heads, '0'.repeat(40)], shallow: null })).toBeNull();
      expect(openListing(trailsIn, { heads, shallow: Buffer.from(head) })).toBeNull();
      if (known.length > 0) continued++;
      known = heads;
    }
    expect(continued).toBeGreaterThan(0);
    repo.cleanup();
  });
});

test('names are those of the mailmap that holds now', async () => {
  const repo = goldenRepo('main')
    .commit('a', { files: { 'a.js': 'first();\nsecond();\nthird();\n' }, author: 'Old Name <old@example.com>' })
    .commit('b', { files: { 'a.js': 'second();\nthird();\n' } })
    .commit('c', { files: { 'a.js': 'third();\n', '.mailmap': 'New Name <new@example.com> <old@example.com>\n' } })
    .build();
  const trailsIn = newFolder();
  const slice = (label: string, notHeads: readonly string[]) => ({
    heads: [repo.sha(label)],
    notHeads,
    conventionsAt: repo.sha(label),
    onDefaultBranch: true,
    threads: 1,
  });
  await collectSlices(repo.path, [{ ...slice('b', []), trailsIn }]);
  const plain = await collectSlices(repo.path, [slice('c', [repo.sha('b')])]);
  const kept = await collectSlices(repo.path, [{ ...slice('c', [repo.sha('b')]), trailsIn }]);
  expect(kept.events).toEqual(plain.events);
  const listing = allOf(readListing(openListing(trailsIn, { heads: [repo.sha('c')], shallow: null })!));
  expect(listing.map(({ authorName }) => authorName)).toContain('New Name');
  expect(listing.map(({ authorName }) => authorName)).not.toContain('Old Name');
  repo.cleanup();
});

test('times of any size, people of any name, and parents that are not there', () => {
  const commit = (sha: string, parents: readonly string[], at: number): ListedCommit => ({
    sha: sha.repeat(40),
    parents: parents.map((parent) => parent.repeat(40)),
    authorName: 'Zoë\tÅ',
    authorEmail: '',
    committerName: 'x'.repeat(300),
    committerEmail: 'c@example.com',
    authoredAt: -at,
    committedAt: at,
  });
  const commits = [commit('a', ['b', 'f'], 2 ** 64), commit('b', ['e'], -5), commit('c', [], 2 ** 40)];
  const heads = ['a'.repeat(40), 'c'.repeat(40)];
  keepListing(
    folder,
    { heads, shallow: null, mailmap: 'abc' },
    { commits: listOf(commits), fresh: 3, before: null, beforeHeads: [] },
  );
  const kept = openListing(folder, { heads, shallow: null })!;
  expect(kept.mailmap).toBe('abc');
  expect(allOf(readListing(kept))).toEqual(commits);
  expectPlaces(readListing(kept));
  const path = join(folder, LISTING_NAME);
  const bytes = readFileSync(path);
  for (let at = 0; at < bytes.length; at++) {
    const changed = Buffer.from(bytes);
    changed[at] = changed[at]! ^ 1;
    writeFileSync(path, changed);
    expect(openListing(folder, { heads, shallow: null })).toBeNull();
    writeFileSync(path, bytes.subarray(0, at));
    expect(openListing(folder, { heads, shallow: null })).toBeNull();
  }
});
