// Unpacking in the kernel against Node's zlib: what zlib packs, at every level and by every strategy, comes out
// unchanged; what was damaged on the way is noticed where zlib notices it, and nothing is written behind the room for it.
import { constants, deflateSync, inflateSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { Kernel } from '../../../src/engine/diff/kernel.ts';
import { createRandom } from '../../world/random-history.ts';

/** In the second one a damaged table was taken that zlib refuses. */
const SEEDS = [1, 371919241, Math.floor(Math.random() * 2 ** 31)];
const { Z_DEFAULT_STRATEGY, Z_FILTERED, Z_HUFFMAN_ONLY, Z_RLE, Z_FIXED } = constants;
const STRATEGIES = [Z_DEFAULT_STRATEGY, Z_FILTERED, Z_HUFFMAN_ONLY, Z_RLE, Z_FIXED];
/** What may be written behind the result. */
const SLACK_BYTES = 16;
const MARK = 0xa5;

const kernel = new Kernel(1 << 20);
/** The engine has whole objects made; unpacking by itself is of use here only. */
interface Unpacking {
  readonly PACKED: WebAssembly.Global;
  readonly UNPACKED: WebAssembly.Global;
  inflate(from: number, length: number, to: number, size: number): number;
}
const { PACKED, UNPACKED, inflate } = kernel.calls as unknown as Unpacking;
const packedAt: number = PACKED.value;
const unpackedAt: number = UNPACKED.value;

/** Null when the kernel says that it is no such thing. */
function unpack(packed: Uint8Array, size: number): Buffer | null {
  const { bytes } = kernel;
  bytes.fill(MARK, packedAt, packedAt + packed.length + 64);
  bytes.set(packed, packedAt);
  bytes.fill(MARK, unpackedAt - 64, unpackedAt + size + 2 * SLACK_BYTES + 64);
  const isDone = inflate(packedAt, packed.length, unpackedAt, size) === 1;
  // What lies before it is what was read, so only what lies behind can be looked at.
  const behind = bytes.subarray(unpackedAt + size + SLACK_BYTES, unpackedAt + size + 2 * SLACK_BYTES + 64);
  expect(behind.every((byte) => byte === MARK)).toBe(true);
  return isDone ? Buffer.from(bytes.subarray(unpackedAt, unpackedAt + size)) : null;
}

function unpackByZlib(packed: Uint8Array, size: number): Buffer | null {
  try {
    const unpacked = inflateSync(packed);
    return unpacked.length === size ? unpacked : null;
  } catch {
    return null;
  }
}

/** From noise to long runs, with matches near and far. */
function randomContent(random: (below: number) => number): Buffer {
  const parts: Buffer[] = [];
  let length = 0;
  const wanted = random(random(4) === 0 ? 200_000 : 3000);
  const letters = 1 + random(random(2) === 0 ? 256 : 12);
  while (length < wanted) {
    const size = 1 + random(random(10) === 0 ? 5000 : 40);
    const all = Buffer.concat(parts);
    const from = random(length + 1);
    const part =
      random(3) === 0
        ? Buffer.from(Array.from({ length: size }, () => random(letters)))
        : random(4) === 0
          ? Buffer.alloc(size, random(256))
          : all.subarray(from, from + size);
    parts.push(part);
    length += part.length;
    if (parts.length > 200) parts.splice(0, parts.length, Buffer.concat(parts));
  }
  return Buffer.concat(parts);
}

describe.each(SEEDS)('random contents %i', (seed) => {
  const random = createRandom(seed);
  const contents = Array.from({ length: 120 }, () => randomContent(random));

  test('come out as they went in', () => {
    for (const content of contents) {
      const level = random(10);
      const strategy = STRATEGIES[random(STRATEGIES.length)]!;
      const packed = deflateSync(content, { level, strategy, memLevel: 1 + random(9) });
      const unpacked = unpack(packed, content.length);
      expect(unpacked?.equals(content), `level ${level}, strategy ${strategy}, ${content.length} bytes`).toBe(true);
    }
  });

  test('that were damaged, cut off or are of another size are not taken', () => {
    for (const content of contents) {
      const packed = deflateSync(content, { level: 1 + random(9) });
      for (let times = 0; times < 5; times++) {
        const damaged = Buffer.from(packed);
        damaged[random(damaged.length)]! ^= 1 << random(8);
        // Not even zlib notices everything: its sum of all bytes is the same for some that changed places.
        expect(unpack(damaged, content.length)).toEqual(unpackByZlib(damaged, content.length));
      }
      expect(unpack(packed.subarray(0, random(packed.length)), content.length)).toBe(null);
      expect(unpack(packed, content.length + 1)).toBe(null);
      if (content.length > 0) expect(unpack(packed, content.length - 1)).toBe(null);
    }
  });
});
