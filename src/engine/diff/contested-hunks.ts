// The hunks between a merge's files and those of its parents, for files that differ from every parent's. Binary files
// are compared like others: blame knows none. Merges whose files are all in packs are compared in process, but for pairs
// of files that differ in too much: git compares each of those alone. In one question for a whole merge it would print all
// that long-lived branches differ in.

import type { GitRepository } from '../git/run-git.ts';
import { stopIfEnding } from '../thread-end.ts';
import type { BlobComparer, SeeOlder } from './blob-comparer.ts';
import { DiffStreamParser } from './diff-stream.ts';
import { type GitHunks, pairKey } from './git-hunks.ts';
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

/** What compares files. */
export interface HunkReader {
  readonly repository: GitRepository;
  /** In process; null: git compares whole merges. */
  readonly blobs: BlobComparer | null;
  /** Pairs of files that are too much for that. */
  readonly hunks: Pick<GitHunks, 'read'>;
  /** Shown files of first parents while their bytes are at hand, where they are compared in process. */
  readonly replaced?: { noteOf(merge: string, path: string): SeeOlder | undefined };
}

export const contestedKey = (sha: string, parent: number, path: string) => `${sha} ${parent} ${path}`;

/**
 * Compares what merges contest. `compare` may be called for paths of which other versions are at hand just then, and
 * `readAll` compares what is left.
 */
export class ContestedHunks {
  readonly #reader: HunkReader;
  /** What is compared in process and has not been yet. */
  readonly #byPath = new Map<string, Comparison[]>();
  readonly #leftToGit: Comparison[] = [];
  /** Merges that git compares whole. */
  readonly #elsewhere: Contested[] = [];
  /** By `contestedKey`, where the path is the same in the parent; of parents that have the same file, the first. */
  readonly #hunks = new Map<string, Int32Array>();

  constructor(reader: HunkReader, contested: readonly Contested[]) {
    this.#reader = reader;
    const { blobs } = reader;
    for (const each of contested)
      if (blobs !== null && isComparable(blobs, each)) this.#addPaths(each);
      else this.#elsewhere.push(each);
  }

  #addPaths(of: Contested): void {
    for (const path of of.paths) {
      const comparisons = this.#byPath.get(path) ?? [];
      this.#byPath.set(path, comparisons);
      const seen = new Set<string>();
      for (const [parent, list] of of.lists.entries()) {
        const change = list.get(path);
        if (change?.status !== 'M' || seen.has(change.oldBlob)) continue;
        seen.add(change.oldBlob);
        comparisons.push({ of, parent, path, change });
      }
    }
  }

  /** In process, as far as that goes. A version is likely to be stored as a difference to its neighbour. */
  compare(path: string): void {
    const comparisons = this.#byPath.get(path);
    if (comparisons === undefined) return;
    this.#byPath.delete(path);
    this.#compareEach(comparisons);
  }

  #compareEach(comparisons: readonly Comparison[]): void {
    const { blobs, replaced } = this.#reader;
    for (const comparison of comparisons) {
      stopIfEnding();
      const { of, parent, path, change } = comparison;
      const seeOlder = parent === 0 ? replaced?.noteOf(of.merge.sha, path) : undefined;
      const found = blobs?.compareText(change.oldBlob, change.newBlob, seeOlder) ?? null;
      if (found === null) this.#leftToGit.push(comparison);
      else this.#hunks.set(keyOf(comparison), found);
    }
  }

  /** The hunks of these merges at least. */
  async readAll(isWanted: (sha: string) => boolean): Promise<ReadonlyMap<string, Int32Array>> {
    const areWanted = ({ merge }: Contested) => isWanted(merge.sha);
    for (const comparisons of this.#byPath.values()) this.#compareEach(comparisons.filter(({ of }) => areWanted(of)));
    this.#byPath.clear();
    const { repository, hunks: git } = this.#reader;
    const left = this.#leftToGit.filter(({ of }) => areWanted(of));
    const unread = left.length === 0 ? [] : await comparePairs(git, left, this.#hunks);
    const whole = [...this.#elsewhere.filter(areWanted), ...new Set(unread.map(({ of }) => of))];
    await compareByGit(repository, whole, this.#hunks);
    return this.#hunks;
  }
}

interface Comparison {
  readonly of: Contested;
  readonly parent: number;
  readonly path: string;
  readonly change: RawChange;
}

const keyOf = ({ of, parent, path }: Comparison): string => contestedKey(of.merge.sha, parent, path);

/** Answers which comparisons git has not made: it has to say why, or they hold too many hunks. */
async function comparePairs(
  git: HunkReader['hunks'],
  comparisons: readonly Comparison[],
  hunks: Map<string, Int32Array>,
): Promise<Comparison[]> {
  const found = await git.read(comparisons.map(({ change }) => change));
  return comparisons.filter((comparison) => {
    const read = found.get(pairKey(comparison.change));
    if (read !== undefined) hunks.set(keyOf(comparison), read);
    return read === undefined;
  });
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
