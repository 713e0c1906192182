// Makes an object of what a pack holds of it: mostly a delta against another version, which may be one itself.
// What is not plainly there is not made.

import { LOCATIONS_PER_PACK } from '../contract.ts';
import { applyDelta, deltaResult, sameHead, sameTail } from './apply-delta.ts';
import { addHeld, dropHeld, findHeld, Held, largestHeld } from './held-objects.ts';
import { heldAt, hold } from './held-pages.ts';
import { inflate } from './inflate.ts';
import { locate } from './locate.ts';
import { CHAIN, MOST_CHAIN_LENGTH, PACKED_BYTES, UNPACKED, UNPACKED_BYTES } from './memory.ts';

const OFFSET_DELTA: i32 = 6;
const NAMED_DELTA: i32 = 7;
const NAME_BYTES: usize = 20;
const LONGEST_HEADER: i32 = 40;
/** By how much an entry is thought to be packed at first. */
const SHRINKS: i32 = 2;
/** What is unpacked may be written past its end. */
const SLACK_BYTES: usize = 16;

/** A delta that waits for the version that it goes back to. */
@unmanaged
class Delta {
  location: f64;
  at: usize;
  length: i32;
}

/** Of the entry that was unpacked last: the location of what it goes back to, negative for a whole object. */
let entryBase: f64 = 0;
let entryLength: i32 = 0;

// Numbers of whole objects in a pack.
export const COMMIT_KIND: i32 = 1;
export const TREE_KIND: i32 = 2;
export const BLOB_KIND: i32 = 3;

/** Where an object lies until the ring has come round: its slot may be another's by then. */
@unmanaged
export class MadeObject {
  at: usize;
  length: i32;
  /** As `isHeldSince` takes it. */
  written: f64;
}

/** False when nothing lies at the location, or when it cannot be made. */
export function makeAt(made: MadeObject, location: f64, kind: i32): bool {
  const held: Held | null = location < 0 ? null : makeObject(location, kind);
  if (held === null) return false;
  made.at = held.at;
  made.length = held.length;
  made.written = held.written;
  return true;
}

/** For the caller to take: versions of files requested, those that were held, and the entries unpacked for the others. */
@unmanaged
class Effort {
  versions: i32;
  held: i32;
  entries: i32;
}

export const EFFORT = memory.data(16);
const effort = changetype<Effort>(EFFORT);

/** Null for what is not of the kind, has no room or makes no sense. */
export function makeObject(location: f64, kind: i32): Held | null {
  const held = findHeld(location);
  if (kind === BLOB_KIND) {
    effort.versions++;
    if (held !== null) effort.held++;
  }
  return held === null ? unpackObject(location, kind) : held;
}

function unpackObject(location: f64, kind: i32): Held | null {
  let depth: i32 = 0;
  let to = UNPACKED;
  let next = location;
  let held: Held | null = null;
  while (held === null) {
    if (kind === BLOB_KIND) effort.entries++;
    if (!unpack(next, to, kind)) return null;
    if (entryBase < 0) {
      if (entryLength > largestHeld()) return null;
      held = addHeld(next, entryLength);
      memory.copy(held.at, to, <usize>entryLength);
      break;
    }
    if (depth >= MOST_CHAIN_LENGTH) return null;
    const delta = deltaAt(depth++);
    delta.location = next;
    delta.at = to;
    delta.length = entryLength;
    to += <usize>entryLength + SLACK_BYTES;
    next = entryBase;
    held = findHeld(next);
  }
  while (depth > 0 && held !== null) held = applyTo(held, deltaAt(--depth));
  return held;
}

function deltaAt(depth: i32): Delta {
  return changetype<Delta>(CHAIN + <usize>depth * offsetof<Delta>());
}

/** The object made last, and the one that it was made of. */
let lastMade: f64 = 0;
let lastBase: f64 = 0;

/** How many bytes two objects are known to share at their beginning, when one was just made of the other. */
export function knownHead(one: f64, other: f64): i32 {
  return isLastPair(one, other) ? sameHead : 0;
}

/** The same at their end. */
export function knownTail(one: f64, other: f64): i32 {
  return isLastPair(one, other) ? sameTail : 0;
}

function isLastPair(one: f64, other: f64): bool {
  return (lastMade === one && lastBase === other) || (lastMade === other && lastBase === one);
}

function applyTo(base: Held, delta: Delta): Held | null {
  // The new object may take over the slot of its base.
  const from = base.location;
  const at = base.at;
  const length = base.length;
  const size = deltaResult(delta.at, length);
  if (size < 0 || size > largestHeld()) return null;
  const made = addHeld(delta.location, size);
  lastMade = 0;
  if (applyDelta(delta.at, delta.length, at, length, made.at, size)) {
    lastMade = delta.location;
    lastBase = from;
    return made;
  }
  dropHeld(made);
  return null;
}

/** False for what is neither of the kind nor a delta, and for what has no room. */
function unpack(location: f64, to: usize, kind: i32): bool {
  hold(location, LONGEST_HEADER);
  const begin = heldAt();
  let at = begin;
  let byte = load<u8>(at++);
  const type = <i32>(byte >> 4) & 7;
  let size: u64 = byte & 15;
  for (let bits: u64 = 4; byte & 0x80 && bits < 60; bits += 7) {
    byte = load<u8>(at++);
    size |= (<u64>byte & 0x7f) << bits;
  }
  entryBase = -1;
  if (type === OFFSET_DELTA) {
    byte = load<u8>(at++);
    let distance: u64 = byte & 0x7f;
    while (byte & 0x80 && distance < 1 << 50) {
      byte = load<u8>(at++);
      distance = ((distance + 1) << 7) | (<u64>byte & 0x7f);
    }
    // Where the pack begins there is no entry, and before that another pack.
    const offset = location - floor<f64>(location / <f64>LOCATIONS_PER_PACK) * <f64>LOCATIONS_PER_PACK;
    if (distance === 0 || <f64>distance >= offset) return false;
    entryBase = location - <f64>distance;
  } else if (type === NAMED_DELTA) {
    entryBase = locate(at);
    at += NAME_BYTES;
    if (entryBase < 0 || entryBase === location) return false;
  } else if (type !== kind) return false;
  const header = <i32>(at - begin);
  if (header > LONGEST_HEADER || to + <usize>size + SLACK_BYTES > UNPACKED + UNPACKED_BYTES || size > UNPACKED_BYTES)
    return false;
  // What cannot be made smaller grows a little.
  const most = header + <i32>size + <i32>(size >> 10) + 64;
  if (<usize>most > PACKED_BYTES) return false;
  entryLength = <i32>size;
  // Text mostly shrinks to less than half: that may be enough, and it shows at the end whether it was.
  const first = min<i32>(hold(location, (most + SHRINKS - 1) / SHRINKS), most);
  if (inflate(heldAt() + <usize>header, first - header, to, entryLength)) return true;
  if (first >= most) return false;
  const all = min<i32>(hold(location, most), most);
  return inflate(heldAt() + <usize>header, all - header, to, entryLength);
}
