// Fetches the heads of pull requests that the host has told of and that no branch leads to: the branch was deleted after a squash,
// or lies in a fork. Each is looked for once, and again when it moves.
import { pullRequestRef } from '../../domain/repos/code-host.ts';
import { type CloneAddress, RepoAccessError, type RepoPath } from '../../domain/repos/source.ts';
import type { MirrorOptions } from '../../engine/git/mirror.ts';
import { fetchPullRequestHeads } from '../../engine/git/pull-request-heads.ts';
import type { Log } from '../../kit/log.ts';
import { findHostedPlace } from '../../storage/collect/scopes.ts';
import type { Database } from '../../storage/database/handle.ts';
import type { RepoRow } from '../../storage/repos/repos.ts';
import { listUnseenHeads, noteSoughtHeads } from '../../storage/reviews/unseen-heads.ts';

/** In one refresh: each is a ref to name, and commits to read. */
const MOST_HEADS = 1_000;

export interface UnseenHeadsInput {
  readonly entityId: number;
  readonly path: RepoPath;
  readonly repo: RepoRow;
  readonly address: CloneAddress;
  readonly options: MirrorOptions;
  readonly log: Log;
}

/** A source that does not give them changes nothing: the branches are imported all the same. */
export async function fetchUnseenHeads(db: Database, input: UnseenHeadsInput): Promise<void> {
  const { entityId, path, repo, address, options, log } = input;
  const place = await findHostedPlace(db, entityId, { ...path, stored: repo });
  if (place === undefined) return;
  const since = repo.processed_from === null ? null : new Date(repo.processed_from);
  const unseen = await listUnseenHeads(db, { entityId, repoId: repo.id }, { since, most: MOST_HEADS });
  const refs = new Map(
    unseen.flatMap(({ number }) => {
      const ref = pullRequestRef(place.git_provider_em, number);
      return ref === null ? [] : [[number, ref] as const];
    }),
  );
  if (refs.size === 0) return;
  try {
    await fetchPullRequestHeads(address, refs, options);
  } catch (error) {
    if (options.signal?.aborted || !(error instanceof RepoAccessError)) throw error;
    log.warn({ err: error, repo_id: repo.id }, 'heads of pull requests could not be fetched');
    return;
  }
  await noteSoughtHeads(
    db,
    entityId,
    unseen.map(({ id }) => id),
  );
}
