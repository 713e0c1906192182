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
/** Segments that git reads ahead: what takes long in one is made up for in the next. */
const SEGMENTS_AHEAD = 3;
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
  let next = Math.max(plan.olderFrom, pipeline.position);
  const segments = new SegmentsAhead(trees, plan.commits, next);
  let segment: Segment | null = null;
  try {
    while (next < plan.commits.length && pipeline.openLines > 0) {
      if (segment === null || next >= segment.end) segment = await segments.next();
      const paths = pipeline.walk.openPaths();
      const { wanted, end } = chooseCommits(plan.commits, next, segment, paths);
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
    segments.stop();
    questioned.close();
    await trees.close();
  }
}

interface Segment {
  readonly end: number;
  /** Null when git cannot say what the commits change: each may change anything. */
  readonly changes: ChangeSegment | null;
}

/** Git reads segments while those before them are walked. */
class SegmentsAhead {
  readonly #trees: DiffTreeProcess;
  readonly #commits: readonly ListedCommit[];
  readonly #coming: Promise<Segment>[] = [];
  #from: number;
  #last: Promise<unknown> = Promise.resolve();
  #isStopped = false;

  constructor(trees: DiffTreeProcess, commits: readonly ListedCommit[], from: number) {
    this.#trees = trees;
    this.#commits = commits;
    this.#from = from;
    this.#fill();
  }

  async next(): Promise<Segment> {
    const segment = await this.#coming.shift()!;
    this.#fill();
    return segment;
  }

  /** Before git is ended: what waits would start another one. */
  stop(): void {
    this.#isStopped = true;
  }

  #fill(): void {
    while (this.#coming.length < SEGMENTS_AHEAD && this.#from < this.#commits.length) {
      const commits = this.#commits.slice(this.#from, this.#from + SEGMENT);
      const end = this.#from + commits.length;
      const segment = this.#last.then(async () => {
        const changes = this.#isStopped ? null : await readChanges(this.#trees, commits);
        return { end, changes };
      });
      this.#last = segment.catch(ignore); // awaited later, if at all
      this.#coming.push(segment);
      this.#from = end;
    }
  }
}

const ignore = (): void => {};

/** The next commits that touch a path with an open question, and where the commits end that were looked at. */
function chooseCommits(
  commits: readonly ListedCommit[],
  from: number,
  { end: to, changes }: Segment,
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
