// What a record looked like when it was stored, in few characters: the same fingerprint needs no second look.
import { createHash } from 'node:crypto';

/** Of plain values; the order of the keys does not matter. */
export const fingerprintOf = (values: Readonly<Record<string, unknown>>): string =>
  createHash('sha256')
    .update(JSON.stringify(Object.entries(values).sort(([a], [b]) => (a < b ? -1 : 1))))
    .digest('base64url')
    .slice(0, 22);
