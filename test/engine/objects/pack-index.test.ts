// Objects are found by name however the names of a pack are spread, and those that it lacks are not.
import { expect, test } from 'vitest';
import { findBegins, ObjectLocator } from '../../../src/engine/objects/pack-index.ts';
import { createRandom } from '../../world/random-history.ts';

const HEADER_BYTES = 8 + 256 * 4;
const NAME_BYTES = 20;

/** An index of version 2 with these names, in order; the offset of each is its place times ten. */
function indexOf(names: readonly string[]): SharedArrayBuffer {
  const shared = new SharedArrayBuffer(HEADER_BYTES + names.length * (NAME_BYTES + 4 + 4) + 2 * NAME_BYTES);
  const view = new DataView(shared);
  view.setUint32(0, 0xff744f63);
  view.setUint32(4, 2);
  for (let first = 0; first < 256; first++) {
    const upTo = names.filter((name) => Number.parseInt(name.slice(0, 2), 16) <= first).length;
    view.setUint32(8 + first * 4, upTo);
  }
  for (const [i, name] of names.entries()) {
    new Uint8Array(shared).set(Buffer.from(name, 'hex'), HEADER_BYTES + i * NAME_BYTES);
    view.setUint32(HEADER_BYTES + names.length * (NAME_BYTES + 4) + i * 4, i * 10);
  }
  return shared;
}

/** Random names behind a beginning that all share. */
function namesBehind(beginning: string, count: number): string[] {
  const random = createRandom(beginning.length + count);
  const name = () => Array.from({ length: 40 }, () => random(16).toString(16)).join('');
  return [...new Set(Array.from({ length: count }, () => (beginning + name()).slice(0, 40)))].sort();
}

test.each([
  ['one', namesBehind('', 1)],
  ['names that are spread evenly', namesBehind('', 3000)],
  ['names of a large pack', namesBehind('', 20_000)],
  ['names with one beginning', namesBehind('7f00', 3000)],
  ['names that differ only behind the fifth byte', namesBehind('0102030405', 500)],
  ['two clusters far apart', [...namesBehind('5500000001', 700), ...namesBehind('55fffffff0', 700)]],
  ['the ends of the range', ['0'.repeat(40), `00${'0'.repeat(37)}1`, `ff${'f'.repeat(37)}e`, 'f'.repeat(40)]],
])('%s', (_, names) => {
  const index = indexOf(names);
  const locator = new ObjectLocator([{ packFile: 'none', bytes: index, begins: findBegins(index)!, partialOf: null }]);
  const known = new Set(names);
  const bytes = Buffer.alloc(NAME_BYTES + 3);
  const locate = (name: string): number => {
    bytes.write(name, 3, 'hex');
    return locator.locateAt(new DataView(bytes.buffer, bytes.byteOffset), 3);
  };
  for (const [i, name] of names.entries()) {
    expect(locate(name)).toBe(i * 10);
    const other = name.slice(0, 39) + (name.endsWith('7') ? '8' : '7');
    if (!known.has(other)) expect(locate(other)).toBe(-1);
  }
  for (const name of namesBehind('', 300)) if (!known.has(name)) expect(locate(name)).toBe(-1);
});

test.each([300, 20_000])('of %i names that do not ascend nothing is believed', (count) => {
  const names = namesBehind('', count);
  expect(findBegins(indexOf(names))).not.toBeNull();
  const index = indexOf(names);
  // One bit of a name in the middle, as a disk may turn it.
  new Uint8Array(index)[HEADER_BYTES + Math.floor(names.length / 2) * NAME_BYTES]! ^= 0x40;
  expect(findBegins(index)).toBeNull();
});
