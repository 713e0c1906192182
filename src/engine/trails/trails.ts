// The trails of a repository's commits: a folder of files, one for each thread that has read some. They are a memory, not a
// record: a commit without a trail is read from git.
import { createHash } from 'node:crypto';
import {
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import type { AttributesFile } from '../categories/git-attributes.ts';
import type { CustomPathRule } from '../categories/judge-file.ts';
import type { DiffLimits } from '../diff/streamed-commit.ts';
import { FORMULA_VERSION } from '../judge/score-table.ts';
import type { Batch, ChunkCommit } from '../model/commit-record.ts';
import { ByteReader, ByteWriter } from './byte-writer.ts';
import {
  type CommitTrail,
  isLasting,
  type Paths,
  parentsOf,
  readTrail,
  touches,
  trailOf,
  writeTrail,
} from './commit-trail.ts';
import { LISTING_NAME, TRAILS_ENDING, unlessRefused } from './place.ts';
import { readPiece, readSections, type Section, SectionWriter, type TrailKeys } from './trail-section.ts';

const DIGITS = 8;
/** More files are joined to one: each takes a look, and most hold the commits of a day. */
const MOST_FILES = 16;

/** Where the trails of a walk go. Passed to its threads. */
export interface TrailPlace {
  readonly folder: string;
  /** Later walks have larger ones. */
  readonly number: number;
  readonly keys: TrailKeys;
  /** Full shas of the revisions to ignore. */
  readonly ignoredRevisions: ReadonlySet<string>;
}

export interface TrailRules {
  readonly ignoredRevisions: ReadonlySet<string>;
  readonly limits: DiffLimits;
  readonly pathRules: readonly CustomPathRule[];
  readonly attributes: readonly AttributesFile[];
}

/** The place for the trails of a walk, of which there is one at a time; null where none can be kept. */
export function prepareTrails(folder: string, rules: TrailRules): TrailPlace | null {
  return unlessRefused(() => prepare(folder, rules), null);
}

function prepare(folder: string, { limits, pathRules, attributes, ignoredRevisions }: TrailRules): TrailPlace {
  mkdirSync(folder, { recursive: true });
  let number = 0;
  for (const name of readdirSync(folder)) {
    // Of a walk that was cut off.
    if (!name.endsWith(TRAILS_ENDING) && name !== LISTING_NAME)
      rmSync(join(folder, name), { recursive: true, force: true });
    number = Math.max(number, numberOf(name));
  }
  const judged = [JSON.stringify([FORMULA_VERSION, pathRules])];
  const files = attributes.flatMap(({ path, content }) => [`\0${path}\0${content.length}\0`, content]);
  const keys = { compared: digest([JSON.stringify(limits)]), judged: digest([...judged, ...files]) };
  return { folder, number: number + 1, keys, ignoredRevisions };
}

function digest(parts: readonly (string | Uint8Array)[]): string {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest('hex');
}

/** `part` tells the files of one walk from one another. */
const pathIn = ({ folder, number }: TrailPlace, part: number): string =>
  join(folder, `${String(number).padStart(DIGITS, '0')}-${part}${TRAILS_ENDING}`);

const numberOf = (name: string): number => Number.parseInt(name, 10) || 0;

const listFiles = (folder: string): string[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith(TRAILS_ENDING))
    .sort();

/** Writes the trails of what one thread reads. What is written is good, whatever ends the thread. */
export class TrailWriter {
  /** Null once it could not be written. */
  #section: SectionWriter | null;
  readonly #ignoredRevisions: ReadonlySet<string>;

  constructor(place: TrailPlace, thread: number) {
    this.#ignoredRevisions = place.ignoredRevisions;
    this.#section = new SectionWriter(pathIn(place, thread), place.keys);
  }

  /** Commits of which all was read. */
  add({ commits, hunks }: Batch, commitAt: (index: number) => Pick<ChunkCommit, 'sha' | 'parents'>): void {
    this.#attempt((section) => {
      for (const record of commits) {
        if (!isLasting(record)) continue;
        const { sha, parents } = commitAt(record.index);
        const isIgnored = this.#ignoredRevisions.has(sha);
        const trail = trailOf(record, hunks, { isIgnored, parents: parents.length });
        section.add(sha, (out) => writeTrail(out, trail, section));
      }
    });
  }

  flush(): void {
    this.#attempt((section) => section.flush());
  }

  close(): void {
    this.flush();
    this.#section?.close();
    this.#section = null;
  }

  #attempt(write: (section: SectionWriter) => void): void {
    const section = this.#section;
    if (section === null) return;
    const isWritten = unlessRefused(() => {
      write(section);
      return true;
    }, false);
    if (isWritten) return;
    section.close();
    this.#section = null;
  }
}

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
      // Of two trails of a commit the later one holds.
      this.#slots[this.#slotOf(this.#shas.subarray(at, at + this.#shaBytes))] = row + 1;
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
    this.#row = next < this.#count && this.#isAt(next, sha) ? next : this.#slots[this.#slotOf(sha)]! - 1;
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

/** Forgets what walks before this one have kept, which has read all of it anew. */
export function forgetEarlier({ folder, number }: TrailPlace): void {
  unlessRefused(() => {
    for (const name of listFiles(folder)) if (numberOf(name) < number) rmSync(join(folder, name), { force: true });
  }, undefined);
}

/** Puts files behind one another once there are many; to be called when none is being written. */
export function joinTrails(place: TrailPlace): void {
  unlessRefused(() => joinFiles(place), undefined);
}

function joinFiles(place: TrailPlace): void {
  const files = listFiles(place.folder).map((name) => {
    const path = join(place.folder, name);
    return { path, size: statSync(path).size };
  });
  if (files.length <= MOST_FILES) return;
  const half = files.reduce((sum, { size }) => sum + size, 0) / 2;
  // The one that holds most of the history stays as it is.
  const small = files.filter(({ size }) => size <= half);
  const path = pathIn({ ...place, number: place.number + 1 }, 0);
  const draft = `${path}.new`;
  const joined = openSync(draft, 'w');
  try {
    for (const each of small) appendGood(each.path, joined);
  } finally {
    closeSync(joined);
  }
  renameSync(draft, path);
  for (const each of small) rmSync(each.path, { force: true });
}

/** What is behind a piece that is not whole would not be read. */
function appendGood(path: string, joined: number): void {
  const file = openSync(path, 'r');
  try {
    const end = readSections(file, () => {});
    const bytes = Buffer.allocUnsafe(1 << 20);
    for (let at = 0; at < end; ) {
      const read = readSync(file, bytes, 0, Math.min(bytes.length, end - at), at);
      for (let written = 0; written < read; ) written += writeSync(joined, bytes, written, read - written);
      at += read;
    }
  } finally {
    closeSync(file);
  }
}
