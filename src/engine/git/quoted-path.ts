// Paths as git prints them: C-quoted where they hold quotes or control characters. We keep UTF-8 text,
// and git's fully quoted form for a path that is not valid UTF-8, so that every path has one spelling.

const ESCAPES: Readonly<Record<number, number>> = {
  97: 7, // a
  98: 8, // b
  116: 9, // t
  110: 10, // n
  118: 11, // v
  102: 12, // f
  114: 13, // r
};
const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** The bytes inside a C-quoted name that starts at `start`, and where it ends (after the closing quote). */
export function unquote(bytes: Uint8Array, start: number, end: number): { readonly raw: Buffer; readonly end: number } {
  const out: number[] = [];
  let at = start + 1;
  while (at < end && bytes[at] !== QUOTE) {
    let byte = bytes[at]!;
    if (byte === BACKSLASH && at + 1 < end) {
      const next = bytes[at + 1]!;
      if (next >= 0x30 && next <= 0x33 && at + 3 < end) {
        byte = ((next & 7) << 6) | ((bytes[at + 2]! & 7) << 3) | (bytes[at + 3]! & 7);
        at += 4;
      } else {
        byte = ESCAPES[next] ?? next;
        at += 2;
      }
    } else {
      at++;
    }
    out.push(byte);
  }
  return { raw: Buffer.from(out), end: at + 1 };
}

/** A raw path as text. */
export function pathText(raw: Buffer): string {
  const text = raw.toString('utf8');
  if (!text.includes('\ufffd') || Buffer.from(text, 'utf8').equals(raw)) return text;
  let quoted = '"';
  for (const byte of raw) {
    if (byte === QUOTE || byte === BACKSLASH) quoted += `\\${String.fromCharCode(byte)}`;
    else if (byte < 0x20 || byte >= 0x7f) quoted += `\\${byte.toString(8).padStart(3, '0')}`;
    else quoted += String.fromCharCode(byte);
  }
  return `${quoted}"`;
}

/** The same for a part of a larger buffer, of which nothing is copied but the text. */
export function pathTextAt(bytes: Buffer, start: number, end: number): string {
  const text = bytes.toString('utf8', start, end);
  return text.includes('\ufffd') ? pathText(bytes.subarray(start, end)) : text;
}

/**
 * The name that rules about paths look at, such as category, language and patterns. Where it is not UTF-8 its odd bytes are
 * replaced, as they are in patterns that were read as text: folders and extensions stay what they are.
 */
export const nameForRules = (path: string): string => (path.startsWith('"') ? pathBytes(path).toString('utf8') : path);

/** The reverse of `pathText`, for handing a path back to git. */
export function pathBytes(path: string): Buffer {
  if (!path.startsWith('"') || !path.endsWith('"') || path.length < 2) return Buffer.from(path, 'utf8');
  const bytes = Buffer.from(path, 'latin1');
  const { raw, end } = unquote(bytes, 0, bytes.length);
  // A valid path may really begin and end with quotes; only what pathText would have written is decoded.
  return end === bytes.length && pathText(raw) === path ? raw : Buffer.from(path, 'utf8');
}
