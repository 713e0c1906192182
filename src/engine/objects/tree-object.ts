// A tree object's bytes, read in place: one entry by name, or all of them. Malformed bytes end the
// listing; they cannot make it run past the buffer.

export interface TreeEntry {
  /** As in git: 0o40000 a folder, 0o100644 a file, 0o120000 a symbolic link, 0o160000 a submodule. */
  readonly mode: number;
  readonly sha: string;
}

export interface NamedEntry extends TreeEntry {
  /** Raw bytes as latin1 text: file names need not be UTF-8. */
  readonly name: string;
}

export const MODE_TREE = 0o40000;
export const MODE_SUBMODULE = 0o160000;

export const isTree = (mode: number): boolean => (mode & 0o170000) === MODE_TREE;
/** A file or a symbolic link: something with lines. */
export const isBlob = (mode: number): boolean => !isTree(mode) && (mode & 0o170000) !== MODE_SUBMODULE;

const SPACE = 32;

/** `name` is raw bytes as latin1 text. */
export function findTreeEntry(tree: Buffer, name: string, shaBytes = 20): TreeEntry | null {
  let at = 0;
  while (at < tree.length) {
    const space = tree.indexOf(SPACE, at);
    if (space === -1) return null;
    const nul = tree.indexOf(0, space + 1);
    if (nul === -1 || nul + 1 + shaBytes > tree.length) return null;
    if (nul - space - 1 === name.length && tree.toString('latin1', space + 1, nul) === name) {
      return {
        mode: Number.parseInt(tree.toString('latin1', at, space), 8),
        sha: tree.toString('hex', nul + 1, nul + 1 + shaBytes),
      };
    }
    at = nul + 1 + shaBytes;
  }
  return null;
}

export function listTree(tree: Buffer, shaBytes = 20): NamedEntry[] {
  const entries: NamedEntry[] = [];
  let at = 0;
  while (at < tree.length) {
    const space = tree.indexOf(SPACE, at);
    if (space === -1) break;
    const nul = tree.indexOf(0, space + 1);
    if (nul === -1 || nul + 1 + shaBytes > tree.length) break;
    entries.push({
      mode: Number.parseInt(tree.toString('latin1', at, space), 8),
      name: tree.toString('latin1', space + 1, nul),
      sha: tree.toString('hex', nul + 1, nul + 1 + shaBytes),
    });
    at = nul + 1 + shaBytes;
  }
  return entries;
}
