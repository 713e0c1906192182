// Contents of files, read from packs in process. A pack holds most versions as a delta against another one:
// what was made lately is held in a ring, because the next version is likely to be made of it.
// Whatever is not plainly there (a loose object, an odd pack) is answered with null: git reads it instead.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Kernel } from '../diff/kernel.ts';
import { effort } from '../model/effort.ts';
import { BlobRing, type HeldBlob } from './blob-ring.ts';
import { LOCATIONS_PER_PACK, ObjectLocator, type PackIndex } from './pack-index.ts';
import { PackWindow } from './pack-window.ts';

/** Numbers of whole objects in a pack. */
const KINDS = { commit: 1, tree: 2, blob: 3 } as const;
export type PackedKind = keyof typeof KINDS;
const OFFSET_DELTA = 6;
const NAMED_DELTA = 7;
const SHA_BYTES = 20;
const LONGEST_HEADER = 40;
/** By how much an entry is thought to be packed at first. */
const SHRINKS = 2;
/** Git makes none that are longer; a broken pack may lead round in a circle. */
const MOST_CHAIN_LENGTH = 4096;
/** What is unpacked may be written past its end. */
const SLACK_BYTES = 16;

/** Unpacked, in the kernel's memory. */
interface PackEntry {
  readonly location: number;
  /** Of the version that the delta goes back to; -1 for a whole object. */
  readonly base: number;
  readonly at: number;
  readonly size: number;
}

export class BlobStore {
  readonly ring: BlobRing;
  readonly #kernel: Kernel;
  readonly #locator: ObjectLocator;
  readonly #window: PackWindow;
  /** Of a partial clone: where loose objects may lie. */
  readonly #looseFolders: readonly string[] | null;
  #lastSha = '';
  #lastLocation = -1;

  constructor(kernel: Kernel, indexes: readonly PackIndex[]) {
    this.#kernel = kernel;
    this.#locator = new ObjectLocator(indexes);
    this.#window = new PackWindow(
      kernel,
      indexes.map(({ packFile }) => packFile),
    );
    this.#looseFolders = indexes.find(({ partialOf }) => partialOf !== null)?.partialOf ?? null;
    this.ring = new BlobRing(kernel.bytes, kernel.ringAt, kernel.ringBytes);
  }

  /** Whether some pack holds it. */
  has(sha: string): boolean {
    return this.#locator.locate(sha) >= 0;
  }

  get isOfPartialClone(): boolean {
    return this.#looseFolders !== null;
  }

  /** Whether a partial clone lacks it. Git is not to be asked for such an object: it would try to fetch it. */
  isAway(sha: string): boolean {
    if (this.#looseFolders === null || this.has(sha)) return false;
    return !this.#looseFolders.some((folder) => existsSync(join(folder, sha.slice(0, 2), sha.slice(2))));
  }

  /** Null when no pack holds it as that, or when it is too large. Stays held for the next few reads. */
  read(sha: string, kind: PackedKind = 'blob'): HeldBlob | null {
    // The version that a change replaced is mostly wanted next, as what the change before it made.
    const location = sha === this.#lastSha ? this.#lastLocation : this.#locator.locate(sha);
    if (location < 0) return null;
    this.#lastSha = sha;
    this.#lastLocation = location;
    return this.#readAt(location, kind);
  }

  /** The same for an object whose name lies in the kernel's memory. */
  readNamed(at: number, kind: PackedKind): HeldBlob | null {
    const location = this.#locator.locateBytes(this.#kernel.bytes, at);
    return location < 0 ? null : this.#readAt(location, kind);
  }

  #readAt(location: number, kind: PackedKind): HeldBlob | null {
    try {
      return this.#make(location, KINDS[kind]);
    } catch (error) {
      if (error instanceof TypeError) throw error;
      return null;
    }
  }

  close(): void {
    this.#window.close();
  }

  #make(location: number, kind: number): HeldBlob | null {
    const { bytes, unpackedAt } = this.#kernel;
    const deltas: PackEntry[] = [];
    let unpackedEnd = unpackedAt;
    let next = location;
    let made = this.ring.find(location);
    if (kind === KINDS.blob) {
      effort.versions++;
      if (made !== null) effort.versionsHeld++;
    }
    while (made === null) {
      if (kind === KINDS.blob) effort.entriesUnpacked++;
      const entry = this.#unpack(next, unpackedEnd, kind);
      if (entry === null) return null;
      if (entry.base < 0) {
        if (entry.size > this.ring.largest) return null;
        made = this.ring.add(next, entry.size);
        bytes.copyWithin(made.at, entry.at, entry.at + entry.size);
        break;
      }
      if (deltas.length >= MOST_CHAIN_LENGTH) return null;
      // Deltas of deltas are held until the version that they go back to is found.
      deltas.push(entry);
      unpackedEnd += entry.size + SLACK_BYTES;
      next = entry.base;
      made = this.ring.find(next);
    }
    for (let i = deltas.length - 1; i >= 0 && made !== null; i--) made = this.#applyDelta(made, deltas[i]!);
    return made;
  }

  #applyDelta(base: HeldBlob, { location, at, size: deltaSize }: PackEntry): HeldBlob | null {
    const { calls } = this.#kernel;
    const size = calls.deltaResult(at, base.length);
    if (size < 0 || size > this.ring.largest) return null;
    const made = this.ring.add(location, size);
    if (calls.applyDelta(at, deltaSize, base.at, base.length, made.at, size) === 1) return made;
    this.ring.drop(made);
    return null;
  }

  /** Null for what is neither of the kind nor a delta, and for what has no room. */
  #unpack(location: number, to: number, kind: number): PackEntry | null {
    const { bytes, calls, packedBytes, unpackedAt, unpackedBytes } = this.#kernel;
    const window = this.#window;
    const pack = Math.floor(location / LOCATIONS_PER_PACK);
    const offset = location - pack * LOCATIONS_PER_PACK;
    window.hold(pack, offset, LONGEST_HEADER);
    let at = window.at(offset);
    let byte = bytes[at++]!;
    const type = (byte >> 4) & 7;
    let size = byte & 15;
    for (let scale = 16; byte & 0x80; scale *= 128) {
      byte = bytes[at++]!;
      size += (byte & 0x7f) * scale;
    }
    let base = -1;
    if (type === OFFSET_DELTA) {
      byte = bytes[at++]!;
      let distance = byte & 0x7f;
      while (byte & 0x80) {
        byte = bytes[at++]!;
        distance = (distance + 1) * 128 + (byte & 0x7f);
      }
      if (distance <= 0 || distance > offset) return null;
      base = location - distance;
    } else if (type === NAMED_DELTA) {
      base = this.#locator.locateBytes(bytes, at);
      at += SHA_BYTES;
      if (base < 0 || base === location) return null;
    } else if (type !== kind) return null;
    const header = at - window.at(offset);
    // What cannot be made smaller grows a little.
    const most = header + size + (size >> 10) + 64;
    if (header > LONGEST_HEADER || most > packedBytes) return null;
    if (to + size + SLACK_BYTES > unpackedAt + unpackedBytes) return null;
    const entry = { location, base, at: to, size };
    // Text mostly shrinks to less than half: that may be enough, and it shows at the end whether it was.
    const held = Math.min(window.hold(pack, offset, Math.ceil(most / SHRINKS)), most);
    if (calls.inflate(window.at(offset) + header, held - header, to, size) === 1) return entry;
    if (held >= most) return null;
    const read = Math.min(window.hold(pack, offset, most), most);
    return calls.inflate(window.at(offset) + header, read - header, to, size) === 1 ? entry : null;
  }
}
