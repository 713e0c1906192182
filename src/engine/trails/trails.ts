// The trails of a repository's commits, as earlier walks have kept them. A commit without one is read from git.
import { join } from 'node:path';
import type { CommitList } from '../model/commit-list.ts';
import { MOST_WORDS, WORD_BYTES } from '../model/sha-words.ts';
import { ByteReader } from './byte-writer.ts';
import { type CommitTrail, readTrail, type TrailQuery } from './commit-trail.ts';
import { listFiles, type TrailPlace, unlessRefused } from './place.ts';
import { TrailFile } from './trail-file.ts';
import { type Block, readPiece, readSections, type Section } from './trail-section.ts';

/** What is known of a commit: nothing, that it touches none of the paths, or its trail. */
export type Looked = { readonly trail: CommitTrail; readonly tellsWhatMoved: boolean } | 'untouched' | null;

/** A file that is open, with the piece that was looked at last. */
interface OpenFile {
  readonly file: TrailFile;
  isRefused: boolean;
  pieceAt: number;
  piece: Buffer | null;
}

interface OpenBlock {
  readonly file: OpenFile;
  readonly section: Section;
  readonly pieceAt: number;
}

/** Numbers by row: its block, where its trail begins in the piece, and how long it is. */
const ROW_NUMBERS = 3;
/** What files may take in memory together; the others are read piece by piece. */
const HELD_BYTES = 64 << 20;
/** In place of its block. */
const REPLACED = 2 ** 32 - 1;

export class Trails {
  readonly #place: TrailPlace;
  readonly #files: OpenFile[] = [];
  readonly #blocks: OpenBlock[] = [];
  /** Words of a sha. */
  #words = 0;
  #count = 0;
  /** By row. */
  #shas = new Uint32Array(0);
  #rows = new Uint32Array(0);
  /** Row plus one, by the first word of the sha. */
  readonly #slots: Uint32Array;
  /** Found last. */
  #row = -1;
  readonly #sought = new Uint32Array(MOST_WORDS);

  constructor(place: TrailPlace) {
    this.#place = place;
    for (const name of unlessRefused(() => listFiles(place.folder), []))
      unlessRefused(() => this.#open(join(place.folder, name)), undefined);
    this.#slots = new Uint32Array(2 ** Math.ceil(Math.log2(this.#count + 1) + 1));
    for (let row = 0; row < this.#count; row++) {
      const slot = this.#slotOf(this.#shas, row * this.#words);
      // Of two trails of a commit the later one holds.
      if (this.#slots[slot] !== 0) this.#rows[(this.#slots[slot]! - 1) * ROW_NUMBERS] = REPLACED;
      this.#slots[slot] = row + 1;
    }
  }

  /** Nearly all commits are only passed: of these nothing is made, not even their names. */
  look(commits: CommitList, position: number, { paths, ofAllFiles }: Omit<TrailQuery, 'parents'>): Looked {
    const row = this.#find(commits.shaWords(position, this.#sought));
    const bytes = row < 0 ? null : this.#read(row);
    if (bytes === null) return null;
    const { section } = this.#blocks[this.#rows[row * ROW_NUMBERS]!]!;
    const trail = readTrail(bytes, section.paths, { parents: commits.parentCountOf(position), paths, ofAllFiles });
    if (trail === null || trail === 'untouched') return trail;
    const { keys, ignoredRevisions } = this.#place;
    const isIgnored = ignoredRevisions.size > 0 && ignoredRevisions.has(commits.at(position).sha);
    return { trail, tellsWhatMoved: section.keys.judged === keys.judged && trail.isIgnored === isIgnored };
  }

  close(): void {
    for (const { file } of this.#files) file.close();
  }

  #open(path: string): void {
    const room = this.#files.reduce((left, { file }) => left - file.heldBytes, HELD_BYTES);
    const file = { file: new TrailFile(path, room), isRefused: false, pieceAt: -1, piece: null };
    this.#files.push(file);
    readSections(file.file, (section, block) => {
      if (section.keys.compared !== this.#place.keys.compared) return;
      if (this.#words === 0) this.#words = block.shaBytes / WORD_BYTES;
      if (block.shaBytes !== this.#words * WORD_BYTES) return;
      this.#add(block, this.#blocks.push({ file, section, pieceAt: block.pieceAt }) - 1);
    });
  }

  #add({ piece, commits, index, trailsAt }: Block, block: number): void {
    const words = this.#words;
    this.#makeRoom(this.#count + commits);
    const [shas, rows] = [this.#shas, this.#rows];
    const bytes = new DataView(piece.buffer, piece.byteOffset, piece.length);
    let at = trailsAt;
    for (let left = commits; left > 0; left--) {
      const from = index.skip(words * WORD_BYTES);
      const sha = this.#count * words;
      for (let i = 0; i < words; i++) shas[sha + i] = bytes.getUint32(from + i * WORD_BYTES);
      const length = index.number();
      const row = this.#count++ * ROW_NUMBERS;
      rows[row] = block;
      rows[row + 1] = at;
      rows[row + 2] = length;
      at += length;
    }
  }

  #makeRoom(rows: number): void {
    if (rows * ROW_NUMBERS <= this.#rows.length) return;
    const room = 2 * rows;
    const [shas, numbers] = [this.#shas, this.#rows];
    this.#shas = new Uint32Array(room * this.#words);
    this.#shas.set(shas);
    this.#rows = new Uint32Array(room * ROW_NUMBERS);
    this.#rows.set(numbers);
  }

  /** The row of the sha that is sought, of so many words. */
  #find(words: number): number {
    if (words !== this.#words) return -1;
    // Commits are looked up in about the order in which they were written.
    const next = this.#row + 1;
    const isNext =
      next < this.#count && this.#rows[next * ROW_NUMBERS] !== REPLACED && this.#isAt(next, this.#sought, 0);
    this.#row = isNext ? next : this.#slots[this.#slotOf(this.#sought, 0)]! - 1;
    return this.#row;
  }

  /** Where the sha is that stands there, or would be. */
  #slotOf(shas: Uint32Array, at: number): number {
    const mask = this.#slots.length - 1;
    let slot = shas[at]! & mask;
    while (this.#slots[slot] !== 0 && !this.#isAt(this.#slots[slot]! - 1, shas, at)) slot = (slot + 1) & mask;
    return slot;
  }

  #isAt(row: number, shas: Uint32Array, at: number): boolean {
    const own = row * this.#words;
    for (let i = 0; i < this.#words; i++) if (this.#shas[own + i] !== shas[at + i]) return false;
    return true;
  }

  #read(row: number): ByteReader | null {
    const at = row * ROW_NUMBERS;
    const { file, pieceAt } = this.#blocks[this.#rows[at]!]!;
    if (file.pieceAt !== pieceAt && !file.isRefused) {
      file.piece = unlessRefused(() => readPiece(file.file, pieceAt), null);
      file.isRefused = file.piece === null;
      file.pieceAt = pieceAt;
    }
    if (file.isRefused) return null;
    const from = this.#rows[at + 1]!;
    return new ByteReader(file.piece!, from, from + this.#rows[at + 2]!);
  }
}
