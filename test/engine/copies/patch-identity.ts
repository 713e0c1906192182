// The identity of a patch by its plain definition, to hold the kernel's against: 128 bits over its paths and its
// removed and added lines, of which only the hashes of the text without whitespace are looked at.
import { hashText } from '../../../src/engine/copies/min-hash.ts';

export interface PatchFile {
  /** The new path, or the old one of a deleted file. */
  readonly path: string;
  readonly removed: Iterable<number>;
  readonly added: Iterable<number>;
}

const [REMOVED, ADDED, FILE] = [0x2d, 0x2b, 0x66];

/** 32 hex digits; null when no line was removed or added (mode changes, pure renames, binaries). */
export function patchIdentity(files: Iterable<PatchFile>): string | null {
  let lanes = [0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344];
  const absorb = (tag: number, word: number) => {
    lanes = mixed(lanes, tag, word);
  };
  let lineCount = 0;
  for (const { path, removed, added } of files) {
    const [gone, come] = [[...removed], [...added]];
    if (gone.length + come.length === 0) continue;
    lineCount += gone.length + come.length;
    absorb(FILE, hashText(path));
    for (const hash of gone) absorb(REMOVED, hash);
    for (const hash of come) absorb(ADDED, hash);
  }
  if (lineCount === 0) return null;
  absorb(FILE, lineCount);
  for (let round = 0; round < 4; round++) absorb(0, 0);
  return lanes.map((lane) => (lane >>> 0).toString(16).padStart(8, '0')).join('');
}

/** Each lane feeds the next, so that order matters. */
function mixed([a = 0, b = 0, c = 0, d = 0]: readonly number[], tag: number, word: number): number[] {
  const one = Math.imul(rotate(a ^ word, 15) + b, 0xcc9e2d51);
  const two = Math.imul(rotate(b ^ Math.imul(word, 0x38b34ae5), 17) + c + tag, 0x1b873593);
  const three = Math.imul(rotate(c ^ Math.imul(word, 0xa1e38b93), 18) + d, 0x85ebca6b);
  const four = Math.imul(rotate(d ^ Math.imul(word, 0xab0e9789), 13) + one, 0xc2b2ae35);
  return [one ^ (one >>> 16), two ^ (two >>> 15), three ^ (three >>> 16), four ^ (four >>> 13)];
}

function rotate(value: number, bits: number): number {
  return (value << bits) | (value >>> (32 - bits));
}
