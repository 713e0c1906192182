// The tree in which duplicates are looked for: in this thread, or where that takes long in one of its own, which then gets
// the commits from the threads that read them.
import type { BlobComparer } from '../../diff/blob-comparer.ts';
import type { TreeCommit, TreeJudge, TreeJudgement } from '../../model/tree-commit.ts';
import { TreeDuplicates } from './tree-duplicates.ts';
import type { TreeThread } from './tree-thread.ts';
import type { TreeSetup } from './tree-worker.ts';

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
    return { judge: thread, close: () => thread.close() };
  }
  const tree = await TreeDuplicates.load(setup, own.isIndexed, own.blobs);
  return { judge: new OwnJudge(tree), close: async () => tree.close() };
}

/** Nothing is gained by waiting: it is this thread that judges. */
class OwnJudge implements TreeJudge {
  readonly lag = 0;
  readonly #tree: TreeDuplicates;
  #commit: (() => TreeCommit) | null = null;

  constructor(tree: TreeDuplicates) {
    this.#tree = tree;
  }

  add(commit: () => TreeCommit): void {
    this.#commit = commit;
  }

  ready(): null {
    return null;
  }

  next(): Promise<TreeJudgement> {
    const commit = this.#commit!();
    this.#commit = null;
    return this.#tree.step(commit);
  }
}
