// The import record of a repo: how far its import has come, who may write, and how it ended.
import { sql } from 'kysely';
import type { ImportError, ImportStatus } from '../../domain/repos/import-status.ts';
import type { Database } from '../database/handle.ts';
import type { Row } from '../database/schema.ts';
import { isRepoName } from './repo-key.ts';

export type ImportRow = Row<'imports'>;

export interface ImportKey {
  readonly entityId: number;
  readonly importId: number;
}

/** A run of the import job: the key, and the token that only the latest run has. */
export interface ImportRun extends ImportKey {
  readonly runToken: string;
}

/** Another worker has taken the import over, or it was deleted: this run must end without writing. */
export class ImportTakenOver extends Error {
  override readonly name = 'ImportTakenOver';

  constructor(importId: number) {
    super(`the import ${importId} was taken over by another worker or deleted`);
  }
}

export interface ImportRequest {
  readonly entity_id: number;
  readonly organization_slug: string;
  readonly repo_slug: string;
  /** Commits since then; null asks for the default window unless `wants_all`. */
  readonly wanted_from: string | null;
  readonly wants_all: boolean;
  readonly status?: 'pending' | 'offered_pending_acceptance';
}

/** Creates the record, or puts an existing one back to the start. Call in the transaction that enqueues. */
export async function queueImport(db: Database, request: ImportRequest): Promise<ImportRow> {
  const { status = 'pending', ...values } = request;
  return db
    .insertInto('imports')
    .values({ ...values, status, updated_at: new Date() })
    .onConflict((conflict) =>
      conflict.columns(['entity_id', 'organization_slug', 'repo_slug']).doUpdateSet((row) => ({
        status: row.ref('excluded.status'),
        updated_at: row.ref('excluded.updated_at'),
        wanted_from: row.ref('excluded.wanted_from'),
        wants_all: row.ref('excluded.wants_all'),
        attempt_count: 0,
        percent_complete: 0,
        error_em: null,
        error_detail: '',
        finished_at: null,
      })),
    )
    .returningAll()
    .executeTakeFirstOrThrow();
}

/**
 * Offers what a list of a connection shows for the first time, of organizations that the entity has imports of. Nothing is
 * imported until somebody accepts. Returns the paths of what is offered.
 */
export async function offerNewRepos(
  db: Database,
  { entityId, connectionId }: { readonly entityId: number; readonly connectionId: number },
  listedAt: Date,
): Promise<string[]> {
  const { rows } = await sql<{ path: string }>`
    insert into imports (entity_id, organization_slug, repo_slug, status, wanted_from, wants_all, updated_at)
    select p.entity_id, p.organization_slug, p.repo_slug, 'offered_pending_acceptance', null, false,
      ${listedAt.toISOString()}::timestamptz
    from provider_repos p
    where p.entity_id = ${entityId} and p.connection_id = ${connectionId}
      and p.first_seen_at >= ${listedAt.toISOString()}::timestamptz
      and exists (select from imports i
        where i.entity_id = p.entity_id and lower(i.organization_slug) = lower(p.organization_slug)
          and i.status <> 'offered_pending_acceptance')
      and not exists (select from imports i
        where i.entity_id = p.entity_id and lower(i.organization_slug) = lower(p.organization_slug)
          and lower(i.repo_slug) = lower(p.repo_slug))
      and not exists (select from repos r join provider_connections c on c.entity_id = r.entity_id and c.host_key = r.host_key
        where r.entity_id = p.entity_id and c.id = p.connection_id and r.external_id = p.external_id)
      and not exists (select from provider_repos o
        where o.entity_id = p.entity_id and o.connection_id <> p.connection_id
          and lower(o.organization_slug) = lower(p.organization_slug) and lower(o.repo_slug) = lower(p.repo_slug)
          and o.first_seen_at < p.first_seen_at)
    on conflict do nothing
    returning organization_slug || '/' || repo_slug as path`.execute(db);
  return rows.map(({ path }) => path).sort();
}

export const readImport = (db: Database, { entityId, importId }: ImportKey): Promise<ImportRow | undefined> =>
  db.selectFrom('imports').selectAll().where('entity_id', '=', entityId).where('id', '=', importId).executeTakeFirst();

/** Written in any way; one that is written exactly so goes first. */
export const findImport = (
  db: Database,
  entityId: number,
  organization: string,
  repo: string,
): Promise<ImportRow | undefined> =>
  db
    .selectFrom('imports')
    .selectAll()
    .where('entity_id', '=', entityId)
    .where(isRepoName('organization_slug', organization))
    .where(isRepoName('repo_slug', repo))
    .orderBy((is) => is.and([is('organization_slug', '=', organization), is('repo_slug', '=', repo)]), 'desc')
    .orderBy('id')
    .executeTakeFirst();

export const findImportOfRepo = (db: Database, entityId: number, repoId: number): Promise<ImportRow | undefined> =>
  db
    .selectFrom('imports')
    .selectAll()
    .where('entity_id', '=', entityId)
    .where('repo_id', '=', repoId)
    .executeTakeFirst();

/** Lets one call of an entity at a time decide whether a name is new. */
export async function lockRepoNames(db: Database, entityId: number): Promise<void> {
  await sql`select pg_advisory_xact_lock(${NAMES_LOCK_SPACE}::int, ${entityId % 2_147_483_647}::int)`.execute(db);
}

const NAMES_LOCK_SPACE = 7_080_007;

export const listImports = (db: Database, entityId: number): Promise<ImportRow[]> =>
  db.selectFrom('imports').selectAll().where('entity_id', '=', entityId).orderBy('id').execute();

/** Gives the right to write to this run alone. */
export async function takeImport(db: Database, key: ImportKey, runToken: string): Promise<ImportRow | undefined> {
  return db
    .updateTable('imports')
    .set({ run_token: runToken, started_at: new Date(), updated_at: new Date() })
    .where('entity_id', '=', key.entityId)
    .where('id', '=', key.importId)
    .returningAll()
    .executeTakeFirst();
}

export interface ImportProgress {
  readonly status?: ImportStatus;
  readonly repo_id?: number;
  readonly attempt_count?: number;
  readonly available_provider_connection_count?: number;
  readonly commits_complete_count?: number;
  readonly commit_processed_count?: number;
  readonly expected_commit_count?: number;
  readonly skipped_commit_count?: number;
  readonly last_year_days_with_commit_processed_count?: number;
  readonly percent_complete?: number;
  readonly provider_past_year_commit_count?: number | null;
  readonly default_branch_processed_back_through?: string | null;
  readonly subscription_earliest_processing_at?: string | null;
  readonly last_processed_at?: Date;
  readonly last_provider_quota_exceeded_at?: Date;
  readonly stats_calculated_at?: Date;
  readonly finished_at?: Date | null;
  readonly error_em?: ImportError | null;
  readonly error_detail?: string;
  /** A JSON list, see `LeftOutBranch`. */
  readonly left_out_branches?: string;
}

/** Throws ImportTakenOver when the run has lost its right to write. */
export async function writeProgress(db: Database, run: ImportRun, progress: ImportProgress): Promise<void> {
  const { numUpdatedRows } = await db
    .updateTable('imports')
    .set({ ...progress, updated_at: new Date() })
    .where('entity_id', '=', run.entityId)
    .where('id', '=', run.importId)
    .where('run_token', '=', run.runToken)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) throw new ImportTakenOver(run.importId);
}

/** Takes the right to write from every run of the entity. */
export async function stopImports(db: Database, entityId: number): Promise<void> {
  await db.updateTable('imports').set({ run_token: null }).where('entity_id', '=', entityId).execute();
}

/** The same of one import. */
export async function stopImport(db: Database, { entity_id, id }: Pick<ImportRow, 'entity_id' | 'id'>): Promise<void> {
  await db
    .updateTable('imports')
    .set({ run_token: null })
    .where('entity_id', '=', entity_id)
    .where('id', '=', id)
    .execute();
}
