// Which of the pairs of similar lines are one replacement made all over the commit.
import { setWord, word } from '../words.ts';
import { HASH_PRIME, hashBytes, isWordAt } from './bytes.ts';
import { endOf, firstOf } from './commit-lines.ts';
import { tokenize } from './line-tokens.ts';
import {
  ALIGNED_TOKENS,
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
  TOKEN_ALIGNMENT,
} from './memory.ts';

/** Text this long may be swapped inside a word and still count as the same replacement. */
const MIN_INNER_LENGTH: i32 = 3;
/** Longer texts are compared by their ends. */
const MAX_COMPARED_BYTES: usize = 4096;
const FIND_REPLACE_LINES: i32 = 3;

/** What was replaced: the exact difference, the same widened to whole words, the same tokens throughout the line. */
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

/** On how many lines what the pair replaces was replaced, or 0 for too few. Only after `findReplacements` has answered yes. */
export function timesReplaced(pair: i32): i32 {
  let times: i32 = 0;
  for (let k: i32 = 0; k < KEYS; k++) {
    const slot = word(pairSlots, pair * KEYS + k) - 1;
    if (slot >= 0) times = max(times, word(slotCounts, slot));
  }
  return times >= FIND_REPLACE_LINES ? times : 0;
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
  if (one + from === oneTo) exactKey = combine(NOTHING, findInserted(other, other + from, otherTo, otherEnd));
  else if (other + from === otherTo) exactKey = combine(findInserted(one, one + from, oneTo, oneEnd), NOTHING);
  else exactKey = <i32>(oneTo - one - from) >= MIN_INNER_LENGTH ? keyOf(one + from, oneTo, other + from, otherTo) : 0;
  // Widen to whole words where the difference begins or ends inside one.
  if (isWordBefore(one + from, oneTo) || isWordBefore(other + from, otherTo))
    while (from > 0 && isWordAt(one + from - 1)) from--;
  const endsInWord = (oneTo > one + from && isWordAt(oneTo - 1)) || (otherTo > other + from && isWordAt(otherTo - 1));
  if (endsInWord)
    while (isWordBefore(oneTo, oneEnd)) {
      oneTo++;
      otherTo++;
    }
  wordKey = keyOf(one + from, oneTo, other + from, otherTo);
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

/** Stands for the side that has no text. */
const NOTHING: i32 = 1;

/**
 * The hash of what stands in one line only, [from, to) of the line [start, end). It may lie at several places: in
 * `a ab` → `a aab` any a is new. The leftmost is taken, and whitespace at its ends left out, so that the same
 * insertion looks the same on every line. 0 for a piece of a word that is too short to say anything.
 */
function findInserted(start: usize, from: usize, to: usize, end: usize): i32 {
  let first = from;
  let last = to;
  while (first > start && load<u8>(first - 1) === load<u8>(last - 1)) {
    first--;
    last--;
  }
  while (first < last && load<u8>(first) <= 32) first++;
  while (first < last && load<u8>(last - 1) <= 32) last--;
  if (first === last) return 0;
  const isPiece =
    (first > start && isWordAt(first) && isWordAt(first - 1)) || (last < end && isWordAt(last - 1) && isWordAt(last));
  return isPiece && <i32>(last - first) < MIN_INNER_LENGTH ? 0 : hashBytes(first, last) | i32.MIN_VALUE;
}

/** Never 0, which stands for "no key", unless one side has none. */
function combine(one: i32, other: i32): i32 {
  if (one === 0 || other === 0) return 0;
  const key = (((one ^ (one >>> 15)) * 0x2c1b3c6d) ^ (other * 0x297a2d39)) & 0x3fffffff;
  return key === 0 ? 1 : key;
}

function keyOf(oneFrom: usize, oneTo: usize, otherFrom: usize, otherTo: usize): i32 {
  return combine(hashBytes(oneFrom, oneTo) | i32.MIN_VALUE, hashBytes(otherFrom, otherTo) | i32.MIN_VALUE);
}

/** The key when the lines differ in the same tokens on one place or several; else 0. */
function findTokenKey(oneStart: usize, oneEnd: usize, otherStart: usize, otherEnd: usize): i32 {
  const ones = tokenize(oneStart, oneEnd, ONE_TOKENS, 0);
  const others = tokenize(otherStart, otherEnd, OTHER_TOKENS, 0);
  if (ones > ALIGNED_TOKENS || others > ALIGNED_TOKENS) return 0;
  alignTokens(ones, others);
  const width = others + 1;
  let key: i32 = 0;
  let i: i32 = 0;
  let j: i32 = 0;
  while (i < ones || j < others) {
    if (i < ones && j < others && word(ONE_TOKENS, i) === word(OTHER_TOKENS, j)) {
      i++;
      j++;
      continue;
    }
    // A stretch of differing tokens, up to the next one that is common.
    let from: i32 = i32.MIN_VALUE;
    let to: i32 = i32.MIN_VALUE;
    while ((i < ones || j < others) && !(i < ones && j < others && word(ONE_TOKENS, i) === word(OTHER_TOKENS, j))) {
      const skipsOne =
        j === others ||
        (i < ones && word(TOKEN_ALIGNMENT, (i + 1) * width + j) >= word(TOKEN_ALIGNMENT, i * width + j + 1));
      if (skipsOne) from = (from ^ word(ONE_TOKENS, i++)) * HASH_PRIME;
      else to = (to ^ word(OTHER_TOKENS, j++)) * HASH_PRIME;
    }
    const found = combine(from | i32.MIN_VALUE, to | i32.MIN_VALUE);
    if (key !== 0 && key !== found) return 0;
    key = found;
  }
  return key;
}

/** By the longest common subsequence: in TOKEN_ALIGNMENT its length for what lies behind two places. */
function alignTokens(ones: i32, others: i32): void {
  const width = others + 1;
  for (let j: i32 = 0; j <= others; j++) setWord(TOKEN_ALIGNMENT, ones * width + j, 0);
  for (let i = ones - 1; i >= 0; i--) {
    setWord(TOKEN_ALIGNMENT, i * width + others, 0);
    for (let j = others - 1; j >= 0; j--) {
      const isCommon = word(ONE_TOKENS, i) === word(OTHER_TOKENS, j);
      const longest = isCommon
        ? word(TOKEN_ALIGNMENT, (i + 1) * width + j + 1) + 1
        : max(word(TOKEN_ALIGNMENT, (i + 1) * width + j), word(TOKEN_ALIGNMENT, i * width + j + 1));
      setWord(TOKEN_ALIGNMENT, i * width + j, longest);
    }
  }
}
