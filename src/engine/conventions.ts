// The files by which a project says how it wants to be read, as they stand at one commit: attributes and
// revisions to ignore. (The mailmap is git's own business.)
import type { AttributesFile } from './classify/git-attributes.ts';
import { readFileAt } from './git/list-commits.ts';
import { type GitRepository, readGit } from './git/run-git.ts';

export interface Conventions {
  readonly attributes: readonly AttributesFile[];
  readonly ignoredRevisions: ReadonlySet<string>;
}

const ATTRIBUTES_FILES = 200;

export async function readConventions(repository: GitRepository, at: string): Promise<Conventions> {
  const listed = await readGit(repository, ['ls-tree', '-r', '-z', '--name-only', '--full-tree', at]).catch(() => null);
  const paths = (listed?.toString('utf8') ?? '')
    .split('\0')
    .filter((path) => path === '.gitattributes' || path.endsWith('/.gitattributes'))
    .slice(0, ATTRIBUTES_FILES);
  const attributes: AttributesFile[] = [];
  for (const path of paths) {
    const content = await readFileAt(repository, at, path);
    if (content !== null) attributes.push({ path, content });
  }
  return { attributes, ignoredRevisions: await readIgnoredRevisions(repository, at) };
}

async function readIgnoredRevisions(repository: GitRepository, at: string): Promise<Set<string>> {
  const content = await readFileAt(repository, at, '.git-blame-ignore-revs');
  const shas = (content?.toString('utf8') ?? '').split('\n').map((line) => line.replace(/#.*/, '').trim());
  return new Set(shas.filter((sha) => /^[0-9a-f]{40}([0-9a-f]{24})?$/.test(sha)));
}
