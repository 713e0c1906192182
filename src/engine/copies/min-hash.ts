// The significant changed lines of a commit as a bounded set of hashes: the smallest ones of all its lines.
// Since every commit keeps the smallest, two minHashes can be compared where both are complete, and the
// share of one commit's lines found in another is estimated without bias, in bounded memory. A hash covers the
// path and the text of a line, so commits that share a hash changed the same file.
export interface MinHash {
  /** Ascending, distinct: the smallest hashes of the commit's significant lines. The lowest bit is 1 for an added line. */
  readonly hashes: Uint32Array;
  /** Distinct significant lines in the commit; more than `hashes` holds when the min-hash is cut. */
  readonly lineCount: number;
}

/**
 * Hashes kept of a commit, in memory and in storage alike: a later import judges the commits of an earlier one by
 * the evidence that the earlier one had. Storing 1,024 instead of 128 costs 10 to 110 bytes for each commit.
 */
export const MIN_HASH_SIZE = 1024;

export const isAddedLine = (hash: number): boolean => (hash & 1) === 1;

/** The same line of the same file on the other side: added here, removed there. */
export const otherSide = (hash: number): number => (hash ^ 1) >>> 0;

export const LINE_COUNT_BYTES = 4;
export const HASH_BYTES = 4;

/** For storage: four bytes of line count, then the smallest hashes, big-endian. */
export function minHashToBytes(minHash: MinHash): Uint8Array {
  const kept = Math.min(minHash.hashes.length, MIN_HASH_SIZE);
  const bytes = new Uint8Array(LINE_COUNT_BYTES + HASH_BYTES * kept);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, minHash.lineCount);
  for (let index = 0; index < kept; index += 1)
    view.setUint32(LINE_COUNT_BYTES + HASH_BYTES * index, minHash.hashes[index]!);
  return bytes;
}

export class MinHashError extends Error {
  override readonly name = 'MinHashError';
}

export function bytesToMinHash(bytes: Uint8Array): MinHash {
  const hashes = new Uint32Array(countHashes(bytes));
  readHashes(bytes, hashes, 0);
  return { hashes, lineCount: readLineCount(bytes, hashes.length) };
}

const PIECE_HASHES = 1 << 18;

/** Keeps the min-hashes of many commits in few pieces of memory. */
export class MinHashes {
  #piece = new Uint32Array(0);
  #used = 0;

  add(bytes: Uint8Array): MinHash {
    const count = countHashes(bytes);
    const lineCount = readLineCount(bytes, count);
    if (this.#used + count > this.#piece.length) {
      this.#piece = new Uint32Array(Math.max(PIECE_HASHES, count));
      this.#used = 0;
    }
    readHashes(bytes, this.#piece, this.#used);
    const hashes = this.#piece.subarray(this.#used, this.#used + count);
    this.#used += count;
    return { hashes, lineCount };
  }
}

function countHashes({ length }: Uint8Array): number {
  if (length < LINE_COUNT_BYTES || length % HASH_BYTES !== 0) throw new MinHashError(`a min-hash of ${length} bytes`);
  return (length - LINE_COUNT_BYTES) / HASH_BYTES;
}

function readLineCount(bytes: Uint8Array, hashes: number): number {
  const lineCount = readWord(bytes, 0);
  if (lineCount < hashes) throw new MinHashError('a min-hash that holds more hashes than lines');
  return lineCount;
}

function readHashes(bytes: Uint8Array, into: Uint32Array, at: number): void {
  let before = -1;
  for (let from = LINE_COUNT_BYTES; from < bytes.length; from += HASH_BYTES) {
    const hash = readWord(bytes, from);
    if (hash <= before) throw new MinHashError('a min-hash whose hashes do not ascend');
    into[at++] = hash;
    before = hash;
  }
}

export const readWord = (bytes: Uint8Array, at: number): number =>
  ((bytes[at]! << 24) | (bytes[at + 1]! << 16) | (bytes[at + 2]! << 8) | bytes[at + 3]!) >>> 0;

export interface Overlap {
  /** Lines of `part` that could be looked up in `whole`. */
  readonly compared: number;
  readonly found: number;
}

/**
 * How much of `part` stands in `whole`, over the range of hashes that both minHashes hold in full; of all its lines,
 * or only of those that it added.
 */
export function overlap(part: MinHash, whole: MinHash, lines: 'all' | 'added' = 'all'): Overlap {
  const limit = Math.min(fullUpTo(part), fullUpTo(whole));
  const [sought, there] = [part.hashes, whole.hashes];
  let compared = 0;
  let found = 0;
  // By number: this is asked of very many pairs, and a loop over the values takes twice as long.
  for (let i = 0, at = 0; i < sought.length; i++) {
    const hash = sought[i]!;
    if (hash > limit) break;
    if (lines === 'added' && !isAddedLine(hash)) continue;
    compared += 1;
    while (at < there.length && there[at]! < hash) at += 1;
    if (there[at] === hash) found += 1;
  }
  return { compared, found };
}

/** The largest hash up to which the min-hash is complete. */
export function fullUpTo(minHash: MinHash): number {
  return minHash.hashes.length === minHash.lineCount ? 0xffffffff : (minHash.hashes.at(-1) ?? -1);
}

export function hashText(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return mixHash(hash);
}

/** Spreads what differs in any bits over all of them, as the kernel does for the lines of a min-hash. */
export function mixHash(value: number): number {
  value ^= value >>> 16;
  value = Math.imul(value, 0x7feb352d);
  value ^= value >>> 15;
  value = Math.imul(value, 0x846ca68b);
  return (value ^ (value >>> 16)) >>> 0;
}
