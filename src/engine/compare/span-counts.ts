// Git's measure of likeness, by which it tells a rename: a file is cut into spans, lines of at most 64 bytes,
// and two files are as alike as the bytes in spans of equal hash are many. The hash and the rounding are git's,
// so that the same files pass for renamed.
import { isBinary } from './line-table.ts';

export interface SpanCounts {
  readonly size: number;
  /** Ascending. */
  readonly hashes: Uint32Array;
  /** Bytes in spans of each hash. */
  readonly bytes: Uint32Array;
}

/** The likeness of equal files. */
export const EQUAL_SCORE = 60_000;

const HASH_BASE = 107_927;
const SPAN_BYTES = 64;
const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;

/** By hash; all zero between calls. */
const scratch = new Uint32Array(HASH_BASE);

/** `withLastSpan`: whether bytes behind the last line feed count, as they do from git 2.44 on. */
export function countSpans(content: Uint8Array, withLastSpan: boolean): SpanCounts {
  const isText = !isBinary(content);
  const met: number[] = [];
  let first = 0;
  let second = 0;
  let length = 0;
  const count = () => {
    const hash = ((first + Math.imul(second, 0x61)) >>> 0) % HASH_BASE;
    if (scratch[hash] === 0) met.push(hash);
    scratch[hash]! += length;
    first = 0;
    second = 0;
    length = 0;
  };
  for (let at = 0; at < content.length; at++) {
    const byte = content[at]!;
    if (byte === CARRIAGE_RETURN && isText && content[at + 1] === LINE_FEED) continue;
    const before = first;
    first = (((first << 7) ^ (second >>> 25)) + byte) >>> 0;
    second = ((second << 7) ^ (before >>> 25)) >>> 0;
    if (++length === SPAN_BYTES || byte === LINE_FEED) count();
  }
  if (withLastSpan && length > 0) count();
  const hashes = Uint32Array.from(met).sort();
  const bytes = hashes.map((hash) => scratch[hash]!);
  for (const hash of hashes) scratch[hash] = 0;
  return { size: content.length, hashes, bytes };
}

/** From 0 to EQUAL_SCORE; 0 as well when the sizes alone tell that `least` cannot be reached. */
export function rateLikeness(source: SpanCounts, target: SpanCounts, least: number): number {
  const larger = Math.max(source.size, target.size);
  const difference = larger - Math.min(source.size, target.size);
  if (target.size === 0 || larger * (EQUAL_SCORE - least) < difference * EQUAL_SCORE) return 0;
  let shared = 0;
  let at = 0;
  for (let i = 0; i < source.hashes.length; i++) {
    const hash = source.hashes[i]!;
    while (at < target.hashes.length && target.hashes[at]! < hash) at++;
    if (at < target.hashes.length && target.hashes[at] === hash)
      shared += Math.min(source.bytes[i]!, target.bytes[at]!);
  }
  return Math.floor((shared * EQUAL_SCORE) / larger);
}
