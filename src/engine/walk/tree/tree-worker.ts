// The thread of the tree in which duplicates are looked for. The threads that read commits send it what it needs of them; it
// goes through them in the walk's order and posts a judgement for each.
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { type AttributesFile, createPathAttributes } from '../../categories/git-attributes.ts';
import { type CustomPathRule, createFileJudge } from '../../categories/judge-file.ts';
import { createBlobComparer } from '../../diff/blob-comparer.ts';
import { killAll } from '../../git/run-git.ts';
import { createIndexFilter } from '../../judge/duplicates.ts';
import { allowPauses } from '../../load-kernel.ts';
import { type Effort, takeEffort } from '../../model/effort.ts';
import { PathLists } from '../../model/path-numbers.ts';
import {
  decodeTreeBatch,
  encodeJudgements,
  type PostedTreeBatch,
  type TreeJudgement,
} from '../../model/tree-commit.ts';
import type { PackIndex } from '../../objects/pack-index.ts';
import { stopIfEnding, watchForEnd } from '../../thread-end.ts';
import { InOrder } from '../in-order.ts';
import type { ThreadData } from '../threads.ts';
import { TreeDuplicates, type TreeInput } from './tree-duplicates.ts';

export interface TreeSetup extends TreeInput {
  readonly packs: readonly PackIndex[];
  readonly attributes: readonly AttributesFile[];
  readonly pathRules: readonly CustomPathRule[];
  /** Of the threads that read commits. */
  readonly readers: readonly MessagePort[];
}

export type ToTree = { readonly kind: 'setup'; readonly setup: TreeSetup } | { readonly kind: 'close' };

export type FromTree =
  | { readonly kind: 'judged'; readonly numbers: Uint32Array; readonly effort: Effort }
  | { readonly kind: 'failed'; readonly error: Error };

/** From a thread that reads commits. */
export type ReaderToTree =
  | { readonly kind: 'batch'; readonly number: number; readonly batch: PostedTreeBatch }
  | { readonly kind: 'done'; readonly number: number };

allowPauses();
const port = parentPort;
if (port !== null) {
  watchForEnd((workerData as ThreadData).end);
  let close = (): void => {};
  port.on('message', (message: ToTree) => {
    if (message.kind === 'setup') close = openTree(port, message.setup);
    else {
      killAll();
      close();
      port.close();
    }
  });
}

/** Answers how to end it. */
function openTree(port: MessagePort, setup: TreeSetup): () => void {
  const batches = new InOrder<{ readonly batch: PostedTreeBatch; readonly paths: readonly string[] }>();
  for (const reader of setup.readers) {
    const lists = new PathLists();
    reader.on('message', (message: ReaderToTree) => {
      if (message.kind === 'done') batches.end(message.number);
      else batches.add(message.number, { batch: message.batch, paths: lists.receive(message.batch.fresh) });
    });
  }
  const post = (message: FromTree, transfer: ArrayBuffer[] = []) => port.postMessage(message, transfer);
  const blobs = createBlobComparer(setup.packs);
  let tree: TreeDuplicates | null = null;
  const run = async () => {
    const attributes = createPathAttributes(setup.attributes);
    const isIndexed = createIndexFilter(createFileJudge(setup.pathRules), attributes);
    tree = await TreeDuplicates.load(setup, isIndexed, blobs);
    for await (const { batch, paths } of batches.read()) {
      const judgements: TreeJudgement[] = [];
      for (const commit of decodeTreeBatch(batch, paths)) {
        stopIfEnding();
        judgements.push(await tree.step(commit));
      }
      const numbers = encodeJudgements(judgements);
      post({ kind: 'judged', numbers, effort: takeEffort() }, [numbers.buffer as ArrayBuffer]);
    }
  };
  run().catch((error: unknown) =>
    post({ kind: 'failed', error: error instanceof Error ? error : new Error(String(error)) }),
  );
  return () => {
    for (const reader of setup.readers) reader.close();
    tree?.close();
    blobs?.close();
  };
}
