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
  const patch = new PatchHash();
  for (const { path, removed, added } of files) patch.addFile(path, removed, 0, removed.length, added, 0, added.length);
  return patch.finish();
}

/** Takes a patch file by file, as ranges of larger arrays. */
export class PatchHash {
  readonly #lanes = new Int32Array(4);
  readonly #digits = Buffer.alloc(16);
  #lineCount = 0;

  constructor() {
    this.start();
  }

  /** Forgets what was added: one object serves patch after patch. */
  start(): void {
    this.#lineCount = 0;
    this.#lanes[0] = 0x243f6a88;
    this.#lanes[1] = 0x85a308d3;
    this.#lanes[2] = 0x13198a2e;
    this.#lanes[3] = 0x03707344;
  }

  /** Lines [from, to) of each side, in order. */
  addFile(
    path: string,
    removed: Uint32Array,
    removedFrom: number,
    removedTo: number,
    added: Uint32Array,
    addedFrom: number,
    addedTo: number,
  ): void {
    const lineCount = removedTo - removedFrom + addedTo - addedFrom;
    if (lineCount === 0) return;
    this.#lineCount += lineCount;
    absorb(this.#lanes, FILE, hashText(path));
    absorbLines(this.#lanes, REMOVED, removed, removedFrom, removedTo);
    absorbLines(this.#lanes, ADDED, added, addedFrom, addedTo);
  }

  finish(): string | null {
    if (this.#lineCount === 0) return null;
    absorb(this.#lanes, FILE, this.#lineCount);
    for (let round = 0; round < 4; round += 1) absorb(this.#lanes, 0, 0);
    for (let lane = 0; lane < 4; lane += 1) this.#digits.writeInt32BE(this.#lanes[lane]!, lane * 4);
    return this.#digits.toString('hex');
  }
}

const oneWord = new Uint32Array(1);

function absorb(lanes: Int32Array, tag: number, word: number): void {
  oneWord[0] = word;
  absorbLines(lanes, tag, oneWord, 0, 1);
}

/** Mixes each word into all four lanes; each lane feeds the next, so that order matters. */
function absorbLines(lanes: Int32Array, tag: number, words: Uint32Array, from: number, to: number): void {
  let a = lanes[0]!;
  let b = lanes[1]!;
  let c = lanes[2]!;
  let d = lanes[3]!;
  for (let i = from; i < to; i += 1) {
    const word = words[i]!;
    a = Math.imul(rotate(a ^ word, 15) + b, 0xcc9e2d51);
    b = Math.imul(rotate(b ^ Math.imul(word, 0x38b34ae5), 17) + c + tag, 0x1b873593);
    c = Math.imul(rotate(c ^ Math.imul(word, 0xa1e38b93), 18) + d, 0x85ebca6b);
    d = Math.imul(rotate(d ^ Math.imul(word, 0xab0e9789), 13) + a, 0xc2b2ae35);
    a ^= a >>> 16;
    b ^= b >>> 15;
    c ^= c >>> 16;
    d ^= d >>> 13;
  }
  lanes[0] = a;
  lanes[1] = b;
  lanes[2] = c;
  lanes[3] = d;
}

function rotate(value: number, bits: number): number {
  return (value << bits) | (value >>> (32 - bits));
}
