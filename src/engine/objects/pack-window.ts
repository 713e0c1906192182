// What was read last of a pack, in the kernel's memory. Where git has written small versions of a file next to one another,
// the entry wanted next lies in what was read for the one before, and one call of the system serves several.
import { closeSync, openSync, readSync } from 'node:fs';
import type { Kernel } from '../diff/kernel.ts';
import { effort } from '../model/effort.ts';

/** Enough for the header and the whole of most deltas. In many packs neighbours are far apart: more is read in vain. */
const READ_BYTES = 4096;

export class PackWindow {
  readonly #kernel: Kernel;
  readonly #files: readonly string[];
  readonly #descriptors: number[] = [];
  #pack = -1;
  #from = 0;
  #to = 0;

  constructor(kernel: Kernel, files: readonly string[]) {
    this.#kernel = kernel;
    this.#files = files;
  }

  /** How many bytes of the pack are held from this offset on, at `at`. */
  heldFrom(pack: number, offset: number): number {
    return pack === this.#pack && offset >= this.#from ? Math.max(0, this.#to - offset) : 0;
  }

  /** Where the byte at this offset lies, after a call of `hold`. */
  at(offset: number): number {
    return this.#kernel.packedAt + offset - this.#from;
  }

  /** Holds so many bytes from the offset on, unless the pack ends before or there is no room; answers how many it holds. */
  hold(pack: number, offset: number, wanted: number): number {
    const held = this.heldFrom(pack, offset);
    if (held >= wanted) return held;
    const length = Math.min(Math.max(READ_BYTES, wanted), this.#kernel.packedBytes);
    this.#descriptors[pack] ??= openSync(this.#files[pack]!, 'r');
    // Nothing is held while it reads: what a failure leaves is unknown.
    this.#pack = -1;
    effort.packReads++;
    const read = readSync(this.#descriptors[pack], this.#kernel.bytes, this.#kernel.packedAt, length, offset);
    this.#pack = pack;
    this.#from = offset;
    this.#to = offset + read;
    return this.heldFrom(pack, offset);
  }

  close(): void {
    for (const descriptor of this.#descriptors) if (descriptor !== undefined) closeSync(descriptor);
    this.#descriptors.length = 0;
    this.#pack = -1;
  }
}
