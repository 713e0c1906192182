// PostgreSQL's timestamps end in the year 294276; a git date need not.

const EARLIEST = Date.UTC(1, 0, 1) / 1000 - 1900 * 31_557_600;
const LATEST = 253_402_300_799;

/** Whole seconds since 1970 that a timestamp can hold. */
export const storableSeconds = (at: number): number => Math.trunc(Math.min(Math.max(at, EARLIEST), LATEST));
