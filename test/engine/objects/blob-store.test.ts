// Contents of files out of packs: the same as git's, whatever part of a pack was read for the one before.
import { expect, test } from 'vitest';
import { createBlobComparer } from '../../../src/engine/diff/blob-comparer.ts';
import { effort, takeEffort } from '../../../src/engine/model/effort.ts';
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
