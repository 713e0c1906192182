// The trails of a repository's commits, as earlier walks have kept them. A commit without one is read from git.
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import type { ChunkCommit } from '../model/commit-record.ts';
import { ByteReader, ByteWriter } from './byte-writer.ts';
import { type CommitTrail, readTrail, type TrailQuery } from './commit-trail.ts';
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
      const slot = this.#slotOf(this.#shas, row * this.#shaBytes);
      // Of two trails of a commit the later one holds.
      if (this.#slots[slot] !== 0) this.#rows[(this.#slots[slot]! - 1) * ROW_NUMBERS] = REPLACED;
      this.#slots[slot] = row + 1;
    }
  }

  look({ sha, parents }: Pick<ChunkCommit, 'sha' | 'parents'>, asked: Omit<TrailQuery, 'parents'>): Looked {
    const row = this.#find(Buffer.from(sha, 'hex'));
    if (row < 0) return null;
    const bytes = unlessRefused(() => this.#read(row), null);
    if (bytes === null) return null;
    const section = this.#sections[this.#rows[row * ROW_NUMBERS + 1]!]!;
    const pathAt = (number: number): string => section.paths[number] ?? '';
    const trail = readTrail(bytes, pathAt, {
      parents: parents.length,
      paths: asked.paths,
      ofAllFiles: asked.ofAllFiles,
    });
    if (trail === null || trail === 'untouched') return trail;
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
    readSections(file, (section, { piece, pieceAt, commits, shaBytes, index, trailsAt }) => {
      if (section.keys.compared !== this.#place.keys.compared) return;
      if (this.#shaBytes === 0) this.#shaBytes = shaBytes;
      if (shaBytes !== this.#shaBytes) return;
      if (section !== last) this.#sections.push(section);
      last = section;
      let at = trailsAt;
      for (let left = commits; left > 0; left--) {
        shas.appendPart(piece, index.skip(shaBytes), shaBytes);
        const length = index.number();
        this.#rows.push(number, this.#sections.length - 1, pieceAt, at, length);
        at += length;
      }
    });
  }

  #find(sha: Buffer): number {
    if (sha.length !== this.#shaBytes) return -1;
    // Commits are looked up in about the order in which they were written.
    const next = this.#row + 1;
    const isNext = next < this.#count && this.#rows[next * ROW_NUMBERS] !== REPLACED && this.#isAt(next, sha, 0);
    this.#row = isNext ? next : this.#slots[this.#slotOf(sha, 0)]! - 1;
    return this.#row;
  }

  /** Where the sha is that stands there, or would be. */
  #slotOf(bytes: Buffer, at: number): number {
    const mask = this.#slots.length - 1;
    let slot = bytes.readUInt32LE(at) & mask;
    while (this.#slots[slot] !== 0 && !this.#isAt(this.#slots[slot]! - 1, bytes, at)) slot = (slot + 1) & mask;
    return slot;
  }

  #isAt(row: number, bytes: Buffer, at: number): boolean {
    const shas = this.#shas;
    const own = row * this.#shaBytes;
    // Most are told apart by their first bytes.
    if (shas[own] !== bytes[at] || shas[own + 1] !== bytes[at + 1]) return false;
    return shas.compare(bytes, at, at + this.#shaBytes, own, own + this.#shaBytes) === 0;
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
