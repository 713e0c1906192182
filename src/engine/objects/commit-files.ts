// Which file stands under a path in a commit's tree: looked up in the trees themselves, which are kept within a budget,
// because commits that follow each other share most of them.
import { createByteLru } from '../../kit/byte-lru.ts';
import { pathBytes } from '../git/quoted-path.ts';
import type { FileSource } from './file-source.ts';
import { isRegular, isTree } from './object-kinds.ts';
import { ObjectUnreadable } from './object-reader.ts';
import { findTreeEntry } from './tree-object.ts';

const TREE_BYTES = 8 << 20;
/** What a kept tree takes besides its bytes. */
const ENTRY_BYTES = 150;

export interface CommitFiles {
  /** The blob of a regular file; null when the commit has none there, or when its trees cannot be read. */
  blobAt(commit: string, path: string): Promise<string | null>;
}

/** `tree <name>` is the first line of a commit. */
const treeOf = (commit: Buffer): string => commit.toString('latin1', 'tree '.length, commit.indexOf('\n'));

export function createCommitFiles({ objects, blobs }: FileSource): CommitFiles {
  const trees = createByteLru<Buffer>(TREE_BYTES);
  const readTree = async (name: string): Promise<Buffer> => {
    const known = trees.get(name);
    if (known !== undefined) return known;
    const bytes = blobs?.look(name, (packed) => Buffer.from(packed), 'tree') ?? (await objects.read(name)).bytes;
    trees.set(name, bytes, bytes.length + ENTRY_BYTES);
    return bytes;
  };
  const find = async (commit: string, path: string): Promise<string | null> => {
    const parts = pathBytes(path).toString('latin1').split('/');
    let name = blobs?.look(commit, treeOf, 'commit') ?? `${commit}^{tree}`;
    for (const [i, part] of parts.entries()) {
      const entry = findTreeEntry(await readTree(name), part, commit.length / 2);
      const isLast = i === parts.length - 1;
      if (entry === null || !(isLast ? isRegular(entry.mode) : isTree(entry.mode))) return null;
      if (isLast) return entry.sha;
      name = entry.sha;
    }
    return null;
  };
  return {
    blobAt: (commit, path) =>
      find(commit, path).catch((error: unknown) => {
        if (error instanceof ObjectUnreadable) return null;
        throw error;
      }),
  };
}
