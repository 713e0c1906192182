// Hunks whose two sides say the same: but for whitespace and line breaks, which makes all of their lines no-ops; or but
// for the marks that formatters put in, swap and take away, which is noted of the hunk.
import { NOOP } from '../contract.ts';
import { setWord, word } from '../words.ts';
import { endOf, firstOf, isUndecided, setOp } from './commit-lines.ts';
import { added, hunkCount, Lines, reformatted, removed, sources } from './memory.ts';

const NOTHING_LEFT: i32 = -1;

/** A place in the text of one side of a hunk, whitespace left out. */
@unmanaged
class Cursor {
  line: i32;
  to: i32;
  at: usize;
  end: usize;
}
const one = changetype<Cursor>(memory.data(16));
const other = changetype<Cursor>(memory.data(16));

function begin(cursor: Cursor, lines: Lines, hunk: i32): void {
  cursor.line = word(lines.from, hunk) - 1;
  cursor.to = word(lines.to, hunk);
  cursor.at = 0;
  cursor.end = 0;
}

function next(cursor: Cursor, lines: Lines, skipsMarks: bool): i32 {
  while (cursor.at < cursor.end || cursor.line + 1 < cursor.to) {
    if (cursor.at >= cursor.end) {
      cursor.line++;
      cursor.at = firstOf(lines, cursor.line);
      cursor.end = endOf(lines, cursor.line);
      continue;
    }
    const byte = load<u8>(cursor.at++);
    if (byte > 32 && !(skipsMarks && isFormatMark(byte))) return byte;
  }
  return NOTHING_LEFT;
}

/** Quotes, comma, semicolon, parentheses, backslash. */
function isFormatMark(byte: u8): bool {
  switch (byte) {
    case 34:
    case 39:
    case 40:
    case 41:
    case 44:
    case 59:
    case 92:
    case 96:
      return true;
    default:
      return false;
  }
}

function hasUndecided(lines: Lines, hunk: i32): bool {
  const to = word(lines.to, hunk);
  for (let line = word(lines.from, hunk); line < to; line++) if (isUndecided(lines, line)) return true;
  return false;
}

function inkOf(lines: Lines, hunk: i32): i32 {
  let ink: i32 = 0;
  const to = word(lines.to, hunk);
  for (let line = word(lines.from, hunk); line < to; line++) ink += word(lines.weights, line);
  return ink;
}

/** Whether both sides have the same text, read through; each added line then comes from where its first byte stands. */
function isSameText(hunk: i32, skipsMarks: bool): bool {
  begin(one, removed, hunk);
  begin(other, added, hunk);
  let byte: i32 = 0;
  while (byte !== NOTHING_LEFT) {
    byte = next(one, removed, skipsMarks);
    if (byte !== next(other, added, skipsMarks)) return false;
  }
  return true;
}

/** After the lines that are equal one by one have been taken. */
export function markReformatted(): void {
  memory.fill(reformatted, 0, <usize>hunkCount);
  for (let hunk: i32 = 0; hunk < hunkCount; hunk++) {
    // Lines whose bytes were dropped are decided already: there is nothing to read on that side.
    if (!hasUndecided(removed, hunk) || !hasUndecided(added, hunk)) continue;
    if (inkOf(removed, hunk) === inkOf(added, hunk) && isSameText(hunk, false)) takeNoops(hunk);
    else if (isSameText(hunk, true)) store<u8>(reformatted + <usize>hunk, 1);
  }
}

function takeNoops(hunk: i32): void {
  begin(one, removed, hunk);
  begin(other, added, hunk);
  let line: i32 = -1;
  while (next(other, added, false) !== NOTHING_LEFT) {
    next(one, removed, false);
    if (other.line === line) continue;
    line = other.line;
    if (isUndecided(added, line)) setWord(sources, line, one.line);
  }
  takeSide(removed, hunk);
  takeSide(added, hunk);
}

function takeSide(lines: Lines, hunk: i32): void {
  const to = word(lines.to, hunk);
  for (let at = word(lines.from, hunk); at < to; at++) if (isUndecided(lines, at)) setOp(lines, at, NOOP);
}
