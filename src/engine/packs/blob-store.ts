// Contents of files, read from packs in process. A pack holds most versions as a delta against another one:
// what was made lately is held in a ring, because the next version is likely to be made of it.
// Whatever is not plainly there (a loose object, an odd pack) is answered with null: git reads it instead.
import { closeSync, openSync, readSync } from 'node:fs';
import { inflateSync } from 'node:zlib';
import { BlobRing, type HeldBlob } from './blob-ring.ts';
import type { Kernel } from './kernel.ts';
import { LOCATIONS_PER_PACK, ObjectLocator, type PackIndex } from './pack-index.ts';

const BLOB = 3;
const OFFSET_DELTA = 6;
const NAMED_DELTA = 7;
/** Enough for the header and the whole of most deltas. */
const FIRST_READ_BYTES = 4096;
const LONGEST_HEADER = 40;
/** Deltas of deltas are held until the version that they go back to is found. */
const MOST_CHAIN_BYTES = 64 << 20;
/** Git makes none that are longer; a broken pack may lead round in a circle. */
const MOST_CHAIN_LENGTH = 4096;

interface PackEntry {
  readonly location: number;
  /** Of the version that the delta goes back to; -1 for a whole object. */
  readonly base: number;
  readonly bytes: Buffer;
}

export class BlobStore {
  readonly ring: BlobRing;
  readonly #kernel: Kernel;
  readonly #locator: ObjectLocator;
  readonly #packFiles: readonly string[];
  readonly #descriptors: number[] = [];
  #input = Buffer.allocUnsafeSlow(1 << 16);
  /** Bytes of `#input` that were read. */
  #inputEnd = 0;

  constructor(kernel: Kernel, indexes: readonly PackIndex[]) {
    this.#kernel = kernel;
    this.#locator = new ObjectLocator(indexes);
    this.#packFiles = indexes.map(({ packFile }) => packFile);
    this.ring = new BlobRing(kernel.bytes, kernel.ringAt, kernel.ringBytes);
  }

  /** Null when no pack holds it as a file, or when it is too large. Stays held for the next few reads. */
  read(sha: string): HeldBlob | null {
    const location = this.#locator.locate(sha);
    if (location < 0) return null;
    try {
      return this.#make(location);
    } catch (error) {
      if (error instanceof Error) return null;
      throw error;
    }
  }

  close(): void {
    for (const descriptor of this.#descriptors) if (descriptor !== undefined) closeSync(descriptor);
    this.#descriptors.length = 0;
  }

  #make(location: number): HeldBlob | null {
    const deltas: PackEntry[] = [];
    let chainBytes = 0;
    let made: HeldBlob | null = this.ring.find(location);
    let next = location;
    while (made === null) {
      const entry = this.#readEntry(next);
      if (entry === null) return null;
      if (entry.base < 0) {
        if (entry.bytes.length > this.ring.largest) return null;
        made = this.ring.add(next, entry.bytes.length);
        this.#kernel.bytes.set(entry.bytes, made.at);
        break;
      }
      chainBytes += entry.bytes.length;
      if (chainBytes > MOST_CHAIN_BYTES || deltas.length >= MOST_CHAIN_LENGTH) return null;
      deltas.push(entry);
      next = entry.base;
      made = this.ring.find(next);
    }
    for (let i = deltas.length - 1; i >= 0; i--) {
      made = this.#applyDelta(made, deltas[i]!);
      if (made === null) return null;
    }
    return made;
  }

  #applyDelta(base: HeldBlob, { location, bytes }: PackEntry): HeldBlob | null {
    const { calls, deltaAt } = this.#kernel;
    this.#kernel.bytes.set(bytes, deltaAt);
    const size = calls.deltaResult(deltaAt, base.length);
    if (size < 0 || size > this.ring.largest) return null;
    const made = this.ring.add(location, size);
    return calls.applyDelta(deltaAt, bytes.length, base.at, base.length, made.at, size) === 1 ? made : null;
  }

  /** Null for what is neither a file nor a delta. */
  #readEntry(location: number): PackEntry | null {
    const pack = Math.floor(location / LOCATIONS_PER_PACK);
    const offset = location - pack * LOCATIONS_PER_PACK;
    this.#fill(pack, offset, FIRST_READ_BYTES);
    let input = this.#input;
    let at = 0;
    let byte = input[at++]!;
    const type = (byte >> 4) & 7;
    let size = byte & 15;
    for (let scale = 16; byte & 0x80; scale *= 128) {
      byte = input[at++]!;
      size += (byte & 0x7f) * scale;
    }
    let base = -1;
    if (type === OFFSET_DELTA) {
      byte = input[at++]!;
      let distance = byte & 0x7f;
      while (byte & 0x80) {
        byte = input[at++]!;
        distance = (distance + 1) * 128 + (byte & 0x7f);
      }
      if (distance <= 0 || distance > offset) return null;
      base = location - distance;
    } else if (type === NAMED_DELTA) {
      base = this.#locator.locateBytes(input, at);
      at += 20;
      if (base < 0 || base === location) return null;
    } else if (type !== BLOB) return null;
    if (at > LONGEST_HEADER || size > Math.min(this.ring.largest, this.#kernel.deltaBytes)) return null;
    const needed = at + size + (size >> 10) + 64;
    if (this.#inputEnd < needed && this.#inputEnd >= FIRST_READ_BYTES) {
      this.#fill(pack, offset, needed);
      input = this.#input;
    }
    const bytes = inflateSync(input.subarray(at, this.#inputEnd), { chunkSize: Math.max(64, size + 1) });
    return bytes.length === size ? { location, base, bytes } : null;
  }

  #fill(pack: number, offset: number, wanted: number): void {
    if (this.#input.length < wanted) this.#input = Buffer.allocUnsafeSlow(wanted * 2);
    this.#descriptors[pack] ??= openSync(this.#packFiles[pack]!, 'r');
    this.#inputEnd = readSync(this.#descriptors[pack], this.#input, 0, wanted, offset);
  }
}
