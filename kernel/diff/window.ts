// What is left to compare once equal lines at both ends of two versions are set aside.
import { after, before, startsUpTo, Version } from './version.ts';

/** Equal bytes at the end are shut off in blocks of this size: no group of changed lines moves into them. */
const SHUT_BLOCK_BYTES: i32 = 1024;

/** Lines before `head` are equal, and so are those at and behind `oldTo` and `newTo`. */
@unmanaged
export class Window {
  head: i32;
  oldTo: i32;
  newTo: i32;
}

const WINDOW = memory.data(16);
export const differing = changetype<Window>(WINDOW);

/** False when nothing differs. */
export function narrow(prefixBytes: i32, suffixBytes: i32): bool {
  const shut = shutLines(suffixBytes);
  before.reach = before.lines - shut;
  after.reach = after.lines - shut;
  const shorter = min(before.reach, after.reach);
  const head = min(shorter, min(linesWithin(before, prefixBytes), linesWithin(after, prefixBytes)));
  const tail = min(linesFrom(before, suffixBytes), linesFrom(after, suffixBytes)) - shut;
  const last = max(0, min(tail, shorter - head));
  differing.head = head;
  differing.oldTo = before.reach - last;
  differing.newTo = after.reach - last;
  return differing.oldTo > head || differing.newTo > head;
}

/** How many lines end within the first bytes. */
function linesWithin(version: Version, bytes: i32): i32 {
  return startsUpTo(version, bytes) - 1;
}

/** How many lines begin within the last bytes. */
function linesFrom(version: Version, bytes: i32): i32 {
  return version.lines - startsUpTo(version, version.length - bytes - 1);
}

/**
 * How many lines lie wholly in the equal blocks at the end. The first line that begins there is one of them only if
 * the byte before it, a line feed, is in the blocks too; what is before that line feed stays open.
 */
function shutLines(suffixBytes: i32): i32 {
  const blocks = suffixBytes / SHUT_BLOCK_BYTES;
  // Lines that begin behind the first byte of the blocks have their leading line feed inside.
  return blocks > 0 ? linesFrom(before, blocks * SHUT_BLOCK_BYTES - 1) : 0;
}
