// The commits of the default branch, of which a linker has to know few. Two of them are one piece of work only if a message or a
// host says so, or if patch, author and time agree; one of them and one of another branch only if they share a patch, a
// time, a title or lines. So all are looked at, as columns, and those that may be tied to another are added as a whole. The
// others are bystanders: only where they stand can matter.
//
//   linker.add(each commit off the branch, and each that may name others)
//   linker.add(each of linker.lookAtDefaultBranch(columns of all commits on it))
//   const lines = linker.settleAllButSquashes();
//   linker.addPossibleSquash(each commit on it that has some of the lines)
import { COPY_RULES, type Linked } from './linked-commit.ts';
import { readTitle, trimSubject } from './message-links.ts';
import { readWord } from './min-hash.ts';

/** Of each commit one value, in the same order. */
export interface SeenCommits {
  /** By which the caller finds the whole of a commit. */
  readonly ids: Float64Array;
  /** 1 where something else is stored of a commit than that it counts, or is a merge. */
  readonly said: Uint8Array;
  /** 20 bytes each. */
  readonly shas: Uint8Array;
  /** The first 8 bytes of each; zeros where there is none. */
  readonly patches: Uint8Array;
  /** Seconds since 1970. */
  readonly authoredAt: Float64Array;
  /** Empty where there is no other branch; so is what follows. */
  readonly committedAt: Float64Array;
  /** 20 bytes for each parent. */
  readonly parents: Uint8Array;
  /** Where each commit's parents end. */
  readonly parentEnds: Int32Array;
  /** First lines of messages. */
  readonly subjects: readonly string[];
}

const SHA_BYTES = 20;
const PATCH_BYTES = 8;
const NO_PATCH = 0;
const HEX = 16;
/** No message names a commit by fewer digits. */
const SHORTEST_NAME = 7;
/** Six bytes fit a number. Commits that agree in them only are taken for equal, and looked at in vain. */
const KEY_DIGITS = 12;

const keyOf = (hex: string): number => Number.parseInt(hex.slice(0, KEY_DIGITS), HEX);
const readKey = (bytes: Uint8Array, at: number): number =>
  ((bytes[at]! << 8) | bytes[at + 1]!) * 2 ** 32 + readWord(bytes, at + 2);
const hexOf = (bytes: Uint8Array, at: number): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset + at, SHA_BYTES).toString('hex');

/** The ids of commits that the linker has to know as a whole: something may tie them to another. */
export function listTied(commits: SeenCommits, known: KnownCommits): readonly number[] {
  const ties = readTies(known);
  const { ids, said, shas, patches, authoredAt, subjects } = commits;
  const tied = new Set<number>();
  const firstOfWork = new Map<number, number>();
  for (let i = 0; i < ids.length; i++) {
    const id = ids[i]!;
    const at = authoredAt[i]!;
    const patch = readKey(patches, i * PATCH_BYTES);
    if (
      said[i] === 1 ||
      ties.landed.has(readKey(shas, i * SHA_BYTES)) ||
      ties.names.has(readWord(shas, i * SHA_BYTES) >>> 4) ||
      ties.times.has(at) ||
      ties.patches.has(patch)
    ) {
      tied.add(id);
    }
    if (patch === NO_PATCH) continue;
    const work = patch * 31 + at;
    const first = firstOfWork.get(work);
    if (first === undefined) firstOfWork.set(work, id);
    else tied.add(first).add(id);
  }
  for (const [i, line] of subjects.entries()) {
    const subject = trimSubject(line);
    // Where the first line is blank the subject is another one.
    if (subject === '' || ties.titles.has(readTitle(subject))) tied.add(ids[i]!);
  }
  return [...tied];
}

export interface KnownCommits {
  /** All commits off the default branch, and those on it that may name others. */
  readonly commits: Iterable<Linked>;
  /** Shas of which a host says something. */
  readonly landed: readonly string[];
}

function readTies({ commits, landed }: KnownCommits) {
  const ties = {
    landed: new Set(landed.map(keyOf)),
    names: new Set<number>(),
    patches: new Set<number>(),
    times: new Set<number>(),
    titles: new Set<string>(),
  };
  for (const { isOnDefaultBranch, sources, patchId, authoredAt, subject } of commits) {
    for (const source of sources) ties.names.add(Number.parseInt(source.slice(0, SHORTEST_NAME), HEX));
    if (isOnDefaultBranch) continue;
    if (patchId !== null) ties.patches.add(keyOf(patchId));
    ties.times.add(authoredAt);
    const title = readTitle(subject);
    if (title.length >= COPY_RULES.backportTitleLength) ties.titles.add(title);
  }
  return ties;
}

/** Where a commit of the default branch stands. */
export interface Bystander {
  readonly isOnDefaultBranch: true;
  readonly parents: readonly string[];
  readonly committedAt: number;
}

export interface SeenCommit {
  readonly sha: string;
  readonly committedAt: number;
  /** The first line of the message. */
  readonly subject: string;
}

/** Where all of them stand. Few are ever asked for, and only those are made. */
export class Bystanders {
  readonly #commits: SeenCommits;
  #placesById: Map<number, number> | null = null;
  /** By the beginning of the sha; the few of which two begin alike by all of it. */
  #places: Map<number, number> | null = null;
  readonly #alike = new Map<string, number>();
  readonly #made = new Map<string, Bystander>();

  constructor(commits: SeenCommits) {
    this.#commits = commits;
  }

  find(sha: string): Bystander | undefined {
    const made = this.#made.get(sha);
    if (made !== undefined) return made;
    const place = this.#placeOf(sha);
    if (place === undefined) return undefined;
    const bystander = this.#make(place);
    this.#made.set(sha, bystander);
    return bystander;
  }

  /** What is known of the commit with an id. */
  see(id: number): SeenCommit | undefined {
    const { ids, shas, committedAt, subjects } = this.#commits;
    this.#placesById ??= new Map(Array.from(ids, (each, place) => [each, place]));
    const place = this.#placesById.get(id);
    if (place === undefined) return undefined;
    return { sha: hexOf(shas, place * SHA_BYTES), committedAt: committedAt[place]!, subject: subjects[place]! };
  }

  #placeOf(sha: string): number | undefined {
    this.#places ??= this.#index();
    const place = this.#places.get(keyOf(sha));
    if (place === undefined) return undefined;
    return hexOf(this.#commits.shas, place * SHA_BYTES) === sha ? place : this.#alike.get(sha);
  }

  #index(): Map<number, number> {
    const { shas, parentEnds } = this.#commits;
    const places = new Map<number, number>();
    for (let place = 0; place < parentEnds.length; place++) {
      const key = readKey(shas, place * SHA_BYTES);
      if (places.has(key)) this.#alike.set(hexOf(shas, place * SHA_BYTES), place);
      else places.set(key, place);
    }
    return places;
  }

  #make(place: number): Bystander {
    const { parents, parentEnds, committedAt } = this.#commits;
    const from = place === 0 ? 0 : parentEnds[place - 1]!;
    const count = (parentEnds[place]! - from) / SHA_BYTES;
    return {
      isOnDefaultBranch: true,
      committedAt: committedAt[place]!,
      parents: Array.from({ length: count }, (_, n) => hexOf(parents, from + n * SHA_BYTES)),
    };
  }
}
