// A merge's file is compared with that of one parent after the other: its lines are found once, and the answers stay git's,
// whatever is compared in between.
import { expect, test } from 'vitest';
import { readBlobHunks } from '../../../src/engine/diff/git-hunks.ts';
import { Kernel } from '../../../src/engine/diff/kernel.ts';
import { PatchMaker } from '../../../src/engine/diff/patch-maker.ts';
import { CHANGE_LIST_FLAGS, DEFAULT_DIFF_LIMITS } from '../../../src/engine/diff/streamed-commit.ts';
import { openRepository } from '../../../src/engine/git/run-git.ts';
import { loadPackIndexes } from '../../../src/engine/objects/pack-index.ts';
import { RING_BYTES, streamCommits } from '../../oracles/diff.ts';
import { goldenRepo } from '../../world/golden-repo.ts';
import { createRandom } from '../../world/random-history.ts';

test('versions compared with one newer version in turn have the hunks that git finds, and show their lines', async () => {
  const random = createRandom(5);
  const lines = Array.from({ length: 300 }, (_, i) => `line ${i % 50}`);
  let builder = goldenRepo();
  let looks = 0;
  const names = Array.from({ length: 12 }, (_, n) => `${n}`);
  for (const name of names) {
    for (let edits = 0; edits < 6; edits++) lines.splice(random(lines.length), random(4), `new ${name} ${random(9)}`);
    // Of the last ones, one has no line, and some end without a line feed.
    const text = name === '9' ? '' : `${lines.join('\n')}${Number(name) % 3 === 2 ? '' : '\n'}`;
    builder = builder.commit(name, { files: { 'a.txt': text } });
  }
  const repo = builder.build();
  try {
    repo.git('repack', '-q', '-adf');
    const repository = await openRepository(repo.path);
    const lists = [...streamCommits(repo, CHANGE_LIST_FLAGS, ({ changes }) => changes ?? [])];
    const blobs = names.map((name) => repo.git('rev-parse', `${repo.sha(name)}:a.txt`));
    const maker = new PatchMaker(loadPackIndexes(repo.path), new Kernel(RING_BYTES), DEFAULT_DIFF_LIMITS);
    const { comparer } = maker;
    for (let times = 0; times < 60; times++) {
      const newer = blobs[random(3)]!;
      const older = blobs[random(blobs.length)]!;
      if (random(4) === 0) maker.make(lists[random(lists.length)]![1]);
      // In a chain, lines of a newer version are those of the older one before.
      const chain = random(lists.length);
      if (random(4) === 0) maker.prepare(lists.slice(chain, chain + 2 + random(3)).map(([, changes]) => changes));
      if (random(6) === 0) comparer.compareBytes(Buffer.from('a\nb\n'), Buffer.from('a\nc\n'));
      if (newer === older) continue;
      const hunks = comparer.compareText(older, newer, (file, lineStarts) => {
        const text = file.toString();
        const lines = text.match(/.*\n|.+$/g) ?? [];
        expect(lines.map((_, i) => text.slice(lineStarts[i], lineStarts[i + 1]))).toEqual(lines);
        looks++;
      });
      expect(hunks).toEqual(await readBlobHunks(repository, older, newer));
    }
    expect(looks).toBeGreaterThan(30);
    maker.close();
  } finally {
    repo.cleanup();
  }
});
