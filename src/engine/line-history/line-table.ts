// A blob cut into lines, with a hash a line so that comparing two versions rarely touches the bytes.
// Lines end at a line feed only, as in git: a carriage return belongs to its line.

export interface LineTable {
  readonly bytes: Uint8Array;
  readonly count: number;
  /** Byte offset of each line; `starts[count]` is the end of the blob. */
  readonly starts: Uint32Array;
  readonly hashes: Uint32Array;
  readonly isBinary: boolean;
}

const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;

/** Git's rule: a NUL within this many bytes makes a file binary. */
const BINARY_PROBE_BYTES = 8000;

export function createLineTable(bytes: Uint8Array): LineTable {
  let count = 0;
  for (let at = bytes.indexOf(LINE_FEED); at !== -1; at = bytes.indexOf(LINE_FEED, at + 1)) count++;
  if (bytes.length > 0 && bytes[bytes.length - 1] !== LINE_FEED) count++;
  const starts = new Uint32Array(count + 1);
  const hashes = new Uint32Array(count);
  let line = 0;
  let hash = 0x811c9dc5;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]!;
    hash = Math.imul(hash ^ byte, 0x01000193);
    if (byte === LINE_FEED) {
      hashes[line++] = hash;
      starts[line] = at + 1;
      hash = 0x811c9dc5;
    }
  }
  if (line < count) {
    hashes[line] = hash;
    starts[count] = bytes.length;
  }
  const nul = bytes.subarray(0, BINARY_PROBE_BYTES).indexOf(0);
  return { bytes, count, starts, hashes, isBinary: nul !== -1 };
}

export const tableBytes = (table: LineTable): number => table.bytes.length + table.count * 8 + 200;

export function isSameLine(a: LineTable, aIndex: number, b: LineTable, bIndex: number): boolean {
  if (a.hashes[aIndex] !== b.hashes[bIndex]) return false;
  const aFrom = a.starts[aIndex]!;
  const bFrom = b.starts[bIndex]!;
  const length = a.starts[aIndex + 1]! - aFrom;
  if (b.starts[bIndex + 1]! - bFrom !== length) return false;
  for (let i = 0; i < length; i++) if (a.bytes[aFrom + i] !== b.bytes[bFrom + i]) return false;
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
