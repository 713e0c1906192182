// Groups of changed lines, each version's in a list of its own. Where a group stands is told by its cut: how many
// common lines come before it. A removed and an added group with the same cut make one hunk, and moving a group of
// one version leaves the cuts of the other version's as they are.
import { setWord, word } from '../words.ts';
import { after, before, Version } from './version.ts';

const GROUP_WORDS: i32 = 3;

/** How far both versions have been told of, in lines and in common lines. */
@unmanaged
class Told {
  oldLine: i32;
  newLine: i32;
  common: i32;
}

const told = changetype<Told>(memory.data(16));

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
  told.oldLine = commonLines;
  told.newLine = commonLines;
  told.common = commonLines;
}

/** The next lines that are common: what lies between them and the ones before is changed. */
export function tellCommon(oldLine: i32, newLine: i32, count: i32): void {
  closeGroups(oldLine, newLine);
  told.oldLine = oldLine + count;
  told.newLine = newLine + count;
  told.common += count;
}

/** All lines up to these are changed. */
export function closeGroups(oldLine: i32, newLine: i32): void {
  if (oldLine > told.oldLine) setGroup(before, before.groupCount++, told.oldLine, oldLine, told.common);
  if (newLine > told.newLine) setGroup(after, after.groupCount++, told.newLine, newLine, told.common);
}
