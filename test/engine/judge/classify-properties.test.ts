// What must hold for any commit: each line has exactly one operation, the sums are git's, and no bytes,
// however odd, stop the classifier.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { hashText, mixHash } from '../../../src/engine/copies/min-hash.ts';
import { createClassifier } from '../../../src/engine/judge/classify-commit.ts';
import {
  FILE_COLUMN_COUNT,
  type FileColumn,
  fileColumn,
  LINE_OP,
  LINE_OP_MASK,
  UNSCORED_BIT,
} from '../../../src/engine/model/classified.ts';
import type { CommitDiff } from '../../../src/engine/model/diff.ts';
import { minHashOf } from '../copies/min-hash-of.ts';
import { patchIdentity } from '../copies/patch-identity.ts';
import { commitDiff, fileDiff, lineBlock } from './marked-diff.ts';

const classifier = createClassifier();

/** Few different lines, so that moves, copies and replacements happen often. */
const line = fc.oneof(
  fc.constantFrom('', '  ', '}', 'else', 'return a;', '    return a;', '# note', '"""', '/*', '*/', ' * x', '//'),
  fc.constantFrom('const value = compute(first, second);', 'const value = compute(first, third);', 'foo(bar, baz, 12)'),
  fc
    .tuple(fc.constantFrom('alpha', 'beta', 'gamma'), fc.constantFrom('one', 'two', 'three'))
    .map(([a, b]) => `call_${a}(with, ${b}, ${a})`),
  fc.string({ maxLength: 30 }).map((text) => text.replace(/\n/g, ' ')),
);
const hunk = fc.record({
  removed: fc.array(line, { maxLength: 12 }),
  added: fc.array(line, { maxLength: 12 }),
});
const paths = ['a.py', 'b.js', 'c.md', 'd.json', 'e', 'f.html', 'g.sql', 'h.lua', 'vendor/i.js', 'tests/j.py', 'k.vue'];
const commits: fc.Arbitrary<CommitDiff> = fc
  .array(fc.tuple(fc.constantFrom(...paths), fc.array(hunk, { maxLength: 4 }), fc.constantFrom('m', 'a', 'd')), {
    maxLength: 5,
  })
  .map((files) =>
    commitDiff(
      files.map(([path, hunks, status]) => {
        let oldIndex = 0;
        let newIndex = 0;
        const placed = hunks.map(({ removed, added }) => {
          const place = {
            oldIndex,
            newIndex,
            removed: status === 'a' ? [] : removed,
            added: status === 'd' ? [] : added,
          };
          oldIndex += place.removed.length + 3;
          newIndex += place.added.length + 3;
          return place;
        });
        return fileDiff(status === 'a' ? null : path, status === 'd' ? null : path, placed);
      }),
    ),
  );

/** More lines than a min-hash holds, and than are sorted one by one. */
const commitOfManyLines: fc.Arbitrary<CommitDiff> = fc
  .tuple(fc.integer({ min: 40, max: 3000 }), fc.integer())
  .map(([count, seed]) => {
    const added = Array.from(
      { length: count },
      (_, i) => `const value_${(seed + i * 7919) % 2000} = read(${i % 900});`,
    );
    return commitDiff([fileDiff('a.js', 'a.js', [{ oldIndex: 9, newIndex: 9, removed: added.slice(0, 30), added }])]);
  });

describe('any commit', () => {
  test('each line has one operation, of its side, and the columns count them', () => {
    fc.assert(
      fc.property(commits, (commit) => {
        const classified = classifier.classify(commit, { attributes: null });
        const total = (column: FileColumn) =>
          commit.files.reduce((sum, _, index) => sum + fileColumn(classified, index, column), 0);
        const countOf = (ops: Uint8Array, op: number) => ops.filter((bits) => (bits & LINE_OP_MASK) === op).length;
        commit.files.forEach((file, index) => {
          const column = (name: FileColumn) => fileColumn(classified, index, name);
          expect(column('added')).toBe(file.added.count);
          expect(column('removed')).toBe(file.removed.count);
          expect(
            column('lines_added') +
              column('lines_moved') +
              column('lines_updated') +
              column('lines_find_replaced') +
              column('lines_copy_pasted') +
              column('noop_added'),
          ).toBe(file.added.count);
          // Updates and replacements stay within their file; a moved line may have left another one.
          const start = column('removedStart');
          const removed = classified.removedOps.subarray(start, start + file.removed.count);
          expect(countOf(removed, LINE_OP.updated)).toBe(column('lines_updated'));
          expect(countOf(removed, LINE_OP.find_replaced)).toBe(column('lines_find_replaced'));
          expect(countOf(removed, LINE_OP.deleted)).toBe(column('lines_deleted'));
          expect(countOf(removed, LINE_OP.noop)).toBe(column('noop_removed'));
        });
        expect(total('removed')).toBe(
          total('lines_deleted') +
            total('noop_removed') +
            total('lines_moved') +
            total('lines_updated') +
            total('lines_find_replaced'),
        );
        expect(
          countOf(classified.removedOps, LINE_OP.added) + countOf(classified.removedOps, LINE_OP.copy_pasted),
        ).toBe(0);
        expect(countOf(classified.addedOps, LINE_OP.deleted)).toBe(0);
      }),
      { numRuns: 600 },
    );
  });

  test('its identity and its min-hash are those of their plain definitions', () => {
    fc.assert(
      fc.property(fc.oneof(commits, commitOfManyLines), (commit) => {
        const classified = classifier.classify(commit, { attributes: null });
        const minHash = classifier.minHash();
        const significant = new Set<number>();
        const files = commit.files.map((file, index) => {
          const path = file.newPath ?? file.oldPath!;
          const side = (name: 'added' | 'removed', bit: number) => {
            const start = fileColumn(classified, index, `${name}Start`);
            const to = start + fileColumn(classified, index, name);
            const ops = name === 'added' ? classified.addedOps : classified.removedOps;
            const hashes = name === 'added' ? classified.addedHashes : classified.removedHashes;
            for (let at = start; at < to; at++) {
              const op = ops[at]! & LINE_OP_MASK;
              if ((ops[at]! & UNSCORED_BIT) !== 0 || op === LINE_OP.noop || op === LINE_OP.moved) continue;
              const mixed = mixHash(hashes[at]! ^ mixHash(hashText(path) ^ 0x9e3779b9));
              significant.add(((mixed & ~1) | bit) >>> 0);
            }
            return hashes.subarray(start, to);
          };
          return { path, added: side('added', 1), removed: side('removed', 0) };
        });
        expect(classified.patchId).toBe(patchIdentity(files));
        expect(minHash).toEqual(minHashOf([...significant]));
      }),
      { numRuns: 400 },
    );
  });

  test('the partner of an updated line is an updated line of its file, and nobody shares one', () => {
    fc.assert(
      fc.property(commits, (commit) => {
        const classified = classifier.classify(commit, { attributes: null });
        commit.files.forEach((file, index) => {
          const removedStart = fileColumn(classified, index, 'removedStart');
          const addedStart = fileColumn(classified, index, 'addedStart');
          const taken = new Set<number>();
          for (let i = 0; i < file.removed.count; i++) {
            const op = classified.removedOps[removedStart + i]! & LINE_OP_MASK;
            const partner = classified.removedPartners[removedStart + i]!;
            if (op !== LINE_OP.updated && op !== LINE_OP.find_replaced) {
              expect(partner).toBe(-1);
              continue;
            }
            expect(classified.addedOps[addedStart + partner]! & LINE_OP_MASK).toBe(op);
            expect(taken.has(partner)).toBe(false);
            taken.add(partner);
          }
        });
      }),
      { numRuns: 500 },
    );
  });

  test('the result depends on the commit alone, not on what the classifier saw before', () => {
    fc.assert(
      fc.property(commits, commits, (before, commit) => {
        const used = createClassifier();
        used.classify(before, { attributes: null });
        const again = used.classify(commit, { attributes: null });
        const fresh = createClassifier().classify(commit, { attributes: null });
        expect(Buffer.from(again.buffer).equals(Buffer.from(fresh.buffer))).toBe(true);
        expect(again.patchId).toBe(fresh.patchId);
      }),
      { numRuns: 200 },
    );
  });
});

describe('hostile input', () => {
  test('random bytes in any language end in a result', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...paths),
        fc.array(fc.uint8Array({ maxLength: 60 }), { maxLength: 30 }),
        fc.array(fc.uint8Array({ maxLength: 60 }), { maxLength: 30 }),
        (path, removed, added) => {
          const text = (lines: Uint8Array[]) =>
            lines.map((bytes) => Buffer.from(bytes).toString('latin1').replace(/\n/g, ''));
          const commit = commitDiff([
            fileDiff(path, path, [{ oldIndex: 0, newIndex: 0, removed: text(removed), added: text(added) }]),
          ]);
          const classified = classifier.classify(commit, { attributes: null });
          expect(classified.files.length).toBe(FILE_COLUMN_COUNT);
        },
      ),
      { numRuns: 1000 },
    );
  });

  test('hunks that promise other lines than there are do no harm', () => {
    const file = fileDiff('a.py', 'a.py', [{ oldIndex: 0, newIndex: 0, removed: ['a'], added: ['b', 'c'] }]);
    for (const hunks of [[], [0, 9, 0, 9], [5, -3, 5, -1], [0, 0, 0, 1], [1, 2, 3]]) {
      const commit = commitDiff([{ ...file, hunks: Int32Array.from(hunks) }]);
      const classified = classifier.classify(commit, { attributes: null });
      expect(fileColumn(classified, 0, 'lines_added') + fileColumn(classified, 0, 'lines_updated')).toBe(2);
    }
  });

  test('lines whose bytes were dropped are added or deleted, and score nothing', () => {
    const none = new Uint32Array(0);
    const dropped = { count: 7, bytes: new Uint8Array(0), starts: none, ends: none, hasText: false };
    const file = fileDiff('a.py', 'a.py', []);
    const hunks = Int32Array.of(0, 7, 0, 7);
    const classified = classifier.classify(commitDiff([{ ...file, hunks, removed: dropped, added: dropped }]), {
      attributes: null,
    });
    expect(fileColumn(classified, 0, 'lines_added')).toBe(7);
    expect(fileColumn(classified, 0, 'lines_deleted')).toBe(7);
    expect([...classified.addedScores, ...classified.removedScores].every((score) => score === 0)).toBe(true);
  });

  const count = 60_000;
  const HUGE: Record<string, { removed: string[]; added: string[] }> = {
    'the same line over and over, on both sides': {
      removed: Array(count).fill('value = compute(first, second)'),
      added: Array(count).fill('value = compute(first, third)'),
    },
    'nothing alike': {
      removed: Array.from({ length: count }, (_, i) => `removed_${i}(alpha_${i * 7}, beta_${i * 3})`),
      added: Array.from({ length: count }, (_, i) => `added_${i} = gamma_${i * 5} + delta_${i}`),
    },
    'one line of several megabytes': { removed: ['x '.repeat(2_000_000)], added: ['x '.repeat(2_000_001)] },
    'nothing but opening marks': { removed: Array(count).fill('"""'), added: Array(count).fill('/*') },
  };
  for (const [name, { removed, added }] of Object.entries(HUGE)) {
    test(`${name}: classified within seconds`, () => {
      for (const path of ['a.py', 'a.js']) {
        const started = process.cpuUsage();
        const files = [
          fileDiff(path, path, [{ oldIndex: 0, newIndex: 0, removed, added: added.slice(0, added.length / 2) }]),
          fileDiff(`b/${path}`, `b/${path}`, [{ oldIndex: 9, newIndex: 9, removed: [], added }]),
        ];
        classifier.classify(commitDiff(files), { attributes: null });
        const { user } = process.cpuUsage(started);
        expect(user / 1e6).toBeLessThan(10);
      }
    });
  }

  test('an empty commit has no patch identity', () => {
    expect(classifier.classify(commitDiff([]), { attributes: null }).patchId).toBeNull();
    expect(lineBlock([]).count).toBe(0);
  });
});

test('a failure names the commit, and the next one is classified as if nothing had happened', () => {
  const good = commitDiff([fileDiff('a.js', 'a.js', [{ oldIndex: 9, newIndex: 9, removed: [], added: ['run(a)'] }])]);
  const [file] = good.files;
  // More lines than any memory has room for.
  const added = { ...file!.added, count: 2 ** 31 - 1, starts: new Uint32Array(0), ends: new Uint32Array(0) };
  const before = classifier.classify(good, { attributes: null });
  expect(() => classifier.classify({ ...good, files: [{ ...file!, added }] }, { attributes: null })).toThrow(good.sha);
  expect(classifier.classify(good, { attributes: null })).toEqual(before);
});
