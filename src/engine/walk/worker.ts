// The worker thread: reads the chunks it is given and posts their records. It stops reading while more than
// `creditBytes` of what it sent of a chunk has not been consumed.
import { type MessagePort, parentPort, threadId, workerData } from 'node:worker_threads';
import { type AttributesFile, createPathAttributes } from '../categories/git-attributes.ts';
import { type CustomPathRule, createFileJudge } from '../categories/judge-file.ts';
import { createPatchMaker } from '../diff/patch-maker.ts';
import type { DiffLimits } from '../diff/streamed-commit.ts';
import { type GitRepository, killAll } from '../git/run-git.ts';
import { createClassifier } from '../judge/classify-commit.ts';
import { createIndexFilter } from '../judge/duplicates.ts';
import { allowPauses } from '../load-kernel.ts';
import { type Batch, type Chunk, decodeChunk, type PostedChunk } from '../model/commit-record.ts';
import { type Effort, takeEffort } from '../model/effort.ts';
import { PathNumbers } from '../model/path-numbers.ts';
import { encodeBatch, type PostedBatch, transferList } from '../model/record-codec.ts';
import { encodeTreeBatch, treeTransferList } from '../model/tree-commit.ts';
import type { PackIndex } from '../objects/pack-index.ts';
import { stopIfEnding, watchForEnd } from '../thread-end.ts';
import type { TrailPlace } from '../trails/place.ts';
import { TrailWriter } from '../trails/trail-writer.ts';
import { closeReader, createReader, readChunk } from './read-chunk.ts';
import type { ThreadData } from './threads.ts';
import type { ReaderToTree } from './tree/tree-worker.ts';

export interface WorkerSetup {
  readonly repository: GitRepository;
  /** Of the packs that files are read from in process; none: git makes all patches. */
  readonly packs: readonly PackIndex[];
  readonly attributes: readonly AttributesFile[];
  readonly pathRules: readonly CustomPathRule[];
  readonly limits: DiffLimits;
  readonly batchBytes: number;
  readonly creditBytes: number;
  /** Where what is read is kept for later walks; null: nowhere. */
  readonly trails: TrailPlace | null;
}

export type ToWorker =
  | { readonly kind: 'setup'; readonly setup: WorkerSetup; readonly tree: MessagePort | null }
  | { readonly kind: 'chunk'; readonly number: number; readonly chunk: PostedChunk }
  | { readonly kind: 'consumed'; readonly number: number; readonly bytes: number }
  | { readonly kind: 'close' };

export type FromWorker =
  | { readonly kind: 'batch'; readonly number: number; readonly batch: PostedBatch }
  | { readonly kind: 'done'; readonly number: number; readonly effort: Effort }
  | { readonly kind: 'failed'; readonly error: Error };

allowPauses();
const port = parentPort;
if (port !== null) {
  watchForEnd((workerData as ThreadData).end);
  let work: ReturnType<typeof openWork> | null = null;
  port.on('message', (message: ToWorker) => {
    if (message.kind === 'setup') work = openWork(port, message.setup, message.tree);
    else if (message.kind === 'close') void (work?.close() ?? Promise.resolve()).then(() => port.close());
    else if (message.kind === 'consumed') work?.take(message.number, message.bytes);
    else work?.read(message.number, decodeChunk(message.chunk));
  });
}

/** `tree`: to the thread that looks for duplicates; null: what it needs goes with the batches. */
function openWork(port: MessagePort, setup: WorkerSetup, tree: MessagePort | null) {
  const attributes = createPathAttributes(setup.attributes);
  const patches = createPatchMaker(setup.packs, setup.limits);
  const reader = createReader({
    repository: setup.repository,
    patches,
    classifier: createClassifier({ pathRules: setup.pathRules }),
    context: { attributes },
    isIndexed: createIndexFilter(createFileJudge(setup.pathRules), attributes),
    limits: setup.limits,
    batchBytes: setup.batchBytes,
  });
  /** By chunk: one that is far ahead must not keep the one that is waited for from being sent. */
  const credits = new Map<number, { unconsumed: number; resume: (() => void) | null }>();
  const post = (message: FromWorker, transfer: ArrayBuffer[] = []) => port.postMessage(message, transfer);
  const paths = new PathNumbers();
  const treePaths = new PathNumbers();
  const trails = setup.trails === null ? null : new TrailWriter(setup.trails, threadId);
  const postToTree = (message: ReaderToTree, transfer: ArrayBuffer[] = []) => tree?.postMessage(message, transfer);
  const sendToTree = (number: number, chunk: Chunk, { commits, hunks }: Batch) => {
    const first = chunk[0]!.index;
    const wanted = commits.filter(({ index }) => chunk[index - first]!.isStepped);
    if (wanted.length === 0) return;
    const batch = encodeTreeBatch({ commits: wanted, hunks }, ({ index }) => chunk[index - first]!, treePaths);
    postToTree({ kind: 'batch', number, batch }, treeTransferList(batch));
  };
  const send = async (number: number, chunk: Chunk, batch: Batch) => {
    // What is behind this may lack something: nothing of it is kept.
    stopIfEnding();
    const credit = credits.get(number)!;
    while (credit.unconsumed > setup.creditBytes) {
      await new Promise<void>((resolve) => {
        credit.resume = resolve;
      });
    }
    credit.unconsumed += batch.bytes;
    if (tree !== null) sendToTree(number, chunk, batch);
    trails?.add(batch, (index) => chunk[index - chunk[0]!.index]!);
    // Whatever was sent is kept: a walk that has all its answers ends its threads wherever they are.
    trails?.flush();
    const posted = encodeBatch(batch, { paths, withTree: tree === null });
    post({ kind: 'batch', number, batch: posted }, transferList(posted));
  };
  const read = async (number: number, chunk: Chunk) => {
    credits.set(number, { unconsumed: 0, resume: null });
    await readChunk(reader, chunk, (batch) => send(number, chunk, batch));
    credits.delete(number);
    postToTree({ kind: 'done', number });
  };
  return {
    read(number: number, chunk: Chunk): void {
      read(number, chunk).then(
        () => post({ kind: 'done', number, effort: takeEffort() }),
        (error: unknown) => post({ kind: 'failed', error: error instanceof Error ? error : new Error(String(error)) }),
      );
    },
    take(number: number, bytes: number): void {
      const credit = credits.get(number);
      if (credit === undefined) return;
      credit.unconsumed -= bytes;
      credit.resume?.();
      credit.resume = null;
    },
    async close(): Promise<void> {
      killAll();
      trails?.close();
      tree?.close();
      patches?.close();
      await closeReader(reader);
    },
  };
}
