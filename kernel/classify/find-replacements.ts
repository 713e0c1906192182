// Which of the pairs of similar lines are one replacement made all over the commit.
import { setWord, word } from '../words.ts';
import { hashBytes, isWordAt } from './bytes.ts';
import { endOf, firstOf } from './commit-lines.ts';
import { tokenize } from './line-tokens.ts';
import {
  added,
  MAX_TOKENS,
  ONE_TOKENS,
  OTHER_TOKENS,
  pairAdded,
  pairCount,
  pairRemoved,
  reach,
  removed,
  scratch,
} from './memory.ts';

/** Text this long may be swapped inside a word and still count as the same replacement. */
const MIN_INNER_LENGTH: i32 = 3;
/** Longer texts are compared by their ends. */
const MAX_COMPARED_BYTES: usize = 4096;
const FIND_REPLACE_LINES: i32 = 3;

/** What was swapped: the exact difference, the same widened to whole words, one word throughout. */
const KEYS: i32 = 3;
let exactKey: i32 = 0;
let wordKey: i32 = 0;
let tokenKey: i32 = 0;

/** Slots for keys, 0 where free, and how many lines have each. */
let slotKeys: usize = 0;
let slotCounts: usize = 0;
/** Per pair and key, the slot plus one; 0 for no key. */
let pairSlots: usize = 0;
let mask: i32 = 0;
let isAny: bool = false;

/** Whether the same replacement was made on FIND_REPLACE_LINES lines of the commit or more, for any pair. */
export function findReplacements(): bool {
  if (pairCount < FIND_REPLACE_LINES) return false;
  let size: i32 = 16;
  while (size < pairCount * KEYS * 2) size *= 2;
  const bytes = (<usize>size) << 2;
  slotKeys = scratch;
  slotCounts = slotKeys + bytes;
  pairSlots = slotCounts + bytes;
  reach(pairSlots + bytes);
  memory.fill(slotKeys, 0, 2 * bytes);
  mask = size - 1;
  isAny = false;
  for (let pair: i32 = 0; pair < pairCount; pair++) {
    findKeys(word(pairRemoved, pair), word(pairAdded, pair));
    // A line counts once for a key, however it came by it.
    count(pair, 0, exactKey);
    count(pair, 1, wordKey === exactKey ? 0 : wordKey);
    count(pair, 2, tokenKey === exactKey || tokenKey === wordKey ? 0 : tokenKey);
  }
  return isAny;
}

/** To be asked after `findReplacements` has answered yes. */
export function isReplacement(pair: i32): bool {
  for (let k: i32 = 0; k < KEYS; k++) {
    const slot = word(pairSlots, pair * KEYS + k) - 1;
    if (slot >= 0 && word(slotCounts, slot) >= FIND_REPLACE_LINES) return true;
  }
  return false;
}

function count(pair: i32, k: i32, key: i32): void {
  setWord(pairSlots, pair * KEYS + k, 0);
  if (key === 0) return;
  let slot = key & mask;
  while (word(slotKeys, slot) !== 0 && word(slotKeys, slot) !== key) slot = (slot + 1) & mask;
  setWord(slotKeys, slot, key);
  setWord(pairSlots, pair * KEYS + k, slot + 1);
  const lines = word(slotCounts, slot) + 1;
  setWord(slotCounts, slot, lines);
  if (lines >= FIND_REPLACE_LINES) isAny = true;
}

function findKeys(removedLine: i32, addedLine: i32): void {
  const one = firstOf(removed, removedLine);
  const other = firstOf(added, addedLine);
  const oneEnd = trimmedEnd(one, endOf(removed, removedLine));
  const otherEnd = trimmedEnd(other, endOf(added, addedLine));

  let prefix: usize = 0;
  const shorter = min(oneEnd - one, otherEnd - other);
  while (prefix < shorter && load<u8>(one + prefix) === load<u8>(other + prefix)) prefix++;
  let suffix: usize = 0;
  while (suffix < shorter - prefix && load<u8>(oneEnd - 1 - suffix) === load<u8>(otherEnd - 1 - suffix)) suffix++;
  let from = prefix;
  let oneTo = oneEnd - suffix;
  let otherTo = otherEnd - suffix;
  exactKey = <i32>(oneTo - one - from) >= MIN_INNER_LENGTH ? keyOf(one + from, oneTo, other + from, otherTo) : 0;
  // Widen to whole words where the difference begins or ends inside one.
  if (isWordBefore(one + from, oneTo) || isWordBefore(other + from, otherTo))
    while (from > 0 && isWordAt(one + from - 1)) from--;
  const endsInWord = (oneTo > one + from && isWordAt(oneTo - 1)) || (otherTo > other + from && isWordAt(otherTo - 1));
  if (endsInWord)
    while (isWordBefore(oneTo, oneEnd)) {
      oneTo++;
      otherTo++;
    }
  // Something must have been there before: an insertion replaces nothing.
  wordKey = oneTo > one + from ? keyOf(one + from, oneTo, other + from, otherTo) : 0;
  // Only what differs needs to be read, unless the lines might have too many tokens.
  if (oneEnd - one >= <usize>MAX_TOKENS || otherEnd - other >= <usize>MAX_TOKENS) {
    prefix = 0;
    suffix = 0;
  }
  while (prefix > 0 && isWordAt(one + prefix - 1)) prefix--;
  while (suffix > 0 && isWordAt(oneEnd - suffix)) suffix--;
  tokenKey = findTokenKey(one + prefix, oneEnd - suffix, other + prefix, otherEnd - suffix);
}

function isWordBefore(at: usize, end: usize): bool {
  return at < end && isWordAt(at);
}

function trimmedEnd(start: usize, end: usize): usize {
  let last = min(end, start + MAX_COMPARED_BYTES);
  while (last > start && load<u8>(last - 1) <= 32) last--;
  return last;
}

/** Never 0, which stands for "no key". */
function combine(one: i32, other: i32): i32 {
  const key = (((one ^ (one >>> 15)) * 0x2c1b3c6d) ^ (other * 0x297a2d39)) & 0x3fffffff;
  return key === 0 ? 1 : key;
}

function keyOf(oneFrom: usize, oneTo: usize, otherFrom: usize, otherTo: usize): i32 {
  return combine(hashBytes(oneFrom, oneTo) | i32.MIN_VALUE, hashBytes(otherFrom, otherTo) | i32.MIN_VALUE);
}

/** The key when the lines differ in one word only, on one place or several; else 0. */
function findTokenKey(oneStart: usize, oneEnd: usize, otherStart: usize, otherEnd: usize): i32 {
  const tokens = tokenize(oneStart, oneEnd, ONE_TOKENS, 0);
  if (tokens === MAX_TOKENS || tokenize(otherStart, otherEnd, OTHER_TOKENS, 0) !== tokens) return 0;
  let from: i32 = 0;
  let to: i32 = 0;
  for (let i: i32 = 0; i < tokens; i++) {
    const one = word(ONE_TOKENS, i);
    const other = word(OTHER_TOKENS, i);
    if (one === other) continue;
    if (from !== 0 && (from !== one || to !== other)) return 0;
    from = one;
    to = other;
  }
  return from < 0 ? combine(from, to) : 0;
}
