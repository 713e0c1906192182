// The hunks between a merge's files and those of its parents, for files that differ from every parent's. Binary files
// are compared like others: blame knows none. Merges whose files are all in packs are compared in process.

import type { GitRepository } from '../git/run-git.ts';
import type { BlobComparer } from './blob-comparer.ts';
import { DiffStreamParser } from './diff-stream.ts';
import { pathArguments, pumpDiff } from './pump-diff.ts';
import type { ComparedCommit, RawChange } from './raw-changes.ts';
import { DIFF_STREAM_FLAGS } from './streamed-commit.ts';

/** A merge and its files that differ from every parent's. */
export interface Contested {
  readonly merge: ComparedCommit;
  /** What it changes against each parent. */
  readonly lists: readonly ReadonlyMap<string, RawChange>[];
  readonly paths: readonly string[];
}

export const contestedKey = (sha: string, parent: number, path: string) => `${sha} ${parent} ${path}`;

/** By `contestedKey`, where the path is the same in the parent; of parents that have the same file, the first. */
export async function readContestedHunks(
  repository: GitRepository,
  blobs: BlobComparer | null,
  contested: readonly Contested[],
): Promise<Map<string, Int32Array>> {
  const hunks = new Map<string, Int32Array>();
  const left = blobs === null ? contested : compareInProcess(blobs, contested, hunks);
  await compareByGit(repository, left, hunks);
  return hunks;
}

interface Comparison {
  readonly of: Contested;
  readonly parent: number;
  readonly change: RawChange;
}

/** Answers which merges are left to git. */
function compareInProcess(
  blobs: BlobComparer,
  contested: readonly Contested[],
  hunks: Map<string, Int32Array>,
): Contested[] {
  const left = new Set<Contested>();
  // Path by path: a version is likely to be stored as a difference to its neighbour.
  const byPath = new Map<string, Comparison[]>();
  for (const each of contested) {
    if (!isComparable(blobs, each)) {
      left.add(each);
      continue;
    }
    for (const path of each.paths) {
      const comparisons = byPath.get(path) ?? [];
      byPath.set(path, comparisons);
      const seen = new Set<string>();
      for (const [parent, list] of each.lists.entries()) {
        const change = list.get(path);
        if (change?.status !== 'M' || seen.has(change.oldBlob)) continue;
        seen.add(change.oldBlob);
        comparisons.push({ of: each, parent, change });
      }
    }
  }
  for (const [path, comparisons] of byPath)
    for (const { of, parent, change } of comparisons) {
      if (left.has(of)) continue;
      const found = blobs.compareText(change.oldBlob, change.newBlob);
      if (found === null) left.add(of);
      else hunks.set(contestedKey(of.merge.sha, parent, path), found);
    }
  return contested.filter((each) => left.has(each));
}

/** Of a merge with an object that is not at hand git has to say what is wrong. */
function isComparable(blobs: BlobComparer, { lists, paths }: Contested): boolean {
  return paths.every((path) =>
    lists.every((list) => {
      const change = list.get(path);
      if (change === undefined) return true;
      return blobs.hasAll(change.status === 'A' ? [change.newBlob] : [change.newBlob, change.oldBlob]);
    }),
  );
}

async function compareByGit(
  repository: GitRepository,
  contested: readonly Contested[],
  hunks: Map<string, Int32Array>,
): Promise<void> {
  const wanted: { sha: string; parent: number; line: string }[] = [];
  const paths = new Set<string>();
  for (const { merge, lists, paths: own } of contested) {
    for (const [parent, list] of lists.entries()) {
      if (!own.some((path) => list.get(path)?.status === 'M')) continue;
      wanted.push({ sha: merge.sha, parent, line: `${merge.sha} ${merge.parents[parent]}\n` });
    }
    for (const path of own) paths.add(path);
  }
  if (wanted.length === 0) return;
  let section = 0;
  const parser = new DiffStreamParser((commit) => {
    const { sha, parent } = wanted[section++]!;
    for (const file of commit.files)
      if (file.newPath !== null && paths.has(file.newPath))
        hunks.set(contestedKey(sha, parent, file.newPath), file.hunks.slice());
  });
  const args = [...DIFF_STREAM_FLAGS, '--stdin', '--text', '--no-renames', ...pathArguments([...paths])];
  await pumpDiff(repository, args, wanted.map(({ line }) => line).join(''), parser);
}
