// One pass over a line's bytes: a hash of its text without whitespace, how many characters it has, and
// which kinds of characters. The hash alone says whether a line is significant, because the duplicate
// index sees whole files without knowing what stands around a line.

/** Bits of `LineScan.traits`. */
export const TRAIT = {
  /** Has a letter, digit, underscore or non-ASCII byte. */
  word: 1,
  openParenthesis: 2,
  quote: 4,
  /** Nothing but keywords that carry no meaning by themselves, and punctuation. */
  bareKeyword: 8,
} as const;

/** The lowest bit of a line's hash: set when the line can make a duplicate block. */
export const SIGNIFICANT = 1;

export const WORD_BYTE = new Uint8Array(256);
const TRAITS_OF_BYTE = new Uint8Array(256);
for (let byte = 0; byte < 256; byte++) {
  const isWord =
    (byte >= 48 && byte <= 57) ||
    (byte >= 65 && byte <= 90) ||
    (byte >= 97 && byte <= 122) ||
    byte === 95 ||
    byte > 127;
  WORD_BYTE[byte] = isWord ? 1 : 0;
  TRAITS_OF_BYTE[byte] =
    (isWord ? TRAIT.word : 0) |
    (byte === 40 ? TRAIT.openParenthesis : 0) |
    (byte === 34 || byte === 39 ? TRAIT.quote : 0);
}

const HASH_SEED = 0x811c9dc5 | 0;
const HASH_PRIME = 0x01000193;

/** FNV-1a over bytes, as the tables of words below are hashed. */
export function hashBytes(bytes: Uint8Array, start: number, end: number): number {
  let hash = HASH_SEED;
  for (let i = start; i < end; i++) hash = Math.imul(hash ^ bytes[i]!, HASH_PRIME);
  return hash;
}

/** The hashes of space-separated words, for tests of membership without making strings. */
export function wordHashes(words: string): ReadonlySet<number> {
  const encoder = new TextEncoder();
  return new Set(
    words
      .split(/\s+/)
      .filter(Boolean)
      .map((word) => {
        const bytes = encoder.encode(word);
        return hashBytes(bytes, 0, bytes.length);
      }),
  );
}

// The words of a line run together, punctuation dropped: `} else if (` is "elseif".
const BARE_KEYWORDS = wordHashes(`
  else elseif elif elsif try catch finally except rescue ensure begin end endif fi done esac od do then pass break
  continue return default loop repeat endfor endwhile endfunction endfunc endblock endwith None null nil true false
  super self this in of is case when finally default public private protected EOF`);
const LONGEST_BARE = 16;

/** The result of the last `scanLine`: reused, because lines come by the million. */
export const lineScan = { hash: 0, weight: 0, traits: 0, first: 0 };

/** `weight` is the number of non-space bytes, `first` the offset of the first of them (or the end). */
export function scanLine(bytes: Uint8Array, start: number, end: number): void {
  let i = start;
  while (i < end && bytes[i]! <= 32) i++;
  const first = i;
  let hash = HASH_SEED;
  let weight = 0;
  let traits = 0;
  for (; i < end; i++) {
    const byte = bytes[i]!;
    if (byte <= 32) continue;
    hash = Math.imul(hash ^ byte, HASH_PRIME);
    traits |= TRAITS_OF_BYTE[byte]!;
    weight++;
  }
  if (weight <= LONGEST_BARE && (traits & TRAIT.word) !== 0) {
    let words = HASH_SEED;
    for (let at = first; at < end; at++) {
      const byte = bytes[at]!;
      if (WORD_BYTE[byte] === 1) words = Math.imul(words ^ byte, HASH_PRIME);
    }
    if (BARE_KEYWORDS.has(words)) traits |= TRAIT.bareKeyword;
  }
  // FNV's high bits are weak for short input; tables index by low bits of the mixed value.
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  hash = Math.imul(hash ^ (hash >>> 12), 0x297a2d39);
  hash ^= hash >>> 15;
  const isSignificant =
    (traits & (TRAIT.word | TRAIT.bareKeyword)) === TRAIT.word && !looksLikeComment(bytes, first, end);
  lineScan.hash = ((hash & ~SIGNIFICANT) | (isSignificant ? SIGNIFICANT : 0)) >>> 0;
  lineScan.weight = weight;
  lineScan.traits = traits;
  lineScan.first = first;
}

/** By its first characters only, in any language: good enough to keep licence headers out of duplicates. */
function looksLikeComment(bytes: Uint8Array, first: number, end: number): boolean {
  const a = bytes[first]!;
  const b = first + 1 < end ? bytes[first + 1]! : 32;
  switch (a) {
    case 35: // #
      return b <= 32 || b === 33 || b === 35;
    case 47: // /
      return b === 47 || b === 42;
    case 42: // *
      return b <= 32 || b === 47 || b === 42;
    case 45: // -
      return b === 45;
    case 60: // <
      return b === 33;
    case 59: // ;
      return b === 59 || b <= 32;
    default:
      return false;
  }
}

/** The hashes of all lines of a file, as `DuplicateIndex.load` takes them. A last line needs no line feed. */
export function hashFileLines(content: Uint8Array): Uint32Array {
  let count = 0;
  for (let at = content.indexOf(10); at >= 0; at = content.indexOf(10, at + 1)) count++;
  if (content.length > 0 && content[content.length - 1] !== 10) count++;
  const hashes = new Uint32Array(count);
  let start = 0;
  for (let line = 0; line < count; line++) {
    const feed = content.indexOf(10, start);
    const end = feed < 0 ? content.length : feed;
    scanLine(content, start, end);
    hashes[line] = lineScan.hash;
    start = end + 1;
  }
  return hashes;
}
