// What operations are made of: the database, the clock and the log, given once at start.
import type { CloneCredentials, RepoSource } from '../domain/repo-source.ts';
import type { Log } from '../kit/log.ts';
import type { Store } from '../storage/handle.ts';

export interface OperationParts {
  readonly store: Store;
  readonly log: Log;
  /** Where repositories can be imported from, in the order in which they are asked. */
  readonly sources?: readonly RepoSource[];
  /** Keeps the credentials of addresses that the operator registers. */
  readonly credentials?: { store(address: string, credentials: CloneCredentials): Promise<void> };
  now(): Date;
}
