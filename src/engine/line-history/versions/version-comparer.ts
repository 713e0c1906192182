// The hunks between two versions of a file: by the kernel that compares the files of whole histories, and by git for what
// that leaves to it.
import { type BlobComparer, createLooseComparer } from '../../diff/blob-comparer.ts';
import { readBlobHunks } from '../../diff/git-hunks.ts';
import { GitError, type GitRepository } from '../../git/run-git.ts';
import { LineHistoryError } from '../line-history-error.ts';
import type { ObjectStore } from './object-store.ts';

/** As in FileDiff: oldIndex, oldCount, newIndex, newCount. */
export type Hunks = Int32Array;

export interface VersionComparer {
  /** Compared as text. */
  compare(oldBlob: string, newBlob: string): Promise<Hunks>;
}

/** One for all repositories: a comparison begins and ends within one call. */
let shared: BlobComparer | null = null;

/** By `packed`, where there is one. */
export function createVersionComparer(
  repository: GitRepository,
  store: ObjectStore,
  packed: BlobComparer | null = null,
): VersionComparer {
  return {
    async compare(oldBlob, newBlob) {
      if (oldBlob === newBlob) return new Int32Array(0);
      const [before, after] = [await store.lines(oldBlob), await store.lines(newBlob)];
      if (packed === null) shared ??= createLooseComparer();
      const hunks = (packed ?? shared)!.compareBytes(before.bytes, after.bytes);
      if (hunks !== null) return hunks;
      try {
        return await readBlobHunks(repository, oldBlob, newBlob);
      } catch (error) {
        if (!(error instanceof GitError)) throw error;
        throw new LineHistoryError('missing_object', null, `${oldBlob} and ${newBlob} cannot be compared`, error);
      }
    },
  };
}
