// Repositories of connected code hosts, as imports see them: found in the cached list, cloned with the token
// of a connection that can see them.
import type { CodeHosts, HostAccount } from '../../domain/repos/code-host.ts';
import { repoNameKey } from '../../domain/repos/repo-name.ts';
import {
  type CloneAddress,
  formatRepoPath,
  RepoAccessError,
  type RepoPath,
  type RepoSource,
  type WantedRepo,
} from '../../domain/repos/source.ts';
import { SealedWithAnotherKey } from '../../kit/sealed-secret.ts';
import type { AddressRule } from './check-address.ts';
import { followRedirects, type Reach } from './follow-redirects.ts';

export interface HostedRepo {
  /** As the host writes it. */
  readonly path: RepoPath;
  readonly clone_url: string;
  /** Why the connection did not work when it was last used. */
  readonly failure: string | null;
  /** Opens the sealed token; only when it is needed. */
  openAccount(): HostAccount;
}

export interface HostedSourceParts {
  /** By each connection that can see it, the best one first. */
  find(entityId: number, path: WantedRepo): Promise<readonly HostedRepo[]>;
  listRepos(entityId: number): Promise<readonly RepoPath[]>;
  listOrganizations(entityId: number): Promise<readonly { readonly slug: string; readonly name: string }[]>;
  readonly codeHosts: Pick<CodeHosts, 'cloneCredentials'>;
  readonly reach: Reach;
}

/** Failures that no later try with the same token mends. */
const LASTING = ['rejected', 'insufficient_scope'];

export function createHostedSource(parts: HostedSourceParts): RepoSource {
  return {
    kind: 'hosted',
    listOrganizations: (entityId) => parts.listOrganizations(entityId),
    listRepos: (entityId) => parts.listRepos(entityId),

    async findRepo(entityId, path) {
      const found = await parts.find(entityId, path);
      const [best] = found;
      if (best === undefined) return null;
      // As the host spells it; where it has another name there by now, it keeps its own until that is followed.
      const named = isSamePath(best.path, path) ? best.path : { organization: path.organization, repo: path.repo };
      return { path: named, source: 'hosted', connectionCount: found.length, pastYearCommitCount: null };
    },

    async cloneAddress(entityId, path): Promise<CloneAddress> {
      const found = await parts.find(entityId, path);
      const shown = formatRepoPath(path);
      const [first] = found;
      if (first === undefined) {
        throw new RepoAccessError('not_found', `no connection to a code host can see ${shown} any more`);
      }
      if (first.failure !== null && LASTING.includes(first.failure)) {
        throw new RepoAccessError(
          'revoked',
          `the code host accepts no token for ${shown} any more; provision a new one`,
        );
      }
      const { account, clone_url } = openFirst(found, shown);
      const credentials = parts.codeHosts.cloneCredentials(account);
      const start = readCloneUrl(clone_url, parts.reach.isAllowed);
      const { url, pinnedHost } = await followRedirects(start, credentials, parts.reach);
      return {
        kind: 'url',
        url: url.href,
        shown: start.href,
        credentials: url.origin === start.origin ? credentials : null,
        pinnedHost,
      };
    },
  };
}

/** By the first token that the key at hand opens. */
function openFirst(
  found: readonly HostedRepo[],
  shown: string,
): { readonly account: HostAccount; readonly clone_url: string } {
  for (const { openAccount, clone_url } of found) {
    try {
      return { account: openAccount(), clone_url };
    } catch (error) {
      if (!(error instanceof SealedWithAnotherKey)) throw error;
    }
  }
  throw new RepoAccessError(
    'revoked',
    `the tokens for ${shown} were sealed with another key; bring secret.key back and start the service anew, or provision one`,
  );
}

const isSamePath = (a: RepoPath, b: RepoPath): boolean =>
  repoNameKey(a.organization) === repoNameKey(b.organization) && repoNameKey(a.repo) === repoNameKey(b.repo);

/** The address is the host's word: no other protocol, and no token in the clear to the open network. */
function readCloneUrl(address: string, isAllowed: AddressRule): URL {
  const url = URL.canParse(address) ? new URL(address) : null;
  const allowsPlain = isAllowed('127.0.0.1');
  if (url !== null && (url.protocol === 'https:' || (url.protocol === 'http:' && allowsPlain))) return url;
  throw new RepoAccessError(
    'refused_address',
    `the code host names ${address} to clone from; expected an https address`,
  );
}
