// Contents of files, read from packs in process. A pack holds most versions as a delta against another one:
// what was made lately is held in a ring, because the next version is likely to be made of it.
// Whatever is not plainly there (a loose object, an odd pack) is answered with null: git reads it instead.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Kernel } from '../diff/kernel.ts';
import { TREE_ID_BYTES } from '../kernel-contract.ts';
import { effort } from '../model/effort.ts';
import { BlobRing, type HeldBlob } from './blob-ring.ts';
import { PackFiles } from './pack-files.ts';
import type { PackIndex } from './pack-index.ts';

/** Numbers of whole objects in a pack. */
const KINDS = { commit: 1, tree: 2, blob: 3 } as const;
export type PackedKind = keyof typeof KINDS;

export class BlobStore {
  readonly ring: BlobRing;
  readonly #kernel: Kernel;
  readonly #packs: PackFiles;
  /** Of a partial clone: where loose objects may lie. */
  readonly #looseFolders: readonly string[] | null;
  /** Where names are given to the kernel, and where it counts what it does. */
  readonly #nameAt: number;
  readonly #effortAt: number;

  constructor(kernel: Kernel, indexes: readonly PackIndex[]) {
    this.#kernel = kernel;
    this.#packs = new PackFiles(kernel, indexes);
    kernel.source.packs = this.#packs;
    this.#looseFolders = indexes.find(({ partialOf }) => partialOf !== null)?.partialOf ?? null;
    this.ring = new BlobRing(kernel);
    this.#nameAt = kernel.calls.TREES.value;
    this.#effortAt = kernel.calls.EFFORT.value >> 2;
  }

  /** Whether some pack holds it. */
  has(sha: string): boolean {
    return this.locate(sha) >= 0;
  }

  /** Negative when no pack holds it. */
  locate(sha: string): number {
    if (sha.length !== 2 * TREE_ID_BYTES) return -1;
    this.#kernel.bytes.write(sha, this.#nameAt, 'hex');
    return this.#kernel.calls.locate(this.#nameAt);
  }

  get isOfPartialClone(): boolean {
    return this.#looseFolders !== null;
  }

  /** Whether a partial clone lacks it. Git is not to be asked for such an object: it would try to fetch it. */
  isAway(sha: string): boolean {
    if (this.#looseFolders === null || this.has(sha)) return false;
    return !this.#looseFolders.some((folder) => existsSync(join(folder, sha.slice(0, 2), sha.slice(2))));
  }

  /** Null when no pack holds it as that, or when it is too large. Stays held for the next few reads. */
  read(sha: string, kind: PackedKind = 'blob'): HeldBlob | null {
    const location = this.locate(sha);
    if (location < 0) return null;
    try {
      const slot = this.#kernel.calls.makeObject(location, KINDS[kind]);
      if (kind === 'blob') this.noteEffort();
      return slot === 0 ? null : this.ring.read(slot);
    } catch (error) {
      this.noteFailure(error);
      return null;
    }
  }

  /** A file that cannot be read is git's to complain about; a kernel that fails is of no use any more. */
  noteFailure(error: unknown): void {
    if (error instanceof TypeError) throw error;
    if (error instanceof Error && error.name === 'RuntimeError') this.#kernel.isBroken = true;
  }

  /** Adds what the kernel did for versions of files to what the thread has done. */
  noteEffort(): void {
    const { words } = this.#kernel;
    const at = this.#effortAt;
    effort.versions += words[at]!;
    effort.versionsHeld += words[at + 1]!;
    effort.entriesUnpacked += words[at + 2]!;
    words.fill(0, at, at + 3);
  }

  close(): void {
    this.#packs.close();
  }
}
