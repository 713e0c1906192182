import type { Worker } from 'node:worker_threads';

/** How long a thread may take to end what it is at. */
const CLOSE_MS = 500;

/** Threads end by themselves when `close` asks them to, their git processes first; those that do not are ended. */
export async function closeThread(worker: Worker, close: () => void): Promise<void> {
  const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
  close();
  const timer = setTimeout(() => void worker.terminate(), CLOSE_MS);
  await ended;
  clearTimeout(timer);
}
