// Repositories that the operator named on the command line: a folder of this machine, or an address.
import { ownedAddress, parseCloneAddress } from '../../domain/repos/clone-address.ts';
import {
  type CloneAddress,
  formatRepoPath,
  RepoAccessError,
  type RepoPath,
  type RepoSource,
} from '../../domain/repos/source.ts';
import { checkReachable } from './check-address.ts';
import type { CredentialFile } from './credential-file.ts';
import { followRedirects, type Reach } from './follow-redirects.ts';

export interface RegisteredSourceParts {
  find(
    entityId: number,
    path: RepoPath,
  ): Promise<{ kind: 'path' | 'address'; address: string; is_operators: boolean } | undefined>;
  list(entityId: number): Promise<readonly RepoPath[]>;
  readonly credentials: CredentialFile;
  readonly reach: Reach;
}

export function createRegisteredSource(parts: RegisteredSourceParts): RepoSource {
  return {
    kind: 'registered',
    async listOrganizations(entityId) {
      const slugs = new Set((await parts.list(entityId)).map(({ organization }) => organization));
      return [...slugs].sort().map((slug) => ({ slug, name: slug }));
    },
    listRepos: (entityId) => parts.list(entityId),
    async findRepo(entityId, path) {
      if ((await parts.find(entityId, path)) === undefined) return null;
      return { path, source: 'registered', connectionCount: 1, pastYearCommitCount: null };
    },
    async cloneAddress(entityId, path): Promise<CloneAddress> {
      const registered = await parts.find(entityId, path);
      if (registered === undefined) {
        throw new RepoAccessError('not_found', `${formatRepoPath(path)} is not registered any more; import it again`);
      }
      if (registered.kind === 'path') return { kind: 'folder', path: registered.address, shown: registered.address };
      const { url } = parseCloneAddress(registered.address);
      const credentials =
        (await parts.credentials.find(ownedAddress(entityId, registered.address))) ??
        // What the operator gave for an address is not for whoever else names it.
        (registered.is_operators ? await parts.credentials.find(registered.address) : null);
      if (url.protocol === 'ssh:' || url.protocol === 'git:') {
        await checkReachable(url, parts.reach.isAllowed);
        return { kind: 'url', url: url.href, shown: url.href, credentials: null, pinnedHost: null };
      }
      const final = await followRedirects(url, credentials, parts.reach);
      return {
        kind: 'url',
        url: final.url.href,
        shown: url.href,
        credentials: final.url.origin === url.origin ? credentials : null,
        pinnedHost: final.pinnedHost,
      };
    },
  };
}
