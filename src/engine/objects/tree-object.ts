// A tree object's bytes, read in place: one entry by name. Malformed bytes end the search; they cannot make it run past
// the buffer.

export interface TreeEntry {
  /** See object-kinds.ts. */
  readonly mode: number;
  readonly sha: string;
}

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
