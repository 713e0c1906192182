// What many commits changed against their first parents, as git printed it. Of all the paths hardly any is asked
// about, and which ones is known only on the way: so the bytes are kept, and read when a commit is looked at.

import { pathText } from '../git/quoted-path.ts';
import { GitError } from '../git/run-git.ts';
import { type DiffTreeProcess, END_MARK } from './diff-tree-process.ts';
import type { RawChange } from './raw-changes.ts';

export interface FoundChange extends RawChange {
  readonly path: string;
}

const COLON = 0x3a;
const FIRST_BYTES = 1 << 18;
/** A few trees that hold each other many times over stand for any number of files. */
const MOST_BYTES = 512 << 20;
/** Numbers kept of a change: where its header, its path and its end are. */
const WIDTH = 3;

/** Of a commit's changes, among the numbers. */
interface Span {
  readonly first: number;
  end: number;
}

/** One request's answer. `trees` runs with RAW_CHANGES_FLAGS. */
export async function readChangeSegment(
  trees: DiffTreeProcess,
  commits: readonly { readonly sha: string; readonly parent: string }[],
): Promise<ChangeSegment> {
  const reader = new SegmentReader();
  // Git echoes an empty line like the mark, which would then not be known for it.
  if (commits.length > 0)
    await trees.request(
      commits.map(({ sha, parent }) => `${sha} ${parent}`),
      (chunk) => reader.push(chunk),
    );
  return reader.finish();
}

class SegmentReader {
  #bytes = Buffer.allocUnsafeSlow(FIRST_BYTES);
  #length = 0;
  #tokenAt = 0;
  /** Where the header of a change begins whose path is still to come; −1 outside of a change. */
  #headerAt = -1;
  readonly #places: number[] = [];
  readonly #spans = new Map<string, Span>();
  #span: Span = { first: 0, end: 0 };

  /** True when the end mark was seen. */
  push(chunk: Buffer): boolean {
    const needed = this.#length + chunk.length;
    if (needed > MOST_BYTES) throw new GitError('diff-tree', null, 'the commits change too many files');
    if (needed > this.#bytes.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(needed, this.#bytes.length * 2));
      this.#bytes.copy(larger, 0, 0, this.#length);
      this.#bytes = larger;
    }
    chunk.copy(this.#bytes, this.#length);
    const from = this.#length;
    this.#length = needed;
    const bytes = this.#bytes;
    for (let stop = bytes.indexOf(0, from); stop >= 0 && stop < needed; stop = bytes.indexOf(0, this.#tokenAt)) {
      const at = this.#tokenAt;
      this.#tokenAt = stop + 1;
      if (this.#headerAt >= 0) {
        this.#places.push(this.#headerAt, at, stop);
        this.#headerAt = -1;
        this.#span.end = this.#places.length;
      } else if (bytes[at] === COLON) this.#headerAt = at;
      else {
        this.#span = { first: this.#places.length, end: this.#places.length };
        this.#spans.set(bytes.toString('latin1', at, stop).trim(), this.#span);
      }
    }
    // No record is complete without a NUL: what is left at the end can only be the mark.
    return this.#headerAt < 0 && bytes.toString('latin1', this.#tokenAt, needed) === `${END_MARK}\n`;
  }

  finish(): ChangeSegment {
    return new ChangeSegment(this.#bytes, Int32Array.from(this.#places), this.#spans);
  }
}

export class ChangeSegment {
  readonly #bytes: Buffer;
  readonly #places: Int32Array;
  readonly #spans: ReadonlyMap<string, Readonly<Span>>;

  constructor(bytes: Buffer, places: Int32Array, spans: ReadonlyMap<string, Readonly<Span>>) {
    this.#bytes = bytes;
    this.#places = places;
    this.#spans = spans;
  }

  /** The changes of a commit at these paths; null when git said nothing of the commit. */
  find(sha: string, paths: ReadonlySet<string>): FoundChange[] | null {
    const span = this.#spans.get(sha);
    if (span === undefined) return null;
    const found: FoundChange[] = [];
    for (let at = span.first; at < span.end; at += WIDTH) {
      const pathAt = this.#places[at + 1]!;
      const path = pathText(this.#bytes.subarray(pathAt, this.#places[at + 2]!));
      if (paths.has(path)) found.push({ path, ...this.#read(this.#places[at]!, pathAt - 1) });
    }
    return found;
  }

  /** All changes of a commit; null when git said nothing of it. */
  all(sha: string): FoundChange[] | null {
    const span = this.#spans.get(sha);
    if (span === undefined) return null;
    const found: FoundChange[] = [];
    for (let at = span.first; at < span.end; at += WIDTH) {
      const pathAt = this.#places[at + 1]!;
      const path = pathText(this.#bytes.subarray(pathAt, this.#places[at + 2]!));
      found.push({ path, ...this.#read(this.#places[at]!, pathAt - 1) });
    }
    return found;
  }

  #read(from: number, to: number): RawChange {
    const [oldMode = '', newMode = '', oldBlob = '', newBlob = '', status = ''] = this.#bytes
      .toString('latin1', from + 1, to)
      .split(' ');
    return { status: status[0] ?? '', oldMode, newMode, oldBlob, newBlob };
  }
}
