// What the API promises to calls that carry an Idempotency-Key.

/** Such a call can be repeated for so long. */
export const KEPT_HOURS = 24;
