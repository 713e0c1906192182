// Opens the repository at a path that somebody typed, or says what would be one.
import { stat } from 'node:fs/promises';
import { GitError } from '../engine/git/run-git.ts';
import { invalidOption } from './invalid-option.ts';

export async function openOrExplain<T>(path: string, open: () => Promise<T>): Promise<T> {
  const isFolder = await stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
  if (!isFolder) throw invalidOption('path', path, 'a folder that holds a git repository');
  try {
    return await open();
  } catch (error) {
    if (error instanceof GitError)
      throw invalidOption('path', path, `a git repository (git says: ${error.stderr.trim()})`);
    throw error;
  }
}
