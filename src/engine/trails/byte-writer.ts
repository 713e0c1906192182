// Numbers as bytes, in memory that grows: small ones take one byte.

/** Bits of a number that a byte holds; the eighth says that more follow. */
const BITS = 7;
const MORE = 0x80;
const LARGE = 2 ** 28;
const SIGN = { plus: 0, minus: 1, none: 2 } as const;

export class ByteWriter {
  #bytes = Buffer.allocUnsafe(1 << 16);
  length = 0;

  /** 0 to 2³¹ − 1. */
  number(value: number): void {
    if (this.length + 5 > this.#bytes.length) this.#grow(5);
    const bytes = this.#bytes;
    let left = value;
    while (left >= MORE) {
      bytes[this.length++] = (left & (MORE - 1)) | MORE;
      left >>>= BITS;
    }
    bytes[this.length++] = left;
  }

  /** Of either sign, to ±2³⁰. */
  signed(value: number): void {
    this.number(value < 0 ? -2 * value - 1 : 2 * value);
  }

  /** Any number. Whole ones that are not enormous take the fewest bytes. */
  large(value: number): void {
    if (!Number.isSafeInteger(value)) {
      this.number(SIGN.none);
      const bytes = Buffer.allocUnsafe(8);
      bytes.writeDoubleLE(value);
      this.append(bytes);
      return;
    }
    this.number(value < 0 ? SIGN.minus : SIGN.plus);
    const size = Math.abs(value);
    this.number(Math.floor(size / LARGE));
    this.number(size % LARGE);
  }

  append(bytes: Uint8Array): void {
    if (this.length + bytes.length > this.#bytes.length) this.#grow(bytes.length);
    this.#bytes.set(bytes, this.length);
    this.length += bytes.length;
  }

  appendPart(bytes: Buffer, from: number, length: number): void {
    if (this.length + length > this.#bytes.length) this.#grow(length);
    bytes.copy(this.#bytes, this.length, from, from + length);
    this.length += length;
  }

  /** What was written since `from`; until something more is written. */
  view(from = 0): Buffer {
    return this.#bytes.subarray(from, this.length);
  }

  clear(): void {
    this.length = 0;
  }

  #grow(more: number): void {
    const larger = Buffer.allocUnsafe(Math.max(this.#bytes.length * 2, this.length + more));
    larger.set(this.#bytes.subarray(0, this.length));
    this.#bytes = larger;
  }
}

/** Reads what a `ByteWriter` wrote. Past the end there are zeros; `isPast` tells. */
export class ByteReader {
  readonly #bytes: Uint8Array;
  at: number;
  readonly #end: number;

  constructor(bytes: Uint8Array, at = 0, end = bytes.length) {
    this.#bytes = bytes;
    this.at = at;
    this.#end = end;
  }

  get isPast(): boolean {
    return this.at > this.#end;
  }

  number(): number {
    const bytes = this.#bytes;
    let value = 0;
    for (let shift = 0; ; shift += BITS) {
      const byte = this.at < this.#end ? bytes[this.at]! : 0;
      this.at++;
      value |= (byte & (MORE - 1)) << shift;
      if (byte < MORE || shift > 21) return value >>> 0;
    }
  }

  /** Past so many numbers, as `number` and `signed` read them. */
  skipNumbers(count: number): void {
    for (let left = count; left > 0 && !this.isPast; left--) this.number();
  }

  signed(): number {
    const value = this.number();
    return (value & 1) === 0 ? value >>> 1 : -((value + 1) >>> 1);
  }

  large(): number {
    const sign = this.number();
    if (sign === SIGN.none) {
      const at = this.skip(8);
      return this.isPast ? 0 : new DataView(this.#bytes.buffer, this.#bytes.byteOffset + at, 8).getFloat64(0, true);
    }
    const size = this.number() * LARGE + this.number();
    return sign === SIGN.minus ? -size : size;
  }

  /** Skips bytes; answers where they begin. */
  skip(count: number): number {
    const { at } = this;
    this.at += count;
    return at;
  }
}
