// Contents of files out of packs: the same as git's, whatever part of a pack was read for the one before.
import { expect, test } from 'vitest';
import { createBlobComparer } from '../../../src/engine/diff/blob-comparer.ts';
import { Kernel } from '../../../src/engine/diff/kernel.ts';
import { effort, takeEffort } from '../../../src/engine/model/effort.ts';
import { BlobStore } from '../../../src/engine/objects/blob-store.ts';
import { loadPackIndexes } from '../../../src/engine/objects/pack-index.ts';
import { goldenRepo } from '../../world/golden-repo.ts';
import { createRandom } from '../../world/random-history.ts';

const SIZES = [0, 1, 30, 4000, 4096, 31_000, 33_000, 70_000, 400_000];

test('files of a pack are read in any order, small and large, whether they compress or not', () => {
  const random = createRandom(7);
  const texts = SIZES.flatMap((size) => [
    Array.from({ length: size }, () => String.fromCharCode(33 + random(90))).join(''),
    `line ${size}\n`.repeat(Math.ceil(size / 8)),
  ]);
  const files = Object.fromEntries(texts.map((text, i) => [`${i}`, text]));
  const repo = goldenRepo().commit('all', { files }).build();
  try {
    repo.git('repack', '-q', '-adf');
    const blobs = texts.map((_, i) => repo.git('rev-parse', `${repo.sha('all')}:${i}`));
    const read = (order: readonly number[]) => {
      const comparer = createBlobComparer(loadPackIndexes(repo.path))!;
      for (const i of order) {
        const text = comparer.look(blobs[i]!, (bytes) => bytes.toString('latin1'));
        expect(text === texts[i], `file ${i} of ${SIZES[i >> 1]} bytes`).toBe(true);
      }
      comparer.close();
    };
    const forwards = texts.map((_, i) => i);
    read(forwards);
    read(forwards.toReversed());
    for (let times = 0; times < 20; times++) read(forwards.map(() => random(texts.length)));
  } finally {
    repo.cleanup();
  }
});

test('many small versions of files are read from a pack by few calls', () => {
  let builder = goldenRepo();
  for (let n = 0; n < 200; n++)
    builder = builder.commit(`${n}`, { files: { 'a.txt': `${'same\n'.repeat(50)}${n}\n` } });
  const repo = builder.build();
  try {
    repo.git('repack', '-q', '-adf');
    const comparer = createBlobComparer(loadPackIndexes(repo.path))!;
    takeEffort();
    for (let n = 199; n >= 0; n--) comparer.look(repo.git('rev-parse', `${repo.sha(`${n}`)}:a.txt`), () => true);
    expect(effort.entriesUnpacked).toBeGreaterThanOrEqual(200);
    expect(effort.packReads).toBeLessThan(20);
    comparer.close();
  } finally {
    repo.cleanup();
  }
});

test('versions in long chains are the same when there is room for few of them at a time', () => {
  const random = createRandom(11);
  const lines = Array.from({ length: 300 }, (_, i) => `line ${i} ${random(1e9)}\n`);
  let builder = goldenRepo();
  const texts = Array.from({ length: 120 }, (_, n) => {
    for (let changes = 0; changes < 4; changes++) lines[random(lines.length)] = `changed ${n} ${random(1e9)}\n`;
    const text = lines.join('');
    builder = builder.commit(`${n}`, { files: { 'a.txt': text } });
    return text;
  });
  const repo = builder.build();
  try {
    repo.git('repack', '-q', '-adf', '--depth=200', '--window=50');
    const blobs = texts.map((_, n) => repo.git('rev-parse', `${repo.sha(`${n}`)}:a.txt`));
    // Five versions fill the ring; nothing longer than a quarter of it is held.
    const kernel = new Kernel(5 * Buffer.byteLength(texts[0]!));
    const store = new BlobStore(kernel, loadPackIndexes(repo.path));
    takeEffort();
    for (let times = 0; times < 400; times++) {
      const n = random(texts.length);
      const held = store.read(blobs[n]!)!;
      expect(store.ring.isHeld(held)).toBe(true);
      expect(kernel.bytes.toString('latin1', held.at, held.at + held.length) === texts[n], `version ${n}`).toBe(true);
    }
    expect(effort.entriesUnpacked).toBeGreaterThan(400);
    expect(effort.versionsHeld).toBeGreaterThan(0);
    expect(effort.versionsHeld).toBeLessThan(100);
    expect(kernel.isBroken).toBe(false);
    store.close();
  } finally {
    repo.cleanup();
  }
});

test('what was read for one repository is not taken for the packs of another', () => {
  const kernel = new Kernel(1 << 20);
  for (const text of ['first\n', 'other\n', 'first\n']) {
    const repo = goldenRepo()
      .commit('one', { files: { a: text } })
      .build();
    repo.git('repack', '-q', '-adf');
    const blobs = new BlobStore(kernel, loadPackIndexes(repo.path));
    const held = blobs.read(repo.git('rev-parse', 'HEAD:a'))!;
    expect(kernel.bytes.toString('latin1', held.at, held.at + held.length)).toBe(text);
    blobs.close();
    repo.cleanup();
  }
});
