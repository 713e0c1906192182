// One of the two versions of a file that are compared: its bytes, its lines, its changed lines.
import { setWord, word } from '../words.ts';
import { copyShifted, findStarts } from './lines.ts';
import { MOST_LINES, NEW_GROUPS, NEW_NUMBERS, NEW_STARTS, OLD_GROUPS, OLD_NUMBERS, OLD_STARTS } from './memory.ts';

@unmanaged
export class Version {
  at: usize;
  length: i32;
  /** Where each line begins, and the length behind the last. */
  starts: usize;
  lines: i32;
  /** Lines behind these are equal in both versions and never touched. */
  reach: i32;
  /** The number of each line's content, where lines have been numbered. */
  numbers: usize;
  /** Groups of changed lines (groups.ts). */
  groups: usize;
  groupCount: i32;
}

const VERSIONS = memory.data(128);
export const before = changetype<Version>(VERSIONS);
export const after = changetype<Version>(VERSIONS + 64);
before.starts = OLD_STARTS;
before.numbers = OLD_NUMBERS;
before.groups = OLD_GROUPS;
after.starts = NEW_STARTS;
after.numbers = NEW_NUMBERS;
after.groups = NEW_GROUPS;

export function lineStart(version: Version, line: i32): i32 {
  return word(version.starts, line);
}

export function lineAt(version: Version, line: i32): usize {
  return version.at + <usize>word(version.starts, line);
}

/** With its line feed. */
export function lineLength(version: Version, line: i32): i32 {
  return word(version.starts, line + 1) - word(version.starts, line);
}

/** How many of the offsets in `starts`, the one behind the last line included, are at or before `offset`. */
export function startsUpTo(version: Version, offset: i32): i32 {
  let low: i32 = 0;
  let high = version.lines + 1;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (word(version.starts, middle) <= offset) low = middle + 1;
    else high = middle;
  }
  return low;
}

export function open(version: Version, at: usize, length: i32): void {
  version.at = at;
  version.length = length;
}

/** Finds the lines. False when there are too many. */
export function splitLines(version: Version): bool {
  setWord(version.starts, 0, 0);
  return endLines(version, findStarts(version.at, 0, version.length, version.starts, 1));
}

/** The same, for a version that shares its first and last bytes with one whose lines are known. */
export function splitLinesLike(version: Version, known: Version, prefixBytes: i32, suffixBytes: i32): bool {
  const length = version.length;
  const starts = version.starts;
  const first = max(1, startsUpTo(known, prefixBytes) - i32(prefixBytes === known.length && !endsWithLineFeed(known)));
  memory.copy(starts, known.starts, (<usize>first) << 2);
  const lastFrom = length - min(suffixBytes, min(length, known.length) - prefixBytes);
  const count = findStarts(version.at, prefixBytes, lastFrom, starts, first);
  if (count < 0 || lastFrom === length) return endLines(version, count);
  const shift = length - known.length;
  // Of the known ones, those that begin within what is shared, the end included.
  const from = startsUpTo(known, lastFrom - shift);
  const rest = known.lines + 1 - from;
  if (count + rest >= MOST_LINES) return false;
  copyShifted(known.starts + ((<usize>from) << 2), starts + ((<usize>count) << 2), rest, shift);
  version.lines = count + rest - 1;
  return true;
}

function endsWithLineFeed(version: Version): bool {
  return version.length > 0 && load<u8>(version.at + <usize>version.length - 1) === 10;
}

/** Behind the last line's offset comes the length. */
function endLines(version: Version, count: i32): bool {
  if (count < 0) return false;
  if (word(version.starts, count - 1) !== version.length) setWord(version.starts, count++, version.length);
  version.lines = count - 1;
  return true;
}

/** What was the older version is the newer one now: its lines are known. */
export function takeOver(): void {
  const starts = after.starts;
  after.starts = before.starts;
  after.lines = before.lines;
  before.starts = starts;
}
