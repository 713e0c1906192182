// Contents of files, read from packs in process. A pack holds most versions as a delta against another one:
// what was made lately is held in a ring, because the next version is likely to be made of it.
// Whatever is not plainly there (a loose object, an odd pack) is answered with null: git reads it instead.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Kernel } from '../diff/kernel.ts';
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
  #lastSha = '';
  #lastLocation = -1;

  constructor(kernel: Kernel, indexes: readonly PackIndex[]) {
    this.#kernel = kernel;
    this.#packs = new PackFiles(kernel, indexes);
    kernel.source.packs = this.#packs;
    this.#looseFolders = indexes.find(({ partialOf }) => partialOf !== null)?.partialOf ?? null;
    this.ring = new BlobRing(kernel);
  }

  /** Whether some pack holds it. */
  has(sha: string): boolean {
    return this.#packs.locator.locate(sha) >= 0;
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
    // The version that a change replaced is mostly wanted next, as what the change before it made.
    const location = sha === this.#lastSha ? this.#lastLocation : this.#packs.locator.locate(sha);
    if (location < 0) return null;
    this.#lastSha = sha;
    this.#lastLocation = location;
    return this.#readAt(location, kind);
  }

  /** The same for an object whose name lies in the kernel's memory. */
  readNamed(at: number, kind: PackedKind): HeldBlob | null {
    const location = this.#packs.locateName(at);
    return location < 0 ? null : this.#readAt(location, kind);
  }

  #readAt(location: number, kind: PackedKind): HeldBlob | null {
    const { calls } = this.#kernel;
    try {
      const slot = calls.makeObject(location, KINDS[kind]);
      if (kind === 'blob') this.#count(calls.unpackedEntries());
      return slot === 0 ? null : this.ring.read(slot);
    } catch (error) {
      if (error instanceof TypeError) throw error;
      // A file that cannot be read is git's to complain about; a kernel that fails is of no use any more.
      if (error instanceof Error && error.name === 'RuntimeError') this.#kernel.isBroken = true;
      return null;
    }
  }

  #count(entriesUnpacked: number): void {
    effort.versions++;
    if (entriesUnpacked === 0) effort.versionsHeld++;
    effort.entriesUnpacked += entriesUnpacked;
  }

  close(): void {
    this.#packs.close();
  }
}
