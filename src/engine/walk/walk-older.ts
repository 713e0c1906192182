// Answers the questions that reached commits known from an earlier run. They are few: only commits that questions wait
// at are looked at, and only at their paths; all others hand their questions on.

import { setImmediate } from 'node:timers/promises';
import { type ChangeSegment, readChangeSegment } from '../diff/change-segment.ts';
import { DiffTreeProcess } from '../diff/diff-tree-process.ts';
import { RAW_CHANGES_FLAGS } from '../diff/raw-changes.ts';
import type { ListedCommit } from '../git/list-commits.ts';
import { GitError, type GitRepository } from '../git/run-git.ts';
import type { CommitList } from '../model/commit-list.ts';
import type { Batch } from '../model/commit-record.ts';
import type { AnalysisEvent } from '../model/events.ts';
import type { WalkPlan } from '../model/plan.ts';
import type { WaitingPaths } from '../trace/provenance.ts';
import type { FollowPaths, Pipeline } from './pipeline.ts';
import { type OlderTrails, QuestionedChanges, type QuestionedCommit } from './questioned-changes.ts';
import type { ChunkReader } from './read-chunk.ts';

/** Commits whose changed paths git lists at a time, where packs do not show them. */
const SEGMENT = 1000;
/** So many commits are looked at before others have their turn: none of it waits for anything. */
const COMMITS_AT_ONCE = 64;

/** Whether there is anything for `walkOlder` to do. */
export function hasOlder(pipeline: Pipeline, plan: WalkPlan): boolean {
  return pipeline.openLines > 0 && Math.max(plan.olderFrom, pipeline.position) < plan.commits.length;
}

export interface OlderOptions {
  readonly follow: FollowPaths;
  /** What earlier walks have read, and where what is read now is kept; null: nothing is. */
  readonly trails: OlderTrails | null;
  readonly signal: AbortSignal | undefined;
}

export async function* walkOlder(
  pipeline: Pipeline,
  { commits, olderFrom }: WalkPlan,
  reader: ChunkReader,
  { follow, trails, signal }: OlderOptions,
): AsyncGenerator<AnalysisEvent[], void, void> {
  const lists = new GitLists(reader.repository, commits);
  const questioned = new QuestionedChanges(reader, pipeline.walk, {
    listByGit: (index) => lists.at(index),
    trails,
  });
  const questionedAt = (index: number, waiting: WaitingPaths): QuestionedCommit => {
    const { sha, parents } = commits.at(index);
    return { index, sha, parents, waiting };
  };
  let looked = 0;
  try {
    for (let index = Math.max(olderFrom, pipeline.position); index < commits.length; index++) {
      if (pipeline.openLines === 0) break;
      const waiting = pipeline.walk.waitingAt(index);
      let batch: Batch | null = null;
      if (waiting !== null) {
        const followed = questioned.follow(commits, index, waiting);
        batch = followed === undefined ? await questioned.read(questionedAt(index, waiting)) : followed;
      }
      if (batch === null) pipeline.pass(index);
      else await pipeline.consume(batch, follow);
      if (waiting === null || ++looked % COMMITS_AT_ONCE > 0) continue;
      yield* pipeline.take();
      await setImmediate();
      signal?.throwIfAborted();
    }
    yield* pipeline.take();
  } finally {
    await lists.close();
  }
}

/** What commits change against their first parents, by git. */
class GitLists {
  readonly #trees: DiffTreeProcess;
  readonly #commits: CommitList;
  /** Null when git cannot say what the commits change: each may change anything. */
  #segment: ChangeSegment | null = null;
  #end = 0;

  constructor(repository: GitRepository, commits: CommitList) {
    this.#trees = new DiffTreeProcess(repository, RAW_CHANGES_FLAGS);
    this.#commits = commits;
  }

  /** Of a commit and of those behind it; positions ascend from call to call. */
  async at(index: number): Promise<ChangeSegment | null> {
    if (index >= this.#end) {
      this.#end = Math.min(index + SEGMENT, this.#commits.length);
      this.#segment = await this.#read(
        Array.from({ length: this.#end - index }, (_, i) => this.#commits.at(index + i)),
      );
    }
    return this.#segment;
  }

  async #read(commits: readonly ListedCommit[]): Promise<ChangeSegment | null> {
    // A root has no parent to be compared with, and changes everything.
    const withParent = commits.flatMap(({ sha, parents: [parent] }) => (parent === undefined ? [] : [{ sha, parent }]));
    try {
      return await readChangeSegment(this.#trees, withParent);
    } catch (error) {
      if (error instanceof GitError) return null;
      throw error;
    }
  }

  close(): Promise<void> {
    return this.#trees.close();
  }
}
