// A multimap from 32-bit signatures to files: chains of entries under hashed slots, with a free list. Two signatures
// are one when their 32 bits agree. An entry is a signature, a file (0 in the free list) and the number of the next entry;
// numbers begin with 1.
import { allocate, release } from './memory.ts';

/** What a file bears of `readFiles`, at its beginning: the last reading that found it, and as which one. */
@unmanaged
export class Found {
  reading: i32;
  place: i32;
}

const FIRST_SLOTS: i32 = 1 << 12;
/** Files looked at for one signature: beyond, the rest are all the same boilerplate. */
const MOST_FILES: i32 = 64;
const ENTRY_BYTES: usize = 12;
const FILE: usize = 4;
const NEXT: usize = 8;
/** What a slot and an entry take; there are as many of both. */
export const SLOT_BYTES: i32 = 16;

/** Of what `readFiles` has found: the files, and whether each has the signature more than once, or may have. */
const FOUND = memory.data(256);
const REPEATED = memory.data(64);
export let foundCount: i32 = 0;
/** What they were found for; entries come and go only between judgements, and a block is often like the one before it. */
let foundFor: i32 = 0;
let isFoundKept: bool = false;
/** Counts the readings: a file that bears the number of the last one was found by it. */
let reading: i32 = 0;

export let slots: i32 = 0;
let heads: usize = 0;
let entries: usize = 0;
let used: i32 = 0;
let free: i32 = 0;
let freeCount: i32 = 0;

function makeTable(size: i32): void {
  slots = size;
  heads = allocate((<usize>size) << 2);
  entries = allocate(<usize>size * ENTRY_BYTES);
  memory.fill(heads, 0, (<usize>size) << 2);
}

export function openTable(): void {
  makeTable(FIRST_SLOTS);
}

function slotOf(signature: i32): usize {
  return heads + ((<usize>((signature ^ (signature >>> 16)) & (slots - 1))) << 2);
}

function entryAt(number: i32): usize {
  return entries + <usize>(number - 1) * ENTRY_BYTES;
}

function nextOf(entry: usize): i32 {
  return load<i32>(entry, NEXT);
}

/** Entries in the free list keep their links; all others are chained anew. */
function grow(): void {
  const size = slots;
  const oldHeads = heads;
  const oldEntries = entries;
  makeTable(size * 2);
  memory.copy(entries, oldEntries, <usize>size * ENTRY_BYTES);
  release(oldHeads, (<usize>size) << 2);
  release(oldEntries, <usize>size * ENTRY_BYTES);
  for (let number: i32 = 1; number <= used; number++) {
    const entry = entryAt(number);
    if (load<usize>(entry, FILE) === 0) continue;
    const slot = slotOf(load<i32>(entry));
    store<i32>(entry, load<i32>(slot), NEXT);
    store<i32>(slot, number);
  }
}

/** What the table would grow by to take so many entries more. */
export function growthFor(entryCount: i32): i32 {
  let size = slots;
  while (used - freeCount + entryCount > size) size *= 2;
  return (size - slots) * SLOT_BYTES;
}

export function add(signature: i32, file: usize): void {
  isFoundKept = false;
  let number = free;
  if (number !== 0) {
    free = nextOf(entryAt(number));
    freeCount--;
  } else {
    if (used === slots) grow();
    number = ++used;
  }
  const entry = entryAt(number);
  const slot = slotOf(signature);
  store<i32>(entry, signature);
  store<usize>(entry, file, FILE);
  store<i32>(entry, load<i32>(slot), NEXT);
  store<i32>(slot, number);
}

/** Takes out one entry; nothing happens when there is none. */
export function remove(signature: i32, file: usize): void {
  isFoundKept = false;
  // Where the number of the entry at hand stands: in the slot, or in the entry before.
  let place = slotOf(signature);
  for (let number = load<i32>(place); number !== 0; number = load<i32>(place)) {
    const entry = entryAt(number);
    if (load<i32>(entry) === signature && load<usize>(entry, FILE) === file) {
      store<i32>(place, nextOf(entry));
      store<usize>(entry, 0, FILE);
      store<i32>(entry, free, NEXT);
      free = number;
      freeCount++;
      return;
    }
    place = entry + NEXT;
  }
}

/** Whether the signature has so many entries. */
export function has(signature: i32, many: i32): bool {
  let found: i32 = 0;
  let number = load<i32>(slotOf(signature));
  while (number !== 0) {
    const entry = entryAt(number);
    if (load<i32>(entry) === signature && ++found === many) return true;
    number = nextOf(entry);
  }
  return false;
}

export function foundFile(i: i32): usize {
  return load<usize>(FOUND + ((<usize>i) << 2));
}

export function isRepeated(i: i32): bool {
  return load<u8>(REPEATED + <usize>i) !== 0;
}

/** Each file that has the signature, once. */
export function readFiles(signature: i32): void {
  if (isFoundKept && signature === foundFor) return;
  isFoundKept = true;
  foundFor = signature;
  foundCount = 0;
  reading++;
  let number = load<i32>(slotOf(signature));
  while (number !== 0) {
    const entry = entryAt(number);
    number = nextOf(entry);
    if (load<i32>(entry) !== signature) continue;
    const file = load<usize>(entry, FILE);
    const found = changetype<Found>(file);
    if (found.reading === reading) store<u8>(REPEATED + <usize>found.place, 1);
    else if (foundCount === MOST_FILES) {
      memory.fill(REPEATED, 1, <usize>MOST_FILES);
      return;
    } else {
      found.reading = reading;
      found.place = foundCount;
      store<usize>(FOUND + ((<usize>foundCount) << 2), file);
      store<u8>(REPEATED + <usize>foundCount, 0);
      foundCount++;
    }
  }
}
