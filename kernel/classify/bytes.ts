// Kinds of bytes, and tables of words that are known by their hashes.
import { WORD_SLOTS, WORDS } from './memory.ts';

export const SPACE: u8 = 0;
export const WORD: u8 = 1;
export const MARK: u8 = 2;
const KINDS = memory.data(256);

/** Letters, digits, the underscore and all that is not ASCII make words. */
export function learnBytes(): void {
  for (let byte: i32 = 0; byte < 256; byte++) {
    const isDigit = byte >= 48 && byte <= 57;
    const isLetter = (byte >= 65 && byte <= 90) || (byte >= 97 && byte <= 122);
    const isWord = isDigit || isLetter || byte === 95 || byte > 127;
    store<u8>(KINDS + <usize>byte, isWord ? WORD : byte <= 32 ? SPACE : MARK);
  }
}

export function kindOf(byte: u8): u8 {
  return load<u8>(KINDS + <usize>byte);
}

export function isWordAt(at: usize): bool {
  return kindOf(load<u8>(at)) === WORD;
}

export const HASH_SEED: i32 = 0x811c9dc5;
export const HASH_PRIME: i32 = 0x01000193;

/** FNV-1a. */
export function hashBytes(from: usize, to: usize): i32 {
  let hash = HASH_SEED;
  for (let at = from; at < to; at++) hash = (hash ^ <i32>load<u8>(at)) * HASH_PRIME;
  return hash;
}

/** Words stand between spaces. */
export function learnWords(table: i32, from: usize, to: usize): void {
  for (let at = from; at < to; ) {
    while (at < to && load<u8>(at) <= 32) at++;
    const start = at;
    while (at < to && load<u8>(at) > 32) at++;
    if (at === start) continue;
    const hash = hashBytes(start, at);
    store<i32>(slotOf(table, hash), hash);
  }
}

export function isKnownWord(table: i32, hash: i32): bool {
  return hash !== 0 && load<i32>(slotOf(table, hash)) === hash;
}

/** Where the hash stands, or the free slot where it would. */
function slotOf(table: i32, hash: i32): usize {
  const slots = WORDS + <usize>(table * WORD_SLOTS * 4);
  let slot = (hash ^ (hash >>> 15)) & (WORD_SLOTS - 1);
  let at = slots + ((<usize>slot) << 2);
  while (load<i32>(at) !== 0 && load<i32>(at) !== hash) {
    slot = (slot + 1) & (WORD_SLOTS - 1);
    at = slots + ((<usize>slot) << 2);
  }
  return at;
}
