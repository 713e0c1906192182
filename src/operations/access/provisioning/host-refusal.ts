// A host's refusal as the caller sees it: which parameter to change, and how.

import { StrataError } from '../../../domain/errors.ts';
import type { HostAccount, HostError, HostFailure } from '../../../domain/repos/code-host.ts';

type Named = 'git_provider_token' | 'endpoint_url' | 'git_provider_em';

const ADVICE: Record<HostFailure, { readonly parameter: Named; readonly advice: string }> = {
  rejected: { parameter: 'git_provider_token', advice: 'send it as git_provider_token' },
  insufficient_scope: { parameter: 'git_provider_token', advice: 'send it as git_provider_token' },
  rate_limited: { parameter: 'git_provider_token', advice: 'repeat the call after that time' },
  unreachable: { parameter: 'endpoint_url', advice: 'check endpoint_url and the network, then repeat the call' },
  timeout: { parameter: 'endpoint_url', advice: 'check endpoint_url, or repeat the call later' },
  refused_address: { parameter: 'endpoint_url', advice: 'send another endpoint_url' },
  unexpected_answer: { parameter: 'endpoint_url', advice: 'send the right endpoint_url' },
};

export function explainHostError(error: HostError, account: Pick<HostAccount, 'endpoint_url'>): StrataError {
  const { parameter, advice } = ADVICE[error.failure];
  // Without a custom address only the choice of the host can be wrong.
  const named = parameter === 'endpoint_url' && account.endpoint_url === null ? 'git_provider_em' : parameter;
  const detail = `${error.message}; ${advice}`;
  return new StrataError('provider_rejected', detail, { errors: { [named]: [error.message] }, cause: error });
}
