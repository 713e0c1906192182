// A file of trails that is open for reading.
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

export class TrailFile {
  readonly #file: number;
  readonly #whole: Buffer | null;

  /** One that is not larger is read at once: a walk looks at nearly all of it, and reading it piece by piece takes much longer. */
  constructor(path: string, wholeBytes = 0) {
    this.#file = openSync(path, 'r');
    try {
      const { size } = fstatSync(this.#file);
      this.#whole = size <= wholeBytes ? this.#read(0, size) : null;
    } catch (error) {
      this.close();
      throw error;
    }
  }

  /** What it takes in memory. */
  get heldBytes(): number {
    return this.#whole?.length ?? 0;
  }

  /** Not to be written to. Null when the file does not have so many bytes there. */
  at(start: number, length: number): Buffer | null {
    if (this.#whole === null) return this.#read(start, length);
    return start + length <= this.#whole.length ? this.#whole.subarray(start, start + length) : null;
  }

  close(): void {
    closeSync(this.#file);
  }

  #read(start: number, length: number): Buffer | null {
    const bytes = Buffer.allocUnsafe(length);
    for (let read = 0; read < length; ) {
      const more = readSync(this.#file, bytes, read, length - read, start + read);
      if (more === 0) return null;
      read += more;
    }
    return bytes;
  }
}
