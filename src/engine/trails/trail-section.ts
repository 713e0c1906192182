// Trails in a file. A section is what one thread wrote in one walk: a head that says under which rules, then blocks. A block has
// a sum, so a file is good up to where it was cut off or damaged; and it names its paths by numbers of its section, so sections
// can be put behind one another as they are.
//
//     section   head: how files are compared, how lines are judged, bytes of a sha
//               block: new paths, shas and lengths of trails, then the trails
//               block: …
import { closeSync, openSync, writeSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { ByteReader, ByteWriter } from './byte-writer.ts';
import { TRAIL_VERSION } from './commit-trail.ts';
import type { TrailFile } from './trail-file.ts';

/** What trails follow from: SHA-256 in hexadecimal digits. */
export interface TrailKeys {
  /** How files are compared. */
  readonly compared: string;
  /** How lines are judged, which tells what moved. */
  readonly judged: string;
}

/** Of a piece: what it is, its length, the length of what stands before the trails, the sum of all of it. */
const PIECE_HEAD = 16;
const HEAD_MARK = 0x31525453 + TRAIL_VERSION;
const BLOCK_MARK = 0x42525453;
const KEY_DIGITS = 64;
/** A block is written once it has so many bytes. */
const BLOCK_BYTES = 1 << 17;
/** A longer one was not written by us. */
const MOST_BYTES = 1 << 28;

export class SectionWriter {
  readonly #path: string;
  readonly #keys: TrailKeys;
  readonly #numbers = new Map<string, number>();
  readonly #paths = new ByteWriter();
  #newPaths = 0;
  readonly #index = new ByteWriter();
  #commits = 0;
  #shaBytes = 0;
  readonly #trails = new ByteWriter();
  #file: number | null = null;

  /** The file is made when there is something to write. */
  constructor(path: string, keys: TrailKeys) {
    this.#path = path;
    this.#keys = keys;
  }

  numberOf(path: string): number {
    let number = this.#numbers.get(path);
    if (number === undefined) {
      number = this.#numbers.size;
      this.#numbers.set(path, number);
      const bytes = Buffer.from(path, 'utf8');
      this.#paths.number(bytes.length);
      this.#paths.append(bytes);
      this.#newPaths++;
    }
    return number;
  }

  /** `write` writes the trail. */
  add(sha: string, write: (out: ByteWriter) => void): void {
    const from = this.#trails.length;
    write(this.#trails);
    this.#index.append(Buffer.from(sha, 'hex'));
    this.#index.number(this.#trails.length - from);
    this.#commits++;
    this.#shaBytes = sha.length / 2;
    if (this.#trails.length >= BLOCK_BYTES) this.flush();
  }

  /** Writes what waits. */
  flush(): void {
    if (this.#commits === 0) return;
    const tables = new ByteWriter();
    tables.number(this.#newPaths);
    tables.append(this.#paths.view());
    tables.number(this.#commits);
    tables.append(this.#index.view());
    if (this.#file === null) {
      this.#file = openSync(this.#path, 'wx');
      const head = new ByteWriter();
      head.append(Buffer.from(this.#keys.compared + this.#keys.judged, 'latin1'));
      head.number(this.#shaBytes);
      this.#write(HEAD_MARK, head.view(), Buffer.alloc(0));
    }
    this.#write(BLOCK_MARK, tables.view(), this.#trails.view());
    for (const each of [this.#paths, this.#index, this.#trails]) each.clear();
    this.#newPaths = 0;
    this.#commits = 0;
  }

  close(): void {
    if (this.#file !== null) closeSync(this.#file);
    this.#file = null;
  }

  #write(mark: number, tables: Buffer, trails: Buffer): void {
    const piece = Buffer.allocUnsafe(PIECE_HEAD + tables.length + trails.length);
    piece.writeUInt32LE(mark, 0);
    piece.writeUInt32LE(piece.length, 4);
    piece.writeUInt32LE(tables.length, 8);
    tables.copy(piece, PIECE_HEAD);
    trails.copy(piece, PIECE_HEAD + tables.length);
    piece.writeUInt32LE(sumOf(piece), 12);
    for (let at = 0; at < piece.length; ) at += writeSync(this.#file!, piece, at, piece.length - at);
  }
}

/** Of its head but for the sum, and of all behind it. */
const sumOf = (piece: Buffer): number => crc32(piece.subarray(PIECE_HEAD), crc32(piece.subarray(0, 12)));

/** A section as far as it is needed to read trails of it. */
export interface Section {
  readonly keys: TrailKeys;
  readonly paths: string[];
}

/** A block as it was read, up to its index: for each commit its sha and the length of its trail. */
export interface Block {
  readonly piece: Buffer;
  /** Where the piece begins in the file. */
  readonly pieceAt: number;
  readonly commits: number;
  readonly shaBytes: number;
  readonly index: ByteReader;
  /** Where the first trail begins in the piece; the others follow. */
  readonly trailsAt: number;
}

/** Tells of all blocks of a file as far as it is good; answers how far that is. */
export function readSections(file: TrailFile, on: (section: Section, block: Block) => void): number {
  let section: Section | null = null;
  let shaBytes = 0;
  for (let pieceAt = 0; ; ) {
    const piece = readPiece(file, pieceAt);
    if (piece === null) return pieceAt;
    const tablesEnd = PIECE_HEAD + piece.readUInt32LE(8);
    const bytes = new ByteReader(piece, PIECE_HEAD, tablesEnd);
    if (piece.readUInt32LE(0) === HEAD_MARK) {
      const from = bytes.skip(2 * KEY_DIGITS);
      const keys = piece.toString('latin1', from, from + 2 * KEY_DIGITS);
      section = { keys: { compared: keys.slice(0, KEY_DIGITS), judged: keys.slice(KEY_DIGITS) }, paths: [] };
      shaBytes = bytes.number();
    } else if (section !== null) {
      for (let left = bytes.number(); left > 0; left--) {
        const length = bytes.number();
        const from = bytes.skip(length);
        section.paths.push(piece.toString('utf8', from, from + length));
      }
      on(section, { piece, pieceAt, commits: bytes.number(), shaBytes, index: bytes, trailsAt: tablesEnd });
    }
    pieceAt += piece.length;
  }
}

/** A piece with its head; null when there is none, or none that is whole. */
export function readPiece(file: TrailFile, at: number): Buffer | null {
  const head = file.at(at, PIECE_HEAD);
  if (head === null) return null;
  const [mark, length] = [head.readUInt32LE(0), head.readUInt32LE(4)];
  if ((mark !== HEAD_MARK && mark !== BLOCK_MARK) || length < PIECE_HEAD || length > MOST_BYTES) return null;
  const piece = file.at(at, length);
  return piece !== null && sumOf(piece) === piece.readUInt32LE(12) ? piece : null;
}
