// How many commits are listed and compared at once: the more, the fewer versions of files are unpacked twice, and all that
// is found about them has to fit into the reader's memory.

const MOST_COMMITS = 3000;
/** Of the memory's room, how much the next window is to fill: commits differ. */
const FILL = 7 / 8;
/** How much an older window says about the next one, beside a newer one. */
const FADING = 2 / 3;

export class ReadingWindow {
  #size: number = MOST_COMMITS;
  /** Commits read, and the room that they filled, both fading. */
  #commits = 0;
  #filled = 0;

  get size(): number {
    return this.#size;
  }

  /** Of so many commits this many were listed and this many read, which filled a share of the room. */
  note({ commits, listed, read, filled }: Readonly<Record<'commits' | 'listed' | 'read' | 'filled', number>>): void {
    this.#commits = this.#commits * FADING + read;
    this.#filled = this.#filled * FADING + filled;
    const fitting = this.#filled === 0 ? MOST_COMMITS : Math.floor((FILL * this.#commits) / this.#filled);
    // The others were listed in vain: that is not to happen with every window.
    const listable = listed < commits ? listed : this.#size * 2;
    this.#size = Math.max(1, Math.min(listable, fitting, MOST_COMMITS));
  }
}
