// Back through the history of a file that stays as it is: from a commit that has it to the one that made it, of which no
// parent has the same content under the same path. Of several parents the first that has it is followed. The way ends as
// well where something is not plainly in the packs: then git has to be asked.
import { Held } from '../held-objects.ts';
import { locate } from '../locate.ts';
import { COMMIT_KIND, makeObject, TREE_KIND } from '../make-object.ts';
import { Cursor, FOLDER, ID_BYTES, isSameId, nextEntry, openTree } from './tree-entries.ts';

/** What the caller gives: the commit, which is where the way has led to in the end, the file's content, and its path. */
export const FOLLOWED = memory.data(4136);
const CONTENT: usize = FOLLOWED + ID_BYTES;
const PATH: usize = CONTENT + ID_BYTES;
export const MOST_FOLLOWED_BYTES: i32 = 4096;
const SLASH: u8 = 47;

const MOST_PARENTS: i32 = 64;
/** Of the commit that the way has led to, and of the one that is looked at. */
const PARENTS = memory.data(1280);
const NEXT_PARENTS = memory.data(1280);
let parents: i32 = 0;
let nextParents: i32 = 0;
const ROOT = memory.data(20);

/** What was last found at one depth of the path: most commits leave most folders as they are. */
@unmanaged
class Found {
  /** 0 before anything was looked for. */
  answer: i32;
  /** Where the ids of the folder and of the entry lie. */
  folder: usize;
  entry: usize;
}

const MOST_DEPTH: i32 = 32;
const FOUND = memory.data(384);
const FOUND_IDS = memory.data(1280);
const cursor = changetype<Cursor>(memory.data(32));

const UNKNOWN: i32 = 1;
const ABSENT: i32 = 2;
const IS_FOLDER: i32 = 3;
const IS_OTHER: i32 = 4;

/** Answers how many commits were passed, at most so many. */
export function followFile(pathLength: i32, most: i32): i32 {
  for (let depth: i32 = 0; depth < MOST_DEPTH; depth++) foundAt(depth).answer = 0;
  if (pathLength > MOST_FOLLOWED_BYTES || !openCommit(FOLLOWED)) return 0;
  for (let passed: i32 = 0; passed < most; passed++) {
    memory.copy(PARENTS, NEXT_PARENTS, <usize>nextParents * ID_BYTES);
    parents = nextParents;
    const next = parentWithContent(pathLength);
    if (next === 0) return passed;
    memory.copy(FOLLOWED, next, ID_BYTES);
  }
  return most;
}

/** Where its id lies; 0 when there is none, or when that cannot be told. Its own parents are the next ones then. */
function parentWithContent(pathLength: i32): usize {
  for (let i: i32 = 0; i < parents; i++) {
    const parent = PARENTS + <usize>i * ID_BYTES;
    if (!openCommit(parent)) return 0;
    const id = contentAt(pathLength);
    if (id === UNKNOWN) return 0;
    if (id !== ABSENT && isSameId(id, CONTENT)) return parent;
  }
  return 0;
}

/** Reads a commit's tree and parents. */
function openCommit(id: usize): bool {
  const commit = makeNamed(id, COMMIT_KIND);
  if (commit === null) return false;
  let at = commit.at;
  const end = at + <usize>commit.length;
  if (at + 46 > end || load<u32>(at) !== 0x65657274 /* tree */ || !readId(at + 5, ROOT)) return false;
  nextParents = 0;
  for (at += 46; at + 48 <= end && isParentLine(at); at += 48) {
    if (nextParents === MOST_PARENTS || !readId(at + 7, NEXT_PARENTS + <usize>nextParents * ID_BYTES)) return false;
    nextParents++;
  }
  return true;
}

function isParentLine(at: usize): bool {
  return load<u32>(at) === 0x65726170 /* pare */ && load<u32>(at + 3) === 0x20746e65 /* ent and a blank */;
}

/** From digits. */
function readId(at: usize, to: usize): bool {
  for (let i: usize = 0; i < ID_BYTES; i++) {
    const high = digitAt(at + 2 * i);
    const low = digitAt(at + 2 * i + 1);
    if (high > 15 || low > 15) return false;
    store<u8>(to + i, <u8>((high << 4) | low));
  }
  return true;
}

function digitAt(at: usize): u32 {
  const code = <u32>load<u8>(at);
  return code <= 57 ? code - 48 : code - 87;
}

function makeNamed(id: usize, kind: i32): Held | null {
  const location = locate(id);
  return location < 0 ? null : makeObject(location, kind);
}

function foundAt(depth: i32): Found {
  const found = changetype<Found>(FOUND + <usize>depth * offsetof<Found>());
  found.folder = FOUND_IDS + <usize>depth * 2 * ID_BYTES;
  found.entry = found.folder + ID_BYTES;
  return found;
}

/** Where the id of what stands at the path lies, below ROOT; UNKNOWN or ABSENT, which are no addresses. */
function contentAt(pathLength: i32): usize {
  let folder: usize = ROOT;
  let name: usize = PATH;
  const end = PATH + <usize>pathLength;
  for (let depth: i32 = 0; depth < MOST_DEPTH; depth++) {
    let nameEnd = name;
    while (nameEnd < end && load<u8>(nameEnd) !== SLASH) nameEnd++;
    const found = lookUp(depth, folder, name, <i32>(nameEnd - name));
    if (found.answer === UNKNOWN || found.answer === ABSENT) return <usize>found.answer;
    if (nameEnd === end) return found.entry;
    if (found.answer !== IS_FOLDER) return <usize>ABSENT;
    folder = found.entry;
    name = nameEnd + 1;
  }
  return <usize>UNKNOWN;
}

function lookUp(depth: i32, folder: usize, name: usize, nameLength: i32): Found {
  const found = foundAt(depth);
  if (found.answer !== 0 && isSameId(found.folder, folder)) return found;
  memory.copy(found.folder, folder, ID_BYTES);
  found.answer = search(folder, name, nameLength);
  if (found.answer === IS_FOLDER || found.answer === IS_OTHER) memory.copy(found.entry, cursor.id, ID_BYTES);
  return found;
}

/** Leaves the cursor at the entry. */
function search(folder: usize, name: usize, nameLength: i32): i32 {
  const tree = makeNamed(folder, TREE_KIND);
  if (tree === null || !openTree(cursor, tree.at, tree.at + <usize>tree.length)) return UNKNOWN;
  while (cursor.at < cursor.end) {
    if (cursor.nameLength === nameLength && memory.compare(cursor.name, name, <usize>nameLength) === 0)
      return cursor.mode === FOLDER ? IS_FOLDER : IS_OTHER;
    if (!nextEntry(cursor)) return UNKNOWN;
  }
  return ABSENT;
}
