// A host's refusal as the caller sees it: which parameter to change, and how.

import { type ErrorCode, StrataError } from '../../../domain/errors.ts';
import type { HostAccount, HostError, HostFailure } from '../../../domain/repos/code-host.ts';

type Named = 'git_provider_token' | 'endpoint_url' | 'git_provider_em';

interface Advice {
  readonly code: ErrorCode;
  readonly parameter: Named;
  readonly advice: string;
}

const ofToken = { parameter: 'git_provider_token', advice: 'send it as git_provider_token' } as const;
const ofAddress = { code: 'provider_unreachable', parameter: 'endpoint_url' } as const;

const ADVICE: Record<HostFailure, Advice> = {
  rejected: { ...ofToken, code: 'provider_rejected' },
  insufficient_scope: { ...ofToken, code: 'provider_scope' },
  rate_limited: { ...ofToken, code: 'provider_quota', advice: 'repeat the call after that time' },
  unreachable: { ...ofAddress, advice: 'check endpoint_url and the network, then repeat the call' },
  timeout: { ...ofAddress, advice: 'check endpoint_url, or repeat the call later' },
  refused_address: { ...ofAddress, advice: 'send another endpoint_url' },
  unexpected_answer: { ...ofAddress, code: 'provider_mismatch', advice: 'send the right endpoint_url' },
};

export function explainHostError(error: HostError, account: Pick<HostAccount, 'endpoint_url'>): StrataError {
  const { code, parameter, advice } = ADVICE[error.failure];
  // Without a custom address only the choice of the host can be wrong.
  const named = parameter === 'endpoint_url' && account.endpoint_url === null ? 'git_provider_em' : parameter;
  const detail = `${error.message}; ${advice}`;
  return new StrataError(code, detail, {
    errors: { [named]: [error.message] },
    cause: error,
    ...(error.retryAfterSeconds === null ? {} : { retryAfterSeconds: error.retryAfterSeconds }),
  });
}
