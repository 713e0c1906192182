// Commits in the order of a walk, children before parents. Most of a large history are only passed: what lists them may
// make nothing of a commit until it is asked for.
import type { ListedCommit } from '../git/list-commits.ts';
import { readShaWords } from './sha-words.ts';

export interface CommitList {
  readonly length: number;
  at(position: number): ListedCommit;
  committedAt(position: number): number;
  /** Writes the words of its sha; answers how many these are. */
  shaWords(position: number, into: Uint32Array): number;
  parentCountOf(position: number): number;
  /** Where a commit stands; −1 when it is not among them. */
  find(sha: string): number;
  /** Where its parents stand; −1 for one that is not among them. */
  parentsOf(position: number): number[];
  /** The same for the first; −1 as well when it has none. */
  firstParentOf(position: number): number;
}

export const allOf = (list: CommitList): ListedCommit[] => Array.from({ length: list.length }, (_, i) => list.at(i));

/** Commits that are at hand. */
export function listOf(commits: readonly ListedCommit[]): CommitList {
  const positions = new Map<string, number>();
  for (let i = 0; i < commits.length; i++) positions.set(commits[i]!.sha, i);
  const find = (sha: string): number => positions.get(sha) ?? -1;
  return {
    length: commits.length,
    at: (position) => commits[position]!,
    committedAt: (position) => commits[position]!.committedAt,
    shaWords: (position, into) => readShaWords(commits[position]!.sha, into),
    parentCountOf: (position) => commits[position]!.parents.length,
    find,
    parentsOf: (position) => commits[position]!.parents.map(find),
    firstParentOf(position) {
      const parent = commits[position]!.parents[0];
      if (parent === undefined) return -1;
      // Most stand behind one another; the others are looked up among all.
      return commits[position + 1]?.sha === parent ? position + 1 : find(parent);
    },
  };
}

/** `older` holds no children of `newer`. */
export function joinLists(newer: CommitList, older: CommitList): CommitList {
  if (older.length === 0) return newer;
  if (newer.length === 0) return older;
  const end = newer.length;
  const behind = (position: number): number => (position < 0 ? -1 : end + position);
  const findOlder = (sha: string | undefined): number => (sha === undefined ? -1 : behind(older.find(sha)));
  return {
    length: end + older.length,
    at: (position) => (position < end ? newer.at(position) : older.at(position - end)),
    committedAt: (position) => (position < end ? newer.committedAt(position) : older.committedAt(position - end)),
    shaWords: (position, into) =>
      position < end ? newer.shaWords(position, into) : older.shaWords(position - end, into),
    parentCountOf: (position) => (position < end ? newer.parentCountOf(position) : older.parentCountOf(position - end)),
    find(sha) {
      const position = newer.find(sha);
      return position < 0 ? findOlder(sha) : position;
    },
    parentsOf(position) {
      if (position >= end) return older.parentsOf(position - end).map(behind);
      const { parents } = newer.at(position);
      return newer.parentsOf(position).map((parent, i) => (parent < 0 ? findOlder(parents[i]) : parent));
    },
    firstParentOf(position) {
      if (position >= end) return behind(older.firstParentOf(position - end));
      const parent = newer.firstParentOf(position);
      return parent < 0 ? findOlder(newer.at(position).parents[0]) : parent;
    },
  };
}
