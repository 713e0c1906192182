// Which of the pairs of similar lines are one replacement made all over the commit.
import type { CommitDiff } from '../diff.ts';
import type { CommitLines } from './commit-lines.ts';
import { MAX_TOKENS, tokenize } from './line-tokens.ts';
import { hashBytes, WORD_BYTE } from './scan-line.ts';
import type { LinePairs } from './similar-lines.ts';

/** Text this long may be swapped inside a word and still count as the same replacement. */
const MIN_INNER_LENGTH = 3;
/** Longer texts are compared by their ends. */
const MAX_COMPARED_BYTES = 4096;
const FIND_REPLACE_LINES = 3;

// Slots for keys, 0 where free, and how many lines have each.
let slotKeys = new Int32Array(1024);
let slotCounts = new Int32Array(1024);
/** Per pair and key, the slot plus one; 0 for no key. */
let pairSlots = new Int32Array(1024);

/** Larger rooms are given back after use, so that one huge commit does not stay in memory. */
const KEPT_SLOTS = 1 << 19;

function prepareSlots(size: number): void {
  if (slotKeys.length < size || (slotKeys.length > KEPT_SLOTS && size <= KEPT_SLOTS)) {
    slotKeys = new Int32Array(size);
    slotCounts = new Int32Array(size);
    pairSlots = new Int32Array(size);
  } else {
    slotKeys.fill(0, 0, size);
    slotCounts.fill(0, 0, size);
  }
}

function slotOf(key: number, mask: number): number {
  let slot = key & mask;
  while (slotKeys[slot] !== 0 && slotKeys[slot] !== key) slot = (slot + 1) & mask;
  slotKeys[slot] = key;
  return slot;
}

/** Per pair, whether the same replacement was made on FIND_REPLACE_LINES lines of the commit or more. */
export function findReplacements(lines: CommitLines, commit: CommitDiff, pairs: LinePairs): Uint8Array | null {
  if (pairs.count < FIND_REPLACE_LINES) return null;
  let size = 16;
  while (size < pairs.count * KEYS * 2) size *= 2;
  prepareSlots(size);
  let isAny = false;
  for (let pair = 0; pair < pairs.count; pair++) {
    replacementKeys(lines, commit, pairs.removed[pair]!, pairs.added[pair]!);
    for (let k = 0; k < KEYS; k++) {
      const key = keys[k]!;
      pairSlots[pair * KEYS + k] = 0;
      // A line counts once for a key, however it came by it.
      if (key === 0 || (k > 0 && key === keys[0]) || (k > 1 && key === keys[1])) continue;
      const slot = slotOf(key, size - 1);
      pairSlots[pair * KEYS + k] = slot + 1;
      if (++slotCounts[slot]! >= FIND_REPLACE_LINES) isAny = true;
    }
  }
  if (!isAny) return null;
  const result = new Uint8Array(pairs.count);
  for (let at = 0; at < pairs.count * KEYS; at++) {
    const slot = pairSlots[at]! - 1;
    if (slot >= 0 && slotCounts[slot]! >= FIND_REPLACE_LINES) result[(at / KEYS) | 0] = 1;
  }
  return result;
}

/** What was swapped: the exact difference, the same widened to whole words, one word throughout. */
const KEYS = 3;
const keys = new Int32Array(KEYS);
const oneTokens = new Int32Array(MAX_TOKENS);
const otherTokens = new Int32Array(MAX_TOKENS);

/** Fills `keys`, 0 where there is none. */
function replacementKeys(lines: CommitLines, commit: CommitDiff, removed: number, added: number): void {
  const fileIndex = lines.hunkFile[lines.removed.hunks[removed]!]!;
  const file = commit.files[fileIndex]!;
  const one = file.removed.bytes;
  const other = file.added.bytes;
  const oneStart = lines.removed.firsts[removed]!;
  const otherStart = lines.added.firsts[added]!;
  const oneEnd = trimmedEnd(one, oneStart, file.removed.ends[removed - lines.removedBase[fileIndex]!]!);
  const otherEnd = trimmedEnd(other, otherStart, file.added.ends[added - lines.addedBase[fileIndex]!]!);

  let prefix = 0;
  const shorter = Math.min(oneEnd - oneStart, otherEnd - otherStart);
  while (prefix < shorter && one[oneStart + prefix] === other[otherStart + prefix]) prefix++;
  let suffix = 0;
  while (suffix < shorter - prefix && one[oneEnd - 1 - suffix] === other[otherEnd - 1 - suffix]) suffix++;
  let from = prefix;
  let oneTo = oneEnd - suffix;
  let otherTo = otherEnd - suffix;
  keys[0] =
    oneTo - oneStart - from >= MIN_INNER_LENGTH
      ? keyOf(one, oneStart + from, oneTo, other, otherStart + from, otherTo)
      : 0;
  // Widen to whole words where the difference begins or ends inside one.
  if (isWord(one, oneStart + from, oneTo) || isWord(other, otherStart + from, otherTo))
    while (from > 0 && WORD_BYTE[one[oneStart + from - 1]!] === 1) from--;
  const endsInWord =
    (oneTo > oneStart + from && WORD_BYTE[one[oneTo - 1]!] === 1) ||
    (otherTo > otherStart + from && WORD_BYTE[other[otherTo - 1]!] === 1);
  if (endsInWord)
    while (isWord(one, oneTo, oneEnd)) {
      oneTo++;
      otherTo++;
    }
  // Something must have been there before: an insertion replaces nothing.
  keys[1] = oneTo > oneStart + from ? keyOf(one, oneStart + from, oneTo, other, otherStart + from, otherTo) : 0;
  // Only what differs needs to be read, unless the lines might have too many tokens.
  if (oneEnd - oneStart >= MAX_TOKENS || otherEnd - otherStart >= MAX_TOKENS) {
    prefix = 0;
    suffix = 0;
  }
  while (prefix > 0 && WORD_BYTE[one[oneStart + prefix - 1]!] === 1) prefix--;
  while (suffix > 0 && WORD_BYTE[one[oneEnd - suffix]!] === 1) suffix--;
  keys[2] = tokenKey(one, oneStart + prefix, oneEnd - suffix, other, otherStart + prefix, otherEnd - suffix);
}

function isWord(bytes: Uint8Array, at: number, end: number): boolean {
  return at < end && WORD_BYTE[bytes[at]!] === 1;
}

function trimmedEnd(bytes: Uint8Array, start: number, end: number): number {
  let last = Math.min(end, start + MAX_COMPARED_BYTES);
  while (last > start && bytes[last - 1]! <= 32) last--;
  return last;
}

/** Never 0, which stands for "no key"; small enough to be a plain integer for the engine. */
function combine(one: number, other: number): number {
  return (Math.imul(one ^ (one >>> 15), 0x2c1b3c6d) ^ Math.imul(other, 0x297a2d39)) & 0x3fffffff || 1;
}

function keyOf(
  one: Uint8Array,
  oneFrom: number,
  oneTo: number,
  other: Uint8Array,
  otherFrom: number,
  otherTo: number,
): number {
  return combine(hashBytes(one, oneFrom, oneTo) | 0x80000000, hashBytes(other, otherFrom, otherTo) | 0x80000000);
}

/** The key when the lines differ in one word only, on one place or several; else 0. */
function tokenKey(
  one: Uint8Array,
  oneStart: number,
  oneEnd: number,
  other: Uint8Array,
  otherStart: number,
  otherEnd: number,
): number {
  const count = tokenize(one, oneStart, oneEnd, oneTokens, 0);
  if (count === MAX_TOKENS || tokenize(other, otherStart, otherEnd, otherTokens, 0) !== count) return 0;
  let from = 0;
  let to = 0;
  for (let i = 0; i < count; i++) {
    if (oneTokens[i] === otherTokens[i]) continue;
    if (from !== 0 && (from !== oneTokens[i] || to !== otherTokens[i])) return 0;
    from = oneTokens[i]!;
    to = otherTokens[i]!;
  }
  return from < 0 ? combine(from, to) : 0;
}
