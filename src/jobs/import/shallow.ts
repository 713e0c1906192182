// Where the history of a shallow source is cut off. A commit there looks like a beginning: all its lines are added, and lines of
// older commits have no origin. So it is a part of what stored commits were read under, like the derivation.
import { listWithParents } from '../../engine/git/list-shas.ts';
import type { RepoKey } from '../../storage/commits/commit-changes.ts';
import { listRoots } from '../../storage/commits/stored-commits.ts';
import type { Database } from '../../storage/database/handle.ts';
import type { RepoRow } from '../../storage/repos/repos.ts';
import type { FetchedRefs } from './refs.ts';

interface Walked {
  readonly target: RepoKey;
  readonly repo: RepoRow;
  readonly mirror: FetchedRefs;
}

/** Whether what is stored was read under another boundary. */
export async function hasBoundaryMoved(
  db: Database,
  { target, repo, mirror }: Walked,
  boundary: readonly string[],
): Promise<boolean> {
  if (repo.shallow_shas !== null) return repo.shallow_shas.join() !== boundary.join();
  // It was not stored yet: whatever begins the history in the store must do so in git.
  return (await listWithParents(mirror.repository, await listRoots(db, target))).length > 0;
}
