// A file of a patch while it is read: what the lines between `diff --git` and the first hunk say about it, and where its
// hunks and lines are kept; and the files of a commit as diffs.

import { startsWith } from '../git/commit-head.ts';
import { pathText, unquote } from '../git/quoted-path.ts';
import { RENAME_LIMIT } from '../git/run-git.ts';
import type { FileDiff, FileStatus, LimitReason, LineBlock } from '../model/diff.ts';
import { isSubmodule } from '../objects/object-kinds.ts';
import type { LineSlices } from './line-slices.ts';

const MINUS = 0x2d;
const PLUS = 0x2b;
const BACKSLASH = 0x5c;
const TAB = 9;
const QUOTE = 0x22;

/** A run of kept hunks or lines. */
interface Span {
  start: number;
  end: number;
}

export interface PrintedLines {
  readonly bytes: Uint8Array;
  readonly hunks: Int32Array;
  readonly removed: LineSlices;
  readonly added: LineSlices;
}

export class PrintedFile {
  /** Behind `diff --git `. */
  readonly #names: Buffer;
  #oldName: string | null | undefined;
  #newName: string | null | undefined;
  isAdded = false;
  isDeleted = false;
  #isRenamed = false;
  #similarity = 100;
  #oldMode = 0;
  #newMode = 0;
  #oldBlob = '';
  #newBlob = '';
  #isBinary = false;
  limited: LimitReason | null = null;
  readonly hunks: Span;
  readonly removed: Span;
  readonly added: Span;
  /** Also of lines that are not kept. */
  removedCount = 0;
  addedCount = 0;

  constructor(names: Buffer, hunksFrom: number, removedFrom: number, addedFrom: number) {
    this.#names = names;
    this.hunks = { start: hunksFrom, end: hunksFrom };
    this.removed = { start: removedFrom, end: removedFrom };
    this.added = { start: addedFrom, end: addedFrom };
  }

  readLine(bytes: Buffer, start: number, end: number): void {
    switch (bytes[start]) {
      case MINUS: // --- a/name
        if (this.#oldName === undefined) this.#oldName = prefixedName(bytes, start + 4, end);
        return;
      case PLUS: // +++ b/name
        if (this.#newName === undefined) this.#newName = prefixedName(bytes, start + 4, end);
        return;
      case 0x42: // Binary files a/x and b/y differ
        this.#isBinary = true;
        return;
      case BACKSLASH:
        return;
      case 0x72: // rename
      case 0x63: // copy
        this.#isRenamed = true;
        for (const [words, side] of FORMER_NAMES)
          if (startsWith(bytes, start, end, words)) this.#setName(side, plainName(bytes, start + words.length, end));
        return;
    }
    const text = bytes.toString('latin1', start, end);
    if (text.startsWith('index ')) {
      const dots = text.indexOf('..', 6);
      if (dots < 0) return;
      const space = text.indexOf(' ', dots);
      this.#oldBlob = text.slice(6, dots);
      this.#newBlob = text.slice(dots + 2, space < 0 ? undefined : space);
      if (space >= 0) this.#oldMode = this.#newMode = Number.parseInt(text.slice(space + 1), 8) || 0;
    } else if (text.startsWith('new file mode ')) {
      this.isAdded = true;
      this.#newMode = Number.parseInt(text.slice(14), 8);
    } else if (text.startsWith('deleted file mode ')) {
      this.isDeleted = true;
      this.#oldMode = Number.parseInt(text.slice(18), 8);
    } else if (text.startsWith('old mode ')) this.#oldMode = Number.parseInt(text.slice(9), 8);
    else if (text.startsWith('new mode ')) this.#newMode = Number.parseInt(text.slice(9), 8);
    else if (text.startsWith('similarity index ')) this.#similarity = Number.parseInt(text.slice(17), 10);
  }

  /** The rest is known: nothing more of it will be kept. */
  close(hunksTo: number, removedTo: number, addedTo: number): void {
    this.hunks.end = hunksTo;
    this.removed.end = removedTo;
    this.added.end = addedTo;
    if (this.#isBinary) this.limited = 'binary';
    if (!isSubmodule(this.#oldMode) && !isSubmodule(this.#newMode)) return;
    // Its one line is the sha pointed at: a number for the counts, not text that someone wrote.
    this.limited = 'submodule';
    this.hunks.end = this.hunks.start;
  }

  names(): { readonly oldName: string; readonly newName: string } {
    if (this.#isRenamed && typeof this.#oldName === 'string' && typeof this.#newName === 'string')
      return { oldName: this.#oldName, newName: this.#newName };
    const name = this.#newName ?? this.#oldName ?? sameName(this.#names);
    return { oldName: name, newName: name };
  }

  toDiff(lines: PrintedLines): FileDiff {
    const { oldName, newName } = this.names();
    return {
      status: this.#status(),
      oldPath: this.isAdded ? null : oldName,
      newPath: this.isDeleted ? null : newName,
      similarity: this.#similarity,
      oldMode: this.#oldMode,
      newMode: this.#newMode,
      oldBlob: this.#oldBlob,
      newBlob: this.#newBlob,
      isBinary: this.#isBinary,
      limited: this.limited,
      hunks: lines.hunks.subarray(this.hunks.start, this.hunks.end),
      removed: this.#removedBlock(lines, this.limited),
      added: this.#addedBlock(lines, this.limited),
    };
  }

  /** A change of type is printed as the old file's deletion and the new one's creation. */
  toTypeChange(after: PrintedFile, lines: PrintedLines): FileDiff {
    const isSubmodule = this.limited === 'submodule' || after.limited === 'submodule';
    const limited = isSubmodule ? 'submodule' : (this.limited ?? after.limited);
    const path = this.names().newName;
    const hasHunks = this.removedCount + after.addedCount > 0 && limited !== 'submodule';
    return {
      status: 'type_changed',
      oldPath: path,
      newPath: path,
      similarity: 100,
      oldMode: this.#oldMode,
      newMode: after.#newMode,
      oldBlob: this.#oldBlob,
      newBlob: after.#newBlob,
      isBinary: this.#isBinary || after.#isBinary,
      limited,
      hunks: hasHunks ? new Int32Array([0, this.removedCount, 0, after.addedCount]) : new Int32Array(0),
      removed: this.#removedBlock(lines, limited),
      added: after.#addedBlock(lines, limited),
    };
  }

  #setName(side: 'old' | 'new', name: string): void {
    if (side === 'old') this.#oldName = name;
    else this.#newName = name;
  }

  #status(): FileStatus {
    if (this.isAdded) return 'added';
    if (this.isDeleted) return 'deleted';
    return this.#isRenamed ? 'renamed' : 'modified';
  }

  #removedBlock({ bytes, removed }: PrintedLines, limited: LimitReason | null): LineBlock {
    const { start, end } = this.removed;
    return removed.block(bytes, start, limited === 'patch_too_large' ? start : end, this.removedCount);
  }

  #addedBlock({ bytes, added }: PrintedLines, limited: LimitReason | null): LineBlock {
    const { start, end } = this.added;
    return added.block(bytes, start, limited === 'patch_too_large' ? start : end, this.addedCount);
  }
}

/** All files of a commit. */
export function toFileDiffs(files: readonly PrintedFile[], lines: PrintedLines): FileDiff[] {
  const diffs: FileDiff[] = [];
  for (let i = 0; i < files.length; i++) {
    const file = files[i]!;
    const next = files[i + 1];
    const isTypeChange = file.isDeleted && next?.isAdded && file.names().newName === next.names().newName;
    if (isTypeChange) i++;
    diffs.push(isTypeChange ? file.toTypeChange(next, lines) : file.toDiff(lines));
  }
  const countOf = (wanted: FileStatus) => diffs.reduce((sum, { status }) => sum + (status === wanted ? 1 : 0), 0);
  // Git compares every pair or none: had it compared, fewer would be left over.
  if (countOf('added') * countOf('deleted') <= RENAME_LIMIT * RENAME_LIMIT) return diffs;
  return diffs.map((diff) =>
    diff.status === 'added' && diff.limited === null ? { ...diff, limited: 'rename_detection_limited' } : diff,
  );
}

const FORMER_NAMES = [
  ['rename from ', 'old'],
  ['copy from ', 'old'],
  ['rename to ', 'new'],
  ['copy to ', 'new'],
] as const;

/** `a/x b/x` names the same path twice: the halves tell where the first ends, whatever spaces it holds. */
function sameName(line: Buffer): string {
  if (line[0] === QUOTE) return pathText(unquote(line, 0, line.length).raw.subarray(2));
  return pathText(line.subarray(2, (line.length - 1) / 2));
}

/** A name by itself. */
export function plainName(bytes: Buffer, start: number, end: number): string {
  return pathText(bytes[start] === QUOTE ? unquote(bytes, start, end).raw : Buffer.from(bytes.subarray(start, end)));
}

/** The name of a `---` or `+++` line; null for /dev/null. Git ends a name that holds a space with a tab. */
function prefixedName(bytes: Buffer, start: number, end: number): string | null {
  if (bytes[start] === QUOTE) return pathText(unquote(bytes, start, end).raw.subarray(2));
  if (bytes[end - 1] === TAB) end--;
  if (bytes[start] === 0x2f) return null;
  return pathText(Buffer.from(bytes.subarray(start + 2, end)));
}
