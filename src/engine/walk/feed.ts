// Feeds worker threads with consecutive chunks of commits and yields their batches in the commits' order.
// Memory is bounded by bytes: a worker that is ahead waits until what it sent has been consumed.
import { MessageChannel, type MessagePort, type TransferListItem, type Worker } from 'node:worker_threads';
import { type Batch, type Chunk, encodeChunk } from '../model/commit-record.ts';
import { addEffort, effort } from '../model/effort.ts';
import { PathLists } from '../model/path-numbers.ts';
import { decodeBatch, type PostedBatch } from '../model/record-codec.ts';

import { InOrder } from './in-order.ts';
import { closeThread, takeThread } from './threads.ts';
import type { FromWorker, ToWorker, WorkerSetup } from './worker.ts';

export interface ChunkList {
  readonly length: number;
  at(number: number): Chunk;
}

interface Lane {
  readonly worker: Worker;
  readonly paths: PathLists;
  /** The chunk it works on. */
  chunk: number | null;
  hasEnded: boolean;
}

interface Sent {
  readonly number: number;
  readonly batch: PostedBatch;
  readonly paths: readonly string[];
  readonly lane: Lane;
}

export class Feed {
  readonly #lanes: Lane[] = [];
  readonly #batches = new InOrder<Sent>();
  /** Gives the chunks that are left to the threads that have none. */
  #assign = (): void => {};
  #isClosed = false;
  #closing: Promise<unknown> | null = null;

  /** Starts a thread before it is known what is to be read. */
  warmUp(): void {
    this.#addLane();
  }

  /**
   * To be called before anything is read. What duplicates need goes through the ports that are returned, one of each thread,
   * when they have a thread of their own; else it comes with the batches.
   */
  begin(setup: WorkerSetup, threads: number, hasTreeThread: boolean): MessagePort[] {
    while (this.#lanes.length < threads) this.#addLane();
    return this.#lanes.flatMap((lane) => {
      if (!hasTreeThread) {
        this.#post(lane, { kind: 'setup', setup, tree: null });
        return [];
      }
      const { port1: port, port2 } = new MessageChannel();
      this.#post(lane, { kind: 'setup', setup, tree: port }, [port]);
      return [port2];
    });
  }

  #addLane(): void {
    const worker = takeThread('reader');
    const lane: Lane = { worker, paths: new PathLists(), chunk: null, hasEnded: false };
    worker.on('message', (message: FromWorker) => this.#receive(lane, message));
    worker.on('error', (error) => this.fail(error));
    worker.on('exit', (code) => {
      lane.hasEnded = true;
      if (!this.#isClosed) this.fail(new Error(`a worker thread ended with code ${code}`));
    });
    this.#lanes.push(lane);
  }

  /** One pass over chunks. Only one may run at a time; leaving it early closes nothing but ends the pass. */
  async *read(chunks: ChunkList): AsyncGenerator<Batch, void, void> {
    let next = 0;
    this.#assign = () => {
      for (const lane of this.#lanes) {
        if (next === chunks.length) return;
        if (lane.chunk !== null) continue;
        lane.chunk = next;
        this.#post(lane, { kind: 'chunk', number: next, chunk: encodeChunk(chunks.at(next)) });
        next++;
      }
    };
    this.#assign();
    for await (const { batch, paths, lane, number } of this.#batches.read(chunks.length)) {
      yield decodeBatch(batch, paths);
      this.#post(lane, { kind: 'consumed', number, bytes: batch.bytes });
    }
  }

  /** Ends the pass with this error, whatever the threads are at. */
  fail(error: Error): void {
    this.#batches.fail(error);
  }

  /** The threads end while others go on; may be called again to wait for it. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#closing ??= Promise.all(
      this.#lanes.map(async (lane) => {
        if (!lane.hasEnded) await closeThread(lane.worker, () => this.#post(lane, { kind: 'close' }));
      }),
    );
    await this.#closing;
  }

  #post(lane: Lane, message: ToWorker, transfer: TransferListItem[] = []): void {
    lane.worker.postMessage(message, transfer);
  }

  #receive(lane: Lane, message: FromWorker): void {
    if (message.kind === 'failed') this.fail(message.error);
    else if (message.kind === 'batch')
      this.#batches.add(message.number, { ...message, paths: lane.paths.receive(message.batch.fresh), lane });
    else {
      addEffort(effort, message.effort);
      lane.chunk = null;
      this.#assign();
      this.#batches.end(message.number);
    }
  }
}
