// The files by which a project says how it wants to be read, as they stand at one commit: attributes and
// revisions to ignore. (The mailmap is git's own business.)
import type { AttributesFile } from './classify/git-attributes.ts';
import { readFileAt } from './git/list-commits.ts';
import { createObjectReader } from './git/object-reader.ts';
import type { GitRepository } from './git/run-git.ts';
import { filesNamed, listTree, type TreeListing } from './git/tree-listing.ts';

export interface Conventions {
  readonly attributes: readonly AttributesFile[];
  readonly ignoredRevisions: ReadonlySet<string>;
  /** The tree that they were found in, once: it may be large, and is not to be held on to. */
  takeListing(): TreeListing | null;
}

const ATTRIBUTES_FILES = 200;
const IGNORED_REVISIONS = '.git-blame-ignore-revs';

export async function readConventions(repository: GitRepository, at: string): Promise<Conventions> {
  let listing = await listTree(repository, at);
  const attributeFiles = listing === null ? [] : filesNamed(listing, '.gitattributes').slice(0, ATTRIBUTES_FILES);
  const ignored = listing === null ? [] : filesNamed(listing, IGNORED_REVISIONS);
  const top = ignored.find(({ path }) => path === IGNORED_REVISIONS);
  const objects = createObjectReader(repository);
  // Git starts when something is asked for.
  const read = (blob: string): Promise<Buffer | null> =>
    objects.read(blob).then(
      ({ type, bytes }) => (type === 'blob' ? bytes : null),
      () => null,
    );
  const [revisions, ...contents] = await Promise.all([
    listing === null ? readFileAt(repository, at, IGNORED_REVISIONS) : top === undefined ? null : read(top.blob),
    ...attributeFiles.map(({ blob }) => read(blob)),
  ]);
  objects.close();
  const attributes = attributeFiles.flatMap(({ path }, i) => {
    const content = contents[i] ?? null;
    return content === null ? [] : [{ path, content }];
  });
  return {
    attributes,
    ignoredRevisions: parseRevisions(revisions ?? null),
    takeListing() {
      const taken = listing;
      listing = null;
      return taken;
    },
  };
}

function parseRevisions(content: Buffer | null): Set<string> {
  const shas = (content?.toString('utf8') ?? '').split('\n').map((line) => line.replace(/#.*/, '').trim());
  return new Set(shas.filter((sha) => /^[0-9a-f]{40}([0-9a-f]{24})?$/.test(sha)));
}
