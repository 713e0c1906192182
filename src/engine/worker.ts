// The worker thread: reads the chunks it is given and posts their packets. It stops reading git's output
// while more than `creditBytes` of what it sent has not been consumed.
import { parentPort, workerData } from 'node:worker_threads';
import { createClassifier } from './classify/classify-commit.ts';
import { createIndexFilter } from './classify/duplicates.ts';
import { type AttributesFile, createPathAttributes } from './classify/git-attributes.ts';
import { type CustomPathRule, createFileJudge } from './classify/judge-file.ts';
import type { DiffLimits } from './git/diff-stream.ts';
import { openGitShell } from './git/git-shell.ts';
import type { GitRepository } from './git/run-git.ts';
import type { Batch, Chunk } from './packet.ts';
import { encodeBatch, type PostedBatch, transferList } from './packet-codec.ts';
import { closeReader, createReader, readChunk } from './read-chunk.ts';

export interface WorkerSetup {
  readonly repository: GitRepository;
  readonly attributes: readonly AttributesFile[];
  readonly pathRules: readonly CustomPathRule[];
  readonly limits: DiffLimits;
  readonly batchBytes: number;
  readonly creditBytes: number;
}

export type ToWorker =
  | { readonly kind: 'chunk'; readonly number: number; readonly chunk: Chunk }
  | { readonly kind: 'consumed'; readonly bytes: number }
  | { readonly kind: 'close' };

export type FromWorker =
  | { readonly kind: 'batch'; readonly number: number; readonly batch: PostedBatch }
  | { readonly kind: 'done'; readonly number: number }
  | { readonly kind: 'failed'; readonly error: Error };

const port = parentPort;
if (port !== null) {
  const setup = workerData as WorkerSetup;
  openGitShell(setup.repository);
  const attributes = createPathAttributes(setup.attributes);
  const reader = createReader({
    repository: setup.repository,
    classifier: createClassifier({ pathRules: setup.pathRules }),
    context: { attributes },
    isIndexed: createIndexFilter(createFileJudge(setup.pathRules), attributes),
    limits: setup.limits,
    batchBytes: setup.batchBytes,
  });
  let unconsumed = 0;
  let resume: (() => void) | null = null;
  const post = (message: FromWorker, transfer: ArrayBuffer[] = []) => port.postMessage(message, transfer);
  const send = async (number: number, batch: Batch) => {
    while (unconsumed > setup.creditBytes) {
      await new Promise<void>((resolve) => {
        resume = resolve;
      });
    }
    unconsumed += batch.bytes;
    const posted = encodeBatch(batch);
    post({ kind: 'batch', number, batch: posted }, transferList(posted));
  };
  port.on('message', (message: ToWorker) => {
    if (message.kind === 'close') {
      void closeReader(reader).then(() => port.close());
      return;
    }
    if (message.kind === 'consumed') {
      unconsumed -= message.bytes;
      resume?.();
      resume = null;
      return;
    }
    const { number, chunk } = message;
    readChunk(reader, chunk, (batch) => send(number, batch)).then(
      () => post({ kind: 'done', number }),
      (error: unknown) => post({ kind: 'failed', error: error instanceof Error ? error : new Error(String(error)) }),
    );
  });
}
