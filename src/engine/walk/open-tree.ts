// The tree in which duplicates are looked for: in this thread, or for many commits in one of its own, which then gets the
// commits from the threads that read them.
import type { BlobComparer } from '../diff/blob-comparer.ts';
import type { TreeCommit, TreeJudgement } from '../model/tree-commit.ts';
import { TreeDuplicates } from './tree-duplicates.ts';
import type { TreeThread } from './tree-thread.ts';
import type { TreeSetup } from './tree-worker.ts';

/** Judges the commits that the tree is stepped over, in order. A thread of its own does not ask for the commit. */
export type TreeJudge = (commit: () => TreeCommit) => TreeJudgement | Promise<TreeJudgement>;

export interface OpenTree {
  readonly judge: TreeJudge;
  close(): Promise<void>;
}

/** For this thread. */
interface OwnParts {
  readonly isIndexed: (path: string) => boolean;
  readonly blobs: BlobComparer | null;
}

export async function openTree(setup: TreeSetup, thread: TreeThread | null, own: OwnParts): Promise<OpenTree> {
  if (thread !== null) {
    thread.begin(setup);
    return { judge: () => thread.judge(), close: () => thread.close() };
  }
  const { repository, listing, maxBytes } = setup;
  const tree = await TreeDuplicates.load(repository, listing, own.isIndexed, own.blobs, maxBytes);
  return { judge: (commit) => tree.step(commit()), close: async () => tree.close() };
}
