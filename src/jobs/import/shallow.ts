// Where the history of a shallow source is cut off. A commit there looks like a beginning: all its lines are added, and lines of
// older commits have no origin. So it is a part of what stored commits were read under, like the derivation.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { listShas, listWithParents } from '../../engine/git/list-shas.ts';
import type { GitRepository } from '../../engine/git/run-git.ts';
import type { RepoKey } from '../../storage/commits/commit-changes.ts';
import { listRoots } from '../../storage/commits/stored-commits.ts';
import type { Database } from '../../storage/database/handle.ts';
import type { RepoRow } from '../../storage/repos/repos.ts';
import type { FetchedRefs } from './refs.ts';

/**
 * Full shas, in order; none when the history is whole. Only ends that the heads lead to: in a folder others come and go with
 * whatever somebody fetches there.
 */
export async function readBoundary(repository: GitRepository, heads: Iterable<string>): Promise<string[]> {
  const ends = new Set(readEnds(repository).split('\n'));
  ends.delete('');
  if (ends.size === 0) return [];
  const { shas } = await listShas(repository, new Set(heads));
  return shas.filter((sha) => ends.has(sha)).sort();
}

/** What cannot be read now is no history without ends. */
function readEnds({ gitDir }: GitRepository): string {
  try {
    return readFileSync(join(gitDir, 'shallow'), 'latin1');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw error;
  }
}

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
