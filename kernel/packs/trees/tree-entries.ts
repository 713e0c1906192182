// The entries of a tree, each `mode name NUL id`, read one after the other.
import { TREE_ID_BYTES } from '../../contract.ts';

export const ID_BYTES: usize = TREE_ID_BYTES;
const SPACE: u8 = 32;
/** Longer ones are odd; so many bytes behind a tree may be read. */
const MOST_MODE_DIGITS: i32 = 6;

export const FOLDER: i32 = 0o040000;
const FILE: i32 = 0o100644;
const SCRIPT: i32 = 0o100755;
/** Written by early versions of git, and shown as a file. */
const SHARED_FILE: i32 = 0o100664;
const LINK: i32 = 0o120000;
const SUBMODULE: i32 = 0o160000;

/** Whether it is that of an entry with a blob. */
export function isBlobMode(mode: i32): bool {
  return mode === FILE || mode === SCRIPT || mode === LINK;
}

/** An entry of a tree, and what is left of the tree. */
@unmanaged
export class Cursor {
  /** Where the entry begins; at the end of the tree there is none. */
  at: usize;
  end: usize;
  mode: i32;
  name: usize;
  nameLength: i32;
  /** Behind the name and its NUL; the entry ends behind the id. */
  id: usize;
}

/** At the first entry. False when it is odd. */
export function openTree(cursor: Cursor, at: usize, end: usize): bool {
  cursor.at = at;
  cursor.end = end;
  return readEntry(cursor);
}

/** To the next entry. False when it is odd. */
export function nextEntry(cursor: Cursor): bool {
  cursor.at = cursor.id + ID_BYTES;
  return readEntry(cursor);
}

/** False when it is none that git would write. */
function readEntry(cursor: Cursor): bool {
  let at = cursor.at;
  const end = cursor.end;
  if (at === end) return true;
  let mode: i32 = 0;
  for (let digits: i32 = 0; at < end; digits++, at++) {
    const byte = load<u8>(at);
    if (byte === SPACE) break;
    if (byte < 48 || byte > 55 || digits === MOST_MODE_DIGITS) return false;
    mode = (mode << 3) | <i32>(byte - 48);
  }
  if (mode === SHARED_FILE) mode = FILE;
  if (mode !== FILE && mode !== FOLDER && mode !== SCRIPT && mode !== LINK && mode !== SUBMODULE) return false;
  const name = at + 1;
  const nul = findNul(name, end);
  if (nul <= name || nul + 1 + ID_BYTES > end) return false;
  cursor.mode = mode;
  cursor.name = name;
  cursor.nameLength = <i32>(nul - name);
  cursor.id = nul + 1;
  return true;
}

/** 0 when there is none before `to`. */
export function findNul(at: usize, to: usize): usize {
  const zero = i8x16.splat(0);
  for (; at + 16 <= to; at += 16) {
    const found = i8x16.bitmask(i8x16.eq(v128.load(at), zero));
    if (found !== 0) return at + <usize>ctz(found);
  }
  for (; at < to; at++) if (load<u8>(at) === 0) return at;
  return 0;
}

export function isSameId(one: usize, other: usize): bool {
  if (v128.any_true(v128.xor(v128.load(one), v128.load(other)))) return false;
  return load<u32>(one + 16) === load<u32>(other + 16);
}
