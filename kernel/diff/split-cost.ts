// Which of its places suits a group of changed lines best, by the indentation and the blank lines around: splitting a
// file where the group begins and where it ends costs, and the cheapest place is taken. The costs are the least whole numbers
// that agree with what git was seen to choose (bench/truth/fit-sliders.ts); only how they compare with each other means
// something.
import { lineAt, lineLength, Version } from './version.ts';

/** Before the first line, and behind the last. */
const AT_BEGINNING: i32 = 1;
const AT_END: i32 = -3;
/** For each blank line next to the split, and once more for each behind it. */
const BLANK: i32 = -30;
const BLANK_BEHIND: i32 = 6;
/** The line behind is deeper than the one before; is shallower, but opens something deeper; is shallower. */
const DEEPER: i32 = -4;
const DEEPER_AFTER_BLANK: i32 = 10;
const OPENING: i32 = 24;
const OPENING_AFTER_BLANK: i32 = 17;
const SHALLOWER: i32 = 23;
const SHALLOWER_AFTER_BLANK: i32 = 17;
/** Of two places, the deeper one costs this more, however much deeper it is. */
const DEEPER_PLACE: i32 = 60;

/** Further up than so many lines from the lowest place nothing is looked at. */
const MOST_SHIFT: i32 = 100;
const MOST_BLANKS: i32 = 20;
const MOST_DEPTH: i32 = 200;
const TAB: i32 = 8;
const IS_BLANK: i32 = -1;

/** Of the place that is being looked at: the costs and depths of both its splits. */
let cost: i32 = 0;
let depth: i32 = 0;

/** How many lines above its lowest place a group stands best. */
export function bestShift(version: Version, from: i32, to: i32, range: i32): i32 {
  let shift = min(range, min(MOST_SHIFT, to - from + 1));
  let best = shift;
  let bestCost: i32 = 0;
  let bestDepth: i32 = 0;
  for (let isFirst = true; shift >= 0; shift--, isFirst = false) {
    cost = 0;
    depth = 0;
    addSplit(version, from - shift);
    addSplit(version, to - shift);
    if (!isFirst && cost - bestCost + DEEPER_PLACE * (i32(depth > bestDepth) - i32(depth < bestDepth)) > 0) continue;
    best = shift;
    bestCost = cost;
    bestDepth = depth;
  }
  return best;
}

/** Adds what it costs to split the file before a line. */
function addSplit(version: Version, line: i32): void {
  const end = version.reach;
  if (line === 0) cost += AT_BEGINNING;
  if (line === end) cost += AT_END;
  const blanksAbove = blankLines(version, line - 1, -1, MOST_BLANKS);
  const above = depthBehind(version, line - 1 - blanksAbove, blanksAbove === MOST_BLANKS);
  const blanksBehind = blankLines(version, line, 1, MOST_BLANKS + 1);
  const here = depthBehind(version, line + blanksBehind, blanksBehind > MOST_BLANKS);
  const blanks = blanksAbove + blanksBehind;
  cost += blanks * BLANK + blanksBehind * BLANK_BEHIND;
  depth += here;
  if (here === IS_BLANK || above === IS_BLANK) return;
  if (here > above) cost += blanks > 0 ? DEEPER_AFTER_BLANK : DEEPER;
  else if (here < above) {
    if (blanksBehind === 0 && opens(version, line, here)) cost += blanks > 0 ? OPENING_AFTER_BLANK : OPENING;
    else cost += blanks > 0 ? SHALLOWER_AFTER_BLANK : SHALLOWER;
  }
}

/** Whether the next line that is not blank is deeper. */
function opens(version: Version, line: i32, here: i32): bool {
  const blanks = blankLines(version, line + 1, 1, MOST_BLANKS);
  return depthBehind(version, line + 1 + blanks, blanks === MOST_BLANKS) > here;
}

/** How many lines in a row are blank, from this one on; counted up to a limit. */
function blankLines(version: Version, line: i32, step: i32, most: i32): i32 {
  let count: i32 = 0;
  for (let i = line; count < most && i >= 0 && i < version.reach; i += step, count++)
    if (lineDepth(version, i) !== IS_BLANK) break;
  return count;
}

/** The depth of the line behind blank ones; none at either end of the file. More blank ones are like a line at the margin. */
function depthBehind(version: Version, line: i32, areTooMany: bool): i32 {
  if (areTooMany) return 0;
  return line < 0 || line >= version.reach ? IS_BLANK : lineDepth(version, line);
}

/** Columns of white space before the text; IS_BLANK without text. */
function lineDepth(version: Version, line: i32): i32 {
  const at = lineAt(version, line);
  const end = at + <usize>lineLength(version, line);
  let columns: i32 = 0;
  for (let byte = at; byte < end; byte++) {
    const code = load<u8>(byte);
    if (code === 32) columns++;
    else if (code === 9) columns += TAB - (columns & (TAB - 1));
    else if (code !== 10 && code !== 13) return columns;
    if (columns >= MOST_DEPTH) return MOST_DEPTH;
  }
  return IS_BLANK;
}
