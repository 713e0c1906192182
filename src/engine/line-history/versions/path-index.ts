// Skips over the commits that left a path alone, from memory. Built once from git's own change log, it
// turns the walk over tens of thousands of commits into a walk over integers.
import type { ParentList, PathChange } from '../../git/change-log.ts';

/**
 * Knows which commits left a path as a parent has it. A caller that stores such facts may bring its own.
 */
export interface PathIndex {
  /**
   * The commit to look at instead of `sha`: reached by going, for as long as it is known that some parent
   * has the same version of `path`, to the first such parent. `sha` itself when nothing can be skipped or
   * the commit is not known.
   */
  skip(sha: string, path: string): string | Promise<string>;
  /** Commits that the walk will probably stop at next, at most `count`: they are then read in one go. */
  upcoming?(sha: string, path: string, count: number): readonly string[];
}

/** Roughly 16 bytes a change and 150 a commit; beyond this the index would cost more than it saves. */
const MAX_CHANGES = 40_000_000;
const MAX_COMMITS = 1_000_000;

const UNKNOWN = -1;

/** Null when the history is too large to be held. */
export async function createPathIndex(
  parentLists: AsyncIterable<ParentList>,
  changes: AsyncIterable<PathChange>,
): Promise<PathIndex | null> {
  const shas: string[] = [];
  const numberOf = new Map<string, number>();
  const lists: (readonly string[])[] = [];
  for await (const { sha, parents } of parentLists) {
    if (shas.length === MAX_COMMITS) return null;
    numberOf.set(sha, shas.length);
    shas.push(sha);
    // A parent named twice is one edge: git tells what changed against it under one name.
    lists.push(new Set(parents).size === parents.length ? parents : [...new Set(parents)]);
  }
  /** Commit c's edges to its parents are firstEdge[c] … firstEdge[c + 1]; parentOf gives the other end. */
  const firstEdge = new Int32Array(shas.length + 1);
  for (let c = 0; c < shas.length; c++) firstEdge[c + 1] = firstEdge[c]! + lists[c]!.length;
  const parentOf = new Int32Array(firstEdge[shas.length]!);
  for (let c = 0; c < shas.length; c++) {
    const parents = lists[c]!;
    for (let k = 0; k < parents.length; k++) parentOf[firstEdge[c]! + k] = numberOf.get(parents[k]!) ?? UNKNOWN;
  }

  const edgesByPath = new Map<string, number[]>();
  let changeCount = 0;
  for await (const { sha, parent, paths } of changes) {
    const c = numberOf.get(sha);
    if (c === undefined || parent === null) continue;
    const edge = firstEdge[c]! + lists[c]!.indexOf(parent);
    changeCount += paths.length;
    if (changeCount > MAX_CHANGES) return null;
    for (const path of paths) {
      const edges = edgesByPath.get(path);
      if (edges === undefined) edgesByPath.set(path, [edge]);
      else edges.push(edge);
    }
  }
  lists.length = 0;

  const changedEdges = (path: string): ReadonlySet<number> => new Set(edgesByPath.get(path));
  const stopFrom = (start: number, changed: ReadonlySet<number>): number => {
    let c = start;
    walk: for (;;) {
      for (let edge = firstEdge[c]!; edge < firstEdge[c + 1]!; edge++) {
        if (changed.has(edge)) continue;
        const parent = parentOf[edge]!;
        if (parent === UNKNOWN) break;
        c = parent;
        continue walk;
      }
      return c;
    }
  };

  return {
    skip(sha, path) {
      const start = numberOf.get(sha);
      // A replacement character means that the path's bytes were not UTF-8: another path may look the same.
      if (start === undefined || path.includes('\ufffd')) return sha;
      return shas[stopFrom(start, changedEdges(path))]!;
    },
    upcoming(sha, path, count) {
      const changed = changedEdges(path);
      const stops: string[] = [];
      let c = numberOf.get(sha) ?? UNKNOWN;
      while (c !== UNKNOWN && stops.length < count) {
        c = stopFrom(c, changed);
        stops.push(shas[c]!);
        c = firstEdge[c] === firstEdge[c + 1] ? UNKNOWN : parentOf[firstEdge[c]!]!;
      }
      return stops;
    },
  };
}
