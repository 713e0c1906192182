// Parses what `git diff-tree --stdin --pretty=raw` prints with `-p -U0` or with `--raw`, pushed in chunks of any
// size, into one CommitDiff or list of changes after the other. Bytes are kept in one buffer until the commit has
// been delivered: its line blocks are slices of that buffer, valid only during the call of `onCommit`.
import { CommitHead, HEAD_BYTES, startsWith } from '../git/commit-head.ts';
import { RENAME_LIMIT } from '../git/run-git.ts';
import { END_MARK } from './diff-tree-process.ts';
import { grown, LineSlices } from './line-slices.ts';
import { PrintedFile, plainName, toFileDiffs } from './printed-file.ts';
import {
  DEFAULT_DIFF_LIMITS,
  type DiffLimits,
  DiffStreamError,
  type ListedChange,
  type StreamedCommit,
} from './streamed-commit.ts';

/**
 * Longer lists are not kept unless wanted: git makes the diff of such a commit. Where git has not compared every added
 * file with every deleted one, for there are too many pairs, more files than these are left over.
 */
export const MOST_LISTED = 2 * RENAME_LIMIT;

/**
 * What the files of a commit may take, a file about half a kilobyte, and its hunks: a few trees that hold each other
 * many times over stand for more files than any machine can hold.
 */
const FILES_BYTES = 256 << 20;
const FILE_COST = 400;
const MOST_HUNK_NUMBERS = 16 << 20;

const BETWEEN = 0;
const HEADER = 1;
const MESSAGE = 2;
const FILE = 3;
const HUNK = 4;

const LF = 10;
const HASH = 0x23;
const MINUS = 0x2d;
const PLUS = 0x2b;
const BACKSLASH = 0x5c;
const SPACE = 0x20;
const TAB = 9;
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
  #head = new CommitHead();
  #changes: ListedChange[] | null = [];
  #files: PrintedFile[] = [];
  #file: PrintedFile | null = null;
  #filesBytes = 0;
  #kept = 0;
  /** Beyond the commit's budget: bytes from here on are overwritten as they are read. */
  #dropFrom = -1;
  #removedLeft = 0;
  #addedLeft = 0;
  #hunks = new Int32Array(1024);
  #hunkEnd = 0;
  readonly #removed = new LineSlices();
  readonly #added = new LineSlices();

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
        if (lineEnd - this.#at > HEAD_BYTES + 5 && this.#isWritten(this.#at))
          this.#end = lineEnd = this.#at + HEAD_BYTES + 5;
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
          this.#removed.length = file.removed.start;
          this.#added.length = file.added.start;
        }
      }
      const keeps = this.#dropFrom < 0;
      if (!keeps) file.limited = 'patch_too_large';
      if (mark === MINUS && this.#removedLeft > 0) {
        this.#removedLeft--;
        file.removedCount++;
        if (keeps) this.#removed.add(start + 1, lineEnd);
      } else if (mark === PLUS && this.#addedLeft > 0) {
        this.#addedLeft--;
        file.addedCount++;
        if (keeps) this.#added.add(start + 1, lineEnd);
      } else {
        throw new DiffStreamError(`an unexpected line inside a hunk of ${this.#sha}`);
      }
    }
    return true;
  }

  #readLine(start: number, end: number): void {
    const bytes = this.#bytes;
    // Behind the header at once when the last commit has neither message nor changes.
    if (bytes[start] === HASH && end - start === END_MARK.length && startsWith(bytes, start, end, END_MARK)) {
      this.#finishCommit();
      this.#isAtMark = true;
      return;
    }
    if (this.#state === HEADER) {
      if (start === end) this.#state = MESSAGE;
      else this.#head.readField(bytes, start, end);
      return;
    }
    if (this.#state === MESSAGE && bytes[start] === SPACE) {
      this.#head.readMessage(bytes, Math.min(start + 4, end), end);
      return;
    }
    switch (bytes[start]) {
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
        if (startsWith(bytes, start, end, 'diff --git ')) {
          this.#startFile(start + 11, end);
          return;
        }
        break;
      case 0x63: // c
        if (startsWith(bytes, start, end, 'commit ')) {
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
    this.#file.readLine(bytes, start, end);
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

  /** `:100644 100644 <sha> <sha> M<tab>path`, or `… R096<tab>former path<tab>path`; git quotes names that hold a tab. */
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
    this.#makeSureOfRoom(end - start);
    const change = {
      status: status[0]!,
      oldMode: Number.parseInt(oldMode!, 8),
      newMode: Number.parseInt(newMode!, 8),
      oldBlob: oldBlob!,
      newBlob: newBlob!,
    };
    const secondTab = bytes.indexOf(TAB, tab + 1);
    if (secondTab < 0 || secondTab > end) this.#changes.push({ ...change, path: plainName(bytes, tab + 1, end) });
    else {
      const renamed = { from: plainName(bytes, tab + 1, secondTab), similarity: Number.parseInt(status.slice(1), 10) };
      this.#changes.push({ ...change, path: plainName(bytes, secondTab + 1, end), renamed });
    }
  }

  /** That there is room for one more file whose line has this many bytes. */
  #makeSureOfRoom(bytes: number): void {
    this.#filesBytes += FILE_COST + 2 * bytes;
    if (this.#filesBytes > FILES_BYTES)
      throw new DiffStreamError(`${this.#sha} changes more files than can be held`, 'too_many_files');
  }

  #startFile(start: number, end: number): void {
    this.#finishFile();
    this.#makeSureOfRoom(end - start);
    this.#state = FILE;
    const names = Buffer.from(this.#bytes.subarray(start, end));
    this.#file = new PrintedFile(names, this.#hunkEnd, this.#removed.length, this.#added.length);
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
    if (this.#file === null || oldCount + newCount === 0 || startsWith(bytes, start, end, '@@@'))
      throw new DiffStreamError(`a hunk header of ${this.#sha}: ${bytes.toString('latin1', start, end).slice(0, 80)}`);
    if (this.#hunkEnd + 4 > MOST_HUNK_NUMBERS)
      throw new DiffStreamError(`${this.#sha} has more than ${this.#hunkEnd / 4} hunks`, 'patch_too_large');
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
    file.close(this.#hunkEnd, this.#removed.length, this.#added.length);
    this.#hunkEnd = file.hunks.end;
    this.#files.push(file);
  }

  #finishCommit(): void {
    this.#finishFile();
    if (this.#sha !== '') {
      const lines = { bytes: this.#bytes, hunks: this.#hunks, removed: this.#removed, added: this.#added };
      this.#onCommit({
        sha: this.#sha,
        comparedWith: this.#comparedWith,
        parents: this.#head.parents,
        ...this.#head.written(),
        changes: this.#changes,
        isMessageCut: this.#head.isMessageCut,
        files: toFileDiffs(this.#files, lines),
      });
    }
    this.#sha = '';
    this.#comparedWith = null;
    this.#head = new CommitHead();
    this.#changes = [];
    this.#files = [];
    this.#filesBytes = 0;
    this.#kept = 0;
    this.#hunkEnd = 0;
    this.#removed.clear();
    this.#added.clear();
    this.#dropFrom = -1;
    this.#state = BETWEEN;
    this.#shrink();
  }

  /** A huge commit must not leave its room allocated for the rest of the run. */
  #shrink(): void {
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
}
