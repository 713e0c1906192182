// A git date may be one that no timestamp of PostgreSQL can hold; what lies outside of the years 1 to 9999 is moved to
// the nearest end of them.

const EARLIEST = Date.UTC(1, 0, 1) / 1000 - 1900 * 31_557_600;
const LATEST = 253_402_300_799;

/** Whole seconds since 1970 that a timestamp can hold. */
export const storableSeconds = (at: number): number => Math.trunc(Math.min(Math.max(at, EARLIEST), LATEST));
