// Which objects a repository lacks: after a forced branch, a mirror that was made later never had the old commits; a
// partial clone lacks files.

import { type GitRepository, readGit } from '../git/run-git.ts';
import type { ObjectType } from './object-reader.ts';

/** What is there as something else counts as missing. */
export async function findMissing(
  repository: GitRepository,
  type: ObjectType,
  shas: Iterable<string>,
): Promise<Set<string>> {
  const distinct = [...new Set(shas)];
  if (distinct.length === 0) return new Set();
  const input = distinct.map((sha) => `${sha}\n`).join('');
  const answers = await readGit(repository, ['cat-file', '--batch-check=%(objecttype)'], input);
  const types = answers.toString('utf8').split('\n');
  return new Set(distinct.filter((_, index) => types[index] !== type));
}
