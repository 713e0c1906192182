// Deployments and pipeline runs, as every host's normaliser returns them.
import type { Account } from '../people/account.ts';

export interface CollectedDeployment {
  readonly external_id: string;
  readonly environment: string;
  readonly sha: string | null;
  readonly ref: string | null;
  /** `inactive` was a success that a later deployment has replaced. */
  readonly state: 'pending' | 'success' | 'failure' | 'inactive';
  readonly created_at: string;
  /** When it reached its state; null while pending. */
  readonly finished_at: string | null;
  readonly creator: Account | null;
  readonly url: string | null;
  readonly updated_at: string | null;
}

/** A workflow run, pipeline or build: the last attempt of it. */
export interface CollectedRun {
  readonly external_id: string;
  readonly name: string;
  /** The file that defines it. */
  readonly path: string | null;
  readonly branch: string | null;
  readonly sha: string;
  readonly event: string | null;
  readonly state: 'pending' | 'success' | 'failure' | 'cancelled';
  readonly attempt: number;
  readonly created_at: string;
  readonly started_at: string | null;
  readonly finished_at: string | null;
  readonly actor: Account | null;
  readonly url: string | null;
}
