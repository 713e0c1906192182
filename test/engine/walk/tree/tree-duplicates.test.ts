// Duplicate blocks over a whole history: what stepping the tree back says of a commit must be what a tree
// loaded at that very commit says, and a few cases are written out by hand.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { BlobComparer } from '../../../../src/engine/diff/blob-comparer.ts';
import { Kernel } from '../../../../src/engine/diff/kernel.ts';
import { openRepository } from '../../../../src/engine/git/run-git.ts';
import { BlobStore } from '../../../../src/engine/objects/blob-store.ts';
import { createFileSource } from '../../../../src/engine/objects/file-source.ts';
import { loadPackIndexes } from '../../../../src/engine/objects/pack-index.ts';
import type { AnalyzeOptions } from '../../../../src/engine/walk/analyze.ts';
import { indexedHashes } from '../../../../src/engine/walk/tree/tree-duplicates.ts';
import { countDuplicates } from '../../../oracles/duplicates.ts';
import { collectAnalysis, collectSlices } from '../../../support/collect-analysis.ts';
import { goldenRepo, symlink } from '../../../world/golden-repo.ts';
import { randomHistory } from '../../../world/random-history.ts';

const ALL_CODE: AnalyzeOptions = { threads: 1, pathRules: [{ pattern: '*', category: 'backend' }] };

test('the tree stepped back judges every commit of the chain as a tree read at that commit', async () => {
  let duplicates = 0;
  for (const seed of [22, 23]) {
    const repo = randomHistory(seed, { commits: 40, words: 4 });
    const { files } = await collectAnalysis(repo.path, ALL_CODE);
    for (const row of repo.git('rev-list', '--first-parent', '--parents', 'main').split('\n')) {
      const [sha = '', ...parents] = row.split(' ');
      if (parents.length > 1) continue;
      const slice = { ...ALL_CODE, heads: [sha], notHeads: parents, onDefaultBranch: true, conventionsAt: sha };
      for (const [key, alone] of (await collectSlices(repo.path, [slice])).files) {
        duplicates += alone.duplicate_lines;
        const { duplicate_lines, lines_copied } = files.get(key)!;
        expect({ seed, key, duplicate_lines, lines_copied }).toEqual({
          seed,
          key,
          duplicate_lines: alone.duplicate_lines,
          lines_copied: alone.lines_copied,
        });
      }
    }
  }
  expect(duplicates).toBeGreaterThan(0);
});

test.each([24, 25])('history %i has the same duplicates whether its files are packed or loose', async (seed) => {
  const repo = randomHistory(seed, { commits: 60, words: 4 });
  repo.git('repack', '-q', '-adf');
  const packed = await collectAnalysis(repo.path, ALL_CODE);
  mkdirSync(join(repo.path, 'info'), { recursive: true });
  // Git reads a repository with attributes of its own.
  writeFileSync(join(repo.path, 'info', 'attributes'), '');
  const byGit = await collectAnalysis(repo.path, ALL_CODE);
  expect(packed.digest).toBe(byGit.digest);
  const duplicates = ({ files }: typeof packed) =>
    [...files].flatMap(([key, { duplicate_lines: all, lines_copied: older }]) =>
      all > 0 ? [{ key, all, older }] : [],
    );
  expect(duplicates(packed)).toEqual(duplicates(byGit));
  expect(duplicates(packed)).not.toEqual([]);
  repo.cleanup();
});

test('lines of whole files are hashed the same from packs and from git, and no others', async () => {
  const line = 'one line of a file that is as large as files may be\n';
  const text = line.repeat(Math.ceil((2 << 20) / line.length));
  const files = {
    empty: '',
    'no line feed': 'one\ntwo',
    crlf: 'one\r\n\r\ntwo\r\n',
    'latin 1': Buffer.from('b\xe9te\nm\xfche\n', 'latin1'),
    binary: 'one\n\0\ntwo\n',
    'nul at 7,999': `${'x\n'.repeat(3999)}x\0\n`,
    'nul at 8,000': `${'x\n'.repeat(4000)}\0\n`,
    'just small enough': text.slice(0, 2 << 20),
    'too large': text.slice(0, (2 << 20) + 1),
    'far too large': text + text,
  };
  const repo = goldenRepo().commit('only', { files }).build();
  repo.git('repack', '-q', '-adf');
  const names = ['only^{tree}', ...Object.keys(files).map((name) => `only:${name}`)];
  const blobs = names.map((name) => repo.git('rev-parse', name.replace('only', repo.sha('only'))));
  const repository = await openRepository(repo.path);
  // So large a ring holds all of them.
  const kernel = new Kernel(64 << 20);
  const store = new BlobStore(kernel, loadPackIndexes(repo.path));
  const comparer = new BlobComparer(kernel, store);
  const read = async (packed: BlobComparer | null) => {
    const source = createFileSource(repository, packed);
    const hashes = await indexedHashes(source, [...blobs, 'f'.repeat(40)]);
    source.objects.close();
    return hashes.map((each) => each?.join() ?? null);
  };
  const fromGit = await read(null);
  expect(await read(comparer)).toEqual(fromGit);
  const packed = blobs.map((blob) => comparer.look(blob, (bytes) => bytes.length));
  expect(packed).toEqual([null, ...Object.values(files).map(({ length }) => length)]);
  const unread = names.filter((_, i) => fromGit[i] === null);
  expect(unread).toEqual(['only^{tree}', 'only:binary', 'only:nul at 7,999', 'only:too large', 'only:far too large']);
  comparer.close();
  repo.cleanup();
});

describe('a block of five lines that stands in the tree', () => {
  const block = ['alpha = 1', 'beta = alpha + 2', 'gamma = beta + 3', 'delta = gamma + 4', 'print(delta)'].join('\n');
  const other = (name: string) => Array.from({ length: 6 }, (_, i) => `${name}_${i} = ${i}`).join('\n');
  const repo = goldenRepo('main')
    .commit('first', { files: { 'a.py': `${block}\n${other('a')}\n` } })
    .branch('topic')
    .commit('aside', { files: { 'side.py': `${block}\n` } })
    .switch('main')
    .commit('copied', { files: { 'b.py': `${other('b')}\n${block}\n` } })
    .merge('join', ['aside'], { take: { 'side.py': 'aside' } })
    .commit('renamed', { rename: { 'a.py': 'c.py' } })
    .commit('gone', { delete: ['b.py', 'side.py'] })
    .commit('again', { files: { 'd.py': `${block}\n` } })
    .commit('alone', { delete: ['c.py', 'd.py'] })
    .commit('back', { files: { 'e.py': `${block}\n` } })
    .build();
  const told = async (options: AnalyzeOptions = {}) => {
    const { files, commits, digest } = await collectAnalysis(repo.path, { threads: 1, ...options });
    const of = (label: string, path: string) => {
      const file = files.get(`${repo.sha(label)} ${path}`)!;
      return [file.duplicate_lines, file.lines_copied];
    };
    return { of, commits, digest };
  };

  test('makes the lines of a copy duplicates, on the chain and off it, through merges and renames', async () => {
    const { of } = await told();
    expect(of('first', 'a.py')).toEqual([0, 0]);
    expect(of('copied', 'b.py')).toEqual([5, 5]);
    expect(of('aside', 'side.py')).toEqual([5, 5]);
    expect(of('again', 'd.py')).toEqual([5, 5]);
    expect(of('back', 'e.py')).toEqual([0, 0]);
  });

  test('is not looked for when not wanted, and the digest is the same', async () => {
    const [wanted, unwanted] = [await told(), await told({ withDuplicates: false })];
    expect(unwanted.of('copied', 'b.py')).toEqual([0, 0]);
    expect(unwanted.digest).toBe(wanted.digest);
  });

  test('is missed when the index is full, which the commits say', async () => {
    const { of, commits, digest } = await told({ duplicateIndexBytes: 100 });
    expect(of('copied', 'b.py')).toEqual([0, 0]);
    const limits = commits.get(repo.sha('again'))?.limits;
    expect(limits).toContainEqual({ reason: 'duplicate_index_full', path: null });
    expect(digest).toBe((await told()).digest);
  });
});

describe('below a merge that wrote files anew which both sides had changed', () => {
  const block = ['alpha = 1', 'beta = alpha + 2', 'gamma = beta + 3', 'delta = gamma + 4', 'print(delta)'];
  const newer = block.map((each) => `${each} + new`);
  const lines = (...text: readonly string[]) => `${text.join('\n')}\n`;
  const own = (name: string) => Array.from({ length: 8 }, (_, i) => `${name}_${i} = ${i}`);
  const repo = goldenRepo('main')
    .commit('first', {
      files: { 'a.py': lines(...own('a'), ...block, ...own('b')), 'data.py': lines(...own('d'), ...newer) },
    })
    .branch('topic')
    .commit('aside', {
      files: { 'a.py': lines('aside = 1', ...own('a'), ...block, ...own('b')), 'data.py': 'aside = 2\n' },
    })
    .switch('main')
    .commit('old block', { files: { 'c.py': lines(...own('c'), ...block) } })
    .commit('new block', { files: { 'e.py': lines(...own('e'), ...newer), 'data.py': lines(...newer, ...own('d')) } })
    .merge('join', ['aside'], {
      files: { 'a.py': lines('aside = 1', ...own('a'), ...newer, ...own('b')), 'data.py': 'binary\0\n' },
    })
    .commit('last', { files: { 'f.py': lines(...own('f'), ...block), 'g.py': lines(...own('g'), ...newer) } })
    .build();

  test.each(['loose', 'packed'])('commits are judged by the tree that they stand in; %s', async (stored) => {
    if (stored === 'packed') repo.git('repack', '-q', '-adf');
    const { files } = await collectAnalysis(repo.path, { threads: 1 });
    const of = (label: string, path: string) => files.get(`${repo.sha(label)} ${path}`)!.duplicate_lines;
    expect(of('last', 'f.py')).toBe(5);
    expect(of('last', 'g.py')).toBe(5);
    expect(of('new block', 'e.py')).toBe(5);
    expect(of('old block', 'c.py')).toBe(5);
  });
});

test('below a merge of a file with a line too long to be shown, packed and loose duplicates are the same', async () => {
  const long = `long = ${'1'.repeat(70_000)}`;
  const block = ['alpha = 1', long, 'gamma = beta + 3', 'delta = gamma + 4', 'print(delta)'];
  const own = (name: string) => Array.from({ length: 8 }, (_, i) => `${name}_${i} = ${i}`);
  const lines = (...text: readonly string[]) => `${text.join('\n')}\n`;
  const repo = goldenRepo('main')
    .commit('first', { files: { 'a.py': lines(...own('a'), ...block, ...own('b')) } })
    .branch('topic')
    .commit('aside', { files: { 'a.py': lines('aside = 1', ...own('a'), ...block, ...own('b')) } })
    .switch('main')
    .commit('own', { files: { 'a.py': lines(...own('a'), ...block, ...own('b'), 'own = 1') } })
    .commit('copy', { files: { 'c.py': lines(...own('c'), ...block) } })
    .merge('join', ['aside'], { files: { 'a.py': lines('aside = 1', ...own('a'), ...block, ...own('b'), 'own = 2') } })
    .commit('long', {
      files: {
        'a.py': lines('aside = 1', ...own('a'), ...block, ...own('b'), 'own = 2').replace('long =', 'longer ='),
      },
    })
    .build();
  const duplicates = async () => {
    const { files } = await collectAnalysis(repo.path, { threads: 1 });
    return [...files].map(([key, { duplicate_lines, lines_copied }]) => ({ key, duplicate_lines, lines_copied }));
  };
  const loose = await duplicates();
  repo.git('repack', '-q', '-adf');
  expect(await duplicates()).toEqual(loose);
  expect(loose.find(({ key }) => key === `${repo.sha('copy')} c.py`)?.duplicate_lines).toBe(5);
  repo.cleanup();
});

test('below a merge that made a file of a link, what the link says is no text of the tree', async () => {
  const own = (name: string) => Array.from({ length: 8 }, (_, i) => `${name}_${i} = ${i}`);
  const lines = (...text: readonly string[]) => `${text.join('\n')}\n`;
  const repo = goldenRepo('main')
    .commit('first', { files: { 'a.py': symlink(lines(...own('linked'))), 'b.py': lines(...own('b')) } })
    .branch('topic')
    .commit('aside', { files: { 'a.py': lines(...own('aside')) } })
    .switch('main')
    .commit('copy', { files: { 'c.py': lines(...own('linked')), 'd.py': lines(...own('b')) } })
    .merge('join', ['aside'], { files: { 'a.py': lines(...own('joined')) } })
    .build();
  const { files } = await collectAnalysis(repo.path, { threads: 1 });
  const of = (path: string) => files.get(`${repo.sha('copy')} ${path}`)!.duplicate_lines;
  expect([of('c.py'), of('d.py')]).toEqual([0, 8]);
  repo.cleanup();
});

describe('a commit that came in by a merge', () => {
  const block = ['alpha = 1', 'beta = alpha + 2', 'gamma = beta + 3', 'delta = gamma + 4', 'print(delta)'];
  const lines = (...text: readonly string[]) => `${text.join('\n')}\n`;
  const own = (name: string) => Array.from({ length: 12 }, (_, i) => `${name}_${i} = ${i}`);
  const repo = goldenRepo('main')
    .commit('first', { files: { 'a.py': lines(...own('a')), 'old.py': lines(...block) } })
    .branch('topic')
    .commit('one', { files: { 'x.py': lines(...own('x'), ...block.map((each) => `${each} + x`)) } })
    .commit('two', { files: { 'y.py': lines(...own('y'), ...block.map((each) => `${each} + x`)) } })
    .commit('three', { files: { 'a.py': lines(...own('a'), ...block) } })
    .switch('main')
    .commit('later', { delete: ['old.py'], files: { 'a.py': lines(...own('top'), ...own('a')) } })
    .merge('join', ['three'], {
      take: { 'x.py': 'three', 'y.py': 'three' },
      files: { 'a.py': lines(...own('top'), ...own('a'), ...block) },
    })
    .commit('after', { files: { 'z.py': lines(...own('z')) } })
    .build();

  test('is judged by what stood there: its own branch before it, shifted by what the merge added', async () => {
    const { files } = await collectAnalysis(repo.path, { threads: 1 });
    const of = (label: string, path: string) => files.get(`${repo.sha(label)} ${path}`)!.duplicate_lines;
    expect(of('one', 'x.py')).toBe(0);
    expect(of('two', 'y.py')).toBe(5);
    // The other place was deleted on the main branch meanwhile: the merge's tree does not have it.
    expect(of('three', 'a.py')).toBe(0);
    expect(of('later', 'a.py')).toBe(0);
  });

  test('leaves the tree of the first parents as it was', async () => {
    const { files } = await collectAnalysis(repo.path, { threads: 1 });
    const slice = { threads: 1, heads: [repo.sha('later')], onDefaultBranch: true };
    const alone = await collectSlices(repo.path, [slice]);
    for (const [key, file] of alone.files) expect(files.get(key)!.duplicate_lines).toBe(file.duplicate_lines);
  });
});

describe('a commit that came in by a merge within a merge', () => {
  const block = ['alpha = 1', 'beta = alpha + 2', 'gamma = beta + 3', 'delta = gamma + 4', 'print(delta)'];
  const lines = (...text: readonly string[]) => `${text.join('\n')}\n`;
  const own = (name: string) => Array.from({ length: 12 }, (_, i) => `${name}_${i} = ${i}`);
  const shared = [...own('shared'), ...own('rest')];
  // The branch of `mine` becomes the first parents: it takes the trunk in, which had taken `theirs` in.
  const repo = goldenRepo('main')
    .commit('first', { files: { 'shared.py': lines(...shared), 'old.py': lines(...own('old'), ...own('kept')) } })
    .branch('trunk')
    .switch('main')
    .commit('mine', { files: { 'p.py': lines(...own('p'), ...block), 'shared.py': lines(...block, ...shared) } })
    .switch('trunk')
    .branch('topic')
    .commit('theirs', {
      files: {
        'q.py': lines(...own('q'), ...block),
        'shared.py': lines(...shared, ...block.map((each) => `${each} + 1`)),
        'copy.py': lines(...own('kept')),
      },
    })
    .commit('more', { files: { 'shared.py': lines(...shared, ...block.map((each) => `${each} + 1`), ...block) } })
    .switch('trunk')
    .merge('inner', ['more'], { take: { 'q.py': 'more', 'shared.py': 'more', 'copy.py': 'more' } })
    .switch('main')
    .merge('outer', ['inner'], {
      take: { 'q.py': 'more', 'copy.py': 'more' },
      files: { 'shared.py': lines(...block, ...shared, ...block.map((each) => `${each} + 1`), ...block) },
    })
    .build();

  test('has the duplicates of its own tree, whatever the other side wrote meanwhile', async () => {
    const { files } = await collectAnalysis(repo.path, { threads: 1 });
    const of = (label: string, path: string) => files.get(`${repo.sha(label)} ${path}`)!.duplicate_lines;
    for (const [label, path] of [
      ['theirs', 'q.py'],
      ['theirs', 'shared.py'],
      ['theirs', 'copy.py'],
      ['more', 'shared.py'],
    ] as const) {
      const plain = countDuplicates(
        (...command) => repo.git(...command),
        repo.sha(label),
        path,
        () => true,
      );
      expect({ label, path, lines: of(label, path) }).toEqual({ label, path, lines: plain });
    }
    expect(of('theirs', 'q.py')).toBe(0);
    expect(of('theirs', 'copy.py')).toBe(12);
    expect(of('more', 'shared.py')).toBe(5);
  });
});
