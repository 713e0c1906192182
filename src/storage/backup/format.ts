// The backup file: gzip over lines of JSON and blocks of COPY text. A block is "#<bytes>\n" and that
// many bytes; "#0\n" ends a table's data. Every table is followed by its row count and checksum, and
// the file by an end mark, so that a cut or damaged file is noticed.

export const BACKUP_FORMAT = 1;

export interface BackupHeader {
  strata_backup: number;
  created_at: string;
  server_version: number;
  migrations: { name: string; sha256: string }[];
}
export interface TableHeader {
  table: string;
  columns: string[];
}
export interface TableFooter {
  rows: number;
  sha256: string;
}
export interface SequenceValue {
  name: string;
  last_value: number;
}
export interface BackupFooter {
  sequences: SequenceValue[];
  tables: number;
  rows: number;
  end: true;
}

/** The pseudo table that holds the waiting jobs; they are put into the queue again. */
export const JOBS_TABLE = 'strata_queue.jobs';

const NEWLINE = 0x0a;

/** Reads lines and blocks from a stream of bytes cut anywhere. */
export class BackupReader {
  readonly #source: AsyncIterator<Buffer>;
  #rest: Buffer = Buffer.alloc(0);

  constructor(source: AsyncIterable<Buffer>) {
    this.#source = source[Symbol.asyncIterator]();
  }

  async #readMore(): Promise<void> {
    const next = await this.#source.next();
    if (next.done) throw new Error('the backup file ends too early; it was cut or not finished');
    this.#rest = this.#rest.length === 0 ? next.value : Buffer.concat([this.#rest, next.value]);
  }

  async readLine(): Promise<string> {
    let end = this.#rest.indexOf(NEWLINE);
    while (end < 0) {
      if (this.#rest.length > 1 << 24) throw new Error('the file is not a backup: a line is longer than 16 MB');
      await this.#readMore();
      end = this.#rest.indexOf(NEWLINE);
    }
    const line = this.#rest.toString('utf8', 0, end);
    this.#rest = this.#rest.subarray(end + 1);
    return line;
  }

  async readJson<T>(): Promise<T> {
    const line = await this.readLine();
    try {
      return JSON.parse(line) as T;
    } catch (cause) {
      throw new Error(`the backup file is damaged: expected JSON, found ${JSON.stringify(line.slice(0, 80))}`, {
        cause,
      });
    }
  }

  /** Yields a table's data up to its end mark. */
  async *readBlocks(): AsyncGenerator<Buffer> {
    for (;;) {
      const mark = await this.readLine();
      if (!/^#\d+$/.test(mark))
        throw new Error(`the backup file is damaged: expected a block, found ${JSON.stringify(mark.slice(0, 80))}`);
      let left = Number(mark.slice(1));
      if (left === 0) return;
      while (left > 0) {
        if (this.#rest.length === 0) await this.#readMore();
        const part = this.#rest.subarray(0, left);
        this.#rest = this.#rest.subarray(part.length);
        left -= part.length;
        yield part;
      }
    }
  }
}
