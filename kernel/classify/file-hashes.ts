// The hashes of all lines of a file. Versions of one file mostly come one after the other: the last file stays at the end
// of the memory with its hashes, and lines in the bytes that both begin and end with are not hashed again.
//
//   kept file   [ head of equal lines ][ other lines        ][ tail of equal lines ]
//   given file  [ head of equal lines ][ these are hashed ][ tail of equal lines ]
import { commonPrefix, commonSuffix } from '../diff/lines.ts';
import { setWord } from '../words.ts';
import { GIVEN, layOutFile, reach } from './memory.ts';
import { hashLine } from './scan-line.ts';

const LINE_FEED: u8 = 10;

/** The file that was hashed last; no lines when there is none. */
let keptAt: usize = 0;
let keptBytes: i32 = 0;
let keptHashes: usize = 0;
let keptLines: i32 = 0;

/** The hashes of the file that was given last. */
export let fileHashes: usize = 0;

/** To be called before the memory is used for anything else. */
export function forgetFile(): void {
  keptLines = 0;
}

/** Hashes the lines of the file at GIVEN; answers how many there are. A last line needs no line feed. */
export function hashLinesOfFile(byteCount: i32): i32 {
  const end = GIVEN + <usize>byteCount;
  const count = countLines(GIVEN, end);
  fileHashes = layOutFile(byteCount, count);
  let from = GIVEN;
  let to = end;
  let headLines: i32 = 0;
  let tailLines: i32 = 0;
  // What is given, and its hashes, may have been written over the kept file.
  if (keptLines > 0 && keptAt >= fileHashes + ((<usize>count) << 2)) {
    const smaller = min(byteCount, keptBytes);
    const prefix = commonPrefix(GIVEN, keptAt, smaller);
    const suffix = min(commonSuffix(end, keptAt + <usize>keptBytes, smaller), smaller - prefix);
    from = lineBegin(GIVEN, GIVEN + <usize>prefix);
    to = behindFeed(end - <usize>suffix, end);
    headLines = countFeeds(GIVEN, from);
    tailLines = countLines(to, end);
    memory.copy(fileHashes, keptHashes, (<usize>headLines) << 2);
    const tail = (<usize>tailLines) << 2;
    memory.copy(fileHashes + ((<usize>count) << 2) - tail, keptHashes + ((<usize>keptLines) << 2) - tail, tail);
  }
  hashLines(from, to, headLines);
  keep(byteCount, count);
  return count;
}

/** Writes the hashes of the lines in a part of the file, from the line with this number on. */
function hashLines(from: usize, to: usize, first: i32): void {
  let line = first;
  let start = from;
  const feed = i8x16.splat(<i8>LINE_FEED);
  let at = from;
  for (; at + 16 <= to; at += 16) {
    let found = i8x16.bitmask(i8x16.eq(v128.load(at), feed));
    while (found !== 0) {
      const stop = at + <usize>ctz(found);
      setWord(fileHashes, line++, hashLine(start, stop));
      start = stop + 1;
      found &= found - 1;
    }
  }
  for (; at < to; at++) {
    if (load<u8>(at) !== LINE_FEED) continue;
    setWord(fileHashes, line++, hashLine(start, at));
    start = at + 1;
  }
  if (start < to) setWord(fileHashes, line, hashLine(start, to));
}

function keep(byteCount: i32, count: i32): void {
  const hashBytes = (<usize>count) << 2;
  const room = ((<usize>byteCount + 7) & ~7) + hashBytes;
  reach(fileHashes + hashBytes + room);
  keptHashes = ((<usize>memory.size()) << 16) - hashBytes;
  keptAt = ((<usize>memory.size()) << 16) - room;
  keptBytes = byteCount;
  keptLines = count;
  memory.copy(keptAt, GIVEN, <usize>byteCount);
  memory.copy(keptHashes, fileHashes, hashBytes);
}

function countFeeds(from: usize, to: usize): i32 {
  const feed = i8x16.splat(<i8>LINE_FEED);
  let count: i32 = 0;
  let at = from;
  for (; at + 16 <= to; at += 16) count += popcnt(i8x16.bitmask(i8x16.eq(v128.load(at), feed)));
  for (; at < to; at++) count += i32(load<u8>(at) === LINE_FEED);
  return count;
}

/** A last line needs no line feed. */
function countLines(from: usize, to: usize): i32 {
  return countFeeds(from, to) + i32(to > from && load<u8>(to - 1) !== LINE_FEED);
}

/** Where the line begins that goes on at `at`, or that begins there. */
function lineBegin(from: usize, at: usize): usize {
  while (at > from && load<u8>(at - 1) !== LINE_FEED) at--;
  return at;
}

/** Behind the first line feed from `at` on; `end` without one. */
function behindFeed(at: usize, end: usize): usize {
  while (at < end && load<u8>(at) !== LINE_FEED) at++;
  return min(end, at + 1);
}
