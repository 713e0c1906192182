// People and commits put straight into the tables that imports fill: what the records API needs of them.

import { reconcileRollups } from '../../../src/storage/commits/rollups.ts';
import type { Store } from '../../../src/storage/database/handle.ts';
import { ensureRepo } from '../../../src/storage/repos/repos.ts';

export interface Person {
  readonly name: string;
  readonly email?: string;
  readonly status?: 'processing_stats' | 'limited_processing' | 'not_processing';
  readonly providerId?: string;
}

export const entityIdOf = async (store: Store, slug: string): Promise<number> =>
  (await store.pool.query('select id from entities where slug = $1', [slug])).rows[0].id;

export async function addPerson(store: Store, entityId: number, person: Person): Promise<number> {
  const email = person.email ?? `${person.name}@example.com`;
  const { rows } = await store.pool.query(
    `insert into committers (entity_id, id, root_committer_id, processing_status, committer_user_name, full_name, email,
                             git_provider_id)
     select $1, n, n, $2, $3, initcap($3), $4, $5 from (select nextval('committers_id_seq') as n) s returning id`,
    [entityId, person.status ?? 'processing_stats', person.name, email, person.providerId ?? null],
  );
  const id = rows[0].id as number;
  await store.pool.query(
    'insert into committer_identities (entity_id, committer_id, address_key) values ($1, $2, lower($3))',
    [entityId, id, email],
  );
  return id;
}

let shas = 0;

/** One complete commit with one file of ten lines; counted when the author is. */
export async function addCommit(
  store: Store,
  entityId: number,
  authorId: number,
  repo: string,
  authoredAt: string,
): Promise<void> {
  const [organization = '', slug = ''] = repo.split('/');
  const { id: repoId } = await ensureRepo(store.db, entityId, { organization, repo: slug }, 'path');
  const sha = (++shas).toString(16).padStart(40, '0');
  const columns = await store.pool.query(
    `select column_name, udt_name from information_schema.columns
     where table_name = 'commits' and is_nullable = 'NO' and column_default is null`,
  );
  const known: Record<string, unknown> = {
    entity_id: entityId,
    repo_id: repoId,
    author_id: authorId,
    author_signature_id: 1,
    authored_at: authoredAt,
    committed_at: authoredAt,
    entered_at: authoredAt,
    authored_on: authoredAt.slice(0, 10),
    state: 'analysis_complete',
    presence: 'existent',
    contributor_kind: 'human',
    sha: Buffer.from(sha, 'hex'),
    message: 'a commit',
  };
  const plain: Record<string, unknown> = { bool: false, bytea: Buffer.alloc(0), text: '', int4: 0, int8: 0, int2: 0 };
  const names = columns.rows.map(({ column_name }) => column_name as string);
  const values = columns.rows.map(({ column_name, udt_name }) => known[column_name] ?? plain[udt_name]);
  await store.pool.query(
    `insert into commits (${names.join(', ')}) values (${names.map((_, index) => `$${index + 1}`).join(', ')})`,
    values,
  );
  await store.db.transaction().execute((trx) => reconcileRollups(trx, entityId, { authorIds: [authorId] }));
}

/** Commits that count in reports, by user name. */
export async function countedCommits(store: Store, entityId: number): Promise<Record<string, number>> {
  const { rows } = await store.pool.query(
    `select r.committer_user_name as name, sum(d.commit_count)::int as count
     from daily_commits d join committers c on c.entity_id = d.entity_id and c.id = d.committer_id
     join committers r on r.entity_id = c.entity_id and r.id = c.root_committer_id
     where d.entity_id = $1 group by 1 order by 1`,
    [entityId],
  );
  return Object.fromEntries(rows.map(({ name, count }) => [name, count]));
}

export const dataVersion = async (store: Store, entityId: number): Promise<number> =>
  (await store.pool.query('select version from data_versions where entity_id = $1', [entityId])).rows[0]?.version ?? 0;
