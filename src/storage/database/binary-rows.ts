// Many rows with much in them: PostgreSQL's COPY sends them as they are, where a query has every value written as a text and
// read again. All commits of a large repo come in a fifth of the time.
import type { RawBuilder } from 'kysely';
import type pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import type { Store } from './handle.ts';
import { longSession } from './session.ts';

/** A signature, flags, and the length of an extension that follows. */
const HEAD_BYTES = 19;
const LENGTH_BYTES = 4;
const COUNT_BYTES = 2;
const NULL_LENGTH = -1;
/** In place of the number of a row's values: no row follows. */
const END = -1;
const HIGH_WORD = 2 ** 32;
const BIGINT_BYTES = 8;
const SECONDS_TO_2000 = 946_684_800;
const NOTHING: Buffer = Buffer.alloc(0);

/** Moments come as microseconds since 2000. */
const toSeconds = (microseconds: number): number => Math.round(microseconds / 1_000_000) + SECONDS_TO_2000;

/** The row at hand, whose values are read in the order of the columns. What it gives holds until the next row. */
export class BinaryRow {
  #buffer: Buffer = NOTHING;
  #at = 0;

  /** To be called by who reads the rows. */
  place(buffer: Buffer, at: number): void {
    this.#buffer = buffer;
    this.#at = at;
  }

  bytes(): Buffer | null {
    const length = this.#length();
    if (length === NULL_LENGTH) return null;
    const from = this.#skip(length);
    return this.#buffer.subarray(from, from + length);
  }

  text(encoding: 'utf8' | 'hex' | 'latin1' = 'utf8'): string | null {
    const length = this.#length();
    if (length === NULL_LENGTH) return null;
    const from = this.#skip(length);
    return this.#buffer.toString(encoding, from, from + length);
  }

  boolean(): boolean {
    return this.#buffer[this.#skip(this.#length())] === 1;
  }

  /** Of a bigint. */
  number(): number {
    this.#skip(LENGTH_BYTES);
    return this.#bigint();
  }

  /** Of a moment: seconds since 1970. */
  seconds(): number {
    return toSeconds(this.number());
  }

  /** Of bytes that hold bigints. */
  numbers(): Float64Array {
    const numbers = new Float64Array(this.#length() / BIGINT_BYTES);
    for (let i = 0; i < numbers.length; i++) numbers[i] = this.#bigint();
    return numbers;
  }

  /** Of bytes that hold moments. */
  manySeconds(): Float64Array {
    return this.numbers().map(toSeconds);
  }

  numberOrNull(): number | null {
    if (this.#buffer.readInt32BE(this.#at) !== NULL_LENGTH) return this.number();
    this.#skip(LENGTH_BYTES);
    return null;
  }

  /** Of an array of texts without null. */
  texts(): string[] | null {
    const length = this.#length();
    if (length === NULL_LENGTH) return null;
    const end = this.#at + length;
    const dimensions = this.#buffer.readInt32BE(this.#at);
    // Dimensions, flags, type of the elements; of each dimension the number of elements and the first index.
    this.#at += 12 + 8 * dimensions;
    const texts: string[] = [];
    while (this.#at < end) texts.push(this.text()!);
    return texts;
  }

  #bigint(): number {
    const at = this.#skip(BIGINT_BYTES);
    return this.#buffer.readInt32BE(at) * HIGH_WORD + this.#buffer.readUInt32BE(at + 4);
  }

  #length(): number {
    return this.#buffer.readInt32BE(this.#skip(LENGTH_BYTES));
  }

  #skip(length: number): number {
    const from = this.#at;
    this.#at += length;
    return from;
  }
}

/** Calls `onRow` for every row of a query, which cannot have parameters. */
export async function readBinaryRows(
  client: pg.ClientBase,
  query: string,
  onRow: (row: BinaryRow) => void,
): Promise<void> {
  const rows = new RowsOfChunks(onRow);
  let failure: { readonly error: unknown } | null = null;
  for await (const chunk of client.query(copyTo(`copy (${query}) to stdout (format binary)`))) {
    // What is on its way has to be taken from the connection before it can be used again.
    if (failure !== null) continue;
    try {
      rows.add(chunk);
    } catch (error) {
      failure = { error };
    }
  }
  if (failure !== null) throw failure.error;
  rows.end();
}

/** The same for a background job, on a connection of its own. The query can have literals. */
export const readMany = (store: Store, query: RawBuilder<unknown>, onRow: (row: BinaryRow) => void): Promise<void> =>
  longSession(store, ({ client, db }) => readBinaryRows(client, query.compile(db).sql, onRow));

/** Rows end anywhere in the chunks that come. */
class RowsOfChunks {
  readonly #onRow: (row: BinaryRow) => void;
  readonly #row = new BinaryRow();
  #hasHead = false;
  /** What has come of a row that is not whole, and what came after that. */
  #rest = NOTHING;
  #chunks: Buffer[] = [];
  #chunkBytes = 0;

  constructor(onRow: (row: BinaryRow) => void) {
    this.#onRow = onRow;
  }

  add(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#chunkBytes += chunk.length;
    // A row that takes many chunks would otherwise be copied with each of them.
    if (this.#chunkBytes >= this.#rest.length) this.end();
  }

  end(): void {
    const all = [this.#rest, ...this.#chunks].filter(({ length }) => length > 0);
    const buffer = all.length === 1 ? all[0]! : Buffer.concat(all);
    this.#chunks = [];
    this.#chunkBytes = 0;
    let at = 0;
    if (!this.#hasHead && buffer.length >= HEAD_BYTES) {
      at = HEAD_BYTES + buffer.readInt32BE(HEAD_BYTES - LENGTH_BYTES);
      this.#hasHead = true;
    }
    for (let end = this.#hasHead ? endOfRow(buffer, at) : -1; end >= 0; end = endOfRow(buffer, at)) {
      this.#row.place(buffer, at + COUNT_BYTES);
      this.#onRow(this.#row);
      at = end;
    }
    this.#rest = buffer.subarray(at);
  }
}

/** −1 when the row is not there as a whole, or there is none. */
function endOfRow(buffer: Buffer, start: number): number {
  if (start + COUNT_BYTES > buffer.length) return -1;
  const count = buffer.readInt16BE(start);
  if (count === END) return -1;
  let at = start + COUNT_BYTES;
  for (let left = count; left > 0; left--) {
    if (at + LENGTH_BYTES > buffer.length) return -1;
    at += LENGTH_BYTES + Math.max(0, buffer.readInt32BE(at));
  }
  return at <= buffer.length ? at : -1;
}
