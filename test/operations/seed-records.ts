// Repos, people and commits put straight into the database: what an import would have left there.
import { createHash } from 'node:crypto';
import type { Store } from '../../src/storage/database/handle.ts';

export interface SeedCommit {
  readonly name: string;
  readonly at: string;
  readonly parents?: readonly string[];
  readonly message?: string;
  readonly offDefault?: boolean;
  readonly isMerge?: boolean;
}

/** A stable sha for a name. */
export const shaOf = (name: string): string => createHash('sha1').update(name).digest('hex');

export async function seedEntityId(store: Store, slug: string): Promise<number> {
  const { rows } = await store.pool.query<{ id: number }>('select id from entities where slug = $1', [slug]);
  return rows[0]!.id;
}

export async function seedCommitter(
  store: Store,
  entityId: number,
  person: {
    userName: string;
    email: string;
    providerId?: string;
    providerEmail?: string;
    /** User name of the root committer. */
    childOf?: string;
    addressKeys?: readonly string[];
  },
): Promise<number> {
  const { rows } = await store.pool.query<{ id: number }>(
    `insert into committers (entity_id, root_committer_id, processing_status, committer_user_name, full_name, email,
                             git_provider_id, provider_email)
     select $1, coalesce((select id from committers where entity_id = $1 and committer_user_name = $6), 0),
            'processing_stats', $2, $2, $3, $4, $5 returning id`,
    [
      entityId,
      person.userName,
      person.email,
      person.providerId ?? null,
      person.providerEmail ?? null,
      person.childOf ?? null,
    ],
  );
  const { id } = rows[0]!;
  await store.pool.query(
    'update committers set root_committer_id = id where entity_id = $1 and id = $2 and root_committer_id = 0',
    [entityId, id],
  );
  for (const key of person.addressKeys ?? []) {
    await store.pool.query(
      'insert into committer_identities (entity_id, committer_id, address_key) values ($1,$2,$3)',
      [entityId, id, key],
    );
  }
  return id;
}

export async function seedRepo(store: Store, entityId: number, path: string): Promise<number> {
  const [organization, repo] = path.split('/');
  await store.pool.query(
    'insert into organizations (entity_id, slug, name) values ($1, $2, $2) on conflict do nothing',
    [entityId, organization],
  );
  const { rows } = await store.pool.query<{ id: number }>(
    `insert into repos (entity_id, organization_id, slug, name, source_kind, default_branch)
     select $1, id, $3, $3, 'path', 'main' from organizations where entity_id = $1 and slug = $2 returning id`,
    [entityId, organization, repo],
  );
  return rows[0]!.id;
}

/** Without `parents`, each commit follows the one before it. */
export async function seedCommits(
  store: Store,
  entityId: number,
  repoId: number,
  authorId: number,
  commits: readonly SeedCommit[],
): Promise<Map<string, number>> {
  const ids = new Map<string, number>();
  let previous: string | undefined;
  for (const commit of commits) {
    const parents = commit.parents ?? (previous === undefined ? [] : [previous]);
    const { rows } = await store.pool.query<{ id: number }>(
      `insert into commits (entity_id, repo_id, author_id, author_signature_id, authored_at, committed_at, entered_at,
         authored_on, state, presence, contributor_kind, not_counted, file_count, authored_zone, committed_zone,
         is_merge, on_default_branch, sha, parents, children, message)
       values ($1, $2, $3, 0, $4, $4, $4, $4::timestamptz::date, 'analysis_complete', 'existent', 'unknown', $9, 1, 0, 0,
         $8, $7, $5, $6, '', $10) returning id`,
      [
        entityId,
        repoId,
        authorId,
        commit.at,
        Buffer.from(shaOf(commit.name), 'hex'),
        Buffer.concat(parents.map((name) => Buffer.from(shaOf(name), 'hex'))),
        !(commit.offDefault ?? false),
        commit.isMerge ?? false,
        commit.isMerge ? 'merge' : null,
        commit.message ?? commit.name,
      ],
    );
    ids.set(commit.name, rows[0]!.id);
    previous = commit.name;
  }
  return ids;
}
