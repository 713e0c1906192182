// Contents of files that were read lately, in one block of the kernel's memory that is filled round and round:
// nothing is allocated for a file, nothing is collected, and a file can be made of another one where it lies.

export interface HeldBlob {
  readonly location: number;
  /** Address of its first byte. */
  readonly at: number;
  readonly length: number;
  /** Bytes that had been written to the ring, in all rounds, when it began. */
  readonly written: number;
}

export class BlobRing {
  readonly #bytes: Buffer;
  readonly #begin: number;
  readonly #capacity: number;
  /** Bytes written in all rounds, what was left free at the end of a round included. */
  #written = 0;
  readonly #held = new Map<number, HeldBlob>();
  /** In the order in which they are overwritten. */
  #queue: HeldBlob[] = [];
  #queueFrom = 0;

  constructor(bytes: Buffer, begin: number, capacity: number) {
    this.#bytes = bytes;
    this.#begin = begin;
    this.#capacity = capacity;
  }

  /** Nothing larger is held: what was just found or made outlives the next ones. */
  get largest(): number {
    return this.#capacity >> 2;
  }

  /** What is found stays at its place while at least half of the ring is written. */
  find(location: number): HeldBlob | null {
    const blob = this.#held.get(location);
    if (blob === undefined) return null;
    if (blob.written >= this.#written - (this.#capacity >> 1)) return blob;
    const renewed = this.add(location, blob.length);
    this.#bytes.copyWithin(renewed.at, blob.at, blob.at + blob.length);
    return renewed;
  }

  /** Room for a blob, whose bytes the caller fills in; at most `largest`. */
  add(location: number, length: number): HeldBlob {
    const left = this.#capacity - (this.#written % this.#capacity);
    const written = left < length ? this.#written + left : this.#written;
    this.#written = written + length;
    this.#forget();
    const blob: HeldBlob = { location, at: this.#begin + (written % this.#capacity), length, written };
    this.#held.set(location, blob);
    this.#queue.push(blob);
    return blob;
  }

  /** For one whose bytes could not be made. */
  drop(blob: HeldBlob): void {
    this.#held.delete(blob.location);
  }

  isHeld(blob: HeldBlob): boolean {
    return blob.written >= this.#written - this.#capacity;
  }

  #forget(): void {
    for (; this.#queueFrom < this.#queue.length; this.#queueFrom++) {
      const oldest = this.#queue[this.#queueFrom]!;
      if (this.isHeld(oldest)) break;
      if (this.#held.get(oldest.location) === oldest) this.#held.delete(oldest.location);
    }
    if (this.#queueFrom > 4096 && this.#queueFrom * 2 > this.#queue.length) {
      this.#queue = this.#queue.slice(this.#queueFrom);
      this.#queueFrom = 0;
    }
  }
}
