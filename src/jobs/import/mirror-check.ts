// Whether what was read from a mirror can be believed. A mirror that is removed or damaged while it is read looks like a
// repository that lacks objects; facts of such a reading must not be stored.
import { GitError, type GitRepository, readGit } from '../../engine/git/run-git.ts';
import type { CommitFact } from '../../engine/model/facts.ts';
import { areAllThere } from '../../engine/objects/object-files.ts';
import { listMissingCommits } from '../../storage/commits/stored-commits.ts';
import type { Database } from '../../storage/database/handle.ts';
import type { FetchedRefs } from './refs.ts';

export class MirrorDamaged extends Error {
  constructor(sha: string | null) {
    super(
      sha === null
        ? 'files of the repository were removed while it was read; it is read again'
        : `the copy of the repository lacks an object of commit ${sha}; it is fetched anew`,
    );
    this.name = 'MirrorDamaged';
  }
}

/** To be called when everything is read that is about to be stored. */
export async function checkMirror({ files }: FetchedRefs): Promise<void> {
  if (!(await areAllThere(files))) throw new MirrorDamaged(null);
}

/** What was fetched was whole: an object that is not there now was lost here. */
export const lacksUnexpectedly = ({ mayLackObjects }: FetchedRefs, { limits }: CommitFact): boolean =>
  !mayLackObjects && limits.some(({ reason }) => reason === 'object_missing');

/** Whether the mirror has to be made anew before the next attempt. */
export async function isMirrorToBlame(mirror: FetchedRefs, error: unknown): Promise<boolean> {
  if (error instanceof MirrorDamaged || !(await areAllThere(mirror.files))) return true;
  return error instanceof GitError && !mirror.mayLackObjects;
}

/** So many of the commits that are stored with missing objects are tried at each import. */
const TRIED = 50;
/** A patch that is larger than this is not worth the try. */
const PATCH_BYTES = 64 << 20;

/** Commits that are stored as lacking objects, and that git can show whole now. */
export async function listReadableAgain(
  db: Database,
  key: { readonly entityId: number; readonly repoId: number },
  repository: GitRepository,
): Promise<string[]> {
  const readable: string[] = [];
  for (const sha of await listMissingCommits(db, key, TRIED)) {
    if (await canShow(repository, sha)) readable.push(sha);
  }
  return readable;
}

async function canShow(repository: GitRepository, sha: string): Promise<boolean> {
  const flags = ['diff-tree', '--root', '-r', '-m', '-M', '-p', '--no-textconv', '--no-ext-diff'];
  try {
    await readGit(repository, [...flags, '--end-of-options', sha], '', PATCH_BYTES);
    return true;
  } catch (error) {
    if (error instanceof GitError) return false;
    throw error;
  }
}
