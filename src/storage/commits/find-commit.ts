// A commit that a caller names by its whole sha.
import type { Database } from '../database/handle.ts';

export interface NamedCommit {
  readonly id: number;
  readonly authored_at: string;
}

export const findCommit = (
  db: Database,
  entityId: number,
  repoId: number,
  sha: string,
): Promise<NamedCommit | undefined> =>
  db
    .selectFrom('commits')
    .select(['id', 'authored_at'])
    .where('entity_id', '=', entityId)
    .where('repo_id', '=', repoId)
    .where('sha', '=', Buffer.from(sha, 'hex'))
    .executeTakeFirst();
