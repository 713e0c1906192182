// A git date may be one that no timestamp of PostgreSQL can hold; what lies outside of the years 1 to 9999 is moved to
// the nearest end of them, two days inside, so that it has such a year in every time zone.

const EARLIEST = Date.parse('0001-01-03T00:00:00Z') / 1000;
const LATEST = Date.parse('9999-12-30T00:00:00Z') / 1000 - 1;

/** Whole seconds since 1970 that a timestamp can hold. */
export const storableSeconds = (at: number): number => Math.trunc(Math.min(Math.max(at, EARLIEST), LATEST));
