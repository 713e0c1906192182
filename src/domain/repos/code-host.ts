// Code hosts: which kinds there are, and what the service asks of every one of them. connectors/ has one
// implementation per kind; compose.ts hands them to operations and jobs.
import type { CloneCredentials } from './source.ts';

export interface GitProviderKind {
  /** As people call it. */
  readonly product: string;
  /** Accepted on input, never printed. */
  readonly alias: string;
  /** Parameters of provisioning that this kind cannot do without. */
  readonly needs: readonly ('git_provider_token_expires_at' | 'git_provider_organization' | 'endpoint_url')[];
  /** Completes "make a token with …". */
  readonly token_rights: string;
  /** The ref under which the host keeps the head of a pull request, for `N` its number. */
  readonly pull_request_ref?: string;
}

/** By wire value. */
export const GIT_PROVIDERS = {
  devops_suite: {
    product: 'Azure DevOps',
    alias: 'azure_devops',
    needs: ['git_provider_token_expires_at', 'git_provider_organization'],
    token_rights: 'the scopes Code (read), Build (read), Release (read) and Project and Team (read)',
  },
  devops_suite_on_prem: {
    product: 'Azure DevOps Server',
    alias: 'azure_devops_server',
    needs: ['git_provider_token_expires_at', 'git_provider_organization', 'endpoint_url'],
    token_rights: 'the scopes Code (read), Build (read), Release (read) and Project and Team (read)',
  },
  hostB: {
    product: 'Bitbucket',
    alias: 'bitbucket',
    needs: [],
    token_rights:
      'the scopes read:user:bitbucket, read:workspace:bitbucket, read:repository:bitbucket, read:pullrequest:bitbucket and read:pipeline:bitbucket',
  },
  hostB_server: {
    product: 'Bitbucket Data Center',
    alias: 'bitbucket_server',
    needs: ['endpoint_url'],
    token_rights: 'the permissions Project read and Repository read',
    pull_request_ref: 'refs/pull-requests/N/from',
  },
  hostC: {
    product: 'GitHub',
    alias: 'github',
    needs: [],
    token_rights:
      'the scopes repo and read:org, or a fine-grained one that may read Contents, Pull requests, Issues, Actions, Deployments and Members',
    pull_request_ref: 'refs/pull/N/head',
  },
  hostD: {
    product: 'GitLab',
    alias: 'gitlab',
    needs: [],
    token_rights: 'the scopes read_api and read_repository',
    pull_request_ref: 'refs/merge-requests/N/head',
  },
} as const satisfies Record<string, GitProviderKind>;

export type GitProvider = keyof typeof GIT_PROVIDERS;

/** Null where the host keeps none. */
export function pullRequestRef(provider: string, number: number): string | null {
  const rows: Readonly<Record<string, GitProviderKind>> = GIT_PROVIDERS;
  const ref = Object.hasOwn(rows, provider) ? rows[provider]?.pull_request_ref : undefined;
  return ref?.replace('N', String(number)) ?? null;
}

/** Where a provider is without an address of one's own. */
const OWN_HOST: Partial<Record<GitProvider, string>> = {
  devops_suite: 'dev.azure.com',
  hostB: 'bitbucket.org',
  hostC: 'github.com',
  hostD: 'gitlab.com',
};

/** The server, under one name however its address is written: `hostC:github.com`. */
export function hostKeyOf(provider: GitProvider, endpointUrl: string | null): string {
  const url = endpointUrl === null || !URL.canParse(endpointUrl) ? null : new URL(endpointUrl);
  const place = url === null ? (OWN_HOST[provider] ?? '') : `${url.host}${url.pathname}`;
  const plain = place.toLowerCase().replace(/^(?:api|www)\./, '');
  return `${provider}:${plain.replace(/\/+$/, '').replace(/\/api\/v3$/, '')}`;
}

export const GIT_PROVIDER_NAMES = Object.keys(GIT_PROVIDERS) as [GitProvider, ...GitProvider[]];

/** What it takes to speak to a host in somebody's name. Holds a secret: never logged. */
export interface HostAccount {
  readonly provider: GitProvider;
  readonly token: string;
  /** Of the person; some hosts want it beside the token. */
  readonly email: string;
  /** Null: the provider's own address. */
  readonly endpoint_url: string | null;
  readonly organization_name: string | null;
  readonly tenant_id: string | null;
}

export interface HostUser {
  readonly user_name: string;
  readonly external_id: string;
  /** Where the host says when the token ends. */
  readonly token_expires_at: Date | null;
}

/** What holds repos: an organization, group, workspace or project, or a person's own account. */
export interface HostOrganization {
  readonly slug: string;
  readonly name: string;
  readonly external_id: string;
  readonly is_personal: boolean;
}

export interface HostRepo {
  readonly slug: string;
  readonly external_id: string;
  /** Without credentials in it. */
  readonly clone_url: string;
  readonly default_branch: string | null;
  readonly is_private: boolean;
}

/** A host, asked with one token. Every method throws a HostError, or the signal's reason. */
export interface CodeHost {
  whoAmI(signal: AbortSignal): Promise<HostUser>;
  /** What the token's owner belongs to, page by page, the personal account included where there is one. */
  listOrganizations(user: HostUser, signal: AbortSignal): AsyncIterable<readonly HostOrganization[]>;
  listRepos(organization: HostOrganization, signal: AbortSignal): AsyncIterable<readonly HostRepo[]>;
}

export interface CodeHosts {
  connect(account: HostAccount): CodeHost;
  /** What git has to show when it clones from the host. */
  cloneCredentials(account: HostAccount): CloneCredentials;
}

export type HostFailure =
  /** The token is wrong, revoked or expired. */
  | 'rejected'
  /** The token is good, but may not read what is needed. */
  | 'insufficient_scope'
  | 'rate_limited'
  /** No connection, or the host has a fault of its own. */
  | 'unreachable'
  | 'timeout'
  /** The address lies in a private network, or would send the token in the clear. */
  | 'refused_address'
  /** Something answers there, but not the API of this product. */
  | 'unexpected_answer';

/** Why a host did not give what was asked for. `message` is for the person who asked: no secrets. */
export class HostError extends Error {
  readonly failure: HostFailure;
  /** When a rate-limited host may be asked again. */
  readonly retryAt: Date | null;
  /** The same as a time from now. */
  readonly retryAfterSeconds: number | null;
  /** The host did not say how long: a caller that meets the limit again waits longer. */
  readonly isWaitGuessed: boolean;
  /** Of the answer, where there was one. */
  readonly status: number | null;

  constructor(
    failure: HostFailure,
    message: string,
    options: {
      retryAt?: Date | null;
      retryAfterSeconds?: number | null;
      isWaitGuessed?: boolean;
      status?: number;
      cause?: unknown;
    } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'HostError';
    this.failure = failure;
    this.retryAt = options.retryAt ?? null;
    this.retryAfterSeconds = options.retryAfterSeconds ?? null;
    this.isWaitGuessed = options.isWaitGuessed ?? false;
    this.status = options.status ?? null;
  }
}
