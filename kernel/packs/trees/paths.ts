// Paths by number: each is kept once, so that the caller makes its text once, however many commits change the file.
import { areSame, hashBytes } from '../../diff/lines.ts';
import { setWord, word } from '../../words.ts';
import { MOST_PATHS, PATH_BYTES, PATH_ENDS, PATH_MARKS, PATH_ROOM, PATH_SLOTS, PATH_SLOTS_COUNT } from '../memory.ts';

let count: i32 = 0;
let mark: i32 = 0;

/** Numbers begin anew. */
export function forgetPaths(): void {
  count = 0;
  memory.fill(PATH_SLOTS, 0, (<usize>PATH_SLOTS_COUNT) << 2);
}

/** −1 when there is no room for a further one. */
export function numberOfPath(at: usize, length: i32): i32 {
  const slot = slotOf(at, length);
  if (slot < 0) return -1;
  const known = word(PATH_SLOTS, slot);
  if (known !== 0) return known - 1;
  const from = startOf(count);
  if (count === MOST_PATHS || from + length > PATH_ROOM) return -1;
  memory.copy(PATH_BYTES + <usize>from, at, <usize>length);
  setWord(PATH_ENDS, count, from + length);
  setWord(PATH_MARKS, count, 0);
  setWord(PATH_SLOTS, slot, ++count);
  return count - 1;
}

/** −1 for one that is not known. */
export function numberOfKnownPath(at: usize, length: i32): i32 {
  const slot = slotOf(at, length);
  return slot < 0 ? -1 : word(PATH_SLOTS, slot) - 1;
}

/** The table is at most half full: only paths that somebody has chosen for it are looked for longer. */
const MOST_LOOKS: i32 = 1024;

/** The slot with its number plus one, or the free one where it would be; −1 after too many looks. */
function slotOf(at: usize, length: i32): i32 {
  let slot = hashBytes(at, length) & (PATH_SLOTS_COUNT - 1);
  for (let look: i32 = 0; look < MOST_LOOKS; look++) {
    const number = word(PATH_SLOTS, slot);
    if (number === 0 || isPath(number - 1, at, length)) return slot;
    slot = (slot + 1) & (PATH_SLOTS_COUNT - 1);
  }
  return -1;
}

function startOf(number: i32): i32 {
  return number === 0 ? 0 : word(PATH_ENDS, number - 1);
}

function isPath(number: i32, at: usize, length: i32): bool {
  const from = startOf(number);
  return word(PATH_ENDS, number) - from === length && areSame(PATH_BYTES + <usize>from, at, length);
}

/** None is marked then. */
export function clearMarks(): void {
  mark++;
}

export function markPath(number: i32): void {
  setWord(PATH_MARKS, number, mark);
}

export function isMarkedPath(number: i32): bool {
  return number >= 0 && word(PATH_MARKS, number) === mark;
}
