// The duplicate index against its definition, worked out the slow way from whole files.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createFileJudge } from '../../../src/engine/categories/judge-file.ts';
import { createClassifier } from '../../../src/engine/judge/classify-commit.ts';
import { createDuplicateIndex, createIndexFilter } from '../../../src/engine/judge/duplicates.ts';
import { hashFileLines } from '../../../src/engine/judge/hash-lines.ts';
import { SIGNIFICANT } from '../../../src/engine/kernel-contract.ts';
import { type ClassifiedCommit, fileColumn, LINE_OP, LINE_OP_MASK } from '../../../src/engine/model/classified.ts';
import type { FileDiff } from '../../../src/engine/model/diff.ts';
import { commitDiff, fileDiff, type HunkText } from './marked-diff.ts';

/** Significant lines of a block. */
const DUPLICATE_LINES = 5;

const classifier = createClassifier();
type Tree = Map<string, readonly string[]>;

const hashesOf = (lines: readonly string[]) => hashFileLines(Buffer.from(lines.map((line) => `${line}\n`).join('')));

function loaded(tree: Tree, maxBytes = 1e8) {
  const index = createDuplicateIndex({ maxBytes });
  for (const [path, lines] of tree) index.load(path, hashesOf(lines));
  return index;
}

/** A diff by cutting off what is common at both ends of each stretch between kept lines: simple, and true. */
function hunksBetween(before: readonly string[], after: readonly string[]): HunkText[] {
  const table = Array.from({ length: before.length + 1 }, () => new Uint16Array(after.length + 1));
  for (let i = before.length - 1; i >= 0; i--)
    for (let j = after.length - 1; j >= 0; j--)
      table[i]![j] =
        before[i] === after[j] ? table[i + 1]![j + 1]! + 1 : Math.max(table[i + 1]![j]!, table[i]![j + 1]!);
  const hunks: { oldIndex: number; newIndex: number; removed: string[]; added: string[] }[] = [];
  let i = 0;
  let j = 0;
  let isOpen = false;
  while (i < before.length || j < after.length) {
    if (i < before.length && j < after.length && before[i] === after[j]) {
      i++;
      j++;
      isOpen = false;
      continue;
    }
    if (!isOpen) hunks.push({ oldIndex: i, newIndex: j, removed: [], added: [] });
    isOpen = true;
    if (j < after.length && (i === before.length || table[i]![j + 1]! >= table[i + 1]![j]!))
      hunks.at(-1)!.added.push(after[j++]!);
    else hunks.at(-1)!.removed.push(before[i++]!);
  }
  return hunks;
}

function diffTrees(before: Tree, after: Tree, renames: ReadonlyMap<string, string> = new Map()): FileDiff[] {
  const files: FileDiff[] = [];
  const oldOf = new Map([...renames].map(([from, to]) => [to, from]));
  for (const [path, lines] of after) {
    const oldPath = oldOf.get(path) ?? (before.has(path) && !renames.has(path) ? path : null);
    const old = oldPath === null ? [] : before.get(oldPath)!;
    const hunks = hunksBetween(old, lines);
    if (hunks.length > 0 || oldPath !== path) files.push(fileDiff(oldPath, path, hunks));
  }
  for (const [path, lines] of before)
    if (!renames.has(path) && !after.has(path)) files.push(fileDiff(path, null, hunksBetween(lines, [])));
  // A name that a rename freed and another file took: git shows a new file there.
  return files;
}

/** By definition: per file of the commit, duplicate lines and those whose other place is older. */
function slowDuplicates(tree: Tree, commit: ClassifiedCommit, files: readonly FileDiff[]): number[] {
  const addedOf = new Map<string, Set<number>>();
  files.forEach(({ newPath, hunks }) => {
    if (newPath === null) return;
    const set = new Set<number>();
    for (let at = 0; at < hunks.length; at += 4) for (let k = 0; k < hunks[at + 3]!; k++) set.add(hunks[at + 2]! + k);
    addedOf.set(newPath, set);
  });
  const blocks = [...tree].flatMap(([path, lines]) => {
    const hashes = hashesOf(lines);
    const significant = lines.map((_, i) => i).filter((i) => (hashes[i]! & SIGNIFICANT) !== 0);
    return significant.slice(DUPLICATE_LINES - 1).map((_, i) => {
      const positions = significant.slice(i, i + DUPLICATE_LINES);
      return { path, positions, text: positions.map((position) => lines[position]!.replace(/\s/g, '')).join('\n') };
    });
  });
  return files.flatMap((file, index) => {
    const duplicate = new Set<number>();
    const copied = new Set<number>();
    for (const block of blocks) {
      if (block.path !== file.newPath) continue;
      for (const other of blocks) {
        if (other === block || other.text !== block.text) continue;
        const last = DUPLICATE_LINES - 1;
        if (
          other.path === block.path &&
          other.positions[0]! <= block.positions[last]! &&
          block.positions[0]! <= other.positions[last]!
        )
          continue;
        block.positions.forEach((position, k) => {
          duplicate.add(position);
          if (!addedOf.get(other.path)?.has(other.positions[k]!)) copied.add(position);
        });
      }
    }
    let line = fileColumn(commit, index, 'addedStart');
    let duplicates = 0;
    let copies = 0;
    for (let at = 0; at < file.hunks.length; at += 4)
      for (let k = 0; k < file.hunks[at + 3]!; k++, line++) {
        const op = commit.addedOps[line]! & LINE_OP_MASK;
        if (op !== LINE_OP.added && op !== LINE_OP.copy_pasted) continue;
        if (duplicate.has(file.hunks[at + 2]! + k)) duplicates++;
        if (op === LINE_OP.added && copied.has(file.hunks[at + 2]! + k)) copies++;
      }
    return [duplicates, copies];
  });
}

const BLOCK = ['open(file)', 'read(file, all)', 'parse(all)', 'close(file)', 'return all_of_it'];

describe('a duplicate block', () => {
  const ask = (before: Tree, after: Tree, isFirstParent = true) => {
    const files = diffTrees(before, after);
    const commit = classifier.classify(commitDiff(files), { attributes: null });
    const index = loaded(isFirstParent ? after : before);
    return [...index.duplicatesOf(commit, files, isFirstParent)];
  };

  test('five lines that stand in an older file are copied', () => {
    const before: Tree = new Map([['a.py', BLOCK]]);
    expect(ask(before, new Map([...before, ['b.py', ['x()', ...BLOCK, 'y()']]]))).toEqual([5, 5]);
  });

  test('four lines are not enough', () => {
    const before: Tree = new Map([['a.py', BLOCK]]);
    expect(ask(before, new Map([...before, ['b.py', ['x()', ...BLOCK.slice(1), 'y()']]]))).toEqual([0, 0]);
  });

  test('blank lines, comments and brackets inside do not matter, and are not counted', () => {
    const before: Tree = new Map([['a.py', BLOCK]]);
    const spaced = BLOCK.flatMap((line) => ['', '# why', `   ${line}`, '}']);
    expect(ask(before, new Map([...before, ['b.py', spaced]]))).toEqual([5, 5]);
  });

  test('an added line that completes a block is counted, the rest of the block is not', () => {
    const before: Tree = new Map([
      ['a.py', BLOCK],
      ['b.py', BLOCK.filter((_, i) => i !== 2)],
    ]);
    expect(ask(before, new Map([...before, ['b.py', BLOCK]]))).toEqual([1, 1]);
  });

  test('a block added twice by one commit is duplicate, not copied from older code', () => {
    expect(
      ask(
        new Map(),
        new Map([
          ['a.py', BLOCK],
          ['b.py', BLOCK],
        ]),
      ),
    ).toEqual([5, 0, 5, 0]);
  });

  test('an older place behind one of the same commit is found as well', () => {
    const before: Tree = new Map([['b.py', ['start()', ...BLOCK, 'end()']]]);
    const lines = ['one()', ...BLOCK, 'two()', ...BLOCK.map((line) => `${line} `), 'start()', ...BLOCK, 'end()'];
    expect(ask(before, new Map([['b.py', lines]]))).toEqual([10, 10]);
  });

  test('a run of equal lines does not repeat itself by overlapping', () => {
    expect(ask(new Map(), new Map([['a.py', Array(9).fill('step()')]]))).toEqual([0, 0]);
    expect(ask(new Map(), new Map([['a.py', Array(10).fill('step()')]]))).toEqual([10, 0]);
  });

  test('a commit off the chain is compared with the tree as it stands', () => {
    const before: Tree = new Map([['a.py', BLOCK]]);
    expect(ask(before, new Map([...before, ['b.py', BLOCK]]), false)).toEqual([5, 5]);
  });

  test('files that repeat themselves by nature are left out', () => {
    const isIndexed = createIndexFilter(createFileJudge(), null);
    const index = createDuplicateIndex({ maxBytes: 1e6, isIndexed });
    const taken = ['src/a.py', 'tests/test_a.py', 'docs/a.md', 'vendor/a.js', 'yarn.lock', 'a/b/c/data.json'];
    expect(taken.map((path) => index.load(path, hashesOf(BLOCK)))).toEqual([true, true, false, false, false, false]);
    expect(index.isFull).toBe(false);
  });

  test('an index keeps all of a large tree, and of another one after it', () => {
    const index = createDuplicateIndex({ maxBytes: 1e8 });
    for (const round of ['first', 'second']) {
      const files = Array.from({ length: 40 }, (_, file) =>
        Array.from({ length: 300 + file * 20 }, (_, line) => `${round}_${file}(value_${line})`),
      );
      for (const [i, lines] of files.entries()) index.load(`${i}.py`, hashesOf(lines));
      for (const [i, lines] of files.entries()) {
        const copied = [fileDiff(null, 'copy.py', hunksBetween([], lines.slice(10, 30)))];
        const commit = classifier.classify(commitDiff(copied), { attributes: null });
        expect([i, ...index.duplicatesOf(commit, copied, false)]).toEqual([i, 20, 20]);
      }
      for (let i = 0; i < files.length; i += 2) index.drop(`${i}.py`);
    }
  });

  test('a long history leaves no memory behind, and what moves to a new one is still found', () => {
    const index = createDuplicateIndex({ maxBytes: 1e8 });
    const large = Array.from({ length: 60_000 }, (_, line) => `call_${line}(value)`);
    const last = large.length - 1;
    index.load('large.py', hashesOf(large));
    const small = (step: number) => Array.from({ length: 20 }, (_, line) => `small_${step}(value_${line})`);
    for (let step = 0; step < 400; step++) {
      // Its first and its last line are changed, and one small file is deleted: going back, there is ever more to hold.
      const files = [
        fileDiff('large.py', 'large.py', [
          { oldIndex: 0, newIndex: 0, removed: [large[0]!], added: [large[0]!] },
          { oldIndex: last, newIndex: last, removed: [large[last]!], added: [large[last]!] },
        ]),
        fileDiff(`${step}.py`, null, [{ oldIndex: 0, newIndex: 0, removed: small(step), added: [] }]),
      ];
      index.undo(classifier.classify(commitDiff(files), { attributes: null }), files);
    }
    expect(index.memoryBytes).toBeLessThan(40 << 20);
    const copies = [large.slice(0, 8), large.slice(-9), small(0), small(200), small(399)];
    const files = copies.map((lines, i) => fileDiff(null, `copy_${i}.py`, hunksBetween([], lines)));
    const commit = classifier.classify(commitDiff(files), { attributes: null });
    expect([...index.duplicatesOf(commit, files, false)]).toEqual(copies.flatMap(({ length }) => [length, length]));
  });

  test('an index without room says so and goes on without the file', () => {
    const index = loaded(new Map([['a.py', BLOCK]]), 10);
    expect(index.isFull).toBe(true);
    expect(index.load('b.py', hashesOf(BLOCK))).toBe(false);
  });

  test('an index never takes more than it may, and keeps what it has when it is full', () => {
    const maxBytes = 1_000_000;
    const index = createDuplicateIndex({ maxBytes });
    const lines = (file: number) => Array.from({ length: 300 }, (_, line) => `call_${file}(value_${line})`);
    for (let file = 0; !index.isFull; file++) {
      index.load(`${file}.py`, hashesOf(lines(file)));
      expect(index.bytesUsed).toBeLessThanOrEqual(maxBytes);
    }
    const changed = [
      fileDiff('0.py', '0.py', [{ oldIndex: 9, newIndex: 9, removed: [], added: lines(0).slice(9, 40) }]),
    ];
    index.undo(classifier.classify(commitDiff(changed), { attributes: null }), changed);
    const copy = [fileDiff(null, 'copy.py', hunksBetween([], lines(0).slice(50, 80)))];
    const commit = classifier.classify(commitDiff(copy), { attributes: null });
    expect([...index.duplicatesOf(commit, copy, false)]).toEqual([30, 30]);
  });

  test('a diff that does not fit the file makes the index forget the file', () => {
    const tree: Tree = new Map([['a.py', BLOCK]]);
    const index = loaded(tree);
    const files = [fileDiff('a.py', 'a.py', [{ oldIndex: 70, newIndex: 90, removed: ['x'], added: ['y'] }])];
    const commit = classifier.classify(commitDiff(files), { attributes: null });
    index.undo(commit, files);
    const copy = [fileDiff(null, 'b.py', [{ oldIndex: 0, newIndex: 0, removed: [], added: BLOCK }])];
    expect([...index.duplicatesOf(classifier.classify(commitDiff(copy), { attributes: null }), copy, false)]).toEqual([
      0, 0,
    ]);
  });
});

test('a file that is deleted while another one takes a new name comes back at the step before', () => {
  const before: Tree = new Map([
    ['s.js', Array(5).fill('a()')],
    ['q.py', []],
  ]);
  const after: Tree = new Map([['p.py', []]]);
  const files = diffTrees(before, after, new Map([['q.py', 'p.py']]));
  expect(files.map(({ oldPath, newPath }) => [oldPath, newPath])).toEqual([
    ['q.py', 'p.py'],
    ['s.js', null],
  ]);
  const index = loaded(after);
  index.undo(classifier.classify(commitDiff(files), { attributes: null }), files);
  const copy = [fileDiff(null, 'copy.js', hunksBetween([], before.get('s.js')!))];
  const commit = classifier.classify(commitDiff(copy), { attributes: null });
  expect([...index.duplicatesOf(commit, copy, false)]).toEqual([5, 5]);
});

describe('random histories', () => {
  const text = fc.constantFrom('a()', 'b()', 'c(1)', 'd(2)', '', '}', '# n', 'a( )');
  const content = fc.array(text, { maxLength: 14 });
  const tree = fc
    .dictionary(fc.constantFrom('p.py', 'q.py', 'r.js', 's.js'), content, { maxKeys: 4 })
    .map((files): Tree => new Map(Object.entries(files)));
  const edit = fc.record({
    path: fc.constantFrom('p.py', 'q.py', 'r.js', 's.js'),
    kind: fc.constantFrom('splice', 'splice', 'copy', 'delete', 'rename'),
    at: fc.nat(14),
    remove: fc.nat(5),
    insert: fc.array(text, { maxLength: 8 }),
    target: fc.constantFrom('p.py', 'q.py', 't.py', 'u.js'),
  });

  test('asking and undoing equals the definition and a fresh index, at every step back', () => {
    fc.assert(
      fc.property(tree, fc.array(fc.array(edit, { maxLength: 4 }), { maxLength: 6 }), (first, commits) => {
        const trees: Tree[] = [first];
        const diffs: FileDiff[][] = [];
        for (const edits of commits) {
          const before = trees.at(-1)!;
          const after = new Map(before);
          const renames = new Map<string, string>();
          for (const { path, kind, at, remove, insert, target } of edits) {
            const lines = after.get(path) ?? [];
            if (kind === 'splice') after.set(path, lines.toSpliced(at, remove, ...insert));
            else if (kind === 'copy') after.set(target, [...(after.get(target) ?? []), ...lines]);
            else if (kind === 'delete') {
              after.delete(path);
              // What was renamed to it is gone as well: another file may take the name, git shows one rename to it.
              for (const [from, to] of renames) if (to === path) renames.delete(from);
            } else if (
              before.get(path) === after.get(path) &&
              after.has(path) &&
              !after.has(target) &&
              !before.has(target)
            ) {
              after.set(target, lines);
              after.delete(path);
              renames.set(path, target);
            }
          }
          trees.push(after);
          diffs.push(diffTrees(before, after, renames));
        }
        const index = loaded(trees.at(-1)!);
        for (let step = diffs.length - 1; step >= 0; step--) {
          const files = diffs[step]!;
          const commit = classifier.classify(commitDiff(files), { attributes: null });
          const expected = slowDuplicates(trees[step + 1]!, commit, files);
          expect([...index.duplicatesOf(commit, files, true)]).toEqual(expected);
          index.undo(commit, files);
        }
        // All that is left is the first tree: a file that copies it all finds it all.
        const files = [...trees[0]!].map(([path, lines]) =>
          fileDiff(null, `copy/${path}`, [{ oldIndex: 0, newIndex: 0, removed: [], added: lines }]),
        );
        const commit = classifier.classify(commitDiff(files), { attributes: null });
        expect([...index.duplicatesOf(commit, files, false)]).toEqual([
          ...loaded(trees[0]!).duplicatesOf(commit, files, false),
        ]);
      }),
      { numRuns: 1000 },
    );
  });
});
