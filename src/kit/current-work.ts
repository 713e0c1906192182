// The signal of the request that is being worked on, wherever its work has got to. What takes long, above all the
// database, asks here whether anybody still waits, without every function between handing the signal on.
import { AsyncLocalStorage } from 'node:async_hooks';

const current = new AsyncLocalStorage<AbortSignal>();

export const workFor = <T>(signal: AbortSignal, work: () => T): T => current.run(signal, work);

/** For work that a request causes and does not own, such as writing for several at once. */
export const outsideOfWork = <T>(work: () => T): T => current.exit(work);

/** Undefined outside of requests: jobs and commands have signals of their own. */
export const currentSignal = (): AbortSignal | undefined => current.getStore();
