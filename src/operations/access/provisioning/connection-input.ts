// The connection's part of a provisioning call: what its kind of host needs, and nothing that a host
// could misread.

import { type FieldErrors, StrataError } from '../../../domain/errors.ts';
import { GIT_PROVIDERS, type GitProvider, type HostAccount } from '../../../domain/repos/code-host.ts';

export interface ProvisionUserInput {
  readonly email: string;
  readonly git_provider_em: GitProvider;
  readonly git_provider_token: string;
  readonly entity_slug?: string | undefined;
  readonly user_name?: string | undefined;
  readonly avatar_url?: string | undefined;
  readonly git_provider_token_expires_at?: Date | undefined;
  readonly git_provider_organization?: string | undefined;
  readonly tenant_id?: string | undefined;
  readonly endpoint_url?: string | undefined;
}

const HEADER_SAFE = /^[\x21-\x7e]+$/;
const ORGANIZATION = /^[\p{L}\p{N}][\p{L}\p{N}._ -]*$/u;

export function readConnectionInput(input: ProvisionUserInput, now: Date): Omit<HostAccount, 'email' | 'token'> {
  const provider = input.git_provider_em;
  const kind = GIT_PROVIDERS[provider];
  const missing = kind.needs.filter((name) => input[name] === undefined);
  if (missing.length > 0) {
    const message = `is missing; ${provider} (${kind.product}) cannot do without it`;
    throw new StrataError(
      'missing_conditional_parameter',
      `${missing.join(', ')}: ${missing.length === 1 ? 'is' : 'are'} needed for git_provider_em ${provider} (${kind.product})`,
      { errors: Object.fromEntries(missing.map((name) => [name, [message]])) },
    );
  }
  if (!HEADER_SAFE.test(input.git_provider_token)) {
    throw invalid({ git_provider_token: ['has blanks or letters that no token has; expected the token alone'] });
  }
  const organization = input.git_provider_organization;
  if (organization !== undefined && !ORGANIZATION.test(organization)) {
    throw invalid({
      git_provider_organization: [
        `"${organization.slice(0, 80)}" is not accepted; expected the name alone, such as contoso of dev.azure.com/contoso`,
      ],
    });
  }
  const expiresAt = input.git_provider_token_expires_at;
  if (expiresAt !== undefined && expiresAt <= now) {
    throw new StrataError(
      'unprocessable',
      `git_provider_token_expires_at: the token expired at ${expiresAt.toISOString()}; make a new one`,
      { errors: { git_provider_token_expires_at: ['lies in the past'] } },
    );
  }
  return {
    provider,
    endpoint_url: input.endpoint_url === undefined ? null : normaliseEndpoint(input.endpoint_url),
    organization_name: organization ?? null,
    tenant_id: input.tenant_id ?? null,
  };
}

function invalid(errors: FieldErrors): StrataError {
  const detail = Object.entries(errors).map(([name, messages]) => `${name}: ${messages.join('; ')}`);
  return new StrataError('invalid_parameter', detail.join('. '), { errors });
}

/** One spelling for one address, so that a repeated call finds its connection. */
function normaliseEndpoint(address: string): string {
  const url = new URL(address);
  url.search = '';
  url.hash = '';
  return url.href.replace(/\/+$/, '');
}
