// Where objects lie, by their names. The caller searches the indexes of packs; what it found lately is kept here, because the
// version that one commit replaces is the one that a commit before it made.
import { locateName } from './env.ts';
import { NAME_SLOTS, NAMES } from './memory.ts';
import { ID_BYTES, isSameId } from './trees/tree-entries.ts';

/** A name and its location, 0 where there is none: no object lies at the very beginning of a pack. */
const SLOT_BYTES: usize = 32;
const LOCATION: usize = 24;

/** Untouched memory costs nothing: most kernels have one set of packs. */
let isUsed: bool = false;

/** Negative when no pack holds it. */
export function locate(name: usize): f64 {
  const slot = NAMES + (<usize>load<u32>(name) & (NAME_SLOTS - 1)) * SLOT_BYTES;
  const known = load<f64>(slot, LOCATION);
  if (known !== 0 && isSameId(slot, name)) return known;
  const found = locateName(name);
  if (found <= 0) return -1;
  isUsed = true;
  memory.copy(slot, name, ID_BYTES);
  store<f64>(slot, found, LOCATION);
  return found;
}

/** For other packs. */
export function forgetNames(): void {
  if (isUsed) memory.fill(NAMES, 0, <usize>NAME_SLOTS * SLOT_BYTES);
}
