import { describe, expect, it } from 'vitest';
import { findTreeEntry } from '../../../src/engine/objects/tree-object.ts';
import { createRandom } from '../../world/random-history.ts';

interface Entry {
  readonly mode: string;
  readonly name: string;
  readonly sha: Buffer;
}

const treeOf = (entries: readonly Entry[]): Buffer =>
  Buffer.concat(entries.map(({ mode, name, sha }) => Buffer.concat([Buffer.from(`${mode} ${name}\0`, 'latin1'), sha])));

const SHA = Buffer.from('0123456789abcdef0123456789abcdef01234567', 'hex');

describe('an entry of a tree', () => {
  it('is found by its name, with its mode', () => {
    const tree = treeOf([
      { mode: '100644', name: 'a', sha: SHA },
      { mode: '40000', name: 'b', sha: SHA },
    ]);
    expect(findTreeEntry(tree, 'a')).toEqual({ mode: 0o100644, sha: SHA.toString('hex') });
    expect(findTreeEntry(tree, 'b')).toEqual({ mode: 0o40000, sha: SHA.toString('hex') });
    expect(findTreeEntry(tree, 'c')).toBeNull();
  });

  it('is not found at the end of another name, whatever that looks like', () => {
    const zeros = Buffer.alloc(20);
    for (const name of ['x b', '100644 b', 'x 100644 b', '0123456789 100644 b', 'a 40000 b']) {
      const before = { mode: '100644', name: 'a', sha: zeros };
      expect(findTreeEntry(treeOf([before, { mode: '100755', name, sha: SHA }]), 'b'), name).toBeNull();
      const real = { mode: '120000', name: 'b', sha: zeros };
      const found = findTreeEntry(treeOf([before, { mode: '100755', name, sha: SHA }, real]), 'b');
      expect(found, name).toEqual({ mode: 0o120000, sha: zeros.toString('hex') });
    }
  });

  it('is not found within a sha', () => {
    const sha = Buffer.alloc(20, '100644 b\0');
    const tree = treeOf([
      { mode: '100644', name: 'a', sha },
      { mode: '100644', name: 'c', sha },
    ]);
    expect(findTreeEntry(tree, 'b')).toBeNull();
    expect(findTreeEntry(tree, 'c')).toEqual({ mode: 0o100644, sha: sha.toString('hex') });
  });

  it('may have a mode as other tools wrote it', () => {
    const tree = treeOf([
      { mode: '100664', name: 'a', sha: SHA },
      { mode: '040000', name: 'b', sha: SHA },
    ]);
    expect(findTreeEntry(tree, 'a')?.mode).toBe(0o100664);
    expect(findTreeEntry(tree, 'b')?.mode).toBe(0o40000);
  });

  it('is none where the tree is cut off', () => {
    const tree = treeOf([{ mode: '100644', name: 'a', sha: SHA }]);
    for (let length = 0; length < tree.length; length++)
      expect(findTreeEntry(tree.subarray(0, length), 'a')).toBeNull();
  });
});

const SEEDS = [1, Math.floor(Math.random() * 2 ** 31)];

describe.each(SEEDS)('random trees %i', (seed) => {
  it.each([20, 32])('with shas of %i bytes give each entry, and none that they have not', (shaBytes) => {
    const random = createRandom(seed);
    const parts = ['a', 'b', ' ', '100644', '40000', ' 100644 b', ' 40000 a', 'é'];
    const pick = <T>(list: readonly T[]): T => list[random(list.length)]!;
    const randomName = (): string => {
      const name = Array.from({ length: 1 + random(4) }, () => pick(parts)).join('');
      return Buffer.from(name).toString('latin1');
    };
    /** Few different bytes, so that they often look like the rest of an entry. */
    const randomSha = (): Buffer => Buffer.from(Array.from({ length: shaBytes }, () => pick([0, 32, 48, 49, 97, 200])));
    for (let round = 0; round < 500; round++) {
      const entries = new Map<string, Entry>();
      for (let left = random(8); left > 0; left--) {
        const name = randomName();
        entries.set(name, { name, mode: pick(['100644', '100755', '120000', '160000', '40000']), sha: randomSha() });
      }
      const tree = treeOf([...entries.values()]);
      for (const name of [...entries.keys(), randomName(), 'a', 'b']) {
        const entry = entries.get(name);
        const expected = entry && { mode: Number.parseInt(entry.mode, 8), sha: entry.sha.toString('hex') };
        expect(findTreeEntry(tree, name, shaBytes), JSON.stringify(name)).toEqual(expected ?? null);
      }
    }
  });
});
