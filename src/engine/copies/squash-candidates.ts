// Which commits of the default branch share lines with a commit of another branch, most first: added line → commits, for the lines
// that some open commit added, so that its size depends on the branches and not on the history. Lines of many commits are left out.
import { LineFilter } from './line-filter.ts';
import { COPY_RULES } from './linked-commit.ts';
import type { MinHash } from './min-hash.ts';

/** What may be a squash, as far as it takes to find it. */
export interface MaybeSquash {
  readonly sha: string;
  readonly committedAt: number;
  readonly minHash: MinHash;
}

export class SquashCandidates<S extends MaybeSquash> {
  /** Of the open commits. */
  readonly #lines: LineFilter;
  readonly #postings = new Map<number, S[]>();

  constructor(open: Iterable<{ readonly minHash: MinHash }>) {
    this.#lines = new LineFilter(open);
  }

  add(squash: S): void {
    const { hashes } = squash.minHash;
    // By number: these are nearly all lines of a history.
    for (let i = 0; i < hashes.length; i++) if (this.isSought(hashes[i]!)) this.addLine(hashes[i]!, squash);
  }

  /** Most lines are in no open branch; some others are noted in vain. */
  isSought(line: number): boolean {
    return this.#lines.has(line);
  }

  /** One of the lines that are sought. */
  addLine(line: number, squash: S): void {
    const list = this.#postings.get(line);
    if (list === undefined) this.#postings.set(line, [squash]);
    else if (list.length <= COPY_RULES.commonLineCommits) list.push(squash);
  }

  of({ minHash }: MaybeSquash): readonly S[] {
    const shared = new Map<S, number>();
    for (const hash of minHash.hashes) {
      const list = this.#postings.get(hash);
      if (list === undefined || list.length > COPY_RULES.commonLineCommits) continue;
      for (const squash of list) shared.set(squash, (shared.get(squash) ?? 0) + 1);
    }
    return [...shared]
      .sort(([a, many], [b, more]) => more - many || (isEarlier(a, b) ? -1 : 1))
      .slice(0, COPY_RULES.squashCandidates)
      .map(([squash]) => squash);
  }
}

export function isEarlier(a: MaybeSquash, b: MaybeSquash): boolean {
  return a.committedAt !== b.committedAt ? a.committedAt < b.committedAt : a.sha < b.sha;
}
