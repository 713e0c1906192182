// The copies of repos that requests read. Where a worker of this machine imports, its mirror serves; a
// machine without one keeps a copy of its own next to it, so that the two never write to the same folder.
import { existsSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import type { MirroredRepo, RepoMirrors } from '../domain/repos/mirrors.ts';
import { findInSources, formatRepoPath, RepoAccessError, type RepoSource } from '../domain/repos/source.ts';
import { type MirrorOptions, removeMirror } from '../engine/git/mirror.ts';
import type { Store } from '../storage/database/handle.ts';
import { withReaderLock } from '../storage/repos/reader-lock.ts';
import { findRepoOfImport } from '../storage/repos/repos.ts';
import { bringMirrorUpToDate, type ImportSettings, mirrorFolder, readExternalRefs } from './import/refs.ts';

export interface RepoMirrorParts {
  readonly store: Store;
  readonly sources: readonly RepoSource[];
  readonly imports: ImportSettings;
  now(): Date;
}

/** A sha that is not there after a fetch is not fetched again so soon. */
const REFRESH_PAUSE_MS = 30_000;

const isThere = (gitDir: string): boolean => existsSync(join(gitDir, 'HEAD'));

type CopyKey = Pick<MirroredRepo, 'entityId' | 'importId'>;

const foldersOf = (imports: Pick<ImportSettings, 'mirrorsFolder'>, { entityId, importId }: CopyKey) => ({
  imported: mirrorFolder(imports, entityId, importId),
  own: join(imports.mirrorsFolder, String(entityId), `${importId}.reader.git`),
});

/** Removes the copies on this machine, of a repo that is gone. */
export async function forgetMirror(mirrorsFolder: string, repo: CopyKey): Promise<void> {
  for (const folder of Object.values(foldersOf({ mirrorsFolder }, repo))) await removeMirror(folder);
}

export function createRepoMirrors({ store, sources, imports, now }: RepoMirrorParts): RepoMirrors {
  const underWay = new Map<string, Promise<void>>();
  const fetchedAtMs = new Map<string, number>();

  const fetchInto = async (repo: MirroredRepo, gitDir: string): Promise<void> => {
    const stored = await findRepoOfImport(store.db, repo.entityId, repo.importId);
    const wanted = { ...repo.path, stored: stored && { id: stored.id, sourceKind: stored.source_kind } };
    const found = await findInSources(sources, repo.entityId, wanted);
    if (found === null) {
      throw new RepoAccessError('not_found', `no source has ${formatRepoPath(repo.path)} any more`);
    }
    const options: MirrorOptions = {
      gitDir,
      environment: imports.childEnvironment,
      sizeLimitBytes: imports.mirrorLimitBytes,
      knownHostsFile: imports.knownHostsFile,
      timeoutSeconds: imports.fetchTimeoutSeconds,
    };
    await bringMirrorUpToDate(await readExternalRefs(found.source, repo.entityId, wanted, options), repo.path, options);
  };

  /** Requests that wait for the same copy share one fetch. */
  const fetchOnce = (repo: MirroredRepo, own: string): Promise<void> => {
    let fetching = underWay.get(own);
    if (fetching === undefined) {
      fetching = withReaderLock(store, repo.importId, async () => {
        if (isThere(own)) await fetchInto(repo, own);
        else {
          // A first fetch that ends half-way must leave nothing that looks like a copy.
          const partial = `${own}.${process.pid}.part`;
          await removeMirror(partial);
          try {
            await fetchInto(repo, partial);
            await rename(partial, own);
          } finally {
            await removeMirror(partial);
          }
        }
        fetchedAtMs.set(own, now().getTime());
      }).finally(() => underWay.delete(own));
      underWay.set(own, fetching);
    }
    return fetching;
  };

  return {
    environment: imports.childEnvironment,
    async locate(repo) {
      const { imported, own } = foldersOf(imports, repo);
      if (isThere(imported)) return imported;
      if (!isThere(own)) await fetchOnce(repo, own);
      return own;
    },
    async refresh(repo) {
      const { imported, own } = foldersOf(imports, repo);
      const isRecent = now().getTime() - (fetchedAtMs.get(own) ?? Number.NEGATIVE_INFINITY) < REFRESH_PAUSE_MS;
      if (isThere(imported) || isRecent) return false;
      await fetchOnce(repo, own);
      return true;
    },
  };
}
