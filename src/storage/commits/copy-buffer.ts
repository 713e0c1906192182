// Rows of PostgreSQL's COPY text, written as bytes into memory that is used again and again. A string for each
// field and row costs several times as much, most of it in garbage to collect.

const TAB = 9;
const LINE_FEED = 10;
const BACKSLASH = 92;
const ZERO = 48;
const LETTER_N = 78;
const LETTER_X = 120;
const HEX_DIGITS = Buffer.from('0123456789abcdef', 'latin1');
/** By character: what stands behind the backslash. PostgreSQL cannot hold NUL in text: it is dropped. */
const ESCAPES = new Map<number, number>([
  [BACKSLASH, BACKSLASH],
  [TAB, 't'.charCodeAt(0)],
  [LINE_FEED, 'n'.charCodeAt(0)],
  [13, 'r'.charCodeAt(0)],
]);
const FIRST_BYTES = 1 << 16;
/** What a rare large batch has taken beyond this is given back. */
const KEPT_BYTES = 8 << 20;
const LARGEST_BY_DIGITS = 1_000_000_000;
const LONGEST_NUMBER = 24;

export class CopyBuffer {
  #bytes = Buffer.allocUnsafeSlow(FIRST_BYTES);
  #length = 0;

  /** Bytes written so far. */
  get length(): number {
    return this.#length;
  }

  /** What was written; valid until the next call of another method. */
  view(): Buffer {
    return this.#bytes.subarray(0, this.#length);
  }

  clear(): void {
    this.#length = 0;
    if (this.#bytes.length > KEPT_BYTES) this.#bytes = Buffer.allocUnsafeSlow(FIRST_BYTES);
  }

  /** Every field ends with a tab, the last one's becomes the end of the row. */
  endRow(): void {
    this.#bytes[this.#length - 1] = LINE_FEED;
  }

  null(): void {
    const at = this.#room(3);
    const bytes = this.#bytes;
    bytes[at] = BACKSLASH;
    bytes[at + 1] = LETTER_N;
    bytes[at + 2] = TAB;
    this.#length = at + 3;
  }

  integer(value: number): void {
    let at = this.#room(LONGEST_NUMBER);
    const bytes = this.#bytes;
    if (value < 0 || value >= LARGEST_BY_DIGITS) {
      at += bytes.write(String(value), at, 'latin1');
    } else {
      let end = at + 1;
      for (let rest = value; rest >= 10; rest = (rest / 10) | 0) end += 1;
      let rest = value | 0;
      for (let digit = end - 1; digit >= at; digit -= 1) {
        const next = (rest / 10) | 0;
        bytes[digit] = ZERO + rest - next * 10;
        rest = next;
      }
      at = end;
    }
    bytes[at] = TAB;
    this.#length = at + 1;
  }

  integerOrNull(value: number | null): void {
    if (value === null) this.null();
    else this.integer(value);
  }

  /** Zero is stored as null in the facts: absent columns cost one bit. */
  measure(value: number): void {
    if (value === 0) this.null();
    else this.integer(value);
  }

  boolean(value: boolean): void {
    this.text(value ? 't' : 'f');
  }

  text(value: string): void {
    const { length } = value;
    let at = this.#room(length * 3 + 1);
    const bytes = this.#bytes;
    for (let i = 0; i < length; i += 1) {
      const code = value.charCodeAt(i);
      if (code > 13 && code < 128 && code !== BACKSLASH) bytes[at++] = code;
      else if (code >= 128) {
        let end = i + 1;
        while (end < length && value.charCodeAt(end) >= 128) end += 1;
        at += bytes.write(value.slice(i, end), at, 'utf8');
        i = end - 1;
      } else {
        const letter = ESCAPES.get(code);
        if (letter !== undefined) {
          bytes[at++] = BACKSLASH;
          bytes[at++] = letter;
        } else if (code !== 0) bytes[at++] = code;
      }
    }
    bytes[at] = TAB;
    this.#length = at + 1;
  }

  textOrNull(value: string | null): void {
    if (value === null) this.null();
    else this.text(value);
  }

  /** A bytea, from its hexadecimal digits. */
  hex(...parts: readonly string[]): void {
    let at = this.#beginBytea(parts.reduce((sum, part) => sum + part.length, 0));
    const bytes = this.#bytes;
    for (const part of parts) for (let i = 0; i < part.length; i += 1) bytes[at++] = part.charCodeAt(i);
    bytes[at] = TAB;
    this.#length = at + 1;
  }

  hexOrNull(value: string | null): void {
    if (value === null) this.null();
    else this.hex(value);
  }

  bytea(value: Uint8Array): void {
    let at = this.#beginBytea(value.length * 2);
    const bytes = this.#bytes;
    for (let i = 0; i < value.length; i += 1) {
      const byte = value[i]!;
      bytes[at++] = HEX_DIGITS[byte >> 4]!;
      bytes[at++] = HEX_DIGITS[byte & 15]!;
    }
    bytes[at] = TAB;
    this.#length = at + 1;
  }

  #beginBytea(digits: number): number {
    const at = this.#room(digits + 4);
    const bytes = this.#bytes;
    bytes[at] = BACKSLASH;
    bytes[at + 1] = BACKSLASH;
    bytes[at + 2] = LETTER_X;
    return at + 3;
  }

  /** Returns where to write. */
  #room(bytes: number): number {
    const needed = this.#length + bytes;
    if (needed > this.#bytes.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(needed, this.#bytes.length * 2));
      this.#bytes.copy(larger, 0, 0, this.#length);
      this.#bytes = larger;
    }
    return this.#length;
  }
}
