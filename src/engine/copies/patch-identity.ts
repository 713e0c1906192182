// The identity of a patch: a 128-bit hash over its paths and its removed and added lines, whitespace and
// line numbers left out, so that a rebased or cherry-picked commit has the identity of its original.
// Lines come in as the 32-bit hashes of their text without whitespace that classification makes anyway.
import { hashText } from './line-sketch.ts';

export interface PatchFile {
  /** The new path, or the old one of a deleted file. */
  readonly path: string;
  readonly removed: Uint32Array;
  readonly added: Uint32Array;
}

const REMOVED = 0x2d;
const ADDED = 0x2b;
const FILE = 0x66;

/** 32 hex digits; null when no line was removed or added (mode changes, pure renames, binaries). */
export function patchIdentity(files: Iterable<PatchFile>): string | null {
  const lanes = new Uint32Array([0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344]);
  let lineCount = 0;
  for (const file of files) {
    if (file.removed.length === 0 && file.added.length === 0) continue;
    lineCount += file.removed.length + file.added.length;
    absorb(lanes, FILE, hashText(file.path));
    const { removed, added } = file;
    for (let line = 0; line < removed.length; line += 1) absorb(lanes, REMOVED, removed[line]!);
    for (let line = 0; line < added.length; line += 1) absorb(lanes, ADDED, added[line]!);
  }
  if (lineCount === 0) return null;
  absorb(lanes, FILE, lineCount);
  for (let round = 0; round < 4; round += 1) absorb(lanes, 0, 0);
  return Array.from(lanes, (lane) => lane.toString(16).padStart(8, '0')).join('');
}

/** Mixes one word into all four lanes; each lane feeds the next, so that order matters. */
function absorb(lanes: Uint32Array, tag: number, word: number): void {
  let a = lanes[0]!;
  let b = lanes[1]!;
  let c = lanes[2]!;
  let d = lanes[3]!;
  a = Math.imul(rotate(a ^ word, 15) + b, 0xcc9e2d51);
  b = Math.imul(rotate(b ^ Math.imul(word, 0x38b34ae5), 17) + c + tag, 0x1b873593);
  c = Math.imul(rotate(c ^ Math.imul(word, 0xa1e38b93), 18) + d, 0x85ebca6b);
  d = Math.imul(rotate(d ^ Math.imul(word, 0xab0e9789), 13) + a, 0xc2b2ae35);
  lanes[0] = a ^ (a >>> 16);
  lanes[1] = b ^ (b >>> 15);
  lanes[2] = c ^ (c >>> 16);
  lanes[3] = d ^ (d >>> 13);
}

function rotate(value: number, bits: number): number {
  return (value << bits) | (value >>> (32 - bits));
}
