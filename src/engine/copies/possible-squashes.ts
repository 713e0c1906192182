// The commits of the default branch that may be squashes, of a caller that adds few of them to a linker: the lines of all are noted, and
// those are asked for as a whole that hold most of an open commit's lines.
import type { Bystanders } from './default-branch.ts';
import type { Linked } from './linked-commit.ts';
import { hasTitleOfUndoing } from './message-links.ts';
import { bytesToMinHash, HASH_BYTES, isAddedLine, LINE_COUNT_BYTES, type MinHash, readWord } from './min-hash.ts';
import { type MaybeSquash, SquashCandidates } from './squash-candidates.ts';
import { isOlder, mayBeMember } from './squash-sources.ts';

export class PossibleSquashes {
  readonly #open: readonly Linked[];
  readonly #bystanders: Bystanders;
  readonly #find: (sha: string) => Linked | undefined;
  readonly #candidates: SquashCandidates<Linked | Unread>;
  readonly #chosen = new Map<Linked, readonly MaybeSquash[]>();

  /** `find` gives the commits that the linker knows. */
  constructor(open: readonly Linked[], bystanders: Bystanders, find: (sha: string) => Linked | undefined) {
    this.#open = open;
    this.#bystanders = bystanders;
    this.#find = find;
    this.#candidates = new SquashCandidates(open);
  }

  /**
   * A commit that is no merge and whose message names none that it takes back. Its min-hash stands from one place of the bytes to
   * another.
   */
  note(id: number, bytes: Uint8Array, from: number, to: number): void {
    let squash: Linked | Unread | null = null;
    for (let at = from + LINE_COUNT_BYTES; at < to; at += HASH_BYTES) {
      // By the last byte: these are all lines of a history, of which removed ones are not sought.
      if (!isAddedLine(bytes[at + HASH_BYTES - 1]!)) continue;
      const line = readWord(bytes, at);
      if (!this.#candidates.isSought(line)) continue;
      squash ??= this.#see(id, bytes.subarray(from, to));
      if (squash === null) return;
      this.#candidates.addLine(line, squash);
    }
  }

  /** The ids of those that the linker has to know as a whole. To be called once all are noted. */
  list(): readonly number[] {
    const unread = new Set<number>();
    for (const source of this.#open) {
      if (source.isRevert) continue;
      const possible = this.#candidates
        .of(source)
        .filter((squash) => !isOlder(squash, source) && mayBeMember(source, squash));
      if (possible.length > 0) this.#chosen.set(source, possible);
      for (const squash of possible) if (squash instanceof Unread) unread.add(squash.id);
    }
    return [...unread];
  }

  /** Once the linker knows those that were listed. */
  of(source: Linked): readonly Linked[] {
    return (this.#chosen.get(source) ?? []).flatMap(({ sha }) => this.#find(sha) ?? []);
  }

  #see(id: number, minHash: Uint8Array): Linked | Unread | null {
    const seen = this.#bystanders.see(id);
    if (seen === undefined) return null;
    const known = this.#find(seen.sha);
    if (known === undefined) return hasTitleOfUndoing(seen.subject) ? null : new Unread(id, seen, minHash.slice());
    return known.isRevert ? null : known;
  }
}

/** A commit that nothing but its lines can tie to another. Few of those that share a line are looked at once more. */
class Unread implements MaybeSquash {
  readonly id: number;
  readonly sha: string;
  readonly committedAt: number;
  readonly #bytes: Uint8Array;
  #minHash: MinHash | null = null;

  constructor(id: number, { sha, committedAt }: Omit<MaybeSquash, 'minHash'>, bytes: Uint8Array) {
    this.id = id;
    this.sha = sha;
    this.committedAt = committedAt;
    this.#bytes = bytes;
  }

  get minHash(): MinHash {
    this.#minHash ??= bytesToMinHash(this.#bytes);
    return this.#minHash;
  }
}
