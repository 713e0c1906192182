// Hunks of pairs of texts: what the git program prints, all pairs in one process, and what the kernel answers.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Kernel } from '../../src/engine/diff/kernel.ts';
import { isolatedGitEnvironment } from '../world/golden-repo.ts';

export type TextPair = readonly [before: string, after: string];
/** Four numbers a hunk: first line and number of lines, before and after, lines counted from 0. */
export type Hunks = readonly number[];

const RING_BYTES = 16 << 20;

/** What `git diff -U0` prints for each pair, with further options. */
export function gitHunks(pairs: readonly TextPair[], options: readonly string[] = []): Hunks[] {
  const folder = mkdtempSync(join(tmpdir(), 'strata-hunks-'));
  try {
    for (const name of ['a', 'b']) mkdirSync(join(folder, name));
    for (const [number, [before, after]] of pairs.entries()) {
      writeFileSync(join(folder, 'a', `${number}`), before, 'latin1');
      writeFileSync(join(folder, 'b', `${number}`), after, 'latin1');
    }
    const { stdout, stderr, status } = spawnSync(
      'git',
      ['diff', '--no-index', '--no-color', '--no-ext-diff', '--text', '-U0', ...options, 'a', 'b'],
      { cwd: folder, env: isolatedGitEnvironment(), maxBuffer: 1 << 30 },
    );
    if (status !== 0 && status !== 1) throw new Error(`git diff ended with ${status}: ${stderr}`);
    return parseHunks(stdout.toString('latin1'), pairs.length);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function parseHunks(patch: string, count: number): Hunks[] {
  const hunks: number[][] = Array.from({ length: count }, () => []);
  let current: number[] = [];
  for (const line of patch.split('\n')) {
    const file = /^diff --git a\/a\/(\d+) b\/b\/\d+$/.exec(line);
    if (file) current = hunks[Number(file[1])]!;
    const hunk = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/.exec(line);
    if (hunk) current.push(...position(hunk[1]!, hunk[2]), ...position(hunk[3]!, hunk[4]));
  }
  return hunks;
}

/** Git counts lines from 1, and names the line before where there are none. */
function position(first: string, lines = '1'): [number, number] {
  return [Number(first) - (lines === '0' ? 0 : 1), Number(lines)];
}

/** The kernel's answer for a pair; null when it leaves the pair to git. */
export function createHunkTeller(): (pair: TextPair) => Hunks | null {
  const kernel = new Kernel(RING_BYTES);
  kernel.calls.forget(1 << 20);
  return ([before, after]) => {
    const oldAt = kernel.ringAt;
    const oldLength = kernel.bytes.write(before, oldAt, 'latin1');
    const newAt = oldAt + oldLength + 64;
    const newLength = kernel.bytes.write(after, newAt, 'latin1');
    const count = kernel.calls.compareText(oldAt, oldLength, newAt, newLength, 0);
    if (count < 0) return null;
    const from = (kernel.calls.HUNKS.value >> 2) + kernel.calls.hunkWords();
    return [...kernel.words.subarray(from, from + count)];
  };
}
