// Git's measure of likeness, by which it tells a rename: a file is cut into spans, lines of at most 64 bytes, and two
// files are as alike as the bytes in spans of equal hash are many. The hash is git's. (The same in JavaScript, for
// files that git hands out: src/engine/compare/span-counts.ts.)
import { isBinary } from './lines.ts';
import { MOST_SPANS, SPAN_HASHES, SPANS, SPREAD } from './memory.ts';

const SPAN_BYTES: i32 = 64;
const LINE_FEED: u32 = 10;
const CARRIAGE_RETURN: u32 = 13;
const NO_ROOM: i32 = -1;

/** A hash and the bytes in spans that have it. */
@unmanaged
class Span {
  hash: u32;
  bytes: i32;
}

/** How many are kept, and which of them are spread out by hash. */
let kept: i32 = 0;
let spreadFrom: i32 = 0;
let spreadTo: i32 = 0;

function spanAt(index: i32): Span {
  return changetype<Span>(SPANS + ((<usize>index) << 3));
}

function slot(hash: u32): usize {
  return SPREAD + ((<usize>hash) << 2);
}

export function forgetSpans(): void {
  spread(0, 0);
  kept = 0;
}

/**
 * Keeps the spans of a file behind those of other files; answers how many there are then, -1 when there is no room.
 * `withLastSpan`: whether bytes behind the last line feed count.
 */
export function countSpans(at: usize, length: i32, withLastSpan: bool): i32 {
  spread(0, 0);
  const isText = !isBinary(at, length);
  const from = kept;
  const end = at + <usize>length;
  let first: u32 = 0;
  let second: u32 = 0;
  let bytes: i32 = 0;
  for (; at < end; at++) {
    const byte = <u32>load<u8>(at);
    if (byte === CARRIAGE_RETURN && isText && at + 1 < end && load<u8>(at, 1) === LINE_FEED) continue;
    const before = first;
    first = ((first << 7) ^ (second >> 25)) + byte;
    second = (second << 7) ^ (before >> 25);
    if (++bytes < SPAN_BYTES && byte !== LINE_FEED) continue;
    if (!countSpan(first + second * 0x61, bytes)) return giveUp(from);
    first = 0;
    second = 0;
    bytes = 0;
  }
  if (withLastSpan && bytes > 0 && !countSpan(first + second * 0x61, bytes)) return giveUp(from);
  for (let i = from; i < kept; i++) {
    const span = spanAt(i);
    span.bytes = load<i32>(slot(span.hash));
    store<i32>(slot(span.hash), 0);
  }
  return kept;
}

/** False when there is no room for another hash. */
function countSpan(mixed: u32, bytes: i32): bool {
  const hash = mixed % SPAN_HASHES;
  const counted = load<i32>(slot(hash));
  store<i32>(slot(hash), counted + bytes);
  if (counted > 0) return true;
  if (kept === MOST_SPANS) {
    store<i32>(slot(hash), 0);
    return false;
  }
  spanAt(kept++).hash = hash;
  return true;
}

function giveUp(from: i32): i32 {
  for (let i = from; i < kept; i++) store<i32>(slot(spanAt(i).hash), 0);
  kept = from;
  return NO_ROOM;
}

/** The bytes that two files share; each is named by where its spans are. Fast while the target stays the same. */
export function sharedBytes(sourceFrom: i32, sourceTo: i32, targetFrom: i32, targetTo: i32): i32 {
  if (spreadFrom !== targetFrom || spreadTo !== targetTo) spread(targetFrom, targetTo);
  let shared: i32 = 0;
  for (let i = sourceFrom; i < sourceTo; i++) {
    const span = spanAt(i);
    shared += min(span.bytes, load<i32>(slot(span.hash)));
  }
  return shared;
}

/** Takes away what is spread out, and spreads these spans. */
function spread(from: i32, to: i32): void {
  for (let i = spreadFrom; i < spreadTo; i++) store<i32>(slot(spanAt(i).hash), 0);
  for (let i = from; i < to; i++) store<i32>(slot(spanAt(i).hash), spanAt(i).bytes);
  spreadFrom = from;
  spreadTo = to;
}
