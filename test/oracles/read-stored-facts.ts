// The stored facts of a repo as the engine emitted them, commit by commit. For comparing and exporting; the
// reports read the daily tables.
import { sql } from 'kysely';
import { FILE_MEASURES, type FileMeasure, lineMeasure } from '../../src/domain/commits/file-measures.ts';
import {
  type AgeBucket,
  type CategoryKey,
  categoryOfId,
  FLOW_OPERATIONS,
  type FlowOperation,
} from '../../src/domain/commits/line-model.ts';
import type { RepoKey } from '../../src/storage/commits/commit-changes.ts';
import { splitShas } from '../../src/storage/commits/sha-list.ts';
import type { Database } from '../../src/storage/database/handle.ts';
import type { Row } from '../../src/storage/database/schema.ts';

type FlowLines = Readonly<Record<`lines_${FlowOperation}`, number>>;

interface Signature {
  readonly name: string;
  readonly email: string;
}

export interface StoredFile extends Record<FileMeasure, number> {
  readonly path: string;
  readonly old_path: string | null;
  readonly status: Row<'commit_files'>['status'];
  readonly category: CategoryKey;
  readonly language: string | null;
  readonly limited: string | null;
}

export interface StoredFlow extends FlowLines {
  readonly origin: string | null;
  readonly category: CategoryKey;
  readonly age: AgeBucket;
  readonly ai_lines: number;
}

type CommitColumns = Pick<
  Row<'commits'>,
  'is_merge' | 'reverts' | 'message' | 'contributor_kind' | 'not_counted' | 'on_default_branch' | 'state'
>;

export interface StoredFacts extends CommitColumns {
  readonly sha: string;
  readonly parents: readonly string[];
  readonly author: Signature;
  readonly committer: Signature;
  readonly raw_author: Signature;
  readonly raw_committer: Signature;
  readonly authored: { readonly at: number; readonly zone: number };
  readonly committed: { readonly at: number; readonly zone: number };
  readonly co_authors: readonly Signature[];
  readonly ai: readonly Pick<Row<'commit_ai'>, 'model' | 'provider' | 'source'>[];
  readonly patch_id: string | null;
  readonly derived_from: string | null;
  readonly limits: readonly { readonly reason: string; readonly path: string | null }[];
  readonly files: readonly StoredFile[];
  readonly flows: readonly StoredFlow[];
}

const COMMITS_PER_QUERY = 1000;

/** Present commits in order of sha. */
export async function* readStoredFacts(db: Database, key: RepoKey): AsyncGenerator<StoredFacts, void, void> {
  const signatures = await readSignatures(db, key.entityId);
  let after: Buffer = Buffer.alloc(0);
  for (;;) {
    const rows = await db
      .selectFrom('commits')
      .selectAll()
      .select([
        sql<number>`extract(epoch from authored_at)::bigint`.as('authored_seconds'),
        sql<number>`extract(epoch from committed_at)::bigint`.as('committed_seconds'),
      ])
      .where('entity_id', '=', key.entityId)
      .where('repo_id', '=', key.repoId)
      .where('presence', '=', 'existent')
      .where('sha', '>', after)
      .orderBy('sha')
      .limit(COMMITS_PER_QUERY)
      .execute();
    const ids = rows.map((row) => row.id);
    const [files, flows, credits] = [
      groupById(await readFiles(db, key, ids)),
      groupById(await readFlows(db, key, ids)),
      groupById(await readCredits(db, key, ids)),
    ];
    const signature = (id: number): Signature => signatures.get(id) ?? { name: '?', email: '?' };
    for (const row of rows) {
      const committer = row.committer_signature_id ?? row.author_signature_id;
      yield {
        sha: row.sha.toString('hex'),
        parents: splitShas(row.parents),
        author: signature(row.author_signature_id),
        committer: signature(committer),
        raw_author: signature(row.raw_author_signature_id ?? row.author_signature_id),
        raw_committer: signature(row.raw_committer_signature_id ?? committer),
        authored: { at: row.authored_seconds, zone: row.authored_zone },
        committed: { at: row.committed_seconds, zone: row.committed_zone },
        message: row.message,
        co_authors: (row.co_author_signature_ids ?? []).map(signature),
        is_merge: row.is_merge,
        reverts: row.reverts,
        contributor_kind: row.contributor_kind,
        ai: (credits.get(row.id) ?? []).map(({ model, provider, source }) => ({ model, provider, source })),
        patch_id: row.patch_id?.toString('hex') ?? null,
        not_counted: row.not_counted,
        derived_from: row.derived_from?.toString('hex') ?? null,
        on_default_branch: row.on_default_branch,
        limits: (row.limits ?? []) as { reason: string; path: string | null }[],
        state: row.state,
        files: (files.get(row.id) ?? []).map(toFile),
        flows: (flows.get(row.id) ?? []).map(toFlow),
      };
    }
    const last = rows.at(-1);
    if (last === undefined || rows.length < COMMITS_PER_QUERY) return;
    after = last.sha;
  }
}

async function readSignatures(db: Database, entityId: number): Promise<Map<number, Signature>> {
  const rows = await db
    .selectFrom('signatures')
    .select(['id', 'name', 'email'])
    .where('entity_id', '=', entityId)
    .execute();
  return new Map(rows.map(({ id, name, email }) => [id, { name, email }]));
}

const readFiles = (db: Database, { entityId }: RepoKey, ids: readonly number[]) =>
  db
    .selectFrom('commit_files')
    .selectAll()
    .where('entity_id', '=', entityId)
    .where((row) => sql<boolean>`${row.ref('commit_id')} = any(${ids})`)
    .orderBy('commit_id')
    .orderBy('file_index')
    .execute();

const readFlows = async (db: Database, { entityId }: RepoKey, ids: readonly number[]) =>
  (
    await sql<Row<'line_flows'> & { origin: string | null }>`
      select f.*, encode(o.sha, 'hex') as origin
      from line_flows f left join commits o on o.entity_id = ${entityId} and o.id = f.origin_commit_id
      where f.entity_id = ${entityId} and f.commit_id = any(${ids}) order by f.commit_id, f.flow_index`.execute(db)
  ).rows;

const readCredits = (db: Database, { entityId }: RepoKey, ids: readonly number[]) =>
  db
    .selectFrom('commit_ai')
    .selectAll()
    .where('entity_id', '=', entityId)
    .where((row) => sql<boolean>`${row.ref('commit_id')} = any(${ids})`)
    .orderBy('commit_id')
    .orderBy('position')
    .execute();

function groupById<T extends { commit_id: number }>(rows: readonly T[]): Map<number, T[]> {
  const groups = new Map<number, T[]>();
  for (const row of rows) {
    const group = groups.get(row.commit_id);
    if (group === undefined) groups.set(row.commit_id, [row]);
    else group.push(row);
  }
  return groups;
}

function toFile(row: Row<'commit_files'>): StoredFile {
  const measures = Object.fromEntries(FILE_MEASURES.map((name) => [name, row[name] ?? 0])) as Record<
    FileMeasure,
    number
  >;
  const { path, old_path, status, language, limited } = row;
  return {
    ...measures,
    path,
    old_path,
    status,
    language,
    limited,
    category: categoryOfId(row.category),
  };
}

const toFlow = (row: Row<'line_flows'> & { origin: string | null }): StoredFlow => ({
  origin: row.origin,
  category: categoryOfId(row.category),
  age: row.age,
  ...(Object.fromEntries(
    FLOW_OPERATIONS.map((operation) => [lineMeasure(operation), row[lineMeasure(operation)] ?? 0]),
  ) as FlowLines),
  ai_lines: row.ai_lines ?? 0,
});
