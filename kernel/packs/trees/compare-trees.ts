// In which entries two trees differ. A tree is a row of entries in the order of their names,
// where a folder counts as if its name ended with a slash: both rows are walked side by side.
import {
  TREE_END,
  TREE_NAME,
  TREE_NAME_LENGTH,
  TREE_NEW_ID,
  TREE_NEW_MODE,
  TREE_OLD_ID,
  TREE_OLD_MODE,
} from '../../contract.ts';
import { commonPrefix, commonSuffix } from '../../diff/lines.ts';
import { setWord } from '../../words.ts';
import { TREE_ROWS, TREE_ROWS_BYTES } from '../memory.ts';
import { Cursor, FOLDER, findNul, ID_BYTES, isSameId, nextEntry, openTree } from './tree-entries.ts';

/** The trees are odd, or differ in more entries than there is room for. */
const UNKNOWN: i32 = -1;

const SLASH: u8 = 47;

const CURSORS = memory.data(64);
const before = changetype<Cursor>(CURSORS);
const after = changetype<Cursor>(CURSORS + 32);

/**
 * Writes a row for each entry that differs, as the contract has them, `from` bytes behind the beginning of the room for
 * them. Answers where the rows end, counted in the same way.
 */
export function compareTrees(oldAt: usize, oldLength: i32, newAt: usize, newLength: i32, from: i32): i32 {
  const shorter = min(oldLength, newLength);
  const same = commonPrefix(oldAt, newAt, shorter);
  const first = passEqual(newAt, newAt + <usize>same);
  const sameLast = <usize>commonSuffix(oldAt + <usize>oldLength, newAt + <usize>newLength, shorter);
  if (!openTree(before, oldAt + <usize>first, oldAt + <usize>oldLength)) return UNKNOWN;
  if (!openTree(after, newAt + <usize>first, newAt + <usize>newLength)) return UNKNOWN;
  let end = from;
  while (before.at < before.end || after.at < after.end) {
    const left = before.end - before.at;
    // What is left may be equal from here to the end.
    if (left <= sameLast && left === after.end - after.at) return end;
    const order = before.at === before.end ? 1 : after.at === after.end ? -1 : compareNames();
    if (order !== 0 || before.mode !== after.mode || !isSameId(before.id, after.id)) {
      end = writeRow(end, order <= 0, order >= 0);
      if (end < 0) return UNKNOWN;
    }
    if (order <= 0 && !advance(before)) return UNKNOWN;
    if (order >= 0 && !advance(after)) return UNKNOWN;
  }
  return end;
}

/** How many bytes the entries take that end before `to`. */
function passEqual(at: usize, to: usize): i32 {
  let passed = at;
  for (let nul = findNul(at, to); nul !== 0 && nul + 1 + ID_BYTES <= to; nul = findNul(passed, to))
    passed = nul + 1 + ID_BYTES;
  return <i32>(passed - at);
}

/** To the next entry. False when it does not come behind the one before it, or is odd. */
function advance(cursor: Cursor): bool {
  const mode = cursor.mode;
  const name = cursor.name;
  const nameLength = cursor.nameLength;
  if (!nextEntry(cursor)) return false;
  return cursor.at === cursor.end || orderOf(name, nameLength, mode, cursor.name, cursor.nameLength, cursor.mode) < 0;
}

function compareNames(): i32 {
  return orderOf(before.name, before.nameLength, before.mode, after.name, after.nameLength, after.mode);
}

/** Below 0 when the first comes first, 0 for the same name of the same sort. */
function orderOf(one: usize, oneLength: i32, oneMode: i32, other: usize, otherLength: i32, otherMode: i32): i32 {
  const shorter = min(oneLength, otherLength);
  const same = commonPrefix(one, other, shorter);
  return byteAt(one, oneLength, oneMode, same) - byteAt(other, otherLength, otherMode, same);
}

function byteAt(name: usize, length: i32, mode: i32, offset: i32): i32 {
  if (offset < length) return <i32>load<u8>(name + <usize>offset);
  return offset === length && mode === FOLDER ? <i32>SLASH : 0;
}

/** Of an entry that one of the trees lacks, mode and id are 0 there. Answers where the row ends. */
function writeRow(from: i32, isOld: bool, isNew: bool): i32 {
  const cursor = isNew ? after : before;
  const end = from + ((TREE_NAME * 4 + cursor.nameLength + 3) & ~3);
  if (<usize>end > TREE_ROWS_BYTES) return UNKNOWN;
  const row = TREE_ROWS + <usize>from;
  memory.fill(row, 0, <usize>TREE_NAME * 4);
  setWord(row, TREE_END, end);
  setWord(row, TREE_NAME_LENGTH, cursor.nameLength);
  if (isOld) {
    setWord(row, TREE_OLD_MODE, before.mode);
    memory.copy(row + <usize>TREE_OLD_ID * 4, before.id, ID_BYTES);
  }
  if (isNew) {
    setWord(row, TREE_NEW_MODE, after.mode);
    memory.copy(row + <usize>TREE_NEW_ID * 4, after.id, ID_BYTES);
  }
  memory.copy(row + <usize>TREE_NAME * 4, cursor.name, <usize>cursor.nameLength);
  return end;
}
