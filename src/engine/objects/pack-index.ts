// Where objects lie: the indexes of a repository's packs (git's index format, version 2). They are read once
// into memory that threads share, and answer with a location, one number for pack and offset.
import { closeSync, existsSync, fstatSync, openSync, readdirSync, readFileSync, readSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { LOCATIONS_PER_PACK } from '../kernel-contract.ts';

export interface PackIndex {
  readonly packFile: string;
  readonly bytes: SharedArrayBuffer;
  /** By how a name begins, the place of the first that begins so or behind; one more stands for the end (`findBegins`). */
  readonly begins: Uint32Array;
  /** For a pack of a partial clone, whose objects may refer to others that are not there: all folders of objects. */
  readonly partialOf: readonly string[] | null;
}

const MOST_PACKS = 512;
const MOST_INDEX_BYTES = 512 << 20;

const MAGIC = 0xff744f63;
const VERSION = 2;
const HEADER_BYTES = 8;
const FANOUT_BYTES = 256 * 4;
const SHA_BYTES = 20;
const CRC_BYTES = 4;
const OFFSET_BYTES = 4;
const LARGE_OFFSET = 0x80000000;

/**
 * All packs that git would look into; empty when there is something about them that is not understood, or when
 * attributes of the repository's own could make git show a file in another way.
 */
export function loadPackIndexes(gitDir: string): PackIndex[] {
  const indexes: PackIndex[] = [];
  let total = 0;
  try {
    const folder = commonFolder(gitDir);
    if (existsSync(join(folder, 'info', 'attributes'))) return [];
    const folders = listObjectFolders(gitDir);
    for (const objects of folders)
      for (const name of packNames(join(objects, 'pack'))) {
        const bytes = readShared(join(objects, 'pack', `${name}.idx`));
        total += bytes.byteLength;
        if (!isUnderstood(bytes) || total > MOST_INDEX_BYTES || indexes.length >= MOST_PACKS) return [];
        const begins = findBegins(bytes);
        if (begins === null) return [];
        const isPartial = existsSync(join(objects, 'pack', `${name}.promisor`));
        indexes.push({
          packFile: join(objects, 'pack', `${name}.pack`),
          bytes,
          begins,
          partialOf: isPartial ? folders : null,
        });
      }
  } catch {
    // Git reads the repository instead, and says what is wrong with it.
    return [];
  }
  return indexes;
}

/** A further work tree keeps its objects with the first one. */
function commonFolder(gitDir: string): string {
  const file = join(gitDir, 'commondir');
  if (!existsSync(file)) return gitDir;
  const named = readFileSync(file, 'utf8').trim();
  return isAbsolute(named) ? named : join(gitDir, named);
}

/** All folders of objects that git would look into. */
export const listObjectFolders = (gitDir: string): string[] => [
  ...objectFolders(join(commonFolder(gitDir), 'objects')),
];

/** The repository's own and those it borrows from. */
function objectFolders(objects: string, seen: Set<string> = new Set()): Set<string> {
  if (seen.has(objects)) return seen;
  seen.add(objects);
  let text = '';
  try {
    text = readFileSync(join(objects, 'info', 'alternates'), 'utf8');
  } catch {
    return seen;
  }
  for (const line of text.split('\n'))
    if (line !== '' && !line.startsWith('#')) objectFolders(isAbsolute(line) ? line : join(objects, line), seen);
  return seen;
}

function packNames(folder: string): string[] {
  let files: string[];
  try {
    files = readdirSync(folder);
  } catch {
    return [];
  }
  const packs = new Set(files.filter((file) => file.endsWith('.pack')));
  return files.flatMap((file) => {
    const name = file.slice(0, -'.idx'.length);
    return file.endsWith('.idx') && packs.has(`${name}.pack`) ? [name] : [];
  });
}

function readShared(file: string): SharedArrayBuffer {
  const descriptor = openSync(file, 'r');
  try {
    const { size } = fstatSync(descriptor);
    const shared = new SharedArrayBuffer(Math.min(size, MOST_INDEX_BYTES + 1));
    const bytes = new Uint8Array(shared);
    const namesFrom = HEADER_BYTES + FANOUT_BYTES;
    read(descriptor, bytes, 0, namesFrom);
    if (bytes.length <= namesFrom) return shared;
    // The checksums between names and offsets are never looked at: what is not read takes no memory.
    const count = new DataView(shared).getUint32(namesFrom - 4);
    read(descriptor, bytes, namesFrom, namesFrom + count * SHA_BYTES);
    read(descriptor, bytes, namesFrom + count * (SHA_BYTES + CRC_BYTES), bytes.length);
    return shared;
  } finally {
    closeSync(descriptor);
  }
}

function read(descriptor: number, bytes: Uint8Array, from: number, to: number): void {
  for (let at = from; at < Math.min(to, bytes.length); ) {
    const length = readSync(descriptor, bytes, at, Math.min(to, bytes.length) - at, at);
    if (length === 0) return;
    at += length;
  }
}

function isUnderstood(bytes: SharedArrayBuffer): boolean {
  if (bytes.byteLength < HEADER_BYTES + FANOUT_BYTES + 2 * SHA_BYTES) return false;
  const view = new DataView(bytes);
  if (view.getUint32(0) !== MAGIC || view.getUint32(4) !== VERSION) return false;
  const count = view.getUint32(HEADER_BYTES + FANOUT_BYTES - 4);
  const least = HEADER_BYTES + FANOUT_BYTES + count * (SHA_BYTES + CRC_BYTES + OFFSET_BYTES) + 2 * SHA_BYTES;
  // Larger offsets come eight bytes each; with longer names (SHA-256) the sizes do not fit.
  return bytes.byteLength >= least && (bytes.byteLength - least) % 8 === 0 && bytes.byteLength - least <= count * 8;
}

/** By so many bits of names packs are searched: small ones as by git's own table, large ones by more. */
const FEW_BITS = 8;
const MANY_BITS = 16;
const MANY_OBJECTS = 1 << 13;
const NAMES_AT = HEADER_BYTES + FANOUT_BYTES;

/** Null for names that do not ascend: a broken index. */
export function findBegins(bytes: SharedArrayBuffer): Uint32Array | null {
  const view = new DataView(bytes);
  const count = view.getUint32(NAMES_AT - 4);
  const bits = count < MANY_OBJECTS ? FEW_BITS : MANY_BITS;
  const begins = new Uint32Array(new SharedArrayBuffer(((1 << bits) + 1) * 4));
  let next = 0;
  for (let i = 0, at = NAMES_AT; i < count; i++, at += SHA_BYTES) {
    const beginning = view.getUint16(at) >>> (16 - bits);
    if (beginning < next - 1) return null;
    while (next <= beginning) begins[next++] = i;
  }
  return begins.fill(count, next);
}

interface Searched {
  readonly view: DataView;
  readonly begins: Uint32Array;
  /** By how many bits the first two bytes of a name say more than its beginning. */
  readonly shift: number;
  readonly count: number;
}

/** Finds objects by name in a repository's packs. */
export class ObjectLocator {
  readonly #packs: readonly Searched[];
  /** The pack that held the last object probably holds the next one. */
  #last = 0;

  constructor(indexes: readonly PackIndex[]) {
    this.#packs = indexes.map(({ bytes, begins }) => ({
      view: new DataView(bytes),
      begins,
      shift: begins.length > 1 << MANY_BITS ? 0 : MANY_BITS - FEW_BITS,
      count: begins[begins.length - 1]!,
    }));
  }

  /** Of the object whose name lies there; -1 when no pack holds it. */
  locateAt(memory: DataView, at: number): number {
    const packs = this.#packs.length;
    for (let i = 0; i < packs; i++) {
      const number = (this.#last + i) % packs;
      const offset = offsetOf(this.#packs[number]!, memory, at);
      if (offset < 0) continue;
      this.#last = number;
      return number * LOCATIONS_PER_PACK + offset;
    }
    return -1;
  }
}

function offsetOf({ view, begins, shift, count }: Searched, memory: DataView, at: number): number {
  const beginning = memory.getUint16(at) >>> shift;
  let low = begins[beginning]!;
  let high = begins[beginning + 1]!;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const order = orderOf(view, NAMES_AT + middle * SHA_BYTES, memory, at);
    if (order === 0) return offsetAt(view, count, middle);
    if (order < 0) low = middle + 1;
    else high = middle;
  }
  return -1;
}

/** Of two names whose first byte is the same. */
function orderOf(one: DataView, oneAt: number, other: DataView, otherAt: number): number {
  for (let from = 1; from < SHA_BYTES; from += from === 13 ? 3 : 4) {
    const order = one.getUint32(oneAt + from) - other.getUint32(otherAt + from);
    if (order !== 0) return order;
  }
  return 0;
}

function offsetAt(view: DataView, count: number, position: number): number {
  const offsets = NAMES_AT + count * (SHA_BYTES + CRC_BYTES);
  const offset = view.getUint32(offsets + position * OFFSET_BYTES);
  if (offset < LARGE_OFFSET) return offset;
  const large = offsets + count * OFFSET_BYTES + (offset - LARGE_OFFSET) * 8;
  if (large + 8 > view.byteLength) return -1;
  const far = Number(view.getBigUint64(large));
  // No pack is that long: the index is broken, and the location would be one of another pack.
  return far < LOCATIONS_PER_PACK ? far : -1;
}
