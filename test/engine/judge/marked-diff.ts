// Small diffs written by hand, each changed line with the operation it must get. A file begins with
// `= path` (`= path new`, `= path gone`, `= old > new`), a hunk with `@ oldIndex newIndex` (0-based, may
// be left out for the first), a line is `<mark><sign><text>`: marks are n no-op, m moved, r find/replaced,
// c copy/pasted, u updated, a added, d deleted.
import { type ClassifiedCommit, fileColumn, LINE_OP, LINE_OP_MASK } from '../../../src/engine/model/classified.ts';
import type { CommitDiff, FileDiff, LineBlock } from '../../../src/engine/model/diff.ts';

const MARKS: Record<string, number> = {
  n: LINE_OP.noop,
  m: LINE_OP.moved,
  r: LINE_OP.find_replaced,
  c: LINE_OP.copy_pasted,
  u: LINE_OP.updated,
  a: LINE_OP.added,
  d: LINE_OP.deleted,
};

export function lineBlock(lines: readonly string[]): LineBlock {
  const parts = lines.map((line) => Buffer.from(line, 'latin1'));
  const starts = new Uint32Array(lines.length);
  const ends = new Uint32Array(lines.length);
  let at = 0;
  parts.forEach((part, index) => {
    starts[index] = at;
    ends[index] = at + part.length;
    at += part.length + 1;
  });
  const bytes = new Uint8Array(Buffer.concat(parts.flatMap((part) => [part, Buffer.from('\n')])));
  return { count: lines.length, bytes, starts, ends, hasText: true };
}

export interface HunkText {
  readonly oldIndex: number;
  readonly newIndex: number;
  readonly removed: readonly string[];
  readonly added: readonly string[];
}

export function fileDiff(oldPath: string | null, newPath: string | null, hunks: readonly HunkText[]): FileDiff {
  return {
    status: oldPath === null ? 'added' : newPath === null ? 'deleted' : oldPath === newPath ? 'modified' : 'renamed',
    oldPath,
    newPath,
    similarity: 100,
    oldMode: 0o100644,
    newMode: 0o100644,
    oldBlob: '0'.repeat(40),
    newBlob: '1'.repeat(40),
    isBinary: false,
    limited: null,
    hunks: Int32Array.from(
      hunks.flatMap((hunk) => [hunk.oldIndex, hunk.removed.length, hunk.newIndex, hunk.added.length]),
    ),
    removed: lineBlock(hunks.flatMap(({ removed }) => removed)),
    added: lineBlock(hunks.flatMap(({ added }) => added)),
  };
}

export function commitDiff(files: readonly FileDiff[]): CommitDiff {
  return { sha: 'c'.repeat(40), parents: ['p'.repeat(40)], files };
}

interface OpenHunk {
  readonly oldIndex: number;
  readonly newIndex: number;
  readonly removed: string[];
  readonly added: string[];
}

/** The diff, and the text back with each line's mark as `markedText` would print it. */
export function parseMarkedDiff(text: string): { commit: CommitDiff; marked: string[] } {
  const files: { oldPath: string | null; newPath: string | null; hunks: OpenHunk[] }[] = [];
  const marked: string[] = [];
  for (const line of text.split('\n').filter((candidate) => candidate.trim() !== '')) {
    if (line.startsWith('= ')) {
      const [path, word, newPath] = line.slice(2).split(' ');
      files.push({
        oldPath: word === 'new' ? null : path!,
        newPath: word === 'gone' ? null : word === '>' ? newPath! : path!,
        hunks: [],
      });
      continue;
    }
    const file = files.at(-1)!;
    if (line.startsWith('@')) {
      const [oldIndex, newIndex] = line.slice(1).trim().split(' ').map(Number);
      file.hunks.push({ oldIndex: oldIndex!, newIndex: newIndex!, removed: [], added: [] });
      continue;
    }
    const isNew = file.oldPath === null || file.newPath === null;
    if (file.hunks.length === 0)
      file.hunks.push({ oldIndex: isNew ? 0 : 50, newIndex: isNew ? 0 : 50, removed: [], added: [] });
    if (MARKS[line[0]!] === undefined || (line[1] !== '-' && line[1] !== '+'))
      throw new Error(`not a marked line: ${line}`);
    file.hunks.at(-1)![line[1] === '-' ? 'removed' : 'added'].push(line.slice(2));
    marked.push(line);
  }
  const commit = commitDiff(files.map(({ oldPath, newPath, hunks }) => fileDiff(oldPath, newPath, hunks)));
  return { commit, marked };
}

/** Each line of the diff with the operation that classification gave it, in the order of the diff. */
export function markedText(commit: CommitDiff, classified: ClassifiedCommit): string[] {
  const letter = (bits: number) =>
    Object.entries(MARKS).find(([, op]) => op === (bits & LINE_OP_MASK))?.[0] ?? `?${bits}`;
  const text = (block: LineBlock, line: number) =>
    Buffer.from(block.bytes.subarray(block.starts[line], block.ends[line])).toString('latin1');
  return commit.files.flatMap((file, index) => {
    const result: string[] = [];
    let removed = 0;
    let added = 0;
    for (let at = 0; at < file.hunks.length; at += 4) {
      for (let k = 0; k < file.hunks[at + 1]!; k++, removed++) {
        const op = classified.removedOps[fileColumn(classified, index, 'removedStart') + removed]!;
        result.push(`${letter(op)}-${text(file.removed, removed)}`);
      }
      for (let k = 0; k < file.hunks[at + 3]!; k++, added++) {
        const op = classified.addedOps[fileColumn(classified, index, 'addedStart') + added]!;
        result.push(`${letter(op)}+${text(file.added, added)}`);
      }
    }
    return result;
  });
}
