// Why a host's answer is no success. The host's own words are left out: they may repeat the request.
import { GIT_PROVIDERS, type GitProvider, HostError } from '../../domain/repos/code-host.ts';

export interface FailedAnswer {
  readonly status: number;
  readonly headers: Headers;
}

const MOST_WAIT_SECONDS = 86_400;

export function failureOf(provider: GitProvider, { status, headers }: FailedAnswer, now: Date): HostError {
  const { product, token_rights } = GIT_PROVIDERS[provider];
  if (status === 429 || (status === 403 && isQuotaSpent(headers))) {
    const retryAt = readRetryTime(headers, now);
    const seconds = Math.max(1, Math.ceil((retryAt.getTime() - now.getTime()) / 1000));
    return new HostError('rate_limited', `${product} accepts no more requests of this token for ${seconds} seconds`, {
      retryAt,
      retryAfterSeconds: seconds,
    });
  }
  if (status === 401) {
    return new HostError(
      'rejected',
      `${product} does not accept the token: it is wrong, revoked or expired; make a token with ${token_rights}`,
    );
  }
  if (status === 403) {
    const sso = headers.has('x-github-sso')
      ? ', and authorise it for single sign-on where an organization asks for it'
      : '';
    return new HostError(
      'insufficient_scope',
      `${product} accepts the token, but it may not read what is needed; make a token with ${token_rights}${sso}`,
    );
  }
  if (status >= 500) {
    return new HostError('unreachable', `${product} has a fault of its own (status ${status}); try again later`);
  }
  return new HostError(
    'unexpected_answer',
    `what answers there does not behave like ${product} (status ${status}); check the address and the name of the organization`,
  );
}

/** GitHub answers 403 where others answer 429. */
const isQuotaSpent = (headers: Headers): boolean =>
  headers.get('x-ratelimit-remaining') === '0' || headers.has('retry-after');

function readRetryTime(headers: Headers, now: Date): Date {
  const after = Number(headers.get('retry-after') ?? Number.NaN);
  const reset = Number(headers.get('x-ratelimit-reset') ?? headers.get('ratelimit-reset') ?? Number.NaN);
  const seconds = Number.isFinite(after) ? after : Number.isFinite(reset) ? reset - now.getTime() / 1000 : 60;
  return new Date(now.getTime() + Math.min(Math.max(seconds, 1), MOST_WAIT_SECONDS) * 1000);
}
