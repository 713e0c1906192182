// Paths on their way between threads: a path is posted once, and from then on by its number. The same path comes back as the
// same string, whose hash is known already.

/** Beyond, the numbers begin anew: a history may have had any number of files. */
const MOST_PATHS = 100_000;

/** The sender's side. */
export class PathNumbers {
  readonly #numbers = new Map<string, number>();
  #fresh: string[] = [];
  #beginsAnew = false;

  /** To be called before the paths of a message are numbered. */
  begin(): void {
    this.#beginsAnew = this.#numbers.size >= MOST_PATHS;
    if (this.#beginsAnew) this.#numbers.clear();
  }

  numberOf(path: string): number {
    let number = this.#numbers.get(path);
    if (number === undefined) {
      number = this.#numbers.size;
      this.#numbers.set(path, number);
      this.#fresh.push(path);
    }
    return number;
  }

  /** What the message has to bring along. */
  take(): FreshPaths {
    const paths = this.#fresh;
    this.#fresh = [];
    return { paths, beginsAnew: this.#beginsAnew };
  }
}

export interface FreshPaths {
  readonly paths: readonly string[];
  /** The numbers of earlier messages hold no longer. */
  readonly beginsAnew: boolean;
}

/** The receiver's side, of one sender. Takes in messages as they arrive; the list that it returns holds for the message. */
export class PathLists {
  #list: string[] = [];

  receive({ paths, beginsAnew }: FreshPaths): readonly string[] {
    if (beginsAnew) this.#list = [];
    for (const path of paths) this.#list.push(path);
    return this.#list;
  }
}
