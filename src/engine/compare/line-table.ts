// A blob cut into lines. Lines end at a line feed only, as in git: a carriage return belongs to its line.
// Hashes are made when a comparison first asks for them, and taken over from the other version where lines are
// the same: most comparisons touch only the bytes that changed.

const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;

/** Git's rule: a NUL within this many bytes makes a file binary. */
const BINARY_PROBE_BYTES = 8000;

export class LineTable {
  readonly bytes: Buffer;
  readonly count: number;
  /** Byte offset of each line; `starts[count]` is the end of the blob. */
  readonly starts: Uint32Array;
  readonly isBinary: boolean;
  #hashes: Uint32Array | null = null;

  constructor(bytes: Buffer, starts: Uint32Array, isBinary: boolean) {
    this.bytes = bytes;
    this.starts = starts;
    this.count = starts.length - 1;
    this.isBinary = isBinary;
  }

  get hashes(): Uint32Array {
    if (this.#hashes !== null) return this.#hashes;
    const hashes = new Uint32Array(this.count);
    this.#hash(hashes, 0, this.count);
    this.#hashes = hashes;
    return hashes;
  }

  /** Hashes as far as possible by those of a table whose first and last lines are the same. */
  adoptHashes(other: LineTable, firstLines: number, lastLines: number): void {
    if (this.#hashes !== null || other.#hashes === null) return;
    const hashes = new Uint32Array(this.count);
    hashes.set(other.#hashes.subarray(0, firstLines));
    hashes.set(other.#hashes.subarray(other.count - lastLines), this.count - lastLines);
    this.#hash(hashes, firstLines, this.count - lastLines);
    this.#hashes = hashes;
  }

  #hash(hashes: Uint32Array, from: number, to: number): void {
    const { bytes, starts } = this;
    for (let line = from; line < to; line++) {
      const end = starts[line + 1]!;
      let hash = 0x811c9dc5;
      for (let at = starts[line]!; at < end; at++) hash = Math.imul(hash ^ bytes[at]!, 0x01000193);
      hashes[line] = hash;
    }
  }

  /** How many lines begin at or before `offset`, the end of a text that ends with a line feed included. */
  linesBegunAt(offset: number): number {
    let low = 0;
    let high = endsWithLineFeed(this.bytes) ? this.count + 1 : this.count;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.starts[middle]! <= offset) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

const endsWithLineFeed = (bytes: Uint8Array): boolean => bytes.length === 0 || bytes[bytes.length - 1] === LINE_FEED;

/** Room for the starts of a table that is being made. */
let scratch = new Uint32Array(1 << 14);

function grownScratch(): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(scratch.length * 2);
  larger.set(scratch);
  scratch = larger;
  return larger;
}

export function createLineTable(content: Uint8Array): LineTable {
  const bytes = Buffer.isBuffer(content) ? content : Buffer.from(content.buffer, content.byteOffset, content.length);
  let starts = scratch;
  let count = 1;
  starts[0] = 0;
  const { length } = bytes;
  for (let at = 0; at < length; at++) {
    if (bytes[at] !== LINE_FEED) continue;
    if (count + 1 >= starts.length) starts = grownScratch();
    starts[count++] = at + 1;
  }
  if (starts[count - 1] !== length) starts[count++] = length;
  return new LineTable(bytes, starts.slice(0, count), isBinary(bytes));
}

export function isBinary(bytes: Uint8Array): boolean {
  const nul = bytes.indexOf(0);
  return nul !== -1 && nul < BINARY_PROBE_BYTES;
}

export const tableBytes = (table: LineTable): number => table.bytes.length + table.count * 8 + 200;

/** Lines of the same or of different tables. */
export function isSameLine(a: LineTable, aIndex: number, b: LineTable, bIndex: number): boolean {
  const aFrom = a.starts[aIndex]!;
  const bFrom = b.starts[bIndex]!;
  const length = a.starts[aIndex + 1]! - aFrom;
  if (b.starts[bIndex + 1]! - bFrom !== length) return false;
  const aBytes = a.bytes;
  const bBytes = b.bytes;
  for (let i = 0; i < length; i++) if (aBytes[aFrom + i] !== bBytes[bFrom + i]) return false;
  return true;
}

const decoder = new TextDecoder('utf-8');

/** The line's text without its line ending; bytes that are not UTF-8 become replacement characters. */
export function lineText(table: LineTable, lineIndex: number, maxBytes = Number.POSITIVE_INFINITY): string {
  const from = table.starts[lineIndex]!;
  let to = table.starts[lineIndex + 1]!;
  if (to > from && table.bytes[to - 1] === LINE_FEED) to--;
  if (to > from && table.bytes[to - 1] === CARRIAGE_RETURN) to--;
  return decoder.decode(table.bytes.subarray(from, Math.min(to, from + maxBytes)));
}

/** The first `count` lines without their endings, unless they are larger than `maxBytes`: then none. */
export function headLines(table: LineTable, count: number, maxBytes: number): string[] {
  const end = table.starts[Math.min(count, table.count)]!;
  if (end > maxBytes) return [];
  const lines = decoder.decode(table.bytes.subarray(0, end)).split(/\r?\n/);
  return lines.slice(0, count);
}
