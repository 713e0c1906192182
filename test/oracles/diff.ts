// Diffs made in process against those that git prints, file by file and line by line.
import { spawnSync } from 'node:child_process';
import { expect } from 'vitest';
import { DiffStreamParser } from '../../src/engine/diff/diff-stream.ts';
import { Kernel } from '../../src/engine/diff/kernel.ts';
import { PatchMaker } from '../../src/engine/diff/patch-maker.ts';
import {
  CHANGE_LIST_FLAGS,
  DEFAULT_DIFF_LIMITS,
  DIFF_STREAM_FLAGS,
  type StreamedCommit,
} from '../../src/engine/diff/streamed-commit.ts';
import type { FileDiff } from '../../src/engine/model/diff.ts';
import { loadPackIndexes } from '../../src/engine/objects/pack-index.ts';
import { type GoldenRepo, isolatedGitEnvironment } from '../world/golden-repo.ts';

export const RING_BYTES = 4 << 20;

/** A file's diff without views into memory that is reused. */
/** Without the generator's mark: git's patches show nothing of what stays. */
export function copied({ hunks, removed, added, isMarkedGenerated: _mark, ...file }: FileDiff) {
  return {
    ...file,
    hunks: [...hunks],
    lines: [removed, added].map(({ count, bytes, starts, ends }) => [
      count,
      ...Array.from(starts, (start, i) => Buffer.from(bytes.subarray(start, ends[i])).toString('latin1')),
    ]),
  };
}
export type CopiedFile = ReturnType<typeof copied>;

export function streamCommits<T>(
  repo: GoldenRepo,
  flags: readonly string[],
  take: (commit: StreamedCommit) => T,
  limits = DEFAULT_DIFF_LIMITS,
): Map<string, T> {
  const git = (args: readonly string[], input = '') =>
    spawnSync('git', ['-C', repo.path, '-c', 'core.quotePath=false', ...args], {
      env: isolatedGitEnvironment(),
      input,
      maxBuffer: 1 << 28,
    }).stdout;
  const taken = new Map<string, T>();
  const parser = new DiffStreamParser((commit) => taken.set(commit.sha, take(commit)), limits);
  parser.push(git(flags, git(['rev-list', '--branches', '--no-merges']).toString()));
  parser.end();
  return taken;
}

export interface Compared {
  readonly made: number;
  /** Shas of commits that are left to git. */
  readonly left: readonly string[];
}

export interface CompareOptions {
  readonly limits?: typeof DEFAULT_DIFF_LIMITS;
  readonly atOnce?: number;
  readonly ringBytes?: number;
  /** Told how many were given to be prepared together, and for how many there was room. */
  readonly onPrepared?: (given: number, prepared: number) => void;
}

/** Commits whose diff was made, so many prepared together, each compared with git's. */
export function compareAll(
  repo: GoldenRepo,
  { limits = DEFAULT_DIFF_LIMITS, atOnce = 1000, ringBytes = RING_BYTES, onPrepared }: CompareOptions = {},
): Compared {
  const flags = [...DIFF_STREAM_FLAGS, '--stdin', '-M'];
  const expected = streamCommits(repo, flags, ({ files }) => files.map(copied), limits);
  const lists = [...streamCommits(repo, CHANGE_LIST_FLAGS, ({ changes }) => changes)];
  const maker = new PatchMaker(loadPackIndexes(repo.path), new Kernel(ringBytes), limits);
  const left: string[] = [];
  let made = 0;
  for (let from = 0; from < lists.length; ) {
    const able = lists.slice(from, from + atOnce).filter(([, changes]) => changes && PatchMaker.canMake(changes));
    const prepared = maker.prepare(able.map(([, changes]) => changes ?? []));
    onPrepared?.(able.length, prepared);
    const diffs = new Map(able.slice(0, prepared).map(([sha], i) => [sha, maker.filesOf(i)?.map(copied) ?? null]));
    const end = prepared < able.length ? lists.indexOf(able[prepared]!) : from + atOnce;
    const group = lists.slice(from, end);
    from = end;
    for (const [sha] of group) {
      const files = diffs.get(sha) ?? null;
      if (files === null) left.push(sha);
      else {
        made++;
        expect(withoutNames(files), sha).toEqual(withoutNames(expected.get(sha)!));
      }
    }
  }
  maker.close();
  return { made, left };
}

/** Git names no blobs where the contents are the same, and no modes where these are the same too. */
export function withoutNames(files: readonly CopiedFile[]): unknown[] {
  return files.map(({ oldBlob, newBlob, oldMode, newMode, ...file }) => {
    const modes = { ...file, oldMode, newMode };
    if (oldBlob !== newBlob) return { ...modes, oldBlob, newBlob };
    return oldMode === newMode ? file : modes;
  });
}
