// What operations are made of: the database, the clock and the log, given once at start.
import type { Log } from '../kit/log.ts';
import type { Store } from '../storage/handle.ts';

export interface OperationParts {
  readonly store: Store;
  readonly log: Log;
  now(): Date;
}
