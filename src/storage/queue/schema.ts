// The schema that holds the job queue's own tables, apart from ours.
export const QUEUE_SCHEMA = 'strata_queue';
