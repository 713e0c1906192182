import fc from 'fast-check';
import { expect, test } from 'vitest';
import { LINE_OP } from '../../../../src/engine/model/classified.ts';
import { LINE_BYTES, OpenLines, UNANSWERED } from '../../../../src/engine/walk/open-commits/open-lines.ts';

const OPERATIONS = [LINE_OP.noop, LINE_OP.deleted, LINE_OP.updated, LINE_OP.moved];

interface Line {
  readonly file: number;
  readonly operation: number;
  readonly score: number;
  readonly origin: number;
  readonly share: number;
}

/** Few origins and long files: else there is little to fold. */
const lines = fc.array(
  fc.record({
    operation: fc.constantFrom(...OPERATIONS),
    score: fc.oneof(
      { weight: 19, arbitrary: fc.integer({ min: 0, max: 1000 }) },
      { weight: 1, arbitrary: fc.integer({ min: 2_000_000_000, max: 4_000_000_000 }) },
    ),
    origin: fc.integer({ min: -1, max: 1 }),
    share: fc.constantFrom(0, 0, 500, 1000),
    endsFile: fc.oneof({ weight: 29, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
  }),
  { minLength: 40, maxLength: 160 },
);

function open(all: readonly Line[], foldFrom: number): OpenLines {
  const opened = new OpenLines(new ArrayBuffer(8 + all.length * LINE_BYTES), 8, all.length, foldFrom);
  opened.set({
    removedOps: Uint8Array.from(all, ({ operation }) => operation),
    removedScores: Uint32Array.from(all, ({ score }) => score),
    removedAsNew: Uint32Array.from(all, ({ score }) => Math.floor(score / 3)),
  });
  return opened;
}

/** What can be told of each file: by origin and operation, how many lines, and their sums. */
function sums(opened: OpenLines, ends: readonly number[]): Map<string, number[]> {
  const found = new Map<string, number[]>();
  const { origins, removedOps, removedScores, removedAsNew, counts } = opened.rows();
  let row = 0;
  for (const [file, end] of ends.entries())
    for (const to = opened.rowOf(end); row < to; row++) {
      const key = `${file} ${origins[row]} ${removedOps[row]}`;
      const sum = found.get(key) ?? [0, 0, 0, 0];
      const parts = [
        counts?.[row] ?? 1,
        removedScores[row]!,
        removedAsNew[row]!,
        opened.originShares?.[row] ?? 0,
      ] as const;
      found.set(
        key,
        sum.map((value, i) => value + parts[i]!),
      );
    }
  return found;
}

test('folding changes no sum of a file, whatever is answered in which order and folded when', () => {
  let folded = 0;
  fc.assert(
    fc.property(lines, fc.infiniteStream(fc.nat()), fc.integer({ min: 1, max: 9 }), (drawn, numbers, tries) => {
      const ends: number[] = [];
      drawn.forEach(({ endsFile }, i) => {
        if (endsFile || i === drawn.length - 1) ends.push(i + 1);
      });
      const all = drawn.map((line, i) => ({ ...line, file: ends.findIndex((end) => i < end) }));
      const plain = open(all, Number.POSITIVE_INFINITY);
      const folding = open(all, 1);
      const left = new Set(all.keys());
      while (left.size > 0) {
        // A run of open lines, answered as one.
        const from = [...left][numbers.next().value! % left.size]!;
        let to = from + 1;
        while (to - from < 1 + (numbers.next().value! % 12) && left.has(to)) to++;
        const { origin, share } = all[from]!;
        for (const each of [plain, folding]) each.answer(from, to - from, origin, share);
        for (let line = from; line < to; line++) left.delete(line);
        if (numbers.next().value! % tries === 0 && folding.isWorthFolding && folding.fold(ends)) folded++;
        expect(folding.left).toBe(left.size);
        expect(sums(folding, ends)).toEqual(sums(plain, ends));
        const open = [...plain.rows().origins.keys()].filter((line) => plain.rows().origins[line] === UNANSWERED);
        expect(open).toEqual([...left].sort((a, b) => a - b));
      }
    }),
    { numRuns: 150 },
  );
  // Else nothing was tested.
  expect(folded).toBeGreaterThan(50);
});

test('many lines with few open ones take the room of the open ones', () => {
  const all = Array.from({ length: 100_000 }, (_, i) => ({
    file: 0,
    operation: LINE_OP.deleted,
    score: i,
    origin: i % 7,
    share: 0,
  }));
  const opened = open(all, 64);
  for (let line = 0; line < 90_000; line++) opened.answer(line, 1, line % 7, 0);
  expect(opened.isWorthFolding).toBe(true);
  expect(opened.fold([100_000])).toBe(true);
  expect(opened.rows().origins.length).toBe(10_007);
  expect(opened.isWorthFolding).toBe(false);
});
