// Feeds worker threads with consecutive chunks of commits and yields their batches in the commits' order.
// Memory is bounded by bytes: a worker that is ahead waits until what it sent has been consumed.
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { PACKAGE_FOLDER } from '../../kit/package-folder.ts';
import type { Batch, Chunk } from '../model/commit-record.ts';
import { addEffort, effort } from '../model/effort.ts';
import { decodeBatch, type PostedBatch } from '../model/record-codec.ts';
import type { FromWorker, ToWorker, WorkerSetup } from './worker.ts';

/** Threads run what was built, also under a test runner that loads the sources. */
const WORKER_FILE = join(PACKAGE_FOLDER, 'dist', 'bundle', 'engine-worker.js');

/** A thread keeps next to nothing from one commit to the next: V8's usual room for young objects is wasted on it. */
const RESOURCE_LIMITS = { maxYoungGenerationSizeMb: 12 } as const;

export interface ChunkList {
  readonly length: number;
  at(number: number): Chunk;
}

interface Lane {
  readonly worker: Worker;
  /** The chunk it works on. */
  chunk: number | null;
  hasEnded: boolean;
}

/** How long a thread may take to end what it is at. */
const CLOSE_MS = 500;

export class Feed {
  readonly #lanes: Lane[] = [];
  #failure: Error | null = null;
  #wake: (() => void) | null = null;
  #batches = new Map<number, { batch: PostedBatch; lane: Lane }[]>();
  #done = new Set<number>();
  #isClosed = false;

  /** Starts a thread before it is known what is to be read. */
  warmUp(): void {
    this.#addLane();
  }

  /** To be called before anything is read. */
  begin(setup: WorkerSetup, threads: number): void {
    while (this.#lanes.length < threads) this.#addLane();
    for (const lane of this.#lanes) this.#post(lane, { kind: 'setup', setup });
  }

  #addLane(): void {
    const worker = new Worker(WORKER_FILE, { resourceLimits: RESOURCE_LIMITS });
    const lane: Lane = { worker, chunk: null, hasEnded: false };
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
    const assign = () => {
      while (next < chunks.length) {
        const lane = this.#lanes.find(({ chunk }) => chunk === null);
        if (lane === undefined) return;
        lane.chunk = next;
        this.#post(lane, { kind: 'chunk', number: next, chunk: chunks.at(next) });
        next++;
      }
    };
    for (let current = 0; current < chunks.length; current++) {
      for (;;) {
        if (this.#failure !== null) throw this.#failure;
        assign();
        const waiting = this.#batches.get(current);
        const first = waiting?.shift();
        if (first !== undefined) {
          yield decodeBatch(first.batch);
          this.#post(first.lane, { kind: 'consumed', number: current, bytes: first.batch.bytes });
          continue;
        }
        if (this.#done.has(current)) break;
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      }
      this.#batches.delete(current);
    }
    this.#done.clear();
  }

  /** Ends the pass with this error, whatever the threads are at. */
  fail(error: Error): void {
    this.#failure ??= error;
    this.#signal();
  }

  /** Threads end by themselves, their git processes first; those that do not are ended. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all(
      this.#lanes.map(async (lane) => {
        const ended = new Promise<void>((resolve) => lane.worker.once('exit', () => resolve()));
        this.#post(lane, { kind: 'close' });
        const timer = setTimeout(() => void lane.worker.terminate(), CLOSE_MS);
        await (lane.hasEnded ? undefined : ended);
        clearTimeout(timer);
      }),
    );
  }

  #post(lane: Lane, message: ToWorker): void {
    lane.worker.postMessage(message);
  }

  #receive(lane: Lane, message: FromWorker): void {
    if (message.kind === 'failed') {
      this.fail(message.error);
      return;
    }
    if (message.kind === 'done') {
      this.#done.add(message.number);
      addEffort(effort, message.effort);
      lane.chunk = null;
    } else {
      const waiting = this.#batches.get(message.number);
      if (waiting === undefined) this.#batches.set(message.number, [{ batch: message.batch, lane }]);
      else waiting.push({ batch: message.batch, lane });
    }
    this.#signal();
  }

  #signal(): void {
    this.#wake?.();
    this.#wake = null;
  }
}
