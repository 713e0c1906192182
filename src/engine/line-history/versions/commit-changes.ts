// What a commit changed against a parent, and which file of the parent a new file was: by the lists and renames that the
// walk over whole histories uses.
import { MISSING_OBJECTS_REMEDY } from '../../../domain/repos/missing-objects.ts';
import { DiffStreamError } from '../../diff/streamed-commit.ts';
import { GitError } from '../../git/run-git.ts';
import type { Commit } from '../../objects/commit-object.ts';
import { hasBlob } from '../../objects/object-kinds.ts';
import type { ChangeList, FormerFile, RenameFinder } from '../../trace/renames.ts';
import { LineHistoryError } from '../line-history-error.ts';
import type { FileVersion } from './file-version.ts';
import { bytesToPath, pathToBytes } from './path-bytes.ts';

/** Files that a deleted file may have become: more are not compared. */
const MAX_LATER_CANDIDATES = 50;

/** Against nothing when there is no parent. */
export const readChanges = (renames: RenameFinder, commit: Commit, parent: Commit | null): Promise<ChangeList> =>
  orMissing(renames.changes(commit.sha, parent?.sha ?? null), commit);

/** The version of a new file in a parent that has it under another path. */
export async function findFormerVersion(
  renames: RenameFinder,
  version: FileVersion,
  parent: Commit,
): Promise<FileVersion | null> {
  const path = bytesToPath(version.path);
  const changes = await readChanges(renames, version.commit, parent);
  const former = (await findFormers(renames, version.commit, changes, [path])).get(path);
  return former === undefined ? null : { commit: parent, path: pathToBytes(former.path), blob: former.blob };
}

/** The version of a file that the commit deletes from its parent, when it has it under another path. */
export async function findRenamedVersion(
  renames: RenameFinder,
  commit: Commit,
  before: FileVersion,
): Promise<FileVersion | null> {
  const formerPath = bytesToPath(before.path);
  const changes = await readChanges(renames, commit, before.commit);
  const added = [...changes].filter(
    ([, { status, newMode }]) => status === 'A' && hasBlob(Number.parseInt(newMode, 8)),
  );
  const equal = added.filter(([, { newBlob }]) => newBlob === before.blob);
  const candidates = (equal.length > 0 ? equal : added).slice(0, MAX_LATER_CANDIDATES).map(([path]) => path);
  const formers = await findFormers(renames, commit, changes, candidates);
  const path = candidates.find((each) => formers.get(each)?.path === formerPath);
  return path === undefined ? null : { commit, path: pathToBytes(path), blob: changes.get(path)!.newBlob };
}

async function findFormers(
  renames: RenameFinder,
  commit: Commit,
  changes: ChangeList,
  paths: readonly string[],
): Promise<ReadonlyMap<string, FormerFile>> {
  const formers = await orMissing(renames.find(changes, paths), commit);
  if (formers !== null) return formers;
  // Without them the line would seem to have begun here.
  const message = `files of commit ${commit.sha} among which former names are looked for are missing; ${MISSING_OBJECTS_REMEDY}`;
  throw new LineHistoryError('missing_object', null, message);
}

async function orMissing<T>(reading: Promise<T>, commit: Commit): Promise<T> {
  try {
    return await reading;
  } catch (error) {
    if (!(error instanceof GitError || error instanceof DiffStreamError)) throw error;
    throw new LineHistoryError('missing_object', null, `what commit ${commit.sha} changed cannot be read`, error);
  }
}
