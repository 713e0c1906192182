// Answers the questions that reached commits known from an earlier run. They are few: only commits that
// touch a path with an open question are read, and only at such paths; all others hand their questions on.

import { type ChangeSegment, readChangeSegment } from '../diff/change-segment.ts';
import { DiffTreeProcess } from '../diff/diff-tree-process.ts';
import { RAW_CHANGES_FLAGS } from '../diff/raw-changes.ts';
import type { ListedCommit } from '../git/list-commits.ts';
import { GitError } from '../git/run-git.ts';
import type { AnalysisEvent } from '../model/events.ts';
import type { WalkPlan } from '../model/plan.ts';
import type { FollowPaths, Pipeline } from './pipeline.ts';
import { QuestionedChanges, type QuestionedCommit } from './questioned-changes.ts';
import type { ChunkReader } from './read-chunk.ts';

/** Commits whose changed paths are read at a time. */
const SEGMENT = 1000;
/** So many commits, or changed files in them, are compared at a time. */
const READ_AT_ONCE = { commits: 64, changes: 256 } as const;

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
  const questioned = new QuestionedChanges(reader, pipeline.walk);
  const trees = new DiffTreeProcess(reader.repository, RAW_CHANGES_FLAGS);
  // The next segment is read while this one is walked.
  const readSegment = (from: number) => {
    const segment = readChanges(trees, plan.commits.slice(from, from + SEGMENT));
    segment.catch(() => {}); // awaited later, if at all
    return { end: Math.min(from + SEGMENT, plan.commits.length), changes: segment };
  };
  let next = Math.max(plan.olderFrom, pipeline.position);
  let segment = readSegment(next);
  let following = segment;
  let changes: ChangeSegment | null = null;
  let isRead = false;
  try {
    while (next < plan.commits.length && pipeline.openLines > 0) {
      if (!isRead || next >= segment.end) {
        if (isRead) segment = following;
        changes = await segment.changes;
        isRead = true;
        if (segment.end < plan.commits.length) following = readSegment(segment.end);
      }
      const paths = pipeline.walk.openPaths();
      const { wanted, end } = chooseCommits(plan.commits, next, segment.end, changes, paths);
      let isStale = false;
      const passTo = (index: number) => {
        while (next < index) pipeline.pass(next++);
      };
      for await (const batch of questioned.read(wanted, passTo)) {
        await pipeline.consume(batch, follow);
        next++;
        // A rename has led to a path that was not looked for: the commits behind have to be chosen anew.
        isStale = pipeline.walk.hasPathOutside(paths);
        if (isStale) break;
      }
      if (!isStale) passTo(end);
      yield pipeline.take();
    }
  } finally {
    questioned.close();
    await trees.close();
  }
}

/** The next commits that touch a path with an open question, and where the commits end that were looked at. */
function chooseCommits(
  commits: readonly ListedCommit[],
  from: number,
  to: number,
  changes: ChangeSegment | null,
  paths: ReadonlySet<string>,
): { readonly wanted: QuestionedCommit[]; readonly end: number } {
  const wanted: QuestionedCommit[] = [];
  let count = 0;
  let end = from;
  for (; end < to && wanted.length < READ_AT_ONCE.commits && count < READ_AT_ONCE.changes; end++) {
    const { sha, parents } = commits[end]!;
    // A root has no parent to be compared with, and changes everything.
    const found = changes?.find(sha, paths) ?? null;
    if (found !== null && found.length === 0) continue;
    wanted.push({ index: end, sha, parents, changes: found, allChanges: () => changes?.all(sha) ?? null });
    count += found?.length ?? 0;
  }
  return { wanted, end };
}

/** Null when git cannot say what the commits change: each may change anything. */
async function readChanges(trees: DiffTreeProcess, commits: readonly ListedCommit[]): Promise<ChangeSegment | null> {
  const withParent = commits.flatMap(({ sha, parents: [parent] }) => (parent === undefined ? [] : [{ sha, parent }]));
  try {
    return await readChangeSegment(trees, withParent);
  } catch (error) {
    if (error instanceof GitError) return null;
    throw error;
  }
}
