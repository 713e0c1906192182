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

/** A few hashes in slots, 0 where free: asked for every line or so, and a Set is several times slower. */
export type HashSlots = Int32Array;

/** The hashes of space-separated words, for tests of membership without making strings. */
export function wordHashes(words: string): HashSlots {
  const encoder = new TextEncoder();
  const all = words.split(/\s+/).filter(Boolean);
  const slots = new Int32Array(2 ** Math.ceil(Math.log2(all.length * 4)));
  for (const word of all) {
    const bytes = encoder.encode(word);
    const hash = hashBytes(bytes, 0, bytes.length);
    slots[slotOf(slots, hash)] = hash;
  }
  return slots;
}

export function hasHash(slots: HashSlots, hash: number): boolean {
  return hash !== 0 && slots[slotOf(slots, hash)] === hash;
}

/** Where the hash stands, or the free slot where it would. */
function slotOf(slots: HashSlots, hash: number): number {
  const mask = slots.length - 1;
  let slot = (hash ^ (hash >>> 15)) & mask;
  while (slots[slot] !== 0 && slots[slot] !== hash) slot = (slot + 1) & mask;
  return slot;
}

// The words of a line run together, punctuation dropped: `} else if (` is "elseif".
const BARE_KEYWORDS = wordHashes(`
  else elseif elif elsif try catch finally except rescue ensure begin end endif fi done esac od do then pass break
  continue return default loop repeat endfor endwhile endfunction endfunc endblock endwith None null nil true false
  super self this in of is case when finally default public private protected EOF`);
const LONGEST_BARE = 16;

/** What `scanLine` fills: one entry a line in each. */
export interface ScannedLines {
  hashes: Uint32Array;
  /** The number of non-space bytes. */
  weights: Uint32Array;
  traits: Uint8Array;
  /** The offset of the first non-space byte, or the line's end. */
  firsts: Uint32Array;
}

/** Writes to entry `at`. What few lines need stands in functions of its own, to be compiled late and alone. */
export function scanLine(bytes: Uint8Array, start: number, end: number, out: ScannedLines, at: number): void {
  let i = start;
  while (i < end && bytes[i]! <= 32) i++;
  const first = i;
  let hash = HASH_SEED;
  let weight = 0;
  let traits = 0;
  for (; i < end; i++) {
    const byte = bytes[i]!;
    // All ones unless it is a space, which then changes nothing: no branch, for nobody can predict where words end.
    const isInk = (32 - byte) >> 31;
    hash = Math.imul(hash ^ (byte & isInk), ((HASH_PRIME - 1) & isInk) + 1);
    traits |= TRAITS_OF_BYTE[byte]!;
    weight -= isInk;
  }
  // FNV's high bits are weak for short input; tables index by low bits of the mixed value.
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  hash = Math.imul(hash ^ (hash >>> 12), 0x297a2d39);
  hash = (hash ^ (hash >>> 15)) & ~SIGNIFICANT;
  if ((traits & TRAIT.word) !== 0) {
    if (weight <= LONGEST_BARE && isBareKeyword(bytes, first, end)) traits |= TRAIT.bareKeyword;
    else if (COMMENT_HEAD[bytes[first]!] === 0 || !looksLikeComment(bytes, first, end)) hash |= SIGNIFICANT;
  }
  out.hashes[at] = hash;
  out.weights[at] = weight;
  out.traits[at] = traits;
  out.firsts[at] = first;
}

function isBareKeyword(bytes: Uint8Array, first: number, end: number): boolean {
  let words = HASH_SEED;
  for (let at = first; at < end; at++) {
    const byte = bytes[at]!;
    if (WORD_BYTE[byte] === 1) words = Math.imul(words ^ byte, HASH_PRIME);
  }
  return hasHash(BARE_KEYWORDS, words);
}

const COMMENT_HEAD = new Uint8Array(256);
for (const head of '#/*-<;') COMMENT_HEAD[head.charCodeAt(0)] = 1;

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

export function createScannedLines(count: number): ScannedLines {
  return {
    hashes: new Uint32Array(count),
    weights: new Uint32Array(count),
    traits: new Uint8Array(count),
    firsts: new Uint32Array(count),
  };
}

const fileLines = createScannedLines(1 << 14);

/** The hashes of all lines of a file, as `DuplicateIndex.load` takes them. A last line needs no line feed. */
export function hashFileLines(content: Uint8Array): Uint32Array {
  const { length } = content;
  let count = length > 0 && content[length - 1] !== 10 ? 1 : 0;
  for (let at = 0; at < length; at++) if (content[at] === 10) count++;
  const lines = count <= fileLines.hashes.length ? fileLines : createScannedLines(count);
  // Lines are short: looking for their ends here is quicker than a call of indexOf each.
  for (let line = 0, start = 0; line < count; line++) {
    let end = start;
    while (end < length && content[end] !== 10) end++;
    scanLine(content, start, end, lines, line);
    start = end + 1;
  }
  return lines.hashes.slice(0, count);
}
