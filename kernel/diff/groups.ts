// Groups of changed lines, each version's in a list of its own. The place of a group is its cut: how many
// common lines come before it. A removed and an added group with the same cut make one hunk, and moving a group of
// one version leaves the cuts of the other version's as they are.
import { setWord, word } from '../words.ts';
import { after, before, Version } from './version.ts';

const GROUP_WORDS: i32 = 3;

/** How far both versions have been covered, in lines and in common lines. */
@unmanaged
class Reached {
  oldLine: i32;
  newLine: i32;
  common: i32;
}

const reached = changetype<Reached>(memory.data(16));

export function groupFrom(version: Version, group: i32): i32 {
  return word(version.groups, group * GROUP_WORDS);
}
export function groupTo(version: Version, group: i32): i32 {
  return word(version.groups, group * GROUP_WORDS + 1);
}
export function groupCut(version: Version, group: i32): i32 {
  return word(version.groups, group * GROUP_WORDS + 2);
}

export function setGroup(version: Version, group: i32, from: i32, to: i32, cut: i32): void {
  setWord(version.groups, group * GROUP_WORDS, from);
  setWord(version.groups, group * GROUP_WORDS + 1, to);
  setWord(version.groups, group * GROUP_WORDS + 2, cut);
}

/** So many lines at the beginning are common. */
export function beginGroups(commonLines: i32): void {
  before.groupCount = 0;
  after.groupCount = 0;
  reached.oldLine = commonLines;
  reached.newLine = commonLines;
  reached.common = commonLines;
}

/** The next lines that are common: what lies between them and the ones before is changed. */
export function emitCommon(oldLine: i32, newLine: i32, count: i32): void {
  closeGroups(oldLine, newLine);
  reached.oldLine = oldLine + count;
  reached.newLine = newLine + count;
  reached.common += count;
}

/** All lines up to these are changed. */
export function closeGroups(oldLine: i32, newLine: i32): void {
  if (oldLine > reached.oldLine) setGroup(before, before.groupCount++, reached.oldLine, oldLine, reached.common);
  if (newLine > reached.newLine) setGroup(after, after.groupCount++, reached.newLine, newLine, reached.common);
}
