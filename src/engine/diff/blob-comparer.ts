// Compares single files and looks into them, in the packs, while the patches of whole commits are made. What is prepared
// for those stays as it is: the kernel counts nothing of this as found, and answers leave it as copies.
import { TREE_ID_BYTES } from '../kernel-contract.ts';
import { type HeldBlob, isSameBlob } from '../objects/blob-ring.ts';
import { BlobStore, type PackedKind } from '../objects/blob-store.ts';
import type { PackIndex } from '../objects/pack-index.ts';
import { Kernel } from './kernel.ts';

/** An older version that has been compared, where each of its lines begins, with the length behind the last, and the hunks. */
export type SeeOlder = (older: Buffer, lineStarts: Int32Array, hunks: Int32Array) => void;

const NO_HUNKS = new Int32Array(0);
const SHA_BYTES = TREE_ID_BYTES;
const SHA_DIGITS = 2 * SHA_BYTES;

export class BlobComparer {
  readonly #kernel: Kernel;
  readonly #store: BlobStore;
  /** The newer version of the last comparison. */
  #lastAfter: HeldBlob | null = null;

  constructor(kernel: Kernel, store: BlobStore) {
    this.#kernel = kernel;
    this.#store = store;
  }

  /** Whether some pack holds all of them. */
  hasAll(blobs: Iterable<string>): boolean {
    for (const blob of blobs) if (!this.#store.has(blob)) return false;
    return true;
  }

  get isOfPartialClone(): boolean {
    return this.#store.isOfPartialClone;
  }

  /** Whether a partial clone lacks it: there is no use in asking git. */
  isAway(blob: string): boolean {
    return this.#store.isAway(blob);
  }

  /**
   * The hunks of `git diff -U0 --text`, as in FileDiff; null when git has to be asked. When files differ, `seeOlder` is shown the
   * older one, whose bytes are its own only while it looks.
   */
  compareText(oldBlob: string, newBlob: string, seeOlder?: SeeOlder): Int32Array | null {
    if (oldBlob === newBlob) return NO_HUNKS;
    const compared = this.#kernel.attempt(() => {
      const after = this.#store.read(newBlob);
      const before = after === null ? null : this.#store.read(oldBlob);
      if (before === null || after === null) return null;
      const hunks = this.#compare(before, after);
      return hunks === null ? null : { before, hunks };
    }, null);
    if (compared === null) return null;
    const { before, hunks } = compared;
    const { bytes, calls, words } = this.#kernel;
    seeOlder?.(bytes.subarray(before.at, before.at + before.length), words.subarray(calls.olderStarts() >> 2), hunks);
    return hunks;
  }

  /** The same for files that are at hand. */
  compareBytes(before: Uint8Array, after: Uint8Array): Int32Array | null {
    if (Math.max(before.length, after.length) > this.#store.ring.largest) return null;
    return this.#kernel.attempt(() => this.#compare(this.#hold(before, 0), this.#hold(after, 1)), null);
  }

  /** Its place among blobs is one that no pack has. */
  #hold(bytes: Uint8Array, number: 0 | 1): HeldBlob {
    const held = this.#store.ring.add(-1 - number, bytes.length);
    this.#kernel.bytes.set(bytes, held.at);
    return held;
  }

  #compare(before: HeldBlob, after: HeldBlob): Int32Array | null {
    const { calls, words } = this.#kernel;
    // A long way to one version may have pushed the other one out.
    if (!this.#store.ring.isHeld(before) || !this.#store.ring.isHeld(after)) return null;
    // A merge's file is compared with that of one parent after the other.
    const isSame = isSameBlob(after, this.#lastAfter);
    this.#lastAfter = after;
    const count = calls.compareText(before.at, before.length, after.at, after.length, isSame ? 1 : 0);
    if (count < 0) return null;
    const from = (calls.HUNKS.value >> 2) + calls.hunkWords();
    return words.slice(from, from + count);
  }

  /** What `look` makes of an object's bytes, which are its own only while it looks; null when they are not at hand. */
  look<T>(object: string, look: (bytes: Buffer) => T, kind: PackedKind = 'blob'): T | null {
    const held = this.#kernel.isBroken ? null : this.#store.read(object, kind);
    return held === null ? null : look(this.#kernel.bytes.subarray(held.at, held.at + held.length));
  }

  /**
   * From a commit whose file at `path` (bytes as latin1 text) has this content, back along parents that have it too: where
   * that leads in the packs, at most `most` commits further.
   */
  followFile(commit: string, path: string, blob: string, most: number): string {
    const { bytes, calls } = this.#kernel;
    if (commit.length !== SHA_DIGITS || path.length > calls.MOST_FOLLOWED_BYTES.value) return commit;
    return this.#kernel.attempt(() => {
      const at: number = calls.FOLLOWED.value;
      bytes.write(commit, at, 'hex');
      bytes.write(blob, at + SHA_BYTES, 'hex');
      bytes.write(path, at + 2 * SHA_BYTES, 'latin1');
      calls.followFile(path.length, most);
      return bytes.toString('hex', at, at + SHA_BYTES);
    }, commit);
  }

  close(): void {
    this.#store.close();
  }
}

/** For files one at a time, up to a quarter of this. */
const RING_BYTES = 8 << 20;

/** With a kernel of its own. Null without packs: git answers all. */
export function createBlobComparer(indexes: readonly PackIndex[]): BlobComparer | null {
  if (indexes.length === 0) return null;
  const kernel = new Kernel(RING_BYTES);
  return new BlobComparer(kernel, new BlobStore(kernel, indexes));
}

/** For files that are at hand only. */
export function createLooseComparer(): BlobComparer {
  const kernel = new Kernel(RING_BYTES);
  return new BlobComparer(kernel, new BlobStore(kernel, []));
}
