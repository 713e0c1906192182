// The identity of a patch: a 128-bit hash over its paths and its removed and added lines, whitespace and
// line numbers left out, so that a rebased or cherry-picked commit has the identity of its original.
import { GIVEN_PATH_HASH, IDENTITY_WORDS } from '../contract.ts';
import { word } from '../words.ts';
import { given } from './commit-lines.ts';
import { added, fileCount, removed } from './memory.ts';

const REMOVED_TAG: i32 = 0x2d;
const ADDED_TAG: i32 = 0x2b;
const FILE_TAG: i32 = 0x66;

/** IDENTITY_WORDS of them. */
export const IDENTITY = memory.data(16);
if (IDENTITY_WORDS !== 4) ERROR('the identity of a patch has the words a, b, c and d');

let a: i32 = 0;
let b: i32 = 0;
let c: i32 = 0;
let d: i32 = 0;

export function identifyPatch(): void {
  a = 0x243f6a88;
  b = 0x85a308d3;
  c = 0x13198a2e;
  d = 0x03707344;
  for (let file: i32 = 0; file < fileCount; file++) {
    const removedFrom = word(removed.base, file);
    const removedTo = word(removed.base, file + 1);
    const addedFrom = word(added.base, file);
    const addedTo = word(added.base, file + 1);
    if (removedFrom === removedTo && addedFrom === addedTo) continue;
    absorb(FILE_TAG, given(file, GIVEN_PATH_HASH));
    for (let line = removedFrom; line < removedTo; line++) absorb(REMOVED_TAG, word(removed.hashes, line));
    for (let line = addedFrom; line < addedTo; line++) absorb(ADDED_TAG, word(added.hashes, line));
  }
  absorb(FILE_TAG, removed.count + added.count);
  for (let round: i32 = 0; round < 4; round++) absorb(0, 0);
  store<i32>(IDENTITY, a);
  store<i32>(IDENTITY + 4, b);
  store<i32>(IDENTITY + 8, c);
  store<i32>(IDENTITY + 12, d);
}

/** Mixes the word into all four lanes; each lane feeds the next, so that order matters. */
function absorb(tag: i32, value: i32): void {
  a = (rotl<i32>(a ^ value, 15) + b) * 0xcc9e2d51;
  b = (rotl<i32>(b ^ (value * 0x38b34ae5), 17) + c + tag) * 0x1b873593;
  c = (rotl<i32>(c ^ (value * 0xa1e38b93), 18) + d) * 0x85ebca6b;
  d = (rotl<i32>(d ^ (value * 0xab0e9789), 13) + a) * 0xc2b2ae35;
  a ^= a >>> 16;
  b ^= b >>> 15;
  c ^= c >>> 16;
  d ^= d >>> 13;
}
