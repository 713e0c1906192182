// Objects that were read lately, in one block of the kernel's memory that is filled round and round
// (kernel/packs/held-objects.ts).
import type { Kernel } from '../diff/kernel.ts';

export interface HeldBlob {
  readonly location: number;
  /** Address of its first byte. */
  readonly at: number;
  readonly length: number;
  /** Bytes that had been written to the ring, in all rounds, when it began. */
  readonly written: number;
}

// Where the numbers of a slot lie, in words of four bytes.
const LOCATION = 0;
const WRITTEN = 2;
const AT = 4;
const LENGTH = 5;

export class BlobRing {
  readonly #kernel: Kernel;
  /** Nothing larger is held: what was just found or made outlives the next ones. */
  readonly largest: number;

  constructor(kernel: Kernel) {
    this.#kernel = kernel;
    kernel.calls.openStore(kernel.ringAt, kernel.ringBytes);
    this.largest = kernel.calls.largestHeld();
  }

  /** Room for a blob, whose bytes the caller fills in; at most `largest`. */
  add(location: number, length: number): HeldBlob {
    return this.read(this.#kernel.calls.addHeld(location, length));
  }

  isHeld(blob: HeldBlob): boolean {
    return blob.written >= this.#kernel.calls.ringWritten() - this.#kernel.ringBytes;
  }

  /** What the slot at this address says. */
  read(slot: number): HeldBlob {
    const { positions, numbers } = this.#kernel;
    const word = slot >> 2;
    return {
      location: numbers[(word + LOCATION) >> 1]!,
      at: positions[word + AT]!,
      length: positions[word + LENGTH]!,
      written: numbers[(word + WRITTEN) >> 1]!,
    };
  }
}

/** Whether they are the same bytes at the same place: an empty blob begins where the next one does. */
export const isSameBlob = (one: HeldBlob, other: HeldBlob | null): boolean =>
  other !== null && one.written === other.written && one.location === other.location;
