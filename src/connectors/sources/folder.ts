// The operator's folder of bare repositories, laid out <organization>/<repo>.git. Only names that stand
// in the folder are found: no path of a caller is ever joined to it unchecked.
import { readdir, realpath, stat } from 'node:fs/promises';
import { join, sep } from 'node:path';
import {
  type CloneAddress,
  formatRepoPath,
  RepoAccessError,
  type RepoPath,
  type RepoSource,
} from '../../domain/repos/source.ts';

export function createFolderSource(folder: string): RepoSource {
  const listFolder = async (path: string): Promise<string[]> =>
    (await readdir(path, { withFileTypes: true }))
      .filter((entry) => !entry.name.startsWith('.') && (entry.isDirectory() || entry.isSymbolicLink()))
      .map((entry) => entry.name)
      .sort();

  const listOrganizationNames = (): Promise<string[]> =>
    listFolder(folder).catch((cause: unknown) => {
      throw new RepoAccessError('transient', `the folder of repositories ${folder} cannot be read`, { cause });
    });

  const findPath = async ({ organization, repo }: RepoPath): Promise<string | null> => {
    if (!(await listOrganizationNames()).includes(organization)) return null;
    const names = await listFolder(join(folder, organization)).catch((): string[] => []);
    const name = [`${repo}.git`, repo].find((candidate) => names.includes(candidate));
    if (name === undefined) return null;
    const path = await realpath(join(folder, organization, name));
    const isGit = await stat(join(path, 'HEAD')).then(
      () => true,
      () =>
        stat(join(path, '.git')).then(
          () => true,
          () => false,
        ),
    );
    return isGit && path.includes(sep) ? path : null;
  };

  return {
    kind: 'folder',
    listOrganizations: async () => (await listOrganizationNames()).map((slug) => ({ slug, name: slug })),
    async listRepos() {
      const repos: RepoPath[] = [];
      for (const organization of await listOrganizationNames()) {
        for (const name of await listFolder(join(folder, organization)).catch((): string[] => [])) {
          repos.push({ organization, repo: name.replace(/\.git$/, '') });
        }
      }
      return repos;
    },
    async findRepo(_entityId, path) {
      if ((await findPath(path)) === null) return null;
      return { path, source: 'folder', connectionCount: 1, pastYearCommitCount: null };
    },
    async cloneAddress(_entityId, path): Promise<CloneAddress> {
      const found = await findPath(path);
      const shown = formatRepoPath(path);
      if (found === null) {
        throw new RepoAccessError('not_found', `${shown} is no longer in the folder of repositories; put it back`);
      }
      return { kind: 'folder', path: found, shown };
    },
  };
}
