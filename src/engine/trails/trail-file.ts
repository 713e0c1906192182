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
/** Magic, version, bytes of a sha, number of commits, where paths and index begin, their sum, and the keys. */
const TAIL_BYTES = 7 * 4 + 2 * KEY_BYTES;
const SUM_BYTES = 4;
const OFFSET_BYTES = 4;
/** Trails are gathered before they are written. */
const FLUSH_BYTES = 1 << 20;
/** Places are four bytes. */
const MOST_BYTES = 2 ** 31;
const WINDOW_BYTES = 1 << 18;

export class TrailFileWriter {
  readonly #path: string;
  readonly #keys: TrailKeys;
  readonly #out = new ByteWriter();
  readonly #index = new ByteWriter();
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
    out.word(crc32(out.view(from)));
    this.#index.append(Buffer.from(sha, 'hex'));
    this.#index.word(at);
    this.#count++;
    if (out.length >= FLUSH_BYTES) this.#flush();
  }

  /** Puts the file in its place. */
  finish(): void {
    if (this.#count === 0) return;
    const trailsEnd = this.#written + this.#out.length;
    const tables = new ByteWriter();
    for (const path of this.#numbers.keys()) tables.append(Buffer.from(`${path}\0`, 'utf8'));
    const indexAt = trailsEnd + tables.length;
    tables.append(this.#index.view());
    const sum = crc32(tables.view());
    for (const word of [MAGIC, TRAIL_VERSION, this.#shaBytes, this.#count, trailsEnd, indexAt, sum]) tables.word(word);
    tables.append(Buffer.from(this.#keys.compared + this.#keys.judged, 'hex'));
    this.#out.append(tables.view());
    this.#flush();
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

  #flush(): void {
    this.#file ??= openSync(draftOf(this.#path), 'w');
    const bytes = this.#out.view();
    for (let at = 0; at < bytes.length; ) at += writeSync(this.#file, bytes, at, bytes.length - at);
    this.#written += bytes.length;
    this.#out.clear();
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
  readonly #index: Buffer;
  readonly #paths: Buffer;
  /** Where each path ends among the paths. */
  readonly #pathEnds: readonly number[];
  readonly #texts: (string | undefined)[] = [];
  /** Row in the index, plus one, by the first bytes of the sha. */
  readonly #rows: Uint32Array;
  #window: Buffer = Buffer.alloc(0);
  #windowAt = 0;

  /** Null for a file that is not whole, or of another version. */
  static open(path: string): TrailFile | null {
    const file = openSync(path, 'r');
    try {
      const { size } = statSync(path);
      const tail = readAt(file, size - TAIL_BYTES, TAIL_BYTES);
      if (tail === null) return refuse(file);
      const [magic, version, shaBytes, count, trailsEnd, indexAt, sum] = Array.from({ length: 7 }, (_, i) =>
        tail.readUInt32LE(4 * i),
      ) as [number, number, number, number, number, number, number];
      const isOurs = magic === MAGIC && version === TRAIL_VERSION;
      const isWhole = trailsEnd <= indexAt && indexAt + count * (shaBytes + OFFSET_BYTES) === size - TAIL_BYTES;
      if (!isOurs || !isWhole) return refuse(file);
      const tables = readAt(file, trailsEnd, size - TAIL_BYTES - trailsEnd);
      if (tables === null || crc32(tables) !== sum) return refuse(file);
      const keysAt = TAIL_BYTES - 2 * KEY_BYTES;
      const keys = {
        compared: tail.toString('hex', keysAt, keysAt + KEY_BYTES),
        judged: tail.toString('hex', keysAt + KEY_BYTES, keysAt + 2 * KEY_BYTES),
      };
      const paths = tables.subarray(0, indexAt - trailsEnd);
      const index = tables.subarray(indexAt - trailsEnd);
      return new TrailFile({ path, file, keys, shaBytes, count, trailsEnd, paths, index });
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
    readonly paths: Buffer;
    readonly index: Buffer;
  }) {
    this.path = parts.path;
    this.keys = parts.keys;
    this.count = parts.count;
    this.#file = parts.file;
    this.#shaBytes = parts.shaBytes;
    this.#trailsEnd = parts.trailsEnd;
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
    const mask = this.#rows.length - 1;
    for (let slot = sha.readUInt32LE(0) & mask; this.#rows[slot] !== 0; slot = (slot + 1) & mask) {
      const row = this.#rows[slot]! - 1;
      const at = row * this.#rowBytes;
      if (this.#index.compare(sha, 0, sha.length, at, at + this.#shaBytes) === 0) return this.#read(row);
    }
    return null;
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
    const from = this.#offsetOf(row);
    const to = row + 1 < this.count ? this.#offsetOf(row + 1) : this.#trailsEnd;
    if (to - from < SUM_BYTES) return null;
    if (from < this.#windowAt || to > this.#windowAt + this.#window.length) {
      // Commits are read in about the order in which they were written.
      const length = Math.min(Math.max(WINDOW_BYTES, to - from), this.#trailsEnd - from);
      this.#window = readAt(this.#file, from, length) ?? Buffer.alloc(0);
      this.#windowAt = from;
      if (this.#window.length === 0) return null;
    }
    const [start, end] = [from - this.#windowAt, to - this.#windowAt - SUM_BYTES];
    if (crc32(this.#window.subarray(start, end)) !== this.#window.readUInt32LE(end)) return null;
    return new ByteReader(this.#window, start, end);
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
