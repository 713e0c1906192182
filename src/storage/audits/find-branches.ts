// The branches that hold a commit. What stands on the default branch is told by that branch alone; for the
// rest, the history of each other branch is walked back to where it meets the default branch.
import { sql } from 'kysely';
import type { Database } from '../database/handle.ts';

interface Place {
  readonly repo_id: number;
  readonly sha: string;
  readonly on_default_branch: boolean;
  readonly presence: string;
}

type BranchesOf = (repoId: number, sha: string) => readonly string[];

/** Steps of all walks together; a repo with more unmerged history than this shows fewer branches. */
const MOST_STEPS = 200_000;
const SHA_BYTES = 20;

export async function findBranches(db: Database, entityId: number, places: readonly Place[]): Promise<BranchesOf> {
  const found = new Map<string, string[]>();
  const keyOf = (repoId: number, sha: string): string => `${repoId}:${sha}`;
  const add = (repoId: number, sha: string, branch: string): void => {
    const key = keyOf(repoId, sha);
    const known = found.get(key);
    if (known === undefined) found.set(key, [branch]);
    else if (!known.includes(branch)) known.push(branch);
  };
  const repoIds = [...new Set(places.map(({ repo_id }) => repo_id))];
  const { rows: repos } = await sql<{ id: number; default_branch: string | null }>`
    select id, default_branch from repos where entity_id = ${entityId} and id = any(${repoIds}::bigint[])`.execute(db);
  const defaults = new Map(repos.map((repo) => [repo.id, repo.default_branch]));
  for (const place of places) {
    const branch = defaults.get(place.repo_id);
    if (place.on_default_branch && branch) add(place.repo_id, place.sha, branch);
  }
  const unmerged = new Set(
    places.filter((place) => !place.on_default_branch && place.presence === 'existent').map(({ repo_id }) => repo_id),
  );
  for (const repoId of unmerged) await walkBranches(db, entityId, repoId, (sha, branch) => add(repoId, sha, branch));
  return (repoId, sha) => found.get(keyOf(repoId, sha)) ?? [];
}

async function walkBranches(
  db: Database,
  entityId: number,
  repoId: number,
  add: (sha: string, branch: string) => void,
): Promise<void> {
  const [{ rows: heads }, { rows: commits }] = await Promise.all([
    sql<{ name: string; sha: string }>`
      select name, encode(head_sha, 'hex') as sha from branches
      where entity_id = ${entityId} and repo_id = ${repoId} and deleted_at is null order by name`.execute(db),
    sql<{ sha: string; parents: Buffer }>`
      select encode(sha, 'hex') as sha, parents from commits
      where entity_id = ${entityId} and repo_id = ${repoId} and not on_default_branch and presence = 'existent'
      order by sha limit ${MOST_STEPS}`.execute(db),
  ]);
  const parentsOf = new Map(commits.map(({ sha, parents }) => [sha, parents]));
  let steps = 0;
  for (const { name, sha } of heads) {
    const seen = new Set<string>();
    const waiting = [sha];
    for (let at = waiting.pop(); at !== undefined && steps < MOST_STEPS; at = waiting.pop()) {
      const parents = parentsOf.get(at);
      if (parents === undefined || seen.has(at)) continue;
      seen.add(at);
      steps++;
      add(at, name);
      for (let from = 0; from < parents.length; from += SHA_BYTES) {
        waiting.push(parents.subarray(from, from + SHA_BYTES).toString('hex'));
      }
    }
  }
}
