// What a failed page means: wait for the token's budget, give the token up, leave the stream to others, ask for less,
// begin the list anew, or try again later. One table of consequences for all hosts.
import { HostError } from '../domain/repos/code-host.ts';

export type Verdict =
  /** The budget is spent: nothing is wrong. */
  | { readonly kind: 'wait' }
  /** The token is not accepted: a new one is needed. */
  | { readonly kind: 'give_up_token' }
  /** This token may not read it, or it is not there. */
  | { readonly kind: 'deny'; readonly failure: 'insufficient_scope' | 'gone' }
  /** The page is too heavy: the same place with half the size, at once. */
  | { readonly kind: 'shrink'; readonly pageSize: number }
  /** The host does not know the place in the list any more: from the watermark on. */
  | { readonly kind: 'restart' }
  | { readonly kind: 'retry'; readonly afterSeconds: number; readonly pageSize: number };

export interface FailedPage {
  readonly error: unknown;
  readonly pageSize: number;
  /** In a row, this one included. */
  readonly failures: number;
  readonly hasCursor: boolean;
  /** From 0 to 1, for the jitter. */
  readonly lot: number;
}

const GONE = [404, 410, 451];
const STALE_CURSOR = [400, 410, 422];
const HEAVY = [502, 504];
const FIRST_RETRY_SECONDS = 60;
const LONGEST_RETRY_SECONDS = 3_600;
/** From so many failures on, one item alone may be at fault: the page shrinks to find it. */
const SUSPICIOUS_FAILURES = 2;

export function judgeFailure({ error, pageSize, failures, hasCursor, lot }: FailedPage): Verdict {
  const smaller = Math.max(1, Math.floor(pageSize / 2));
  const later = (leastSeconds = 0): Verdict => {
    const seconds = Math.min(FIRST_RETRY_SECONDS * 2 ** (failures - 1), LONGEST_RETRY_SECONDS) * (0.9 + 0.2 * lot);
    const isSuspicious = failures >= SUSPICIOUS_FAILURES;
    return {
      kind: 'retry',
      afterSeconds: Math.max(seconds, leastSeconds),
      pageSize: isSuspicious ? smaller : pageSize,
    };
  };
  if (!(error instanceof HostError)) return later();
  const { failure, status } = error;
  if (failure === 'rate_limited') return { kind: 'wait' };
  if (failure === 'rejected' || failure === 'refused_address') return { kind: 'give_up_token' };
  if (failure === 'insufficient_scope') return { kind: 'deny', failure };
  if (hasCursor && failures === 1 && status !== null && STALE_CURSOR.includes(status)) return { kind: 'restart' };
  if (status !== null && GONE.includes(status)) return { kind: 'deny', failure: 'gone' };
  const isHeavy = failure === 'timeout' || (status !== null && HEAVY.includes(status));
  if (isHeavy && pageSize > 1) return { kind: 'shrink', pageSize: smaller };
  return later(error.retryAfterSeconds ?? 0);
}

/** How a failure is shown; what is no HostError is a fault of ours. */
export const failureName = (error: unknown): string => (error instanceof HostError ? error.failure : 'fault');
