// The shortest edit script between what takes part of two versions: divide and conquer in linear space, after Myers,
// "An O(ND) Difference Algorithm and Its Variations" (1986), section 4b. Two searches set out from both corners of
// the edit graph; where they meet, the problem falls in two.
import { setWord, word } from '../words.ts';
import { emitCommon } from './groups.ts';
import { BACKWARD, FORWARD, MOST_ROUNDS, NEW_SEQUENCE, NEW_TAKEN, OLD_SEQUENCE, OLD_TAKEN } from './memory.ts';

/** A diagonal that no path has come to, seen from either corner. */
const NOWHERE_FORWARD: i32 = -0x40000000;
const NOWHERE_BACKWARD: i32 = 0x40000000;
/** Diagonals are counted from the corner their search sets out from; this one is in the middle of its array. */
const CORNER: i32 = MOST_ROUNDS + 4;

/** Part of the edit graph: its corners. */
@unmanaged
class Box {
  left: i32;
  top: i32;
  width: i32;
  height: i32;
}

const box = changetype<Box>(memory.data(16));
/** Where the searches met. */
let meetingX: i32 = 0;
let meetingY: i32 = 0;

function isEqual(x: i32, y: i32): bool {
  return word(OLD_SEQUENCE, x) === word(NEW_SEQUENCE, y);
}

function emit(x: i32, y: i32, count: i32): void {
  for (let i: i32 = 0; i < count; i++) emitCommon(word(OLD_TAKEN, x + i), word(NEW_TAKEN, y + i), 1);
}

/** Tells the common lines in their order. False when the search would take too many rounds. */
export function emitShortest(left: i32, top: i32, right: i32, bottom: i32): bool {
  let x = left;
  let y = top;
  while (x < right && y < bottom && isEqual(x, y)) {
    x++;
    y++;
  }
  emit(left, top, x - left);
  let last: i32 = 0;
  while (right - last > x && bottom - last > y && isEqual(right - last - 1, bottom - last - 1)) last++;
  if (right - last > x && bottom - last > y) {
    if (!meet(x, y, right - last, bottom - last)) return false;
    const splitX = meetingX;
    const splitY = meetingY;
    if (!emitShortest(x, y, splitX, splitY)) return false;
    if (!emitShortest(splitX, splitY, right - last, bottom - last)) return false;
  }
  emit(right - last, bottom - last, last);
  return true;
}

/** Finds a point on a shortest path, near the middle of it. */
function meet(left: i32, top: i32, right: i32, bottom: i32): bool {
  box.left = left;
  box.top = top;
  box.width = right - left;
  box.height = bottom - top;
  const isOdd = ((box.width - box.height) & 1) === 1;
  setWord(FORWARD, CORNER, 0);
  setWord(BACKWARD, CORNER, box.width);
  for (let round: i32 = 1; round <= MOST_ROUNDS; round++) {
    if (goForward(round, isOdd)) return true;
    if (goBackward(round, !isOdd)) return true;
  }
  return false;
}

/** The outermost diagonal that a search has come to by a round, with the parity that the round has. */
function outermost(round: i32, most: i32): i32 {
  return round <= most ? round : most - ((round - most) & 1);
}

/** One step further from the top left. True when that leads to where the other search has been. */
function goForward(round: i32, mayMeet: bool): bool {
  const high = outermost(round, box.width);
  const low = -outermost(round, box.height);
  const shift = box.width - box.height;
  setWord(FORWARD, CORNER + round, NOWHERE_FORWARD);
  setWord(FORWARD, CORNER - round, NOWHERE_FORWARD);
  setWord(FORWARD, CORNER + round + 1, NOWHERE_FORWARD);
  setWord(FORWARD, CORNER - round - 1, NOWHERE_FORWARD);
  for (let diagonal = high; diagonal >= low; diagonal -= 2) {
    const above = word(FORWARD, CORNER + diagonal + 1);
    const beside = word(FORWARD, CORNER + diagonal - 1);
    let x = max(beside + 1, above);
    if (x < 0 || x > box.width || x - diagonal > box.height) x = NOWHERE_FORWARD;
    else x = followForward(x, diagonal);
    setWord(FORWARD, CORNER + diagonal, x);
    if (!mayMeet || x < 0) continue;
    const seen = diagonal - shift;
    if (abs(seen) < round && word(BACKWARD, CORNER + seen) <= x) return meetAt(x, diagonal);
  }
  return false;
}

function followForward(from: i32, diagonal: i32): i32 {
  let x = from;
  let y = x - diagonal;
  while (x < box.width && y < box.height && isEqual(box.left + x, box.top + y)) {
    x++;
    y++;
  }
  return x;
}

/** The same from the bottom right. */
function goBackward(round: i32, mayMeet: bool): bool {
  const high = outermost(round, box.height);
  const low = -outermost(round, box.width);
  const shift = box.width - box.height;
  setWord(BACKWARD, CORNER + round, NOWHERE_BACKWARD);
  setWord(BACKWARD, CORNER - round, NOWHERE_BACKWARD);
  setWord(BACKWARD, CORNER + round + 1, NOWHERE_BACKWARD);
  setWord(BACKWARD, CORNER - round - 1, NOWHERE_BACKWARD);
  for (let seen = high; seen >= low; seen -= 2) {
    const below = word(BACKWARD, CORNER + seen - 1);
    const beside = word(BACKWARD, CORNER + seen + 1);
    const diagonal = seen + shift;
    let x = min(beside - 1, below);
    if (x < 0 || x > box.width || x - diagonal < 0) x = NOWHERE_BACKWARD;
    else x = followBackward(x, diagonal);
    setWord(BACKWARD, CORNER + seen, x);
    if (!mayMeet || x > box.width) continue;
    if (abs(diagonal) <= round && word(FORWARD, CORNER + diagonal) >= x) return meetAt(x, diagonal);
  }
  return false;
}

function followBackward(from: i32, diagonal: i32): i32 {
  let x = from;
  let y = x - diagonal;
  while (x > 0 && y > 0 && isEqual(box.left + x - 1, box.top + y - 1)) {
    x--;
    y--;
  }
  return x;
}

function meetAt(x: i32, diagonal: i32): bool {
  meetingX = box.left + x;
  meetingY = box.top + x - diagonal;
  return true;
}
