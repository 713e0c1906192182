// The schema that holds the job queue's own tables, apart from ours.
export const QUEUE_SCHEMA = 'strata_queue';

/** The number of the last migration in the queue's package; a test holds it against the package. */
export const QUEUE_MIGRATION = 19;
