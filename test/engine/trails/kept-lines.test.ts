// The lines of a tree as one walk keeps them for the next.
import { mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { hashFileLines } from '../../../src/engine/judge/hash-lines.ts';
import { KeptLines } from '../../../src/engine/trails/kept-lines.ts';
import { LINES_NAME } from '../../../src/engine/trails/place.ts';
import type { AnalyzeOptions } from '../../../src/engine/walk/analyze.ts';
import { collectSlices } from '../../support/collect-analysis.ts';
import { goldenRepo } from '../../world/golden-repo.ts';
import { randomHistory } from '../../world/random-history.ts';

const root = mkdtempSync(join(tmpdir(), 'strata-lines-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));
const newFolder = () => mkdtempSync(join(root, 'kept-'));
const name = (digit: number) => String(digit).repeat(40);
const keep = (folder: string, lines: Readonly<Record<string, readonly number[]>>) => {
  const kept = new KeptLines(folder);
  for (const [blob, hashes] of Object.entries(lines)) kept.use(blob, Uint32Array.from(hashes));
  kept.keep();
};

describe('a file of lines', () => {
  test('gives what was used last, and nothing else', () => {
    const folder = newFolder();
    expect(new KeptLines(folder).get(name(1))).toBeNull();
    keep(folder, { [name(1)]: [1, 2 ** 32 - 1, 3], [name(2)]: [], [name(3)]: [7] });
    const second = new KeptLines(folder);
    expect([...second.get(name(1))!]).toEqual([1, 2 ** 32 - 1, 3]);
    expect([...second.get(name(2))!]).toEqual([]);
    second.use(name(3), second.get(name(3))!);
    second.use(name(4), Uint32Array.of(8, 9));
    second.keep();
    const third = new KeptLines(folder);
    expect([1, 2, 3, 4].map((digit) => third.get(name(digit))?.length ?? null)).toEqual([null, null, 1, 2]);
  });

  test('that is damaged gives nothing', () => {
    const folder = newFolder();
    const path = join(folder, LINES_NAME);
    keep(folder, { [name(1)]: [1, 2, 3], [name(2)]: [4] });
    const whole = readFileSync(path);
    for (let at = 0; at < whole.length; at++) {
      const damaged = Buffer.from(whole);
      damaged[at]! ^= 64;
      writeFileSync(path, damaged);
      expect(new KeptLines(folder).get(name(1)), `byte ${at}`).toBeNull();
      writeFileSync(path, whole);
      truncateSync(path, at);
      expect(new KeptLines(folder).get(name(1)), `cut off at ${at}`).toBeNull();
    }
  });
});

// Who changes how lines are hashed changes this and LINES_VERSION, or old files are taken for new ones.
test('lines are hashed as they were when the version was given', () => {
  const hashes = hashFileLines(Buffer.from('one line\n\n  indented()\n}\nlast'));
  expect([...hashes]).toEqual([2529261239, 723595804, 3047512483, 1838920888, 3930795901]);
});

const BLOCK = Array.from({ length: 8 }, (_, i) => `compute(value${i}, other${i}, third${i});`);
const text = (lines: readonly string[]) => `${lines.join('\n')}\n`;
const CODE: AnalyzeOptions = { threads: 1, pathRules: [{ pattern: '*', category: 'backend' }] };

test('what is kept is used', async () => {
  const repo = goldenRepo()
    .commit('first', { files: { 'a.ts': text(BLOCK) } })
    .commit('second', { files: { 'b.ts': text([...BLOCK, 'end();']) } })
    .build();
  const [head, before] = [repo.sha('second'), repo.sha('first')];
  const count = async (trailsIn: string) => {
    const slice = { ...CODE, heads: [head], notHeads: [before], onDefaultBranch: true, conventionsAt: head, trailsIn };
    const { files } = await collectSlices(repo.path, [slice]);
    return [...files.values()].map(({ duplicate_lines }) => duplicate_lines);
  };
  const folder = newFolder();
  expect(await count(folder)).toEqual([BLOCK.length]);
  expect(await count(folder)).toEqual([BLOCK.length]);
  const blob = repo.git('rev-parse', `${before}:a.ts`).trim();
  expect(new KeptLines(folder).get(blob)?.length).toBe(BLOCK.length);
  // Lines that the file does not have: nothing but what is kept can say so.
  rmSync(join(folder, LINES_NAME));
  keep(folder, { [blob]: [1, 2, 3] });
  expect(await count(folder)).toEqual([0]);
  repo.cleanup();
});

test.each([true, false])('imports say the same with it as without (thread of its own: %s)', async (hasTreeThread) => {
  for (const seed of [31, Math.floor(Math.random() * 2 ** 31)]) {
    const repo = randomHistory(seed, { commits: 40, words: 4 });
    const chain = repo.git('rev-list', '--first-parent', 'main').trim().split('\n');
    const folder = newFolder();
    for (const [to, from] of [
      [chain[20], chain[30]],
      [chain[8], chain[20]],
      [chain[0], chain[8]],
    ]) {
      const slice = {
        ...CODE,
        hasTreeThread,
        heads: [to!],
        notHeads: [from!],
        onDefaultBranch: true,
        conventionsAt: to!,
      };
      const [without, kept] = [
        await collectSlices(repo.path, [slice]),
        await collectSlices(repo.path, [{ ...slice, trailsIn: folder }]),
      ];
      expect(kept.digest, `seed ${seed}`).toBe(without.digest);
    }
    repo.cleanup();
  }
});
