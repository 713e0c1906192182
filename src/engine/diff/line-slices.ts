// Where the removed or the added lines of a commit lie in the bytes that git printed. Room grows with the commit, and
// that of a huge one is given back.
import type { LineBlock } from '../model/diff.ts';

const FIRST_LINES = 4096;
const MOST_KEPT = 1 << 18;

export class LineSlices {
  #starts = new Uint32Array(FIRST_LINES);
  #ends = new Uint32Array(FIRST_LINES);
  length = 0;

  add(start: number, end: number): void {
    if (this.length === this.#starts.length) {
      this.#starts = grown(this.#starts);
      this.#ends = grown(this.#ends);
    }
    this.#starts[this.length] = start;
    this.#ends[this.length++] = end;
  }

  /** `count` is the true one, also where lines were not kept. */
  block(bytes: Uint8Array, from: number, to: number, count: number): LineBlock {
    const [starts, ends] = [this.#starts.subarray(from, to), this.#ends.subarray(from, to)];
    return { count, bytes, starts, ends, hasText: to - from === count };
  }

  clear(): void {
    this.length = 0;
    if (this.#starts.length <= MOST_KEPT) return;
    this.#starts = new Uint32Array(FIRST_LINES);
    this.#ends = new Uint32Array(FIRST_LINES);
  }
}

export function grown<T extends Int32Array | Uint32Array>(array: T): T {
  const larger = new (array.constructor as new (length: number) => T)(array.length * 2);
  larger.set(array);
  return larger;
}
