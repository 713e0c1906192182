// Whether a folder is a git repository itself, and which ones lie below it. Git's own discovery would also
// look in the folders above.
import { existsSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';

export const isRepository = (path: string): boolean =>
  existsSync(join(path, '.git')) ||
  (existsSync(join(path, 'HEAD')) && existsSync(join(path, 'objects')) && existsSync(join(path, 'refs')));

export interface FoundRepository {
  readonly path: string;
  /** The folder it lies in below the one searched, or null when it lies directly in it. */
  readonly organization: string | null;
  readonly repo: string;
}

const nameOf = (path: string): string => basename(path).replace(/\.git$/, '');

/** Repositories in the folder, and in its folders: `<repo>` and `<organization>/<repo>`. */
export function findRepositories(folder: string): FoundRepository[] {
  const found: FoundRepository[] = [];
  for (const path of foldersIn(folder)) {
    if (isRepository(path)) found.push({ path, organization: null, repo: nameOf(path) });
    else {
      for (const inner of foldersIn(path)) {
        if (isRepository(inner)) found.push({ path: inner, organization: basename(path), repo: nameOf(inner) });
      }
    }
  }
  return found;
}

function foldersIn(folder: string): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => !entry.name.startsWith('.') && (entry.isDirectory() || entry.isSymbolicLink()))
      .map((entry) => join(folder, entry.name))
      .sort();
  } catch {
    return [];
  }
}
