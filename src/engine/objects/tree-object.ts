// A tree object's bytes, read in place: one entry by name. Malformed bytes end the search; they cannot make it run past
// the buffer.
//
// An entry is a mode in octal digits, a blank, a name, a NUL and the bytes of a sha.

export interface TreeEntry {
  /** See object-kinds.ts. */
  readonly mode: number;
  readonly sha: string;
}

const BLANK = 32;
const NUL = 0;
const FOUR = 52;
/** A tree's mode; those of all other entries have a digit more. */
const TREE_DIGITS = '40000'.length;
const FILE_MODE = /^1[0-7]{5}$/;

/** `name` is raw bytes as latin1 text. */
export function findTreeEntry(tree: Buffer, name: string, shaBytes = 20): TreeEntry | null {
  // One search of Node's own takes a fraction of the time of a look at each entry.
  const blank = tree.indexOf(` ${name}\0`, 0, 'latin1');
  if (blank === -1) return null;
  const start = startOfEntry(tree, blank, shaBytes);
  return start === -1 ? searchEntries(tree, name, shaBytes) : readEntry(tree, start, blank, name.length, shaBytes);
}

/**
 * Where the entry begins whose mode ends at this blank; −1 where that is not certain, because the blank may be part of a
 * name or a sha.
 */
function startOfEntry(tree: Buffer, blank: number, shaBytes: number): number {
  const isTree = tree[blank - TREE_DIGITS] === FOUR;
  const start = blank - TREE_DIGITS - (isTree ? 0 : 1);
  const mode = tree.toString('latin1', Math.max(0, start), blank);
  if (!(isTree ? mode === '40000' : FILE_MODE.test(mode))) return -1;
  if (start === 0) return 0;
  const before = start - shaBytes - 1;
  if (before < 0 || tree[before] !== NUL) return -1;
  // What looks like a mode may be within a name: that entry's own mode would then end in a blank a little before.
  const earlier = tree.indexOf(BLANK, before);
  return earlier < start ? -1 : start;
}

function searchEntries(tree: Buffer, name: string, shaBytes: number): TreeEntry | null {
  let at = 0;
  while (at < tree.length) {
    const blank = tree.indexOf(BLANK, at);
    if (blank === -1) return null;
    const nul = tree.indexOf(NUL, blank + 1);
    if (nul === -1) return null;
    if (nul - blank - 1 === name.length && tree.toString('latin1', blank + 1, nul) === name) {
      return readEntry(tree, at, blank, name.length, shaBytes);
    }
    at = nul + 1 + shaBytes;
  }
  return null;
}

function readEntry(tree: Buffer, start: number, blank: number, nameLength: number, shaBytes: number): TreeEntry | null {
  const sha = blank + nameLength + 2;
  if (sha + shaBytes > tree.length) return null;
  return {
    mode: Number.parseInt(tree.toString('latin1', start, blank), 8),
    sha: tree.toString('hex', sha, sha + shaBytes),
  };
}
