// The files of a commit's tree as `git ls-tree` lists them, read from its bytes as far as somebody asks: a listing may
// have hundreds of thousands of them.
import { nameForRules, pathText } from './quoted-path.ts';
import { type GitRepository, orElse, readGit } from './run-git.ts';

/** Records of `mode type blob<TAB>path`, a NUL behind each. */
export type TreeListing = Buffer;

export interface TreeFile {
  /** As git prints it: 100644, 120000, … */
  readonly mode: string;
  readonly blob: string;
  readonly path: string;
}

const TAB = 9;
const SPACE = 32;

/** A few trees that hold each other many times over can stand for more files than any machine can list. */
const LISTING_BYTES = 256 << 20;

/** Null when git cannot list it all, or when that is too much. */
export function listTree(repository: GitRepository, at: string): Promise<TreeListing | null> {
  return readGit(repository, ['ls-tree', '-r', '-z', '--full-tree', at], '', LISTING_BYTES).catch(orElse(null));
}

export function regularFiles(listing: TreeListing): TreeFile[] {
  const files: TreeFile[] = [];
  for (let at = 0, end = listing.indexOf(0); end >= 0; at = end + 1, end = listing.indexOf(0, at))
    if (listing.toString('latin1', at, at + 3) === '100') files.push(fileAt(listing, at, end));
  return files;
}

/** In whatever folder. */
export function filesNamed(listing: TreeListing, name: string): TreeFile[] {
  const files: TreeFile[] = [];
  const wanted = Buffer.from(`${name}\0`);
  for (let at = listing.indexOf(wanted); at >= 0; at = listing.indexOf(wanted, at + 1)) {
    const file = fileAt(listing, listing.lastIndexOf(0, at - 1) + 1, at + wanted.length - 1);
    const found = nameForRules(file.path);
    if (found === name || found.endsWith(`/${name}`)) files.push(file);
  }
  return files;
}

/** The one of that path. */
export function fileNamed(listing: TreeListing, path: string): TreeFile | null {
  return filesNamed(listing, path).find((file) => file.path === path) ?? null;
}

function fileAt(listing: TreeListing, start: number, end: number): TreeFile {
  const tab = listing.indexOf(TAB, start);
  const mode = listing.toString('latin1', start, listing.indexOf(SPACE, start));
  const blob = listing.toString('latin1', listing.lastIndexOf(SPACE, tab) + 1, tab);
  return { mode, blob, path: pathText(listing.subarray(tab + 1, end)) };
}
