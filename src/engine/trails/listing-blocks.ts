// Commits as they are kept in a file: blocks that follow one another, the newest first, each with its own columns of
// numbers. A commit is read from them when it is asked for, and a history of 100,000 is there at once.
//
// A block: numbers of its size; shas; times; numbers of names; where the parents of each commit begin among those of all;
// these parents, as a distance behind the commit, across blocks, or as the number of a sha that is not listed; these shas;
// where each name begins; names.
import type { ListedCommit } from '../git/list-commits.ts';
import type { CommitList } from '../model/commit-list.ts';

const WORD = 4;
const TIMES = 2;
const NAMES = 4;
/** So many commits are looked for one by one; to make a table of all takes as long as to look for some dozen. */
const FEW_FINDS = 16;
/** Marks a parent that is not listed. */
const ABSENT = 0x80000000;
const HEAD_WORDS = 6;

interface Block {
  /** The position of its first commit, and the one behind its last. */
  readonly from: number;
  readonly to: number;
  readonly shaBytes: number;
  /** Where the columns begin. */
  readonly shas: number;
  readonly times: number;
  readonly names: number;
  readonly parentStarts: number;
  readonly parents: number;
  readonly absent: number;
  readonly textStarts: number;
  readonly texts: number;
  readonly end: number;
  /** Names that were read already. */
  readonly read: (string | undefined)[];
}

function readBlock(bytes: Buffer, at: number, from: number): Block {
  const word = (n: number): number => bytes.readUInt32LE(at + n * WORD);
  const [count, shaBytes, parentCount] = [word(0), word(1), word(2)];
  const [absentCount, textCount, textBytes] = [word(3), word(4), word(5)];
  const shas = at + HEAD_WORDS * WORD;
  const times = shas + count * shaBytes;
  const names = times + count * TIMES * 8;
  const parentStarts = names + count * NAMES * WORD;
  const parents = parentStarts + (count + 1) * WORD;
  const absent = parents + parentCount * WORD;
  const textStarts = absent + absentCount * shaBytes;
  const texts = textStarts + (textCount + 1) * WORD;
  const columns = { shas, times, names, parentStarts, parents, absent, textStarts, texts, end: texts + textBytes };
  return { from, to: from + count, shaBytes, ...columns, read: [] };
}

/** What `writeBlock` has written, block behind block. */
export class KeptCommits implements CommitList {
  readonly length: number;
  readonly #bytes: Buffer;
  readonly #blocks: Block[] = [];
  /** The block of the commit that was last asked for. */
  #last: Block | null = null;
  #table: ShaTable | null = null;
  #finds = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
    let from = 0;
    for (let at = 0; at < bytes.length; ) {
      const block = readBlock(bytes, at, from);
      this.#blocks.push(block);
      at = block.end;
      from = block.to;
    }
    this.length = from;
  }

  at(position: number): ListedCommit {
    const block = this.#blockOf(position);
    const row = position - block.from;
    const name = (which: number): string =>
      this.#text(block, this.#bytes.readUInt32LE(block.names + (row * NAMES + which) * WORD));
    return {
      sha: this.#shaAt(position),
      parents: this.#parentShas(position),
      authorName: name(0),
      authorEmail: name(1),
      committerName: name(2),
      committerEmail: name(3),
      authoredAt: this.#bytes.readDoubleLE(block.times + row * TIMES * 8),
      committedAt: this.committedAt(position),
    };
  }

  committedAt(position: number): number {
    const { from, times } = this.#blockOf(position);
    return this.#bytes.readDoubleLE(times + (position - from) * TIMES * 8 + 8);
  }

  shaWords(position: number, into: Uint32Array): number {
    const block = this.#blockOf(position);
    const at = this.#shaPlace(block, position);
    const words = block.shaBytes / WORD;
    for (let i = 0; i < words; i++) into[i] = this.#bytes.readUInt32BE(at + i * WORD);
    return words;
  }

  parentCountOf(position: number): number {
    const { from, parentStarts } = this.#blockOf(position);
    const start = parentStarts + (position - from) * WORD;
    return this.#bytes.readUInt32LE(start + WORD) - this.#bytes.readUInt32LE(start);
  }

  /** Whether one of the commits is among them: one pass over all, where a table of all would take many times as long. */
  hasSome(shas: ReadonlySet<string>): boolean {
    const beginnings = new Uint8Array(1 << 16);
    for (const sha of shas) beginnings[Number.parseInt(sha.slice(0, 4), 16)] = 1;
    return this.#blocks.some(({ shas: from, times, shaBytes }) => {
      for (let at = from; at < times; at += shaBytes) {
        if (beginnings[this.#bytes.readUInt16BE(at)] === 0) continue;
        if (shas.has(this.#bytes.toString('hex', at, at + shaBytes))) return true;
      }
      return false;
    });
  }

  find(sha: string): number {
    const wanted = Buffer.from(sha, 'hex');
    if (this.#table === null && this.#finds++ < FEW_FINDS) return this.#seek(wanted);
    this.#table ??= this.#index();
    return this.#table.find(wanted, (position) => {
      const block = this.#blockOf(position);
      const at = this.#shaPlace(block, position);
      return (
        block.shaBytes === wanted.length && this.#bytes.compare(wanted, 0, wanted.length, at, at + wanted.length) === 0
      );
    });
  }

  parentsOf(position: number): number[] {
    return this.#parents(position).map((parent) => (parent >= ABSENT ? -1 : position + parent));
  }

  /** No list is made: a walk asks this of nearly all. */
  firstParentOf(position: number): number {
    if (this.parentCountOf(position) === 0) return -1;
    const { from, parentStarts, parents } = this.#blockOf(position);
    const first = this.#bytes.readUInt32LE(parentStarts + (position - from) * WORD);
    const parent = this.#bytes.readUInt32LE(parents + first * WORD);
    return parent >= ABSENT ? -1 : position + parent;
  }

  #parentShas(position: number): string[] {
    const { absent, shaBytes } = this.#blockOf(position);
    return this.#parents(position).map((parent) => {
      if (parent < ABSENT) return this.#shaAt(position + parent);
      const at = absent + (parent - ABSENT) * shaBytes;
      return this.#bytes.toString('hex', at, at + shaBytes);
    });
  }

  /** As they are written. */
  #parents(position: number): number[] {
    const { from, parentStarts, parents } = this.#blockOf(position);
    const start = parentStarts + (position - from) * WORD;
    const end = this.#bytes.readUInt32LE(start + WORD);
    const list: number[] = [];
    for (let n = this.#bytes.readUInt32LE(start); n < end; n++) list.push(this.#bytes.readUInt32LE(parents + n * WORD));
    return list;
  }

  #blockOf(position: number): Block {
    const last = this.#last;
    if (last !== null && position >= last.from && position < last.to) return last;
    let low = 0;
    let high = this.#blocks.length - 1;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (position < this.#blocks[middle]!.to) high = middle;
      else low = middle + 1;
    }
    this.#last = this.#blocks[low]!;
    return this.#last;
  }

  #shaPlace({ from, shas, shaBytes }: Block, position: number): number {
    return shas + (position - from) * shaBytes;
  }

  #shaAt(position: number): string {
    const block = this.#blockOf(position);
    const at = this.#shaPlace(block, position);
    return this.#bytes.toString('hex', at, at + block.shaBytes);
  }

  #text({ textStarts, texts, read }: Block, number: number): string {
    const known = read[number];
    if (known !== undefined) return known;
    const start = textStarts + number * WORD;
    const text = this.#bytes.toString(
      'utf8',
      texts + this.#bytes.readUInt32LE(start),
      texts + this.#bytes.readUInt32LE(start + WORD),
    );
    read[number] = text;
    return text;
  }

  #seek(wanted: Buffer): number {
    for (const { from, shas, times, shaBytes } of this.#blocks) {
      const column = this.#bytes.subarray(shas, times);
      let at = column.indexOf(wanted);
      // What begins in the midst of a sha is none.
      while (at >= 0 && at % shaBytes > 0) at = column.indexOf(wanted, at + 1);
      if (at >= 0 && wanted.length === shaBytes) return from + at / shaBytes;
    }
    return -1;
  }

  #index(): ShaTable {
    const table = new ShaTable(this.length);
    for (const block of this.#blocks)
      for (let position = block.from; position < block.to; position++)
        table.add(this.#bytes.readUInt32LE(this.#shaPlace(block, position)), position);
    return table;
  }
}

/** Positions by the first four bytes of shas, which are as good as drawn by lot. */
class ShaTable {
  /** Positions from 1 on; 0 where there is none. */
  readonly #slots: Uint32Array;
  readonly #mask: number;

  constructor(count: number) {
    const size = 2 ** Math.ceil(Math.log2(2 * count + 2));
    this.#slots = new Uint32Array(size);
    this.#mask = size - 1;
  }

  add(beginning: number, position: number): void {
    let slot = beginning & this.#mask;
    while (this.#slots[slot] !== 0) slot = (slot + 1) & this.#mask;
    this.#slots[slot] = position + 1;
  }

  find(sha: Buffer, isAt: (position: number) => boolean): number {
    let slot = sha.readUInt32LE(0) & this.#mask;
    for (let found = this.#slots[slot]!; found !== 0; found = this.#slots[slot]!) {
      if (isAt(found - 1)) return found - 1;
      slot = (slot + 1) & this.#mask;
    }
    return -1;
  }
}

/** The first so many commits of a list. */
export function writeBlock(list: CommitList, count: number): Buffer {
  if (count === 0) return Buffer.alloc(0);
  const shaBytes = list.at(0).sha.length / 2;
  const shas = Buffer.allocUnsafe(count * shaBytes);
  const times = Buffer.allocUnsafe(count * TIMES * 8);
  const names = Buffer.allocUnsafe(count * NAMES * WORD);
  const texts = new Texts();
  const parentStarts: number[] = [0];
  const parents: number[] = [];
  const absent: Buffer[] = [];
  for (let i = 0; i < count; i++) {
    const commit = list.at(i);
    shas.write(commit.sha, i * shaBytes, 'hex');
    times.writeDoubleLE(commit.authoredAt, i * TIMES * 8);
    times.writeDoubleLE(commit.committedAt, i * TIMES * 8 + 8);
    const people = [commit.authorName, commit.authorEmail, commit.committerName, commit.committerEmail];
    for (const [which, text] of people.entries()) {
      names.writeUInt32LE(texts.numberOf(text), (i * NAMES + which) * WORD);
    }
    for (const [n, position] of list.parentsOf(i).entries()) {
      if (position >= 0) parents.push(position - i);
      else parents.push(ABSENT + absent.push(Buffer.from(commit.parents[n]!, 'hex')) - 1);
    }
    parentStarts.push(parents.length);
  }
  const text = texts.finish();
  return Buffer.concat([
    wordsOf([count, shaBytes, parents.length, absent.length, texts.count, text.bytes.length]),
    shas,
    times,
    names,
    wordsOf(parentStarts),
    wordsOf(parents),
    ...absent,
    wordsOf(text.starts),
    text.bytes,
  ]);
}

/** Each once. */
class Texts {
  readonly #numbers = new Map<string, number>();

  get count(): number {
    return this.#numbers.size;
  }

  numberOf(text: string): number {
    const known = this.#numbers.get(text);
    if (known !== undefined) return known;
    this.#numbers.set(text, this.#numbers.size);
    return this.#numbers.size - 1;
  }

  finish(): { readonly starts: readonly number[]; readonly bytes: Buffer } {
    const parts = Array.from(this.#numbers.keys(), (text) => Buffer.from(text, 'utf8'));
    const starts = [0];
    for (const { length } of parts) starts.push(starts.at(-1)! + length);
    return { starts, bytes: Buffer.concat(parts) };
  }
}

function wordsOf(numbers: readonly number[]): Buffer {
  const words = Buffer.allocUnsafe(numbers.length * WORD);
  for (let i = 0; i < numbers.length; i++) words.writeUInt32LE(numbers[i]!, i * WORD);
  return words;
}
