// The hashes of all lines of the tree in which the last walk looked for duplicates, by blob: most files of the next walk's tree
// are the same, and need not be unpacked to be hashed again.
//
//     version, sum of all behind it, bytes of a name, number of blobs
//     by blob: how many hashes it has
//     by blob: its name
//     by blob: its hashes
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { LINES_NAME, unlessRefused } from './place.ts';

/** Another layout, another way to hash lines, or other files that have none. */
const LINES_VERSION = 1;
/** More are not kept: the rest is read again. */
const MOST_HASHES = 8 << 20;
const WORD = 4;
const HEAD_WORDS = 4;

export class KeptLines {
  readonly #path: string;
  readonly #known: ReadonlyMap<string, Uint32Array>;
  /** Of the tree at hand. */
  readonly #used = new Map<string, Uint32Array>();
  #usedHashes = 0;
  #isNew = false;

  constructor(folder: string) {
    this.#path = join(folder, LINES_NAME);
    this.#known = unlessRefused(() => readLines(this.#path), null) ?? new Map();
  }

  get(blob: string): Uint32Array | null {
    return this.#known.get(blob) ?? null;
  }

  /** To be called for every file of the tree, known or not. */
  use(blob: string, hashes: Uint32Array): void {
    if (this.#used.has(blob) || this.#usedHashes + hashes.length > MOST_HASHES) return;
    this.#used.set(blob, hashes);
    this.#usedHashes += hashes.length;
    this.#isNew ||= !this.#known.has(blob);
  }

  /** Keeps what was used, unless all of it is kept already. */
  keep(): void {
    if (!this.#isNew) return;
    const draft = `${this.#path}.new`;
    const isKept = unlessRefused(() => {
      writeFileSync(draft, writeLines(this.#used));
      renameSync(draft, this.#path);
      return true;
    }, false);
    if (!isKept) unlessRefused(() => rmSync(draft, { force: true }), undefined);
  }
}

function writeLines(lines: ReadonlyMap<string, Uint32Array>): Buffer {
  const nameBytes = ([...lines.keys()][0]?.length ?? 0) / 2;
  let hashCount = 0;
  for (const { length } of lines.values()) hashCount += length;
  const counts = HEAD_WORDS * WORD;
  const names = counts + lines.size * WORD;
  const hashes = names + lines.size * nameBytes;
  const bytes = Buffer.alloc(hashes + hashCount * WORD);
  const words = new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length / WORD);
  words.set([LINES_VERSION, 0, nameBytes, lines.size]);
  let blob = 0;
  let at = hashes / WORD;
  for (const [name, own] of lines) {
    words[counts / WORD + blob] = own.length;
    bytes.write(name, names + blob * nameBytes, 'hex');
    words.set(own, at);
    at += own.length;
    blob++;
  }
  words[1] = sumOf(bytes);
  return bytes;
}

/** Null when they are none of ours. */
function readLines(path: string): Map<string, Uint32Array> | null {
  const bytes = readFileSync(path);
  if (bytes.length < HEAD_WORDS * WORD || bytes.length % WORD !== 0 || bytes.byteOffset % WORD !== 0) return null;
  const words = new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length / WORD);
  const [version, sum, nameBytes = 0, blobs = 0] = words;
  if (version !== LINES_VERSION || sum !== sumOf(bytes)) return null;
  const lines = new Map<string, Uint32Array>();
  const names = (HEAD_WORDS + blobs) * WORD;
  let at = (names + blobs * nameBytes) / WORD;
  for (let blob = 0; blob < blobs; blob++) {
    const count = words[HEAD_WORDS + blob]!;
    const name = names + blob * nameBytes;
    lines.set(bytes.toString('hex', name, name + nameBytes), words.subarray(at, at + count));
    at += count;
  }
  return lines;
}

const sumOf = (bytes: Buffer): number => crc32(bytes.subarray(2 * WORD));
