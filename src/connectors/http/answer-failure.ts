// Why a host's answer is no success. The host's own words are left out: they may repeat the request.
import { type ServiceKind, serviceOf } from '../../domain/collect/service.ts';
import { HostError } from '../../domain/repos/code-host.ts';
import { readReset, readRetryAfter } from './read-limits.ts';

export interface FailedAnswer {
  readonly status: number;
  readonly headers: Headers;
  /** What the host says; only looked at for the words that tell a limit from a missing right. */
  readonly body?: unknown;
}

/** Where the host does not say how long to wait. */
const GUESSED_WAIT_SECONDS = 60;

export function failureOf(provider: ServiceKind, answer: FailedAnswer, now: Date): HostError {
  const { product, token_rights } = serviceOf(provider);
  const { status, headers } = answer;
  if (status === 429 || (status === 403 && isThrottled(provider, answer))) return quotaSpent(product, headers, now);
  if (status === 401) {
    return new HostError(
      'rejected',
      `${product} does not accept the token: it is wrong, revoked or expired; make a token with ${token_rights}`,
      { status },
    );
  }
  if (status === 403) {
    const sso = headers.has('x-github-sso')
      ? ', and authorise it for single sign-on where an organization asks for it'
      : '';
    return new HostError(
      'insufficient_scope',
      `${product} accepts the token, but it may not read what is needed; make a token with ${token_rights}${sso}`,
      { status },
    );
  }
  if (status >= 500) {
    return new HostError('unreachable', `${product} has a fault of its own (status ${status}); try again later`, {
      status,
      retryAt: readRetryAfter(headers, now),
    });
  }
  return new HostError(
    'unexpected_answer',
    `what answers there does not behave like ${product} (status ${status}); check the address and the name of the organization`,
    { status },
  );
}

export function quotaSpent(product: string, headers: Headers, now: Date): HostError {
  const reset = headers.get('x-ratelimit-remaining') === '0' ? readReset(headers, now) : null;
  const said = readRetryAfter(headers, now) ?? (reset !== null && reset.getTime() > now.getTime() ? reset : null);
  const retryAt = said ?? new Date(now.getTime() + GUESSED_WAIT_SECONDS * 1000);
  const seconds = Math.max(1, Math.ceil((retryAt.getTime() - now.getTime()) / 1000));
  return new HostError('rate_limited', `${product} accepts no more requests of this token for ${seconds} seconds`, {
    retryAt,
    retryAfterSeconds: seconds,
    isWaitGuessed: said === null,
  });
}

const THROTTLE_WORDS = /secondary rate limit|api rate limit exceeded|abuse detection/i;

/** GitHub answers 403 where others answer 429, for its second kind of limit with quota left and without a time. */
function isThrottled(provider: ServiceKind, { headers, body }: FailedAnswer): boolean {
  if (provider !== 'hostC') return false;
  const limit = headers.get('x-ratelimit-limit');
  if (headers.get('x-ratelimit-remaining') === '0' && limit !== '0') return true;
  const said = headers.get('retry-after');
  return (said !== null && said !== '0') || THROTTLE_WORDS.test(wordsOf(body));
}

function wordsOf(body: unknown): string {
  if (typeof body === 'string') return body;
  const message = typeof body === 'object' && body !== null && 'message' in body ? body.message : '';
  return typeof message === 'string' ? message : '';
}
