// A file's bytes and where its lines begin; text is decoded only of lines that are shown.

/** A NUL among so many first bytes makes a file binary. */
const NUL_SOUGHT_IN = 8000;
const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;
/** What a file costs in a cache besides its bytes and numbers. */
const OWN_BYTES = 200;

/** Whether git takes it for binary. */
export const isBinary = (bytes: Uint8Array): boolean => bytes.subarray(0, NUL_SOUGHT_IN).includes(0);

const utf8 = new TextDecoder('utf-8');

export class TextLines {
  readonly bytes: Uint8Array;
  /** Where each line begins, and the end of the last one. */
  readonly starts: Uint32Array;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
    this.starts = findStarts(bytes);
  }

  get count(): number {
    return this.starts.length - 1;
  }

  get isBinary(): boolean {
    return isBinary(this.bytes);
  }

  /** For a cache. */
  get cost(): number {
    return OWN_BYTES + this.bytes.length + this.starts.byteLength;
  }

  /** The end of a line without its line feed. */
  endOf(line: number): number {
    const end = this.starts[line + 1]!;
    return end > this.starts[line]! && this.bytes[end - 1] === LINE_FEED ? end - 1 : end;
  }

  /** Without the line's ending, and of a long line the first bytes. */
  text(line: number, mostBytes: number): string {
    const start = this.starts[line]!;
    let end = this.endOf(line);
    if (end > start && this.bytes[end - 1] === CARRIAGE_RETURN) end--;
    return utf8.decode(this.bytes.subarray(start, Math.min(end, start + mostBytes)));
  }

  /** The first lines without their endings; none when they take more than `mostBytes`. */
  head(count: number, mostBytes: number): string[] {
    const end = this.starts[Math.min(count, this.count)]!;
    if (end > mostBytes) return [];
    return utf8.decode(this.bytes.subarray(0, end)).split(/\r?\n/).slice(0, count);
  }
}

function findStarts(bytes: Uint8Array): Uint32Array {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  let lines = 0;
  for (let at = 0; at < bytes.length; lines++) at = nextLine(buffer, at);
  const starts = new Uint32Array(lines + 1);
  for (let line = 0; line < lines; line++) starts[line + 1] = nextLine(buffer, starts[line]!);
  return starts;
}

function nextLine(bytes: Buffer, from: number): number {
  const end = bytes.indexOf(LINE_FEED, from);
  return end < 0 ? bytes.length : end + 1;
}
