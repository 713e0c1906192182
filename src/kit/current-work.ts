// The request that is being worked on, wherever its work has got to. What takes long, above all the database, asks here
// whether anybody still waits, without every function between handing the signal on.
import { AsyncLocalStorage } from 'node:async_hooks';

/** Sends one statement over the connection whose transaction is about to be committed. */
export type SendStatement = (text: string, values: readonly unknown[]) => Promise<{ readonly rowCount: number | null }>;

export interface Work {
  /** Aborted when nobody waits any more: what is not committed by then is rolled back. */
  readonly signal: AbortSignal;
  /** Commits that are on their way, whose outcome is not known yet. */
  committing: number;
  /** Something is committed: from then on the work goes on to its end, so that it is never kept in part. */
  isKept: boolean;
  /** Takes part in every transaction of the work as its last statement; when it throws, nothing is kept. */
  beforeCommit?: (send: SendStatement) => Promise<void>;
}

export const beginWork = (signal: AbortSignal): Work => ({ signal, committing: 0, isKept: false });

/** Whether it can still be undone as a whole. */
export const canBeUndone = (work: Work): boolean => !work.isKept && work.committing === 0;

const current = new AsyncLocalStorage<Work>();

export const workFor = <T>(work: Work, run: () => T): T => current.run(work, run);

/** For work that a request causes and does not own, such as writing for several at once. */
export const outsideOfWork = <T>(work: () => T): T => current.exit(work);

/** Undefined outside of requests: jobs and commands have signals of their own. */
export const currentWork = (): Work | undefined => current.getStore();
