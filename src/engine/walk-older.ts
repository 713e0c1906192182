// Answers the questions that reached commits known from an earlier run. They are few: only commits that
// touch a path with an open question are read, all others hand their questions on.

import type { AnalysisEvent } from './events.ts';
import type { ListedCommit } from './git/list-commits.ts';
import { readRawChanges } from './git/merge-routes.ts';
import { GitError } from './git/run-git.ts';
import type { Batch } from './packet.ts';
import type { FollowPaths, Pipeline } from './pipeline.ts';
import type { WalkPlan } from './plan.ts';
import { type ChunkReader, readChunk } from './read-chunk.ts';

/** Commits whose changed paths are asked for at a time, and of which patches are read at a time. */
const SEGMENT = 3000;
const READ_AT_ONCE = 64;

/** Whether there is anything for `walkOlder` to do. */
export function hasOlder(pipeline: Pipeline, plan: WalkPlan): boolean {
  return pipeline.openLines > 0 && Math.max(plan.olderFrom, pipeline.position) < plan.commits.length;
}

export async function* walkOlder(
  pipeline: Pipeline,
  plan: WalkPlan,
  reader: ChunkReader,
  follow: FollowPaths,
): AsyncGenerator<AnalysisEvent[], void, void> {
  let next = Math.max(plan.olderFrom, pipeline.position);
  let changed: ReadonlyMap<string, readonly string[]> | null = null;
  let segmentEnd = next;
  while (next < plan.commits.length && pipeline.openLines > 0) {
    if (next >= segmentEnd) {
      segmentEnd = Math.min(next + SEGMENT, plan.commits.length);
      changed = await readChangedPaths(reader, plan.commits.slice(next, segmentEnd));
    }
    const paths = pipeline.walk.openPaths();
    const touches = ({ sha }: ListedCommit) => changed?.get(sha)?.some((path) => paths.has(path)) ?? true;
    const wanted = [];
    let end = next;
    for (; end < segmentEnd && wanted.length < READ_AT_ONCE; end++) {
      const { sha, parents } = plan.commits[end]!;
      if (touches(plan.commits[end]!)) wanted.push({ index: end, sha, parents, answersOnly: true, isOnChain: false });
    }
    let isStale = false;
    const consume = async (batch: Batch) => {
      for (const packet of batch.commits) {
        if (isStale) return;
        while (next < packet.index) pipeline.pass(next++);
        await pipeline.consume({ ...batch, commits: [packet] }, follow);
        next = packet.index + 1;
        // A rename has led to a path that was not looked for: the commits behind have to be chosen anew.
        isStale = pipeline.walk.hasPathOutside(paths);
      }
    };
    await readChunk(reader, wanted, consume);
    if (!isStale) while (next < end) pipeline.pass(next++);
    yield pipeline.take();
  }
}

/** What each commit changes against its first parent; one without an entry may change anything. */
async function readChangedPaths(
  reader: ChunkReader,
  commits: readonly ListedCommit[],
): Promise<ReadonlyMap<string, readonly string[]> | null> {
  const withParent = commits.flatMap(({ sha, parents: [first] }) =>
    first === undefined ? [] : [{ sha, parents: [first] }],
  );
  try {
    const lists = await readRawChanges(reader.trees, withParent);
    return new Map([...lists].map(([sha, [changes]]) => [sha, [...changes!.keys()]]));
  } catch (error) {
    if (error instanceof GitError) return null;
    throw error;
  }
}
