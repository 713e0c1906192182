// Text from bytes that somebody else wrote. What is not UTF-8 must not be read as if it were: every byte that does not fit
// becomes the same sign, and two names become one.
import { isUtf8 } from 'node:buffer';

const BYTE_ORDER_MARK = '\uFEFF';
const REPLACEMENT = '\uFFFD';
const REPLACEMENT_BYTES = Buffer.from(REPLACEMENT);

/** Without a byte-order mark; null where the bytes are not UTF-8. */
export function decodeUtf8(bytes: Buffer): string | null {
  if (isUtf16(bytes) || !isUtf8(bytes)) return null;
  const text = bytes.toString('utf8');
  return text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text;
}

/** By its mark, or by the NUL that half of every plain letter is: that would be UTF-8, of no text that anybody writes. */
export function isUtf16([first, second]: Buffer): boolean {
  return (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff) || first === 0 || second === 0;
}

/** What is wrong with bytes that cannot be decoded, to follow their name. */
export function describeNotUtf8(bytes: Buffer): string {
  if (isUtf16(bytes)) return 'is UTF-16, not UTF-8';
  const at = findBadByte(bytes);
  const line = bytes.subarray(0, at).reduce((lines, byte) => lines + (byte === 0x0a ? 1 : 0), 1);
  return `is not UTF-8 (line ${line} has the byte 0x${bytes[at]!.toString(16).toUpperCase().padStart(2, '0')})`;
}

/** Where the first one is. */
export function findBadByte(bytes: Buffer): number {
  const text = bytes.toString('utf8');
  let read = 0;
  let at = 0;
  for (;;) {
    const next = text.indexOf(REPLACEMENT, read);
    if (next === -1) return bytes.length;
    at += Buffer.byteLength(text.slice(read, next));
    // The sign itself may stand in a text.
    if (!bytes.subarray(at, at + REPLACEMENT_BYTES.length).equals(REPLACEMENT_BYTES)) return at;
    at += REPLACEMENT_BYTES.length;
    read = next + 1;
  }
}
