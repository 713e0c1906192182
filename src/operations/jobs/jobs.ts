// The queue and its workers, for the operator's page.
import { countJobs, type JobCounts, listFailedJobs } from '../../storage/queue/queue.ts';
import { listWorkers } from '../../storage/queue/workers.ts';
import type { SuperAdmin } from '../access/grant.ts';
import type { OperationParts } from '../operation-parts.ts';

export interface JobsRecord {
  readonly tasks: ({ readonly task: string } & JobCounts)[];
  /** Out of attempts, the latest first. */
  readonly failures: {
    readonly id: number;
    readonly task: string;
    readonly attempts: number;
    readonly last_error: string;
    readonly updated_at: string;
  }[];
  readonly workers: {
    readonly id: string;
    readonly host: string;
    readonly pid: number;
    readonly concurrency: number;
    readonly started_at: string;
    readonly beat_at: string;
  }[];
}

export interface JobOperations {
  read(actor: SuperAdmin): Promise<JobsRecord>;
}

const MOST_FAILURES = 50;

export function createJobOperations({ store: { db } }: OperationParts): JobOperations {
  return {
    async read(_actor) {
      const [tasks, failures, workers] = await Promise.all([
        countJobs(db),
        listFailedJobs(db, MOST_FAILURES),
        listWorkers(db),
      ]);
      return { tasks, failures, workers };
    },
  };
}
