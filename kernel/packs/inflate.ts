// Unpacks what git has packed (zlib's format, RFC 1950 and 1951). Node's zlib does it as fast, but makes a stream
// object for each call, which costs as much again for the small pieces that most versions of files are stored as.
import {
  FIXED_DISTANCES,
  FIXED_LITERALS,
  INFLATE_COUNTS,
  INFLATE_DISTANCES,
  INFLATE_LENGTHS,
  INFLATE_LITERALS,
  INFLATE_SYMBOLS,
} from './memory.ts';

const LITERAL_BITS: i32 = 10;
const DISTANCE_BITS: i32 = 8;
/** The bits that all codes for lengths of codes fit into. */
const LENGTH_BITS: i32 = 7;
const FIXED_LITERAL_BITS: i32 = 9;
const FIXED_DISTANCE_BITS: i32 = 5;
const MOST_BITS: i32 = 15;
const LITERAL_CODES: i32 = 288;
const DISTANCE_CODES: i32 = 32;
/**
 * An entry of a table: in the low byte the length of the code, above it how many extra bits follow, in the upper half
 * the number that these are added to, or the byte that is meant. 0 when the code is longer than the table goes.
 */
const CODE_LENGTH: i32 = 31;
const IS_LITERAL: i32 = 1 << 31;
const IS_END: i32 = 1 << 30;
/** Of a symbol that nothing is encoded with. */
const IS_UNUSED: i32 = 1 << 29;
/** Where the counts and symbols of distances lie behind those of literals. */
const DISTANCE_COUNTS: usize = INFLATE_COUNTS + 64;
const DISTANCE_SYMBOLS: usize = INFLATE_SYMBOLS + 1024;
const ADLER_BASE: u32 = 65521;
/** As many bytes as can be summed before the sums have to be reduced. */
const ADLER_RUN: i32 = 5552;

// In which order the lengths of the codes' own code come, then base and extra bits of lengths and distances.
const ORDER = memory.data<u8>([16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]);
const LENGTH_BASE = memory.data<u16>([
  3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258,
]);
const LENGTH_EXTRA = memory.data<u8>([
  0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0,
]);
const DISTANCE_BASE = memory.data<u16>([
  1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049, 3073, 4097, 6145,
  8193, 12289, 16385, 24577,
]);
const DISTANCE_EXTRA = memory.data<u8>([
  0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13,
]);

/** By symbol: entries without the length of the code. */
const LITERAL_ENTRIES = memory.data(4 * 288);
const DISTANCE_ENTRIES = memory.data(4 * 32);
const LENGTH_ENTRIES = memory.data(4 * 19);

for (let symbol: i32 = 0; symbol < 256; symbol++) setEntry(LITERAL_ENTRIES, symbol, IS_LITERAL | (symbol << 16));
setEntry(LITERAL_ENTRIES, 256, IS_END);
for (let i: i32 = 0; i < 29; i++) setEntry(LITERAL_ENTRIES, 257 + i, withExtra(LENGTH_BASE, LENGTH_EXTRA, i));
setEntry(LITERAL_ENTRIES, 286, IS_END | IS_UNUSED);
setEntry(LITERAL_ENTRIES, 287, IS_END | IS_UNUSED);
for (let i: i32 = 0; i < 30; i++) setEntry(DISTANCE_ENTRIES, i, withExtra(DISTANCE_BASE, DISTANCE_EXTRA, i));
// A base has no bit as high as this.
setEntry(DISTANCE_ENTRIES, 30, 1 << 31);
setEntry(DISTANCE_ENTRIES, 31, 1 << 31);
for (let symbol: i32 = 0; symbol < 19; symbol++) setEntry(LENGTH_ENTRIES, symbol, symbol << 16);

function setEntry(table: usize, slot: i32, entry: i32): void {
  store<i32>(table + ((<usize>slot) << 2), entry);
}

function entryAt(table: usize, slot: i32): i32 {
  return load<i32>(table + ((<usize>slot) << 2));
}

function withExtra(bases: usize, extras: usize, i: i32): i32 {
  return ((<i32>load<u16>(bases + ((<usize>i) << 1))) << 16) | ((<i32>load<u8>(extras + i)) << 8);
}

let input: usize = 0;
let inputEnd: usize = 0;
let bits: u64 = 0;
let bitCount: i32 = 0;
let output: usize = 0;
let outputEnd: usize = 0;
let outputBegin: usize = 0;
let hasFixedCodes: bool = false;
/** The bits by which an entry is found, in the tables of the block: no more than its longest code has. */
let literalMask: i32 = 0;
let distanceMask: i32 = 0;

/** At least 56 bits at hand; behind the end of the input come whatever bytes lie there, which `hasOverrun` notices. */
function refill(): void {
  bits |= load<u64>(input) << (<u64>bitCount);
  input += <usize>((63 - bitCount) >> 3);
  bitCount |= 56;
}

function hasOverrun(): bool {
  return input - (<usize>bitCount >> 3) > inputEnd;
}

function take(count: i32): i32 {
  const value = <i32>(bits & (((<u64>1) << (<u64>count)) - 1));
  bits >>= <u64>count;
  bitCount -= count;
  return value;
}

/** Unpacks exactly `size` bytes, behind which fifteen more may be written to. False when that is not what is there. */
export function inflate(from: usize, length: i32, to: usize, size: i32): bool {
  if (length < 6) return false;
  const header = ((<u32>load<u8>(from)) << 8) | load<u8>(from + 1);
  if ((header & 0x0f00) !== 0x0800 || header % 31 !== 0 || (header & 0x20) !== 0) return false;
  input = from + 2;
  inputEnd = from + <usize>length;
  bits = 0;
  bitCount = 0;
  output = to;
  outputBegin = to;
  outputEnd = to + <usize>size;
  let isLast: bool;
  do {
    refill();
    isLast = take(1) !== 0;
    const type = take(2);
    if (type === 0) {
      if (!copyStored()) return false;
    } else if (type === 1) {
      buildFixedCodes();
      if (!decodeBlock(FIXED_LITERALS, FIXED_DISTANCES)) return false;
    } else if (type !== 2 || !readCodes() || !decodeBlock(INFLATE_LITERALS, INFLATE_DISTANCES)) return false;
    if (hasOverrun()) return false;
  } while (!isLast);
  if (output !== outputEnd) return false;
  const check = input - (<usize>bitCount >> 3);
  return check + 4 <= inputEnd && bswap(load<u32>(check)) === adler(to, size);
}

/** Sixteen bytes at a time: each adds to the low sum once, and to the high one as often as bytes are left with it. */
function adler(at: usize, length: i32): u32 {
  const firstWeights = i16x8(16, 15, 14, 13, 12, 11, 10, 9);
  const lastWeights = i16x8(8, 7, 6, 5, 4, 3, 2, 1);
  let low: u32 = 1;
  let high: u32 = 0;
  const end = at + <usize>length;
  while (at < end) {
    const runEnd = min(end, at + <usize>ADLER_RUN);
    const sixteens = (runEnd - at) >> 4;
    let sums = i32x4.splat(0);
    let sumsBefore = i32x4.splat(0);
    let weighted = i32x4.splat(0);
    high += low * <u32>(sixteens << 4);
    for (let left = sixteens; left > 0; left--, at += 16) {
      const bytes = v128.load(at);
      const first = i16x8.extend_low_i8x16_u(bytes);
      const last = i16x8.extend_high_i8x16_u(bytes);
      sumsBefore = i32x4.add(sumsBefore, sums);
      sums = i32x4.add(sums, i32x4.extadd_pairwise_i16x8_u(i16x8.add(first, last)));
      weighted = i32x4.add(weighted, i32x4.dot_i16x8_s(first, firstWeights));
      weighted = i32x4.add(weighted, i32x4.dot_i16x8_s(last, lastWeights));
    }
    low += sumOf(sums);
    high += sumOf(weighted) + (sumOf(sumsBefore) << 4);
    for (; at < runEnd; at++) {
      low += load<u8>(at);
      high += low;
    }
    low %= ADLER_BASE;
    high %= ADLER_BASE;
  }
  return (high << 16) | low;
}

function sumOf(four: v128): u32 {
  return (
    i32x4.extract_lane(four, 0) +
    i32x4.extract_lane(four, 1) +
    i32x4.extract_lane(four, 2) +
    i32x4.extract_lane(four, 3)
  );
}

function copyStored(): bool {
  take(bitCount & 7);
  const at = input - (<usize>bitCount >> 3);
  const length = <usize>load<u16>(at);
  if (at + 4 + length > inputEnd || output + length > outputEnd) return false;
  if (length !== <usize>(load<u16>(at + 2) ^ 0xffff)) return false;
  memory.copy(output, at + 4, length);
  output += length;
  input = at + 4 + length;
  bits = 0;
  bitCount = 0;
  return true;
}

/** Most deltas are so small that they come with these. All codes are short: nothing but the tables is needed. */
function buildFixedCodes(): void {
  literalMask = (1 << FIXED_LITERAL_BITS) - 1;
  distanceMask = (1 << FIXED_DISTANCE_BITS) - 1;
  if (hasFixedCodes) return;
  memory.fill(INFLATE_LENGTHS, 8, 144);
  memory.fill(INFLATE_LENGTHS + 144, 9, 112);
  memory.fill(INFLATE_LENGTHS + 256, 7, 24);
  memory.fill(INFLATE_LENGTHS + 280, 8, 8);
  buildLiterals(INFLATE_LENGTHS, LITERAL_CODES, FIXED_LITERALS);
  memory.fill(INFLATE_LENGTHS, 5, <usize>DISTANCE_CODES);
  buildDistances(INFLATE_LENGTHS, DISTANCE_CODES, FIXED_DISTANCES);
  hasFixedCodes = true;
}

function readCodes(): bool {
  refill();
  const literals = take(5) + 257;
  const distances = take(5) + 1;
  const lengths = take(4) + 4;
  if (literals > 286 || distances > 30) return false;
  memory.fill(INFLATE_LENGTHS, 0, 32);
  for (let i: i32 = 0; i < lengths; i++) {
    if (bitCount < 3) refill();
    store<u8>(INFLATE_LENGTHS + <usize>load<u8>(ORDER + i), <u8>take(3));
  }
  const lengthBits = buildCode(
    INFLATE_LENGTHS,
    19,
    LENGTH_ENTRIES,
    INFLATE_LITERALS,
    LENGTH_BITS,
    INFLATE_COUNTS,
    INFLATE_SYMBOLS,
  );
  if (lengthBits < 0) return false;
  const lengthMask = (1 << lengthBits) - 1;
  const total = literals + distances;
  for (let i: i32 = 0; i < total; ) {
    refill();
    const entry = entryAt(INFLATE_LITERALS, <i32>bits & lengthMask);
    if (entry === 0) return false;
    take(entry & CODE_LENGTH);
    const symbol = entry >> 16;
    if (symbol < 16) {
      store<u8>(INFLATE_LENGTHS + i++, <u8>symbol);
      continue;
    }
    let repeated: u8 = 0;
    let times: i32;
    if (symbol === 16) {
      if (i === 0) return false;
      repeated = load<u8>(INFLATE_LENGTHS + i - 1);
      times = 3 + take(2);
    } else if (symbol === 17) times = 3 + take(3);
    else times = 11 + take(7);
    if (i + times > total) return false;
    memory.fill(INFLATE_LENGTHS + i, repeated, <usize>times);
    i += times;
  }
  if (hasOverrun() || load<u8>(INFLATE_LENGTHS + 256) === 0) return false;
  const distanceLengths = INFLATE_LENGTHS + <usize>literals;
  return (
    buildLiterals(INFLATE_LENGTHS, literals, INFLATE_LITERALS) &&
    buildDistances(distanceLengths, distances, INFLATE_DISTANCES)
  );
}

function buildLiterals(lengths: usize, codes: i32, table: usize): bool {
  const bits = buildCode(lengths, codes, LITERAL_ENTRIES, table, LITERAL_BITS, INFLATE_COUNTS, INFLATE_SYMBOLS);
  literalMask = (1 << bits) - 1;
  return bits >= 0;
}

function buildDistances(lengths: usize, codes: i32, table: usize): bool {
  const bits = buildCode(lengths, codes, DISTANCE_ENTRIES, table, DISTANCE_BITS, DISTANCE_COUNTS, DISTANCE_SYMBOLS);
  distanceMask = (1 << bits) - 1;
  return bits >= 0;
}

/**
 * A table by the next bits for codes that are short enough. The longer ones are found by counts and symbols in the
 * order of their codes. Answers by how many bits the table goes, at most `mostBits`; -1 for what is no code.
 */
function buildCode(
  lengths: usize,
  codes: i32,
  entries: usize,
  table: usize,
  mostBits: i32,
  counts: usize,
  symbols: usize,
): i32 {
  memory.fill(counts, 0, 64);
  for (let i = nextUsed(lengths, 0, codes); i < codes; i = nextUsed(lengths, i + 1, codes)) {
    const slot = counts + ((<usize>load<u8>(lengths + i)) << 1);
    store<u16>(slot, load<u16>(slot) + 1);
  }
  let left: i32 = 1;
  let longest: i32 = 0;
  for (let length: i32 = 1; length <= MOST_BITS; length++) {
    const count = <i32>load<u16>(counts + ((<usize>length) << 1));
    left = (left << 1) - count;
    if (left < 0) return -1;
    if (count > 0) longest = length;
  }
  // As zlib has it, a code that leaves some bits without a meaning is none, unless it has a single symbol of one bit.
  if (left > 0 && (longest > 1 || (longest === 1 && entries === LENGTH_ENTRIES))) return -1;
  const tableBits = min(longest, mostBits);
  // A code without gaps fills the whole table, unless some of it is longer.
  if (left > 0 || longest > tableBits) memory.fill(table, 0, (<usize>4) << (<usize>tableBits));
  // Offsets of each length's symbols, and its next code, in the room behind the counts.
  let offset: u16 = 0;
  let code: u16 = 0;
  for (let length: i32 = 1; length <= MOST_BITS; length++) {
    const count = load<u16>(counts + ((<usize>length) << 1));
    store<u16>(OFFSETS + ((<usize>length) << 1), offset);
    store<u16>(CODES + ((<usize>length) << 1), code);
    offset += count;
    code = (code + count) << 1;
  }
  for (let symbol = nextUsed(lengths, 0, codes); symbol < codes; symbol = nextUsed(lengths, symbol + 1, codes)) {
    const length = <i32>load<u8>(lengths + symbol);
    const at = (<usize>length) << 1;
    const place = load<u16>(OFFSETS + at);
    store<u16>(OFFSETS + at, place + 1);
    store<u16>(symbols + ((<usize>place) << 1), <u16>symbol);
    const own = <u32>load<u16>(CODES + at);
    store<u16>(CODES + at, <u16>(own + 1));
    if (length > tableBits) continue;
    const entry = entryAt(entries, symbol) | length;
    const step: u32 = 1 << length;
    for (let slot = reversed(own, length); slot < (<u32>1) << tableBits; slot += step) setEntry(table, slot, entry);
  }
  return tableBits;
}

/** The next symbol that has a code. Most have none, many in a row. */
function nextUsed(lengths: usize, symbol: i32, codes: i32): i32 {
  for (; symbol + 8 <= codes; symbol += 8) {
    const eight = load<u64>(lengths + <usize>symbol);
    if (eight !== 0) return symbol + <i32>(ctz(eight) >> 3);
  }
  while (symbol < codes && load<u8>(lengths + <usize>symbol) === 0) symbol++;
  return symbol;
}

const OFFSETS = memory.data(64);
const CODES = memory.data(64);

function reversed(code: u32, length: i32): u32 {
  code = ((code & 0x5555) << 1) | ((code >> 1) & 0x5555);
  code = ((code & 0x3333) << 2) | ((code >> 2) & 0x3333);
  code = ((code & 0x0f0f) << 4) | ((code >> 4) & 0x0f0f);
  code = ((code & 0x00ff) << 8) | ((code >> 8) & 0x00ff);
  return code >> (16 - length);
}

/** The entry of a symbol whose code is longer than the table goes; 0 for none. */
function decodeLong(ahead: u64, entries: usize, counts: usize, symbols: usize): i32 {
  let code: i32 = 0;
  let first: i32 = 0;
  let index: i32 = 0;
  for (let length: i32 = 1; length <= MOST_BITS; length++) {
    code |= <i32>(ahead & 1);
    ahead >>= 1;
    const count = <i32>load<u16>(counts + ((<usize>length) << 1));
    if (code - count < first)
      return entryAt(entries, <i32>load<u16>(symbols + ((<usize>(index + (code - first))) << 1))) | length;
    index += count;
    first = (first + count) << 1;
    code <<= 1;
  }
  return 0;
}

/** The state is in variables of its own here, which machine code keeps in registers. */
function decodeBlock(literals: usize, distances: usize): bool {
  let next = input;
  let at = output;
  let ahead = bits;
  let count = bitCount;
  const literalBits = literalMask;
  const distanceBits = distanceMask;
  const end = outputEnd;
  const last = inputEnd + 8;
  // What is read past the end shows in the end; nothing is gained by going on for long.
  while (next <= last) {
    ahead |= load<u64>(next) << (<u64>count);
    next += <usize>((63 - count) >> 3);
    count |= 56;
    let entry = entryAt(literals, <i32>ahead & literalBits);
    // Three bytes for one refill, of at most ten bits each.
    if (entry < 0 && at + 3 <= end) {
      ahead >>= <u64>(entry & CODE_LENGTH);
      count -= entry & CODE_LENGTH;
      store<u8>(at++, <u8>(entry >> 16));
      entry = entryAt(literals, <i32>ahead & literalBits);
      if (entry < 0) {
        ahead >>= <u64>(entry & CODE_LENGTH);
        count -= entry & CODE_LENGTH;
        store<u8>(at++, <u8>(entry >> 16));
        entry = entryAt(literals, <i32>ahead & literalBits);
        if (entry < 0) {
          ahead >>= <u64>(entry & CODE_LENGTH);
          count -= entry & CODE_LENGTH;
          store<u8>(at++, <u8>(entry >> 16));
          continue;
        }
      }
    }
    if (entry === 0) {
      entry = decodeLong(ahead, LITERAL_ENTRIES, INFLATE_COUNTS, INFLATE_SYMBOLS);
      if (entry === 0) return false;
    }
    let used = entry & CODE_LENGTH;
    if (entry < 0) {
      if (at >= end) return false;
      ahead >>= <u64>used;
      count -= used;
      store<u8>(at++, <u8>(entry >> 16));
      continue;
    }
    if (entry & IS_END) {
      input = next;
      output = at;
      bits = ahead >> <u64>used;
      bitCount = count - used;
      return (entry & IS_UNUSED) === 0;
    }
    // Of 56 bits at most twenty are gone: a length and its extra bits take another twenty at most.
    const length = <usize>(entry >> 16) + extraBits(ahead, entry);
    used += (entry >> 8) & CODE_LENGTH;
    ahead >>= <u64>used;
    count -= used;
    ahead |= load<u64>(next) << (<u64>count);
    next += <usize>((63 - count) >> 3);
    count |= 56;
    entry = entryAt(distances, <i32>ahead & distanceBits);
    if (entry === 0) entry = decodeLong(ahead, DISTANCE_ENTRIES, DISTANCE_COUNTS, DISTANCE_SYMBOLS);
    if (entry <= 0) return false;
    const distance = <usize>(entry >> 16) + extraBits(ahead, entry);
    used = (entry & CODE_LENGTH) + ((entry >> 8) & CODE_LENGTH);
    ahead >>= <u64>used;
    count -= used;
    if (distance > at - outputBegin || at + length > end) return false;
    copyMatch(at, distance, length);
    at += length;
  }
  return false;
}

/** What stands behind the code. */
function extraBits(ahead: u64, entry: i32): usize {
  return <usize>(ahead >> <u64>(entry & CODE_LENGTH)) & ((1 << ((entry >> 8) & CODE_LENGTH)) - 1);
}

/** May write up to fifteen bytes behind the match. */
function copyMatch(to: usize, distance: usize, length: usize): void {
  let from = to - distance;
  const end = to + length;
  if (distance >= 16) {
    do {
      v128.store(to, v128.load(from));
      to += 16;
      from += 16;
    } while (to < end);
  } else if (distance >= 8) {
    do {
      store<u64>(to, load<u64>(from));
      to += 8;
      from += 8;
    } while (to < end);
  } else for (; to < end; to++) store<u8>(to, load<u8>(from++));
}
