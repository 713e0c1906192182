// What several threads send of consecutive chunks, in the order of the chunks.

export class InOrder<T> {
  readonly #waiting = new Map<number, T[]>();
  readonly #ended = new Set<number>();
  #failure: Error | null = null;
  #wake: (() => void) | null = null;

  add(chunk: number, item: T): void {
    const waiting = this.#waiting.get(chunk);
    if (waiting === undefined) this.#waiting.set(chunk, [item]);
    else waiting.push(item);
    this.#signal();
  }

  /** Nothing more comes of this chunk. */
  end(chunk: number): void {
    this.#ended.add(chunk);
    this.#signal();
  }

  /** Ends the reading with this error. */
  fail(error: Error): void {
    this.#failure ??= error;
    this.#signal();
  }

  /** Of chunks from 0 on. */
  async *read(chunkCount = Number.POSITIVE_INFINITY): AsyncGenerator<T, void, void> {
    for (let chunk = 0; chunk < chunkCount; chunk++) {
      for (;;) {
        if (this.#failure !== null) throw this.#failure;
        const first = this.#waiting.get(chunk)?.shift();
        if (first !== undefined) yield first;
        else if (this.#ended.has(chunk)) break;
        else
          await new Promise<void>((resolve) => {
            this.#wake = resolve;
          });
      }
      this.#waiting.delete(chunk);
      this.#ended.delete(chunk);
    }
  }

  #signal(): void {
    this.#wake?.();
    this.#wake = null;
  }
}
