// The threads of an analysis: how they are started and ended. They may be started before it is known what they are to do,
// because a thread takes longer to load its code than git takes to list the commits of a small history.
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { Worker, type WorkerOptions } from 'node:worker_threads';
import { PACKAGE_FOLDER } from '../../kit/package-folder.ts';

const THREADS = {
  /** Reads commits. It keeps next to nothing from one to the next: V8's usual room for young objects is wasted on it. */
  reader: { file: 'engine-worker.js', options: { resourceLimits: { maxYoungGenerationSizeMb: 12 } } },
  /** Looks for duplicates. */
  tree: { file: 'engine-tree.js', options: {} },
} as const satisfies Record<string, { readonly file: string; readonly options: WorkerOptions }>;
export type ThreadKind = keyof typeof THREADS;

const ready: Record<ThreadKind, Worker[]> = { reader: [], tree: [] };

/** What a thread is started with. */
export interface ThreadData {
  /** As `watchForEnd` takes it. */
  readonly end: Int32Array;
}

const ends = new WeakMap<Worker, Int32Array>();

/** Threads run what was built, also under a test runner that loads the sources. */
function start(kind: ThreadKind): Worker {
  const { file, options } = THREADS[kind];
  const end = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  const workerData: ThreadData = { end };
  const worker = new Worker(join(PACKAGE_FOLDER, 'dist', 'bundle', file), { ...options, workerData });
  ends.set(worker, end);
  return worker;
}

/** For the next that take one. A process that ends before does not wait for them. */
function startThreads(kind: ThreadKind, count: number): void {
  while (ready[kind].length < count) {
    const worker = start(kind);
    worker.unref();
    // One that fails while it waits is not handed out; who takes the next hears of what is wrong.
    worker.once('error', () => forget(kind, worker));
    worker.once('exit', () => forget(kind, worker));
    ready[kind].push(worker);
  }
}

function forget(kind: ThreadKind, worker: Worker): void {
  const place = ready[kind].indexOf(worker);
  if (place >= 0) ready[kind].splice(place, 1);
}

/** More come when it is known how much there is to read. */
const FIRST_READERS = 2;

/** Those that a walk needs first: they load their code while git and the database are asked what there is to read. */
export function startFirstThreads(most: number | null): void {
  startThreads('reader', Math.min(FIRST_READERS, most ?? availableParallelism()));
  startThreads('tree', 1);
}

/** Of threads that were started and not taken. */
export async function endReadyThreads(): Promise<void> {
  const left = [...ready.reader.splice(0), ...ready.tree.splice(0)];
  await Promise.all(left.map((worker) => worker.terminate()));
}

/** A thread for the caller to end. */
export function takeThread(kind: ThreadKind): Worker {
  const worker = ready[kind].pop();
  worker?.ref();
  return worker ?? start(kind);
}

/** How long a thread may take to end what it is at: a single file, its git processes. */
const CLOSE_MS = 10_000;

/**
 * Threads end by themselves when `close` asks them to, their git processes first; those that do not are ended, and these
 * processes stay as dead ones (thread-end.ts).
 */
export async function closeThread(worker: Worker, close: () => void): Promise<void> {
  const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
  const end = ends.get(worker);
  if (end !== undefined) Atomics.store(end, 0, 1);
  close();
  const timer = setTimeout(() => void worker.terminate(), CLOSE_MS);
  await ended;
  clearTimeout(timer);
}
