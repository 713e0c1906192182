// Objects that were made lately, in one block of memory that is filled round and round: nothing is allocated for an
// object, and one can be made of another where it lies. What is held is found by its location in a table of rows of a few
// slots; a new object takes the slot of the one in its row that was made longest ago.

import { HELD, HELD_ROWS, HELD_SLOTS } from './memory.ts';

/** A slot. Of one that was never filled, all numbers are 0: no object lies at the very beginning of a pack. */
@unmanaged
export class Held {
  location: f64;
  /** Bytes that had been written to the ring, in all rounds, when it began. */
  written: f64;
  /** Address of its first byte. */
  at: usize;
  length: i32;
}

const SLOT_BYTES = offsetof<Held>();
/** Spreads locations, most of which share their upper bits. */
const SPREAD: u64 = 0x9e3779b97f4a7;

let begin: usize = 0;
let capacity: usize = 0;
/** Where the next object begins, from `begin` on. */
let position: usize = 0;
/** Bytes written in all rounds, what was left free at the end of a round included. */
let written: f64 = 0;

export function openRing(at: usize, bytes: usize): void {
  begin = at;
  capacity = bytes;
  position = 0;
  written = 0;
  memory.fill(HELD, 0, HELD_ROWS * HELD_SLOTS * SLOT_BYTES);
}

export function ringWritten(): f64 {
  return written;
}

/** Nothing larger is held: what was just found or made outlives the next ones. */
export function largestHeld(): i32 {
  return <i32>(capacity >> 2);
}

/** Whether an object that was held when so many bytes had been written still is. */
export function isHeldSince(writtenThen: f64): bool {
  return writtenThen >= written - <f64>capacity;
}

function rowOf(location: f64): usize {
  const hash = (reinterpret<u64>(location) * SPREAD) >> 40;
  return HELD + (<usize>hash & (HELD_ROWS - 1)) * HELD_SLOTS * SLOT_BYTES;
}

/** Null when it is not held. What is found stays at its place while at least half of the ring is written. */
export function findHeld(location: f64): Held | null {
  const row = rowOf(location);
  for (let slot = row; slot < row + HELD_SLOTS * SLOT_BYTES; slot += SLOT_BYTES) {
    const held = changetype<Held>(slot);
    if (held.location !== location || held.written < written - <f64>capacity) continue;
    if (held.written >= written - <f64>(capacity >> 1)) return held;
    const at = held.at;
    const renewed = addHeld(location, held.length);
    memory.copy(renewed.at, at, <usize>renewed.length);
    return renewed;
  }
  return null;
}

/** Room for an object, whose bytes the caller fills in; at most `largestHeld`. */
export function addHeld(location: f64, length: i32): Held {
  const left = capacity - position;
  if (left < <usize>length) {
    written += <f64>left;
    position = 0;
  }
  const held = slotFor(location);
  held.location = location;
  held.written = written;
  held.at = begin + position;
  held.length = length;
  written += <f64>length;
  position += <usize>length;
  if (position === capacity) position = 0;
  return held;
}

function slotFor(location: f64): Held {
  const row = rowOf(location);
  let oldest = changetype<Held>(row);
  for (let slot = row; slot < row + HELD_SLOTS * SLOT_BYTES; slot += SLOT_BYTES) {
    const held = changetype<Held>(slot);
    if (held.location === location) return held;
    if (held.written < oldest.written) oldest = held;
  }
  return oldest;
}

/** For one whose bytes could not be made. */
export function dropHeld(held: Held): void {
  held.location = 0;
  held.written = 0;
}
