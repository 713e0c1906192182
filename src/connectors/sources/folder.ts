// The operator's folder of bare repositories, laid out <organization>/<repo>.git. Only names that stand
// in the folder are found: no path of a caller is ever joined to it unchecked.
import { readdir, realpath, stat } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { repoNameKey } from '../../domain/repos/repo-name.ts';
import {
  type CloneAddress,
  formatRepoPath,
  RepoAccessError,
  type RepoPath,
  type RepoSource,
} from '../../domain/repos/source.ts';

const pick = (names: readonly string[], name: string): string | undefined =>
  [`${name}.git`, name].find((candidate) => names.includes(candidate)) ??
  names.find((candidate) => repoNameKey(candidate) === repoNameKey(name));

/** Whether the operator gave an organization of the folder to an entity. */
export type FolderRule = (entityId: number, organization: string) => Promise<boolean>;

export function createFolderSource(folder: string, belongsTo: FolderRule): RepoSource {
  const listFolder = async (path: string): Promise<string[]> =>
    (await readdir(path, { withFileTypes: true }))
      .filter((entry) => !entry.name.startsWith('.') && (entry.isDirectory() || entry.isSymbolicLink()))
      .map((entry) => entry.name)
      .sort();

  /** Those of the entity: of the others it is not to know. */
  const listOrganizationNames = async (entityId: number): Promise<string[]> => {
    const names = await listFolder(folder).catch((cause: unknown) => {
      throw new RepoAccessError('transient', `the folder of repositories ${folder} cannot be read`, { cause });
    });
    const own: string[] = [];
    for (const name of names) if (await belongsTo(entityId, name)) own.push(name);
    return own;
  };

  /** The name as it stands in the folder, and where that leads; one that is written exactly so goes first. */
  const find = async (
    entityId: number,
    { organization, repo }: RepoPath,
  ): Promise<{ named: RepoPath; path: string } | null> => {
    const parent = pick(await listOrganizationNames(entityId), organization);
    if (parent === undefined) return null;
    const name = pick(await listFolder(join(folder, parent)).catch((): string[] => []), repo);
    if (name === undefined) return null;
    const path = await realpath(join(folder, parent, name));
    const isGit = await stat(join(path, 'HEAD')).then(
      () => true,
      () =>
        stat(join(path, '.git')).then(
          () => true,
          () => false,
        ),
    );
    const named = { organization: parent, repo: name.replace(/\.git$/, '') };
    return isGit && path.includes(sep) ? { named, path } : null;
  };

  return {
    kind: 'folder',
    listOrganizations: async (entityId) =>
      (await listOrganizationNames(entityId)).map((slug) => ({ slug, name: slug })),
    async listRepos(entityId) {
      const repos: RepoPath[] = [];
      for (const organization of await listOrganizationNames(entityId)) {
        for (const name of await listFolder(join(folder, organization)).catch((): string[] => [])) {
          repos.push({ organization, repo: name.replace(/\.git$/, '') });
        }
      }
      return repos;
    },
    async findRepo(entityId, path) {
      const found = await find(entityId, path);
      if (found === null) return null;
      return { path: found.named, source: 'folder', connectionCount: 1, pastYearCommitCount: null };
    },
    async cloneAddress(entityId, path): Promise<CloneAddress> {
      const found = await find(entityId, path);
      const shown = formatRepoPath(path);
      if (found === null) {
        throw new RepoAccessError(
          'not_found',
          `${shown} is no longer in the folder of repositories, or not given to this entity; put it back, or see repository_owners`,
        );
      }
      return { kind: 'folder', path: found.path, shown };
    },
  };
}
