// Reports of AI use are by days of UTC, whatever the entity's zone: the work that they are held against is told apart by them.

/** Of a commit. */
export const utcDayOf = (commit: string): string => `(${commit}.authored_at at time zone 'UTC')::date`;
