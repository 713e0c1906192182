// What a connector is made of: one folder per host with client.ts (address, credentials, one request),
// answers.ts (the fields we read of the host's answers) and code-host.ts (the questions).
import type { CodeHost, HostAccount } from '../../domain/repos/code-host.ts';
import type { CloneCredentials } from '../../domain/repos/source.ts';
import type { GuardedFetch } from '../http/guarded-fetch.ts';

export interface ConnectorParts {
  readonly account: HostAccount;
  /** Without a slash at the end. */
  readonly address: string;
  readonly fetch: GuardedFetch;
  now(): Date;
}

export interface Connector {
  /** Null where every installation has its own. */
  readonly defaultAddress: string | null;
  connect(parts: ConnectorParts): CodeHost;
  /** The user name that git has to send with the token, or the pair itself where the token is one. */
  cloneCredentials(account: HostAccount): CloneCredentials;
}

export const USER_AGENT = 'strata';

/** Items requested at once: the most that every host gives. */
export const PAGE_SIZE = 100;

/** A list that never ends is a fault of the host. */
export const MOST_PAGES = 20_000;
