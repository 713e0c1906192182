// A group of changed lines next to a line equal to its first or last can be shown in several places.
// This slides each group to the place git shows it: beside a change on the other side when there is one,
// else where the surrounding indentation makes the better cut, else as far down as it goes.
import { isSameLine, type LineTable } from './line-table.ts';

export interface Side {
  readonly table: LineTable;
  /** Lines looked at; a common tail may have been left out. */
  readonly count: number;
  /** 1 for a changed line; longer than `count`, with zeros behind the end. */
  readonly changed: Uint8Array;
}

interface Group {
  start: number;
  end: number;
}

const MAX_INDENT = 200;
const MAX_BLANK_LINES = 20;
const MAX_SLIDE = 100;

/** What makes a cut between two lines good (low) or bad (high); git's published defaults. */
const PENALTY = {
  startOfFile: 1,
  endOfFile: 21,
  eachBlank: -30,
  eachBlankAfter: 6,
  indent: -4,
  indentWithBlank: 10,
  outdent: 24,
  outdentWithBlank: 17,
  dedent: 23,
  dedentWithBlank: 17,
};
const INDENT_WEIGHT = 60;
const BLANK = -1;

/** Moves to the next group, possibly empty: the unchanged line behind it separates it from the next. */
function next(side: Side, group: Group): boolean {
  if (group.end === side.count) return false;
  group.start = group.end + 1;
  for (group.end = group.start; side.changed[group.end]; group.end++);
  return true;
}

function previous(side: Side, group: Group): boolean {
  if (group.start === 0) return false;
  group.end = group.start - 1;
  for (group.start = group.end; side.changed[group.start - 1]; group.start--);
  return true;
}

function slideDown(side: Side, group: Group): boolean {
  if (group.end >= side.count || !isSameLine(side.table, group.start, side.table, group.end)) return false;
  side.changed[group.start++] = 0;
  side.changed[group.end++] = 1;
  while (side.changed[group.end]) group.end++;
  return true;
}

function slideUp(side: Side, group: Group): boolean {
  if (group.start === 0 || !isSameLine(side.table, group.start - 1, side.table, group.end - 1)) return false;
  side.changed[--group.start] = 1;
  side.changed[--group.end] = 0;
  while (side.changed[group.start - 1]) group.start--;
  return true;
}

/** Slides the groups of `side`; `other` is walked in step to know where it has changes too. */
export function slideGroups(side: Side, other: Side, useIndent: boolean): void {
  const last = side.changed.lastIndexOf(1);
  if (last === -1) return;
  // Before the first change of either side, lines go in pairs.
  const own = side.changed.indexOf(1);
  const others = other.changed.indexOf(1);
  const first = others === -1 ? own : Math.min(own, others);
  const group: Group = { start: first, end: first };
  const partner: Group = { start: first, end: first };
  while (side.changed[group.end]) group.end++;
  while (other.changed[partner.end]) partner.end++;
  for (;;) {
    if (group.end > group.start) slideGroup(side, group, other, partner, useIndent);
    if (group.end > last || !next(side, group)) return;
    next(other, partner);
  }
}

function slideGroup(side: Side, group: Group, other: Side, partner: Group, useIndent: boolean): void {
  let size: number;
  let earliestEnd: number;
  let endBesideChange: number;
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
  if (!useIndent) return;
  const best = bestEnd(side, group, earliestEnd);
  while (group.end > best) {
    if (!slideUp(side, group)) return;
    previous(other, partner);
  }
}

interface Score {
  indent: number;
  penalty: number;
}

function bestEnd(side: Side, group: Group, earliestEnd: number): number {
  const size = group.end - group.start;
  let from = Math.max(earliestEnd, group.end - size - 1, group.end - MAX_SLIDE);
  let best = -1;
  let bestScore: Score = { indent: 0, penalty: 0 };
  for (; from <= group.end; from++) {
    const score: Score = { indent: 0, penalty: 0 };
    addCut(side, from, score);
    addCut(side, from - size, score);
    if (best === -1 || compareScores(score, bestScore) <= 0) {
      best = from;
      bestScore = score;
    }
  }
  return best;
}

const compareScores = (a: Score, b: Score): number =>
  INDENT_WEIGHT * Math.sign(a.indent - b.indent) + (a.penalty - b.penalty);

/** Columns of leading white space, a tab reaching to the next multiple of 8; BLANK for an empty line. */
function indentOf(side: Side, line: number): number {
  const { bytes, starts } = side.table;
  const end = starts[line + 1]!;
  let columns = 0;
  for (let at = starts[line]!; at < end; at++) {
    const byte = bytes[at]!;
    if (byte === 32) columns++;
    else if (byte === 9) columns += 8 - (columns % 8);
    else if (byte !== 10 && byte !== 13 && byte !== 11 && byte !== 12) return columns;
    if (columns >= MAX_INDENT) return MAX_INDENT;
  }
  return BLANK;
}

/** Rates a cut right before `line`. */
function addCut(side: Side, line: number, score: Score): void {
  const isEnd = line >= side.count;
  const ownIndent = isEnd ? BLANK : indentOf(side, line);

  let blanksBefore = 0;
  let indentBefore = BLANK;
  for (let at = line - 1; at >= 0; at--) {
    indentBefore = indentOf(side, at);
    if (indentBefore !== BLANK) break;
    if (++blanksBefore === MAX_BLANK_LINES) {
      indentBefore = 0;
      break;
    }
  }
  let blanksBehind = 0;
  let indentBehind = BLANK;
  for (let at = line + 1; at < side.count; at++) {
    indentBehind = indentOf(side, at);
    if (indentBehind !== BLANK) break;
    if (++blanksBehind === MAX_BLANK_LINES) {
      indentBehind = 0;
      break;
    }
  }

  if (indentBefore === BLANK && blanksBefore === 0) score.penalty += PENALTY.startOfFile;
  if (isEnd) score.penalty += PENALTY.endOfFile;
  const blanksAfter = ownIndent === BLANK ? 1 + blanksBehind : 0;
  const blanks = blanksBefore + blanksAfter;
  score.penalty += PENALTY.eachBlank * blanks + PENALTY.eachBlankAfter * blanksAfter;
  const indent = ownIndent === BLANK ? indentBehind : ownIndent;
  score.indent += indent;
  if (indent === BLANK || indentBefore === BLANK || indent === indentBefore) return;
  const hasBlank = blanks !== 0;
  if (indent > indentBefore) score.penalty += hasBlank ? PENALTY.indentWithBlank : PENALTY.indent;
  else if (indentBehind !== BLANK && indentBehind > indent) {
    score.penalty += hasBlank ? PENALTY.outdentWithBlank : PENALTY.outdent;
  } else score.penalty += hasBlank ? PENALTY.dedentWithBlank : PENALTY.dedent;
}
