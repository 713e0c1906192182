// A group of changed lines next to a line equal to its first or last can be shown in several places.
// This slides each group to the place git shows it: beside a change on the other side when there is one,
// else where the surrounding indentation makes the better cut, else as far down as it goes.
import { areSame } from './lines.ts';
import { isChanged, lineAt, lineLength, lineStart, Side, setChanged } from './side.ts';

const MAX_INDENT: i32 = 200;
const MAX_BLANK_LINES: i32 = 20;
const MAX_SLIDE: i32 = 100;

/** What makes a cut between two lines good (low) or bad (high); git's published defaults. */
const START_OF_FILE: i32 = 1;
const END_OF_FILE: i32 = 21;
const EACH_BLANK: i32 = -30;
const EACH_BLANK_AFTER: i32 = 6;
const INDENT: i32 = -4;
const INDENT_WITH_BLANK: i32 = 10;
const OUTDENT: i32 = 24;
const OUTDENT_WITH_BLANK: i32 = 17;
const DEDENT: i32 = 23;
const DEDENT_WITH_BLANK: i32 = 17;
const INDENT_WEIGHT: i32 = 60;
const BLANK: i32 = -1;

@unmanaged
class Group {
  start: i32;
  end: i32;
}

const GROUPS = memory.data(64);
const group = changetype<Group>(GROUPS);
const partner = changetype<Group>(GROUPS + 16);
let cutIndent: i32 = 0;
let cutPenalty: i32 = 0;

/** Moves to the next group, possibly empty: the unchanged line behind it separates it from the next. */
function next(side: Side, group: Group): bool {
  if (group.end === side.count) return false;
  group.start = group.end + 1;
  let end = group.start;
  while (isChanged(side, end)) end++;
  group.end = end;
  return true;
}

function previous(side: Side, group: Group): bool {
  if (group.start === 0) return false;
  group.end = group.start - 1;
  let start = group.end;
  while (isChanged(side, start - 1)) start--;
  group.start = start;
  return true;
}

function isSameLine(side: Side, a: i32, b: i32): bool {
  const length = lineLength(side, a);
  return lineLength(side, b) === length && areSame(lineAt(side, a), lineAt(side, b), length);
}

function slideDown(side: Side, group: Group): bool {
  if (group.end >= side.count || !isSameLine(side, group.start, group.end)) return false;
  setChanged(side, group.start++, 0);
  setChanged(side, group.end++, 1);
  while (isChanged(side, group.end)) group.end++;
  return true;
}

function slideUp(side: Side, group: Group): bool {
  if (group.start === 0 || !isSameLine(side, group.start - 1, group.end - 1)) return false;
  setChanged(side, --group.start, 1);
  setChanged(side, --group.end, 0);
  while (isChanged(side, group.start - 1)) group.start--;
  return true;
}

/** Slides the groups of `side`; `other` is walked in step to know where it has changes too. */
export function slideGroups(side: Side, other: Side, first: i32, lastChanged: i32): void {
  group.start = first;
  group.end = first;
  partner.start = first;
  partner.end = first;
  while (isChanged(side, group.end)) group.end++;
  while (isChanged(other, partner.end)) partner.end++;
  for (;;) {
    if (group.end > group.start) slideGroup(side, other);
    if (group.end > lastChanged || !next(side, group)) return;
    next(other, partner);
  }
}

function slideGroup(side: Side, other: Side): void {
  let size: i32;
  let earliestEnd: i32;
  let endBesideChange: i32;
  // Sliding can join neighbouring groups; then the larger group is slid again.
  do {
    size = group.end - group.start;
    endBesideChange = -1;
    while (slideUp(side, group)) previous(other, partner);
    earliestEnd = group.end;
    if (partner.end > partner.start) endBesideChange = group.end;
    while (slideDown(side, group)) {
      next(other, partner);
      if (partner.end > partner.start) endBesideChange = group.end;
    }
  } while (size !== group.end - group.start);

  if (group.end === earliestEnd) return;
  if (endBesideChange !== -1) {
    while (partner.end === partner.start) {
      if (!slideUp(side, group)) return;
      previous(other, partner);
    }
    return;
  }
  const best = bestEnd(side, earliestEnd);
  while (group.end > best) {
    if (!slideUp(side, group)) return;
    previous(other, partner);
  }
}

function bestEnd(side: Side, earliestEnd: i32): i32 {
  const size = group.end - group.start;
  let best: i32 = -1;
  let bestIndent: i32 = 0;
  let bestPenalty: i32 = 0;
  for (let end = max(max(earliestEnd, group.end - size - 1), group.end - MAX_SLIDE); end <= group.end; end++) {
    cutIndent = 0;
    cutPenalty = 0;
    addCut(side, end);
    addCut(side, end - size);
    const byIndent = i32(cutIndent > bestIndent) - i32(cutIndent < bestIndent);
    if (best === -1 || INDENT_WEIGHT * byIndent + (cutPenalty - bestPenalty) <= 0) {
      best = end;
      bestIndent = cutIndent;
      bestPenalty = cutPenalty;
    }
  }
  return best;
}

/** Columns of leading white space, a tab reaching to the next multiple of 8; BLANK for an empty line. */
function indentOf(side: Side, line: i32): i32 {
  const end = side.at + <usize>lineStart(side, line + 1);
  let columns: i32 = 0;
  for (let at = lineAt(side, line); at < end; at++) {
    const byte = load<u8>(at);
    if (byte === 32) columns++;
    else if (byte === 9) columns += 8 - (columns % 8);
    else if (byte !== 10 && byte !== 13 && byte !== 11 && byte !== 12) return columns;
    if (columns >= MAX_INDENT) return MAX_INDENT;
  }
  return BLANK;
}

/** Rates a cut right before `line`. */
function addCut(side: Side, line: i32): void {
  const isEnd = line >= side.count;
  const ownIndent = isEnd ? BLANK : indentOf(side, line);
  let blanksBefore: i32 = 0;
  let indentBefore = BLANK;
  for (let at = line - 1; at >= 0; at--) {
    indentBefore = indentOf(side, at);
    if (indentBefore !== BLANK) break;
    if (++blanksBefore === MAX_BLANK_LINES) {
      indentBefore = 0;
      break;
    }
  }
  let blanksBehind: i32 = 0;
  let indentBehind = BLANK;
  for (let at = line + 1; at < side.count; at++) {
    indentBehind = indentOf(side, at);
    if (indentBehind !== BLANK) break;
    if (++blanksBehind === MAX_BLANK_LINES) {
      indentBehind = 0;
      break;
    }
  }

  if (indentBefore === BLANK && blanksBefore === 0) cutPenalty += START_OF_FILE;
  if (isEnd) cutPenalty += END_OF_FILE;
  const blanksAfter = ownIndent === BLANK ? 1 + blanksBehind : 0;
  const blanks = blanksBefore + blanksAfter;
  cutPenalty += EACH_BLANK * blanks + EACH_BLANK_AFTER * blanksAfter;
  const indent = ownIndent === BLANK ? indentBehind : ownIndent;
  cutIndent += indent;
  if (indent === BLANK || indentBefore === BLANK || indent === indentBefore) return;
  const hasBlank = blanks !== 0;
  if (indent > indentBefore) cutPenalty += hasBlank ? INDENT_WITH_BLANK : INDENT;
  else if (indentBehind !== BLANK && indentBehind > indent) cutPenalty += hasBlank ? OUTDENT_WITH_BLANK : OUTDENT;
  else cutPenalty += hasBlank ? DEDENT_WITH_BLANK : DEDENT;
}
