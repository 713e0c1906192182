// The changes of one line, newest first, found as far as they are asked for.
import { LineHistoryError } from './line-history-error.ts';
import { findLineChange, type LineChange, type TraceContext } from './trace-line.ts';

export class LineChanges {
  readonly #context: TraceContext;
  readonly #found: LineChange[];
  #isCutOff = false;

  constructor(context: TraceContext, first: LineChange) {
    this.#context = context;
    this.#found = [first];
  }

  /** Whether there are older ones than could be read: what is known so far is worth telling. */
  get isCutOff(): boolean {
    return this.#isCutOff;
  }

  /** Null beyond the oldest. */
  async at(place: number): Promise<LineChange | null> {
    while (place >= this.#found.length) {
      const { before } = this.#found.at(-1)!;
      if (before === null || this.#isCutOff) return null;
      try {
        this.#found.push(await findLineChange(this.#context, before));
      } catch (error) {
        if (!(error instanceof LineHistoryError) || error.code !== 'missing_object') throw error;
        this.#isCutOff = true;
      }
    }
    return this.#found[place]!;
  }

  /**
   * The change that wrote the text which the one at `place` replaced: moves, new white space and revisions to ignore leave a text as
   * old as it was. Where that cannot be read, the oldest that can.
   */
  async findWriter(place: number, ignored: ReadonlySet<string>): Promise<LineChange | null> {
    let writer: LineChange | null = null;
    for (let older = place + 1; ; older++) {
      const change = await this.at(older);
      if (change === null) return writer;
      writer = change;
      if (!change.judgement.isTextKept && !ignored.has(change.commit.sha)) return writer;
    }
  }
}
