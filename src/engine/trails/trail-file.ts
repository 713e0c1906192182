// A file of trails: the trails of commits behind one another, the paths that they name by numbers, and where the trail of
// each commit begins. A file is written once and never changed; one that was cut off or damaged is known by its sums.
import { closeSync, openSync, readSync, renameSync, rmSync, statSync, writeSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { ByteReader, ByteWriter } from './byte-writer.ts';
import { TRAIL_VERSION } from './commit-trail.ts';

/** What the trails of a file follow from: SHA-256 in hexadecimal digits. */
export interface TrailKeys {
  /** How files are compared. */
  readonly compared: string;
  /** How lines are judged, which tells what moved. */
  readonly judged: string;
}

const MAGIC = 0x4c525453; // STRL
const KEY_BYTES = 32;
/** Magic, version, bytes of a sha, number of commits, where the tables begin, paths and index, their sum, and the keys. */
const TAIL_BYTES = 8 * 4 + 2 * KEY_BYTES;
const OFFSET_BYTES = 4;
/** Trails are read in blocks of so many bytes, each of which has a sum among the tables. */
const BLOCK_BYTES = 1 << 17;
const SUM_BYTES = 4;
/** Places are four bytes. */
const MOST_BYTES = 2 ** 31;

export class TrailFileWriter {
  readonly #path: string;
  readonly #keys: TrailKeys;
  readonly #out = new ByteWriter();
  readonly #index = new ByteWriter();
  readonly #sums = new ByteWriter();
  readonly #numbers = new Map<string, number>();
  #file: number | null = null;
  #written = 0;
  #count = 0;
  #shaBytes = 0;

  /** Nothing is written before there is something to write; until `finish` the file has another name. */
  constructor(path: string, keys: TrailKeys) {
    this.#path = path;
    this.#keys = keys;
  }

  numberOf(path: string): number {
    let number = this.#numbers.get(path);
    if (number === undefined) {
      number = this.#numbers.size;
      this.#numbers.set(path, number);
    }
    return number;
  }

  /** `write` writes the trail. */
  add(sha: string, write: (out: ByteWriter) => void): void {
    if (this.#shaBytes === 0) this.#shaBytes = sha.length / 2;
    const out = this.#out;
    const from = out.length;
    const at = this.#written + from;
    if (sha.length !== this.#shaBytes * 2 || at > MOST_BYTES) return;
    write(out);
    this.#index.append(Buffer.from(sha, 'hex'));
    this.#index.word(at);
    this.#count++;
    if (out.length >= BLOCK_BYTES) this.#flush(out.length - (out.length % BLOCK_BYTES));
  }

  /** Puts the file in its place. */
  finish(): void {
    if (this.#count === 0) return;
    this.#flush(this.#out.length);
    const tablesAt = this.#written;
    const tables = this.#out;
    tables.append(this.#sums.view());
    const pathsAt = tablesAt + tables.length;
    for (const path of this.#numbers.keys()) tables.append(Buffer.from(`${path}\0`, 'utf8'));
    const indexAt = tablesAt + tables.length;
    tables.append(this.#index.view());
    const sum = crc32(tables.view());
    const { compared, judged } = this.#keys;
    for (const word of [MAGIC, TRAIL_VERSION, this.#shaBytes, this.#count, tablesAt, pathsAt, indexAt, sum])
      tables.word(word);
    tables.append(Buffer.from(compared + judged, 'hex'));
    this.#write(tables.view());
    this.close();
    renameSync(draftOf(this.#path), this.#path);
  }

  close(): void {
    if (this.#file !== null) closeSync(this.#file);
    this.#file = null;
  }

  /** Leaves nothing behind. */
  drop(): void {
    this.close();
    rmSync(draftOf(this.#path), { force: true });
  }

  /** The first so many bytes of what waits: whole blocks, but for the last. */
  #flush(length: number): void {
    const bytes = this.#out.view();
    for (let at = 0; at < length; at += BLOCK_BYTES)
      this.#sums.word(crc32(bytes.subarray(at, Math.min(at + BLOCK_BYTES, length))));
    this.#write(bytes.subarray(0, length));
    const rest = Buffer.from(bytes.subarray(length));
    this.#out.clear();
    this.#out.append(rest);
  }

  #write(bytes: Buffer): void {
    this.#file ??= openSync(draftOf(this.#path), 'w');
    for (let at = 0; at < bytes.length; ) at += writeSync(this.#file, bytes, at, bytes.length - at);
    this.#written += bytes.length;
  }
}

const draftOf = (path: string): string => `${path}.new`;

export class TrailFile {
  readonly path: string;
  readonly keys: TrailKeys;
  readonly count: number;
  readonly #file: number;
  readonly #shaBytes: number;
  readonly #trailsEnd: number;
  readonly #sums: Buffer;
  readonly #index: Buffer;
  readonly #paths: Buffer;
  /** Where each path ends among the paths. */
  readonly #pathEnds: readonly number[];
  readonly #texts: (string | undefined)[] = [];
  /** Row in the index, plus one, by the first bytes of the sha. */
  readonly #rows: Uint32Array;
  /** Some blocks, and where they begin. */
  #window: Buffer = Buffer.alloc(0);
  #windowAt = 0;
  /** Of the trail found last. */
  #row = -1;

  /** Null for a file that is not whole, or of another version. */
  static open(path: string): TrailFile | null {
    const file = openSync(path, 'r');
    try {
      const { size } = statSync(path);
      const tail = readAt(file, size - TAIL_BYTES, TAIL_BYTES);
      if (tail === null) return refuse(file);
      const word = (number: number): number => tail.readUInt32LE(4 * number);
      const [magic, version, shaBytes, count] = [word(0), word(1), word(2), word(3)];
      const [tablesAt, pathsAt, indexAt, sum] = [word(4), word(5), word(6), word(7)];
      const isWhole =
        pathsAt === tablesAt + Math.ceil(tablesAt / BLOCK_BYTES) * SUM_BYTES &&
        pathsAt <= indexAt &&
        indexAt + count * (shaBytes + OFFSET_BYTES) === size - TAIL_BYTES;
      if (magic !== MAGIC || version !== TRAIL_VERSION || !isWhole) return refuse(file);
      const tables = readAt(file, tablesAt, size - TAIL_BYTES - tablesAt);
      if (tables === null || crc32(tables) !== sum) return refuse(file);
      const keysAt = TAIL_BYTES - 2 * KEY_BYTES;
      const keys = {
        compared: tail.toString('hex', keysAt, keysAt + KEY_BYTES),
        judged: tail.toString('hex', keysAt + KEY_BYTES, keysAt + 2 * KEY_BYTES),
      };
      const sums = tables.subarray(0, pathsAt - tablesAt);
      const paths = tables.subarray(pathsAt - tablesAt, indexAt - tablesAt);
      const index = tables.subarray(indexAt - tablesAt);
      return new TrailFile({ path, file, keys, shaBytes, count, trailsEnd: tablesAt, sums, paths, index });
    } catch (error) {
      closeSync(file);
      throw error;
    }
  }

  private constructor(parts: {
    readonly path: string;
    readonly file: number;
    readonly keys: TrailKeys;
    readonly shaBytes: number;
    readonly count: number;
    readonly trailsEnd: number;
    readonly sums: Buffer;
    readonly paths: Buffer;
    readonly index: Buffer;
  }) {
    this.path = parts.path;
    this.keys = parts.keys;
    this.count = parts.count;
    this.#file = parts.file;
    this.#shaBytes = parts.shaBytes;
    this.#trailsEnd = parts.trailsEnd;
    this.#sums = parts.sums;
    this.#paths = parts.paths;
    this.#index = parts.index;
    const ends: number[] = [];
    for (let at = this.#paths.indexOf(0); at >= 0; at = this.#paths.indexOf(0, at + 1)) ends.push(at);
    this.#pathEnds = ends;
    this.#rows = new Uint32Array(2 ** Math.ceil(Math.log2(this.count + 1) + 1));
    for (let row = 0; row < this.count; row++) {
      let slot = this.#index.readUInt32LE(row * this.#rowBytes) & (this.#rows.length - 1);
      while (this.#rows[slot] !== 0) slot = (slot + 1) & (this.#rows.length - 1);
      this.#rows[slot] = row + 1;
    }
  }

  get #rowBytes(): number {
    return this.#shaBytes + OFFSET_BYTES;
  }

  readonly pathAt = (number: number): string => {
    let text = this.#texts[number];
    if (text === undefined) {
      const end = this.#pathEnds[number];
      if (end === undefined) return '';
      text = this.#paths.toString('utf8', number === 0 ? 0 : this.#pathEnds[number - 1]! + 1, end);
      this.#texts[number] = text;
    }
    return text;
  };

  /** The trail of a commit; null when the file has none, or not whole. Until the next one is read. */
  find(sha: Buffer): ByteReader | null {
    if (sha.length !== this.#shaBytes) return null;
    // Commits are looked up in about the order in which they were written.
    const next = this.#row + 1;
    if (next < this.count && this.#isAt(next, sha)) return this.#read(next);
    const mask = this.#rows.length - 1;
    for (let slot = sha.readUInt32LE(0) & mask; this.#rows[slot] !== 0; slot = (slot + 1) & mask) {
      const row = this.#rows[slot]! - 1;
      if (this.#isAt(row, sha)) return this.#read(row);
    }
    return null;
  }

  #isAt(row: number, sha: Buffer): boolean {
    const at = row * this.#rowBytes;
    // Most are told apart by their first bytes.
    if (this.#index[at] !== sha[0] || this.#index[at + 1] !== sha[1]) return false;
    return this.#index.compare(sha, 0, sha.length, at, at + this.#shaBytes) === 0;
  }

  /** In the order in which they were written. */
  *all(): Generator<{ readonly sha: string; readonly bytes: ByteReader }, void, void> {
    for (let row = 0; row < this.count; row++) {
      const bytes = this.#read(row);
      const at = row * this.#rowBytes;
      if (bytes !== null) yield { sha: this.#index.toString('hex', at, at + this.#shaBytes), bytes };
    }
  }

  close(): void {
    closeSync(this.#file);
  }

  #read(row: number): ByteReader | null {
    this.#row = row;
    const from = this.#offsetOf(row);
    const to = row + 1 < this.count ? this.#offsetOf(row + 1) : this.#trailsEnd;
    const isThere = from >= this.#windowAt && to <= this.#windowAt + this.#window.length;
    if (from > to || !(isThere || this.#load(from, to))) return null;
    return new ByteReader(this.#window, from - this.#windowAt, to - this.#windowAt);
  }

  /** The blocks that hold these bytes; false when one of them is not as it was written. */
  #load(from: number, to: number): boolean {
    this.#window = Buffer.alloc(0);
    const first = Math.floor(from / BLOCK_BYTES);
    const start = first * BLOCK_BYTES;
    const end = Math.min(Math.ceil(to / BLOCK_BYTES) * BLOCK_BYTES, this.#trailsEnd);
    const bytes = readAt(this.#file, start, end - start);
    if (bytes === null) return false;
    for (let block = first, at = 0; at < bytes.length; block++, at += BLOCK_BYTES)
      if (crc32(bytes.subarray(at, at + BLOCK_BYTES)) !== this.#sums.readUInt32LE(block * SUM_BYTES)) return false;
    this.#window = bytes;
    this.#windowAt = start;
    return true;
  }

  #offsetOf(row: number): number {
    return this.#index.readUInt32LE(row * this.#rowBytes + this.#shaBytes);
  }
}

function refuse(file: number): null {
  closeSync(file);
  return null;
}

/** Null when the file does not have them. */
function readAt(file: number, at: number, length: number): Buffer | null {
  if (at < 0 || length < 0) return null;
  const bytes = Buffer.allocUnsafe(length);
  for (let read = 0; read < length; ) {
    const more = readSync(file, bytes, read, length - read, at + read);
    if (more === 0) return null;
    read += more;
  }
  return bytes;
}
