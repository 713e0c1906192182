// Where the lines of a file stand in a parent that has it under another path, or that git takes for binary: which path
// that is (renames.ts), and the hunks between both versions.

import type { BlobComparer } from '../diff/blob-comparer.ts';
import { readBlobHunks } from '../diff/git-hunks.ts';
import type { RawChange } from '../diff/raw-changes.ts';
import type { GitRepository } from '../git/run-git.ts';
import { createRenameFinder, type RenameQuestion } from './renames.ts';

export interface FollowedPath {
  /** The path in the parent. */
  readonly path: string;
  readonly blob: string;
  readonly hunks: Int32Array;
}

export interface ChangedPath {
  readonly newPath: string;
  readonly oldPath: string;
}

export interface PathFollower {
  /** `paths` are files of `commit` that `parent` lacks. Those without a former path are missing in the answer. */
  follow(commit: string, parent: string, paths: readonly string[]): Promise<Map<string, FollowedPath>>;
  /**
   * The same of many commits of which it is known what they change against a parent, in their order. Null where a partial
   * clone lacks a file among which git would look.
   */
  followAll(questions: readonly RenameQuestion[]): Promise<(Map<string, FollowedPath> | null)[]>;
  /** The hunks of files that git takes for binary, compared as text; those that are no such files are missing. */
  compareAsText(commit: string, parent: string, files: readonly ChangedPath[]): Promise<Map<string, FollowedPath>>;
  close(): Promise<void>;
}

/** Without `blobs` git compares all files. */
export function createPathFollower(repository: GitRepository, blobs: BlobComparer | null): PathFollower {
  const renames = createRenameFinder(repository, blobs);
  const compare = async (path: string, oldBlob: string, newBlob: string): Promise<FollowedPath> => {
    const hunks = blobs?.compareText(oldBlob, newBlob) ?? (await readBlobHunks(repository, oldBlob, newBlob));
    return { path, blob: oldBlob, hunks };
  };
  const followAll: PathFollower['followAll'] = async (questions) => {
    const answers: (Map<string, FollowedPath> | null)[] = [];
    for (const [i, formers] of (await renames.findAll(questions)).entries()) {
      if (formers === null) {
        answers.push(null);
        continue;
      }
      const followed = new Map<string, FollowedPath>();
      for (const [path, former] of formers)
        followed.set(path, await compare(former.path, former.blob, questions[i]!.changes.get(path)!.newBlob));
      answers.push(followed);
    }
    return answers;
  };
  return {
    follow: async (commit, parent, paths) =>
      (await followAll([{ changes: await renames.changes(commit, parent), paths }]))[0] ?? new Map(),
    followAll,
    async compareAsText(commit, parent, files) {
      const changes = await renames.changes(commit, parent);
      const followed = new Map<string, FollowedPath>();
      for (const { newPath, oldPath } of files) {
        const [before, after] = [changes.get(oldPath), changes.get(newPath)];
        if (before !== undefined && after !== undefined && isChanged(before, after))
          followed.set(newPath, await compare(oldPath, before.oldBlob, after.newBlob));
      }
      return followed;
    },
    close: () => renames.close(),
  };
}

/** A file with another content, or one that went and one that came. */
const isChanged = (before: RawChange, after: RawChange): boolean =>
  before === after ? before.status === 'M' : before.status === 'D' && after.status === 'A';
