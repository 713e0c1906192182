// The trails of a repository's commits, as earlier walks have kept them. A commit without one is read from git.
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import type { ChunkCommit } from '../model/commit-record.ts';
import { ByteReader, ByteWriter } from './byte-writer.ts';
import { type CommitTrail, type Paths, parentsOf, readTrail, touches } from './commit-trail.ts';
import { listFiles, type TrailPlace, unlessRefused } from './place.ts';
import { readPiece, readSections, type Section } from './trail-section.ts';

/** What is known of a commit: nothing, that it touches none of the paths, or its trail. */
export type Looked = { readonly trail: CommitTrail; readonly tellsWhatMoved: boolean } | 'untouched' | null;

/** A file of trails that is open, with the piece that was read last. */
interface OpenFile {
  readonly file: number;
  isRefused: boolean;
  pieceAt: number;
  piece: Buffer | null;
}

/** Numbers by row: its file, its section, where its piece begins, where its trail does in the piece, and how long it is. */
const ROW_NUMBERS = 5;
/** In place of its file. */
const REPLACED = -1;

export class Trails {
  readonly #place: TrailPlace;
  readonly #files: OpenFile[] = [];
  readonly #sections: Section[] = [];
  #shaBytes = 0;
  /** By row. */
  #shas: Buffer;
  readonly #rows: number[] = [];
  /** Row plus one, by the first bytes of the sha. */
  #slots = new Uint32Array(2);
  /** Found last. */
  #row = -1;

  constructor(place: TrailPlace) {
    this.#place = place;
    const shas = new ByteWriter();
    for (const name of unlessRefused(() => listFiles(place.folder), []))
      unlessRefused(() => this.#open(join(place.folder, name), shas), undefined);
    this.#shas = shas.view();
    this.#slots = new Uint32Array(2 ** Math.ceil(Math.log2(this.#count + 1) + 1));
    for (let row = 0; row < this.#count; row++) {
      const at = row * this.#shaBytes;
      const slot = this.#slotOf(this.#shas.subarray(at, at + this.#shaBytes));
      // Of two trails of a commit the later one holds.
      if (this.#slots[slot] !== 0) this.#rows[(this.#slots[slot]! - 1) * ROW_NUMBERS] = REPLACED;
      this.#slots[slot] = row + 1;
    }
  }

  look({ sha, parents }: Pick<ChunkCommit, 'sha' | 'parents'>, paths: Paths): Looked {
    const row = this.#find(Buffer.from(sha, 'hex'));
    if (row < 0) return null;
    const bytes = unlessRefused(() => this.#read(row), null);
    if (bytes === null) return null;
    const { at } = bytes;
    if (parentsOf(bytes) !== parents.length) return null;
    bytes.at = at;
    const section = this.#sections[this.#rows[row * ROW_NUMBERS + 1]!]!;
    const pathAt = (number: number): string => section.paths[number] ?? '';
    if (!touches(bytes, pathAt, paths)) return bytes.isPast ? null : 'untouched';
    bytes.at = at;
    const trail = readTrail(bytes, pathAt);
    if (trail === null) return null;
    const { keys, ignoredRevisions } = this.#place;
    return {
      trail,
      tellsWhatMoved: section.keys.judged === keys.judged && trail.isIgnored === ignoredRevisions.has(sha),
    };
  }

  close(): void {
    for (const { file } of this.#files) closeSync(file);
  }

  get #count(): number {
    return this.#rows.length / ROW_NUMBERS;
  }

  #open(path: string, shas: ByteWriter): void {
    const file = openSync(path, 'r');
    const number = this.#files.push({ file, isRefused: false, pieceAt: -1, piece: null }) - 1;
    let last: Section | null = null;
    readSections(file, (section, sha, { pieceAt, at, length }) => {
      if (section.keys.compared !== this.#place.keys.compared) return;
      if (this.#shaBytes === 0) this.#shaBytes = sha.length;
      if (sha.length !== this.#shaBytes) return;
      if (section !== last) this.#sections.push(section);
      last = section;
      shas.append(sha);
      this.#rows.push(number, this.#sections.length - 1, pieceAt, at, length);
    });
  }

  #find(sha: Buffer): number {
    if (sha.length !== this.#shaBytes) return -1;
    // Commits are looked up in about the order in which they were written.
    const next = this.#row + 1;
    const isNext = next < this.#count && this.#rows[next * ROW_NUMBERS] !== REPLACED && this.#isAt(next, sha);
    this.#row = isNext ? next : this.#slots[this.#slotOf(sha)]! - 1;
    return this.#row;
  }

  /** Where it is, or would be. */
  #slotOf(sha: Buffer): number {
    const mask = this.#slots.length - 1;
    let slot = sha.readUInt32LE(0) & mask;
    while (this.#slots[slot] !== 0 && !this.#isAt(this.#slots[slot]! - 1, sha)) slot = (slot + 1) & mask;
    return slot;
  }

  #isAt(row: number, sha: Buffer): boolean {
    const shas = this.#shas;
    const at = row * this.#shaBytes;
    // Most are told apart by their first bytes.
    if (shas[at] !== sha[0] || shas[at + 1] !== sha[1]) return false;
    return shas.compare(sha, 0, sha.length, at, at + this.#shaBytes) === 0;
  }

  #read(row: number): ByteReader | null {
    const at = row * ROW_NUMBERS;
    const open = this.#files[this.#rows[at]!]!;
    const pieceAt = this.#rows[at + 2]!;
    if (open.isRefused) return null;
    if (open.pieceAt !== pieceAt) {
      open.isRefused = true;
      open.piece = readPiece(open.file, pieceAt);
      open.isRefused = open.piece === null;
      open.pieceAt = pieceAt;
      if (open.piece === null) return null;
    }
    const from = this.#rows[at + 3]!;
    return new ByteReader(open.piece!, from, from + this.#rows[at + 4]!);
  }
}
