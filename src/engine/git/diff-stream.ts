// Parses what `git diff-tree --stdin --pretty=raw` prints with `-p -U0` or with `--raw`, pushed in chunks of any
// size, into one CommitDiff or list of changes after the other. Bytes are kept in one buffer until the commit has
// been delivered: its line blocks are slices of that buffer, valid only during the call of `onCommit`.
import type { CommitDiff, FileDiff, FileStatus, LimitReason, LineBlock } from '../diff.ts';
import type { Identity, Stamp } from '../facts.ts';
import { END_MARK } from './diff-tree-process.ts';
import { pathText, unquote } from './quoted-path.ts';
import { RENAME_LIMIT } from './run-git.ts';

const COMMIT_FLAGS: readonly string[] = ['diff-tree', '-r', '--root', '--always', '--pretty=raw', '--no-notes'];

/** Commits with the files they change, no contents. */
export const CHANGE_LIST_FLAGS: readonly string[] = [
  ...COMMIT_FLAGS,
  '--stdin',
  '--raw',
  '--no-renames',
  '--no-abbrev',
];

/** Flags that this parser relies on. Add `--stdin` and what selects the parents to compare with. */
export const DIFF_STREAM_FLAGS: readonly string[] = [
  ...COMMIT_FLAGS,
  '-p',
  '-U0',
  `-l${RENAME_LIMIT}`,
  '--full-index',
  '--no-color',
  '--no-ext-diff',
  '--no-textconv',
  '--submodule=short',
  '--src-prefix=a/',
  '--dst-prefix=b/',
];

export interface DiffLimits {
  /** Bytes of changed lines (with 16 for each line) kept per commit; beyond, files keep counts and hunks only. */
  readonly commitBytes: number;
  /** Bytes kept of one line. */
  readonly lineBytes: number;
}
export const DEFAULT_DIFF_LIMITS: DiffLimits = { commitBytes: 24 << 20, lineBytes: 64 << 10 };

export interface CommitWritten {
  readonly author: Identity;
  readonly committer: Identity;
  readonly authored: Stamp;
  readonly committed: Stamp;
  readonly message: string;
}

/**
 * One commit of the stream. In a file that was limited by `patch_too_large` the blocks have their true
 * `count` but no slices (`starts.length` is 0); `hunks` are always complete.
 */
export interface StreamedCommit extends CommitDiff, CommitWritten {
  /** The parent it was compared with, when the stream compares with each parent; else null. */
  readonly comparedWith: string | null;
  /** Of a stream of lists: what changed; null when that is more than is worth keeping. */
  readonly changes: readonly ListedChange[] | null;
  /** Whether the message is longer than what is kept of it. */
  readonly isMessageCut: boolean;
}

/** A file that a commit changes, as `--raw` lists it. */
export interface ListedChange {
  /** Git's letter. */
  readonly status: string;
  readonly oldMode: number;
  readonly newMode: number;
  readonly oldBlob: string;
  readonly newBlob: string;
  readonly path: string;
}

/** Kept of a commit's message, and of a line about its author. */
const MESSAGE_BYTES = 1 << 20;

/** Longer lists are not kept unless asked for: of such a commit git makes the diff. */
const MOST_LISTED = 2000;

export class DiffStreamError extends Error {
  constructor(message: string) {
    super(`git's diff could not be read: ${message}`);
    this.name = 'DiffStreamError';
  }
}

interface OpenFile {
  gitLine: Buffer;
  oldName: string | null | undefined;
  newName: string | null | undefined;
  isAdded: boolean;
  isDeleted: boolean;
  isRenamed: boolean;
  similarity: number;
  oldMode: number;
  newMode: number;
  oldBlob: string;
  newBlob: string;
  isBinary: boolean;
  limited: LimitReason | null;
  hunkStart: number;
  hunkEnd: number;
  removedStart: number;
  removedEnd: number;
  removedCount: number;
  addedStart: number;
  addedEnd: number;
  addedCount: number;
}

const BETWEEN = 0;
const HEADER = 1;
const MESSAGE = 2;
const FILE = 3;
const HUNK = 4;

const LF = 10;
const MINUS = 0x2d;
const PLUS = 0x2b;
const BACKSLASH = 0x5c;
const SPACE = 0x20;
const TAB = 9;
const QUOTE = 0x22;
const SUBMODULE_MODE = 0o160000;
const LINE_COST = 16;
/** Of the hunk header being read; reused. */
const HUNK_NUMBERS = new Float64Array(4);
const FIRST_CAPACITY = 1 << 18;
const MOST_DOUBLED = 1 << 21;
/**
 * Room for a commit of any size within the usual limits. What is never written to takes no memory, and a block of
 * this size goes back to the system when it is collected, where a smaller one may stay with the process.
 */
const LARGE_CAPACITY = (32 << 20) + (1 << 16);

export class DiffStreamParser {
  readonly #onCommit: (commit: StreamedCommit) => void;
  readonly #limits: DiffLimits;
  readonly #mostListed: number;
  #bytes: Buffer = Buffer.allocUnsafeSlow(FIRST_CAPACITY);
  #end = 0;
  #at = 0;
  /** Where the search for the current line's end goes on. */
  #scan = 0;
  #state = BETWEEN;
  #skipsRestOfLine = false;
  #isAtMark = false;
  // the commit being read
  #sha = '';
  #comparedWith: string | null = null;
  #parents: string[] = [];
  #author = '';
  #committer = '';
  #message: string[] = [];
  #messageBytes = 0;
  #isMessageCut = false;
  #changes: ListedChange[] | null = [];
  #files: OpenFile[] = [];
  #file: OpenFile | null = null;
  #kept = 0;
  /** Beyond the commit's budget: bytes from here on are overwritten as they are read. */
  #dropFrom = -1;
  #removedLeft = 0;
  #addedLeft = 0;
  #hunks = new Int32Array(1024);
  #hunkEnd = 0;
  #removedStarts = new Uint32Array(4096);
  #removedEnds = new Uint32Array(4096);
  #removedEnd = 0;
  #addedStarts = new Uint32Array(4096);
  #addedEnds = new Uint32Array(4096);
  #addedEnd = 0;

  constructor(
    onCommit: (commit: StreamedCommit) => void,
    limits: DiffLimits = DEFAULT_DIFF_LIMITS,
    mostListed = MOST_LISTED,
  ) {
    this.#onCommit = onCommit;
    this.#limits = limits;
    this.#mostListed = mostListed;
  }

  /** True when the chunk ended with the end mark: all commits asked for have been delivered. */
  push(chunk: Uint8Array): boolean {
    this.#isAtMark = false;
    this.#makeRoom(chunk.length);
    this.#bytes.set(chunk, this.#end);
    this.#end += chunk.length;
    this.#parse();
    return this.#isAtMark;
  }

  /** Delivers the last commit. Call only after git ended well. */
  end(): void {
    if (this.#state === HUNK) throw new DiffStreamError(`the stream ended inside a hunk of ${this.#sha}`);
    if (this.#at < this.#end) throw new DiffStreamError(`the stream ended inside a line of ${this.#sha}`);
    this.#finishCommit();
  }

  #makeRoom(wanted: number): void {
    if (this.#dropFrom >= 0) this.#compact(this.#dropFrom);
    // Before its files, nothing of a commit is kept as bytes.
    else if (this.#state !== FILE && this.#state !== HUNK) this.#compact(0);
    if (this.#end + wanted <= this.#bytes.length) return;
    let capacity = this.#bytes.length * 2;
    while (capacity < this.#end + wanted) capacity *= 2;
    if (capacity > MOST_DOUBLED) capacity = Math.max(capacity, LARGE_CAPACITY);
    const larger = Buffer.allocUnsafeSlow(capacity);
    this.#bytes.copy(larger, 0, 0, this.#end);
    this.#bytes = larger;
  }

  /** Moves what is still unread down to `to`. */
  #compact(to: number): void {
    const shift = this.#at - to;
    if (shift <= 0) return;
    this.#bytes.copyWithin(to, this.#at, this.#end);
    this.#at -= shift;
    this.#end -= shift;
    this.#scan = Math.max(this.#at, this.#scan - shift);
  }

  #parse(): void {
    for (;;) {
      if (this.#state === HUNK) {
        if (!this.#readHunkLines()) return;
        this.#state = FILE;
      }
      const bytes = this.#bytes;
      const end = this.#end;
      let lineEnd = Math.max(this.#scan, this.#at);
      while (lineEnd < end && bytes[lineEnd] !== LF) lineEnd++;
      if (lineEnd === end) {
        if (lineEnd - this.#at > MESSAGE_BYTES + 5 && this.#isWritten(this.#at))
          this.#end = lineEnd = this.#at + MESSAGE_BYTES + 5;
        this.#scan = lineEnd;
        return;
      }
      const start = this.#at;
      this.#at = lineEnd + 1;
      this.#scan = this.#at;
      this.#readLine(start, lineEnd);
    }
  }

  /** Whether the line that begins here tells who wrote the commit, or what for. */
  #isWritten(start: number): boolean {
    return this.#state === HEADER || (this.#state === MESSAGE && this.#bytes[start] === SPACE);
  }

  /** True when the hunk is complete. The hot loop: most bytes of a stream pass through here. */
  #readHunkLines(): boolean {
    const bytes = this.#bytes;
    const end = this.#end;
    const { lineBytes, commitBytes } = this.#limits;
    const file = this.#file!;
    while (this.#removedLeft + this.#addedLeft > 0) {
      const start = this.#at;
      let lineEnd = Math.max(this.#scan, start);
      while (lineEnd < end && bytes[lineEnd] !== LF) lineEnd++;
      if (lineEnd === end) {
        if (lineEnd - start > lineBytes + 1) {
          // Keep the line's head and forget the rest of it as it arrives.
          this.#end = start + lineBytes + 2;
          this.#skipsRestOfLine = true;
          this.#scan = this.#end;
        } else {
          this.#scan = lineEnd;
        }
        return false;
      }
      const mark = bytes[start];
      this.#at = lineEnd + 1;
      this.#scan = this.#at;
      if (mark === BACKSLASH) continue;
      if (this.#skipsRestOfLine || lineEnd - start - 1 > lineBytes) {
        this.#skipsRestOfLine = false;
        lineEnd = start + 1 + lineBytes;
        file.limited ??= 'line_too_long';
      }
      if (this.#dropFrom < 0) {
        this.#kept += lineEnd - start - 1 + LINE_COST;
        if (this.#kept > commitBytes) {
          this.#dropFrom = start;
          this.#forgetLines(file);
        }
      }
      const keeps = this.#dropFrom < 0;
      if (!keeps) file.limited = 'patch_too_large';
      if (mark === MINUS && this.#removedLeft > 0) {
        this.#removedLeft--;
        file.removedCount++;
        if (keeps) this.#keepRemoved(start + 1, lineEnd);
      } else if (mark === PLUS && this.#addedLeft > 0) {
        this.#addedLeft--;
        file.addedCount++;
        if (keeps) this.#keepAdded(start + 1, lineEnd);
      } else {
        throw new DiffStreamError(`an unexpected line inside a hunk of ${this.#sha}`);
      }
    }
    return true;
  }

  #forgetLines(file: OpenFile): void {
    this.#removedEnd = file.removedStart;
    this.#addedEnd = file.addedStart;
  }

  #keepRemoved(start: number, end: number): void {
    if (this.#removedEnd === this.#removedStarts.length) {
      this.#removedStarts = grown(this.#removedStarts);
      this.#removedEnds = grown(this.#removedEnds);
    }
    this.#removedStarts[this.#removedEnd] = start;
    this.#removedEnds[this.#removedEnd++] = end;
  }

  #keepAdded(start: number, end: number): void {
    if (this.#addedEnd === this.#addedStarts.length) {
      this.#addedStarts = grown(this.#addedStarts);
      this.#addedEnds = grown(this.#addedEnds);
    }
    this.#addedStarts[this.#addedEnd] = start;
    this.#addedEnds[this.#addedEnd++] = end;
  }

  #readLine(start: number, end: number): void {
    const bytes = this.#bytes;
    if (this.#state === HEADER) {
      if (start === end) this.#state = MESSAGE;
      else this.#readHeaderLine(start, Math.min(end, start + MESSAGE_BYTES));
      return;
    }
    if (this.#state === MESSAGE && bytes[start] === SPACE) {
      this.#readMessageLine(Math.min(start + 4, end), end);
      return;
    }
    switch (bytes[start]) {
      case 0x23: // #
        if (end - start === END_MARK.length && this.#startsWith(start, end, END_MARK)) {
          this.#finishCommit();
          this.#isAtMark = true;
          return;
        }
        break;
      case 0x3a: // :
        if (this.#file === null) {
          this.#readChange(start, end);
          return;
        }
        break;
      case 0x40: // @
        if (this.#state === FILE) {
          this.#startHunk(start, end);
          return;
        }
        break;
      case 0x64: // d
        if (this.#startsWith(start, end, 'diff --git ')) {
          this.#startFile(start + 11, end);
          return;
        }
        break;
      case 0x63: // c
        if (this.#startsWith(start, end, 'commit ')) {
          this.#startCommit(start + 7, end);
          return;
        }
        break;
    }
    if (start === end || this.#file === null) {
      if (start !== end && this.#state !== MESSAGE)
        throw new DiffStreamError(`unexpected text: ${bytes.toString('latin1', start, Math.min(end, start + 80))}`);
      return;
    }
    this.#readFileLine(this.#file, start, end);
  }

  #startsWith(start: number, end: number, text: string): boolean {
    if (end - start < text.length) return false;
    for (let i = 0; i < text.length; i++) if (this.#bytes[start + i] !== text.charCodeAt(i)) return false;
    return true;
  }

  #startCommit(start: number, end: number): void {
    const text = this.#bytes.toString('latin1', start, end);
    this.#finishCommit();
    const space = text.indexOf(' ');
    this.#sha = space < 0 ? text : text.slice(0, space);
    const from = space < 0 ? null : /\(from ([0-9a-f]+)\)/.exec(text);
    this.#comparedWith = from ? from[1]! : null;
    this.#state = HEADER;
    // Nothing is kept between two commits: the time to make room, when it is worth the copy.
    if (this.#at > this.#bytes.length / 2) this.#compact(0);
  }

  #readMessageLine(start: number, end: number): void {
    if (this.#isMessageCut) return;
    const to = Math.min(end, start + MESSAGE_BYTES - this.#messageBytes);
    this.#message.push(this.#bytes.toString('utf8', start, to));
    this.#messageBytes += to - start + 1;
    this.#isMessageCut = to < end || this.#messageBytes > MESSAGE_BYTES;
  }

  #readHeaderLine(start: number, end: number): void {
    const first = this.#bytes[start];
    if (first === 0x70 && this.#startsWith(start, end, 'parent '))
      this.#parents.push(this.#bytes.toString('latin1', start + 7, end));
    else if (first === 0x61 && this.#startsWith(start, end, 'author ') && this.#author === '')
      this.#author = this.#bytes.toString('utf8', start + 7, end);
    else if (first === 0x63 && this.#startsWith(start, end, 'committer ') && this.#committer === '')
      this.#committer = this.#bytes.toString('utf8', start + 10, end);
  }

  /** `:100644 100644 <sha> <sha> M<tab>path` */
  #readChange(start: number, end: number): void {
    const bytes = this.#bytes;
    const tab = bytes.indexOf(TAB, start);
    const [oldMode, newMode, oldBlob, newBlob, status, ...rest] = bytes.toString('latin1', start + 1, tab).split(' ');
    if (tab < 0 || tab > end || status === undefined || rest.length > 0)
      throw new DiffStreamError(`a change of ${this.#sha}: ${bytes.toString('latin1', start, end).slice(0, 80)}`);
    if (this.#changes === null || this.#changes.length >= this.#mostListed) {
      this.#changes = null;
      return;
    }
    this.#changes.push({
      status,
      oldMode: Number.parseInt(oldMode!, 8),
      newMode: Number.parseInt(newMode!, 8),
      oldBlob: oldBlob!,
      newBlob: newBlob!,
      path: plainName(bytes, tab + 1, end),
    });
  }

  #startFile(start: number, end: number): void {
    this.#finishFile();
    this.#state = FILE;
    this.#file = {
      gitLine: Buffer.from(this.#bytes.subarray(start, end)),
      oldName: undefined,
      newName: undefined,
      isAdded: false,
      isDeleted: false,
      isRenamed: false,
      similarity: 100,
      oldMode: 0,
      newMode: 0,
      oldBlob: '',
      newBlob: '',
      isBinary: false,
      limited: null,
      hunkStart: this.#hunkEnd,
      hunkEnd: this.#hunkEnd,
      removedStart: this.#removedEnd,
      removedEnd: 0,
      removedCount: 0,
      addedStart: this.#addedEnd,
      addedEnd: 0,
      addedCount: 0,
    };
  }

  #readFileLine(file: OpenFile, start: number, end: number): void {
    const bytes = this.#bytes;
    switch (bytes[start]) {
      case MINUS: // --- a/name
        if (file.oldName === undefined) file.oldName = prefixedName(bytes, start + 4, end);
        return;
      case PLUS: // +++ b/name
        if (file.newName === undefined) file.newName = prefixedName(bytes, start + 4, end);
        return;
      case 0x42: // Binary files a/x and b/y differ
        file.isBinary = true;
        return;
      case BACKSLASH:
        return;
    }
    const isName = bytes[start] === 0x72 || bytes[start] === 0x63; // rename, copy
    if (isName) {
      const from = this.#startsWith(start, end, 'rename from ')
        ? 12
        : this.#startsWith(start, end, 'copy from ')
          ? 10
          : 0;
      const to = this.#startsWith(start, end, 'rename to ') ? 10 : this.#startsWith(start, end, 'copy to ') ? 8 : 0;
      if (from > 0) file.oldName = plainName(bytes, start + from, end);
      if (to > 0) file.newName = plainName(bytes, start + to, end);
      file.isRenamed = true;
      return;
    }
    const text = bytes.toString('latin1', start, end);
    if (text.startsWith('index ')) {
      const dots = text.indexOf('..', 6);
      if (dots < 0) return;
      const space = text.indexOf(' ', dots);
      file.oldBlob = text.slice(6, dots);
      file.newBlob = text.slice(dots + 2, space < 0 ? undefined : space);
      if (space >= 0) file.oldMode = file.newMode = Number.parseInt(text.slice(space + 1), 8) || 0;
    } else if (text.startsWith('new file mode ')) {
      file.isAdded = true;
      file.newMode = Number.parseInt(text.slice(14), 8);
    } else if (text.startsWith('deleted file mode ')) {
      file.isDeleted = true;
      file.oldMode = Number.parseInt(text.slice(18), 8);
    } else if (text.startsWith('old mode ')) file.oldMode = Number.parseInt(text.slice(9), 8);
    else if (text.startsWith('new mode ')) file.newMode = Number.parseInt(text.slice(9), 8);
    else if (text.startsWith('similarity index ')) file.similarity = Number.parseInt(text.slice(17), 10);
  }

  /** `@@ -a[,b] +c[,d] @@`: a missing count is 1; with a count of 0 the number is that of the line before. */
  #startHunk(start: number, end: number): void {
    const bytes = this.#bytes;
    let at = start + 4;
    const numbers = HUNK_NUMBERS;
    numbers[1] = numbers[3] = 1;
    for (let side = 0; side < 2; side++) {
      let value = 0;
      while (at < end && bytes[at]! >= 0x30 && bytes[at]! <= 0x39) value = value * 10 + bytes[at++]! - 0x30;
      numbers[side * 2] = value;
      if (bytes[at] === 0x2c) {
        at++;
        value = 0;
        while (at < end && bytes[at]! >= 0x30 && bytes[at]! <= 0x39) value = value * 10 + bytes[at++]! - 0x30;
        numbers[side * 2 + 1] = value;
      }
      at += 2; // ' +' after the old side
    }
    const oldStart = numbers[0]!;
    const oldCount = numbers[1]!;
    const newStart = numbers[2]!;
    const newCount = numbers[3]!;
    if (this.#file === null || oldCount + newCount === 0 || this.#startsWith(start, end, '@@@'))
      throw new DiffStreamError(`a hunk header of ${this.#sha}: ${bytes.toString('latin1', start, end).slice(0, 80)}`);
    if (this.#hunkEnd + 4 > this.#hunks.length) this.#hunks = grown(this.#hunks);
    this.#hunks[this.#hunkEnd++] = oldCount === 0 ? oldStart : oldStart - 1;
    this.#hunks[this.#hunkEnd++] = oldCount;
    this.#hunks[this.#hunkEnd++] = newCount === 0 ? newStart : newStart - 1;
    this.#hunks[this.#hunkEnd++] = newCount;
    this.#removedLeft = oldCount;
    this.#addedLeft = newCount;
    this.#state = HUNK;
  }

  #finishFile(): void {
    const file = this.#file;
    if (file === null) return;
    this.#file = null;
    file.hunkEnd = this.#hunkEnd;
    file.removedEnd = this.#removedEnd;
    file.addedEnd = this.#addedEnd;
    if (file.isBinary) file.limited = 'binary';
    if (file.oldMode === SUBMODULE_MODE || file.newMode === SUBMODULE_MODE) {
      file.limited = 'submodule';
      // Its one line is the sha pointed at: a number for the counts, not text that someone wrote.
      this.#hunkEnd = file.hunkEnd = file.hunkStart;
    }
    this.#files.push(file);
  }

  #finishCommit(): void {
    this.#finishFile();
    if (this.#sha !== '') {
      const author = personAndStamp(this.#author);
      const committer = personAndStamp(this.#committer);
      const message = this.#message;
      while (message.length > 0 && message.at(-1) === '') message.pop();
      this.#onCommit({
        sha: this.#sha,
        comparedWith: this.#comparedWith,
        parents: this.#parents,
        author: author.person,
        committer: committer.person,
        authored: author.stamp,
        committed: committer.stamp,
        message: message.length === 0 ? '' : `${message.join('\n')}\n`,
        changes: this.#changes,
        isMessageCut: this.#isMessageCut,
        files: this.#closeFiles(),
      });
    }
    this.#sha = '';
    this.#comparedWith = null;
    this.#parents = [];
    this.#author = '';
    this.#committer = '';
    this.#message = [];
    this.#messageBytes = 0;
    this.#isMessageCut = false;
    this.#changes = [];
    this.#files = [];
    this.#kept = 0;
    this.#hunkEnd = 0;
    this.#removedEnd = 0;
    this.#addedEnd = 0;
    this.#dropFrom = -1;
    this.#state = BETWEEN;
    this.#shrink();
  }

  /** A huge commit must not leave its room allocated for the rest of the run. */
  #shrink(): void {
    if (this.#removedStarts.length > 1 << 18 || this.#addedStarts.length > 1 << 18) {
      this.#removedStarts = new Uint32Array(4096);
      this.#removedEnds = new Uint32Array(4096);
      this.#addedStarts = new Uint32Array(4096);
      this.#addedEnds = new Uint32Array(4096);
    }
    const left = this.#end - this.#at;
    if (this.#bytes.length > MOST_DOUBLED && left <= MOST_DOUBLED / 2) {
      const smaller = Buffer.allocUnsafeSlow(MOST_DOUBLED);
      this.#bytes.copy(smaller, 0, this.#at, this.#end);
      this.#bytes = smaller;
      this.#at = 0;
      this.#end = left;
      this.#scan = 0;
    }
  }

  #closeFiles(): FileDiff[] {
    const result: FileDiff[] = [];
    let added = 0;
    let deleted = 0;
    for (let i = 0; i < this.#files.length; i++) {
      const file = this.#files[i]!;
      const next = this.#files[i + 1];
      const names = namesOf(file);
      // A change of type is printed as the old file's deletion and the new one's creation.
      if (file.isDeleted && next?.isAdded && names.newName === namesOf(next).newName) {
        result.push(this.#typeChange(file, next, names.newName));
        i++;
        continue;
      }
      const status: FileStatus = file.isAdded
        ? 'added'
        : file.isDeleted
          ? 'deleted'
          : file.isRenamed
            ? 'renamed'
            : 'modified';
      if (status === 'added') added++;
      if (status === 'deleted') deleted++;
      result.push({
        status,
        oldPath: file.isAdded ? null : names.oldName,
        newPath: file.isDeleted ? null : names.newName,
        similarity: file.similarity,
        oldMode: file.oldMode,
        newMode: file.newMode,
        oldBlob: file.oldBlob,
        newBlob: file.newBlob,
        isBinary: file.isBinary,
        limited: file.limited,
        hunks: this.#hunks.subarray(file.hunkStart, file.hunkEnd),
        removed: this.#block(file, false),
        added: this.#block(file, true),
      });
    }
    // Git compares every pair or none: had it compared, fewer would be left over.
    if (added * deleted > RENAME_LIMIT * RENAME_LIMIT)
      for (const [i, file] of result.entries())
        if (file.status === 'added' && file.limited === null)
          result[i] = { ...file, limited: 'rename_detection_limited' };
    return result;
  }

  #block(file: OpenFile, isAdded: boolean): LineBlock {
    const isForgotten = file.limited === 'patch_too_large';
    const [from, to] = isAdded ? [file.addedStart, file.addedEnd] : [file.removedStart, file.removedEnd];
    const [starts, ends] = isAdded ? [this.#addedStarts, this.#addedEnds] : [this.#removedStarts, this.#removedEnds];
    return {
      count: isAdded ? file.addedCount : file.removedCount,
      bytes: this.#bytes,
      starts: starts.subarray(from, isForgotten ? from : to),
      ends: ends.subarray(from, isForgotten ? from : to),
    };
  }

  #typeChange(before: OpenFile, after: OpenFile, path: string): FileDiff {
    const isSubmodule = before.limited === 'submodule' || after.limited === 'submodule';
    const limited = isSubmodule ? 'submodule' : (before.limited ?? after.limited);
    const hunks = new Int32Array([0, before.removedCount, 0, after.addedCount]);
    return {
      status: 'type_changed',
      oldPath: path,
      newPath: path,
      similarity: 100,
      oldMode: before.oldMode,
      newMode: after.newMode,
      oldBlob: before.oldBlob,
      newBlob: after.newBlob,
      isBinary: before.isBinary || after.isBinary,
      limited,
      hunks: before.removedCount + after.addedCount === 0 || limited === 'submodule' ? new Int32Array(0) : hunks,
      removed: this.#block({ ...before, limited }, false),
      added: this.#block({ ...after, limited }, true),
    };
  }
}

function grown<T extends Int32Array | Uint32Array>(array: T): T {
  const larger = new (array.constructor as new (length: number) => T)(array.length * 2);
  larger.set(array);
  return larger;
}

function namesOf(file: OpenFile): { readonly oldName: string; readonly newName: string } {
  if (file.isRenamed && typeof file.oldName === 'string' && typeof file.newName === 'string')
    return { oldName: file.oldName, newName: file.newName };
  const name = file.newName ?? file.oldName ?? sameName(file.gitLine);
  return { oldName: name, newName: name };
}

/** `a/x b/x` names the same path twice: the halves tell where the first ends, whatever spaces it holds. */
function sameName(line: Buffer): string {
  if (line[0] === QUOTE) return pathText(unquote(line, 0, line.length).raw.subarray(2));
  return pathText(line.subarray(2, (line.length - 1) / 2));
}

function plainName(bytes: Buffer, start: number, end: number): string {
  return pathText(bytes[start] === QUOTE ? unquote(bytes, start, end).raw : Buffer.from(bytes.subarray(start, end)));
}

/** The name of a `---` or `+++` line; null for /dev/null. Git ends a name that holds a space with a tab. */
function prefixedName(bytes: Buffer, start: number, end: number): string | null {
  if (bytes[start] === QUOTE) return pathText(unquote(bytes, start, end).raw.subarray(2));
  if (bytes[end - 1] === TAB) end--;
  if (bytes[start] === 0x2f) return null;
  return pathText(Buffer.from(bytes.subarray(start + 2, end)));
}

/** `Name <email> seconds zone`, any part of which may be missing or nonsense. */
export function personAndStamp(text: string): { readonly person: Identity; readonly stamp: Stamp } {
  const open = text.indexOf('<');
  const close = text.indexOf('>', open);
  const tail = /^ (-?\d+) ([+-])(\d{1,2})(\d\d)\s*$/.exec(close < 0 ? '' : text.slice(text.lastIndexOf('>') + 1));
  const minutes = tail === null ? 0 : Number(tail[3]) * 60 + Number(tail[4]);
  return {
    person: {
      name: (open < 0 ? text : text.slice(0, open)).trim(),
      email: open < 0 ? '' : text.slice(open + 1, close < 0 ? undefined : close).trim(),
    },
    stamp: {
      at: tail === null ? 0 : Number(tail[1]),
      zone: tail === null || minutes > 24 * 60 ? 0 : tail[2] === '-' ? -minutes : minutes,
    },
  };
}
