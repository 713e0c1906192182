// What was released: the commits that tags of releases lead to.
import { RELEASE_TAG_PATTERN } from '../../domain/repos/release-tags.ts';
import { listTags } from './list-shas.ts';
import type { GitRepository } from './run-git.ts';

/** Full shas. An empty pattern means that tags are not releases. */
export async function listReleased(repository: GitRepository, pattern = RELEASE_TAG_PATTERN): Promise<string[]> {
  if (pattern === '') return [];
  const isRelease = new RegExp(pattern, 'u');
  return (await listTags(repository)).filter(({ name }) => isRelease.test(name)).map(({ sha }) => sha);
}
