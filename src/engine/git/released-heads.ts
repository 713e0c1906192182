// What was released: the commits that tags of releases lead to.
import { RELEASE_TAG_PATTERN } from '../../domain/repos/release-tags.ts';
import { type ListedTag, listTags } from './list-shas.ts';
import type { GitRepository } from './run-git.ts';

/** Full shas. An empty pattern means that tags are not releases. */
export async function listReleased(repository: GitRepository, pattern = RELEASE_TAG_PATTERN): Promise<string[]> {
  return pattern === '' ? [] : chooseReleased(await listTags(repository), pattern);
}

/** The same of tags that are listed already. */
export function chooseReleased(tags: readonly ListedTag[], pattern: string): string[] {
  if (pattern === '') return [];
  const isRelease = new RegExp(pattern, 'u');
  return tags.filter(({ name }) => isRelease.test(name)).map(({ sha }) => sha);
}
