// Which lines of the window the search may match: those with a partner in the other version, without some that have
// many and stand amid lines that have none.
import { setWord, word } from '../words.ts';
import { partners } from './contents.ts';
import { KINDS, NEW_SEQUENCE, NEW_TAKEN, OLD_SEQUENCE, OLD_TAKEN } from './memory.ts';
import { after, before, Version } from './version.ts';
import { differing } from './window.ts';

/** Kinds of lines: no line of the other version has the content, some have it, many have it. */
const ALONE: u8 = 0;
const ORDINARY: u8 = 1;
const FREQUENT: u8 = 2;
/** How far around a frequent line its surroundings are looked at. */
const SIGHT: i32 = 100;
/** A frequent line is passed over amid more than so many times as many lines without a partner. */
const CROWD: i32 = 3;

/** What has been seen around a line. */
let aloneSeen: i32 = 0;
let frequentSeen: i32 = 0;

export let oldTaken: i32 = 0;
export let newTaken: i32 = 0;

export function takeLines(): void {
  judge(before, differing.oldTo, true);
  oldTaken = take(before, differing.oldTo, OLD_TAKEN, OLD_SEQUENCE);
  judge(after, differing.newTo, false);
  newTaken = take(after, differing.newTo, NEW_TAKEN, NEW_SEQUENCE);
}

/** The least power of two whose square is more than the number of lines: so many partners are many. */
function fewestOfMany(lines: i32): i32 {
  let many: i32 = 1;
  while (<i64>many * <i64>many <= <i64>lines) many <<= 1;
  return many;
}

function judge(version: Version, to: i32, isOld: bool): void {
  const many = fewestOfMany(version.reach);
  for (let line = differing.head; line < to; line++) {
    const count = partners(word(version.numbers, line), isOld);
    store<u8>(KINDS + line, count === 0 ? ALONE : count < many ? ORDINARY : FREQUENT);
  }
}

function take(version: Version, to: i32, taken: usize, sequence: usize): i32 {
  let count: i32 = 0;
  for (let line = differing.head; line < to; line++) {
    const kind = load<u8>(KINDS + line);
    if (kind === ALONE || (kind === FREQUENT && isPassedOver(line, to))) continue;
    setWord(taken, count, line);
    setWord(sequence, count++, word(version.numbers, line));
  }
  return count;
}

function isPassedOver(line: i32, to: i32): bool {
  aloneSeen = 0;
  frequentSeen = 2; // itself, seen from either side
  if (!looksAlone(line, -1, max(line - SIGHT, differing.head) - 1)) return false;
  if (!looksAlone(line, 1, min(line + SIGHT, to - 1) + 1)) return false;
  return aloneSeen > CROWD * frequentSeen;
}

/** Counts up to the nearest ordinary line. False when no line without a partner comes before that. */
function looksAlone(line: i32, step: i32, end: i32): bool {
  const aloneBefore = aloneSeen;
  for (let seen = line + step; seen !== end; seen += step) {
    const kind = load<u8>(KINDS + seen);
    if (kind === ORDINARY) break;
    if (kind === ALONE) aloneSeen++;
    else frequentSeen++;
  }
  return aloneSeen > aloneBefore;
}
