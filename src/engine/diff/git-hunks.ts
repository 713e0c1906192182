// The hunks between many pairs of files by their blobs, found by one git process: it compares two trees for each pair,
// which hold nothing but that file and are written for it.
import { GitError, type GitRepository } from '../git/run-git.ts';
import { ScratchTrees } from '../objects/scratch-trees.ts';
import { HUNK_HEADER, hunkNumbers } from './blob-hunks.ts';
import { DiffTreeProcess, END_MARK } from './diff-tree-process.ts';

export interface BlobPair {
  readonly oldBlob: string;
  readonly newBlob: string;
}

export const pairKey = ({ oldBlob, newBlob }: BlobPair): string => `${oldBlob} ${newBlob}`;

const FLAGS = [
  'diff-tree',
  '--stdin',
  '-p',
  '-U0',
  '--text',
  '--no-renames',
  '--no-color',
  '--no-ext-diff',
  '--no-textconv',
];
const NAME = 'file';
const REGULAR_FILE = '100644';
/** What is kept of one request; pairs that come after it has been reached have no answer. */
const MOST_NUMBERS = 4 << 20;

const LF = 10;
const AT = 0x40;
const MARKS: ReadonlySet<number | undefined> = new Set([0x2b, 0x2d, 0x5c]);
/** Of a hunk's header up to the text that git shows behind it. */
const HEADER_BYTES = 80;
/** Two names of trees. */
const LONGEST_LINE = 2 * 64 + 1;

export class GitHunks {
  readonly #trees: ScratchTrees;
  #git: DiffTreeProcess | null = null;

  constructor(repository: GitRepository) {
    this.#trees = new ScratchTrees(repository);
  }

  /** As `git diff -U0 --text` has them, in the form of FileDiff; by `pairKey`. What git could not read is left out. */
  async read(pairs: readonly BlobPair[]): Promise<Map<string, Int32Array>> {
    const treeOf = (blob: string) => this.#trees.add([{ path: NAME, mode: REGULAR_FILE, blob }]);
    const wanted = new Map<string, string>();
    for (const pair of pairs)
      if (pair.oldBlob !== pair.newBlob) wanted.set(`${treeOf(pair.oldBlob)} ${treeOf(pair.newBlob)}`, pairKey(pair));
    this.#trees.flush();
    this.#git ??= new DiffTreeProcess(this.#trees.repository, FLAGS);
    const parser = new HunkHeaders(wanted);
    try {
      await this.#git.request([...wanted.keys()], (chunk) => parser.push(chunk));
    } catch (error) {
      if (!(error instanceof GitError)) throw error;
    }
    return parser.found;
  }

  async close(): Promise<void> {
    await this.#git?.close();
    this.#trees.close();
  }
}

/** Reads what git prints about pairs of trees, and keeps the numbers of the hunks. */
class HunkHeaders {
  /** By key of the pair: of those that are complete. */
  readonly found = new Map<string, Int32Array>();
  readonly #wanted: ReadonlyMap<string, string>;
  #key: string | undefined;
  #numbers: number[] = [];
  #kept = 0;
  /** A line that has not ended yet; of a file's line only its mark. */
  #rest: Buffer = Buffer.alloc(0);

  /** Keys by the line that git prints before a pair. */
  constructor(wanted: ReadonlyMap<string, string>) {
    this.#wanted = wanted;
  }

  /** True at the end mark. */
  push(chunk: Buffer): boolean {
    const bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    let at = 0;
    for (let end = bytes.indexOf(LF); end >= 0; at = end + 1, end = bytes.indexOf(LF, at))
      if (!MARKS.has(bytes[at]) && this.#readLine(bytes, at, end)) return true;
    this.#rest = Buffer.from(bytes.subarray(at, MARKS.has(bytes[at]) ? at + 1 : undefined));
    return false;
  }

  /** No line of a file: git puts a mark before those. */
  #readLine(bytes: Buffer, start: number, end: number): boolean {
    if (bytes[start] === AT) {
      const header = HUNK_HEADER.exec(bytes.toString('latin1', start, Math.min(end, start + HEADER_BYTES)));
      if (header === null || this.#kept + this.#numbers.length >= MOST_NUMBERS) this.#key = undefined;
      else this.#numbers.push(...hunkNumbers(header));
      return false;
    }
    if (end - start > LONGEST_LINE) return false;
    const line = bytes.toString('latin1', start, end);
    const key = this.#wanted.get(line);
    if (key === undefined && line !== END_MARK) return false;
    this.#finish();
    this.#key = key;
    return key === undefined;
  }

  #finish(): void {
    if (this.#key !== undefined) this.found.set(this.#key, Int32Array.from(this.#numbers));
    this.#kept += this.#numbers.length;
    this.#numbers = [];
  }
}
