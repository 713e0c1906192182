// Answers the questions that reached commits known from an earlier run. They are few: only commits that
// touch a path with an open question are read, all others hand their questions on.

import type { AnalysisEvent } from './events.ts';
import { touchedCommits } from './git/touched-commits.ts';
import type { Batch } from './packet.ts';
import type { FollowPaths, Pipeline } from './pipeline.ts';
import type { WalkPlan } from './plan.ts';
import { type ChunkReader, readChunk } from './read-chunk.ts';

const SEGMENT = 4000;

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
  let from = Math.max(plan.olderFrom, pipeline.position);
  while (from < plan.commits.length && pipeline.openLines > 0) {
    const paths = pipeline.walk.openPaths();
    const end = Math.min(from + SEGMENT, plan.commits.length);
    const segment = plan.commits.slice(from, end);
    const touched = await touchedCommits(reader.repository, segment, paths);
    const wanted = segment.flatMap(({ sha, parents }, i) =>
      touched === null || touched.has(sha)
        ? [{ index: from + i, sha, parents, answersOnly: true, isOnChain: false }]
        : [],
    );
    const start = from;
    from = end;
    let next = start;
    let isStale = false;
    const consume = async (batch: Batch) => {
      for (const packet of batch.commits) {
        if (isStale) return;
        while (next < packet.index) pipeline.pass(next++);
        await pipeline.consume({ ...batch, commits: [packet] }, follow);
        next = packet.index + 1;
        // A rename has led to a path that was not asked for: the rest has to be looked at again.
        if (touched !== null && pipeline.walk.hasPathOutside(paths)) {
          isStale = true;
          from = next;
        }
      }
    };
    await readChunk(reader, wanted, consume);
    while (next < from) pipeline.pass(next++);
    yield pipeline.take();
  }
}
