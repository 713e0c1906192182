// Stores a batch of facts in one transaction together with the import's progress and the daily tables:
// whatever moment the process dies at, all of the batch is there or none of it.
//
// A commit is stored when it is reached, with its totals, and again when its last origin is known: then
// its files and flows are written, once and for all; only a wider window writes the flows anew, because it may
// know origins that the narrower one did not reach. Commits go through a staging table, because theirs
// is an upsert; files and flows are new by construction and go straight into their tables.
import { sql } from 'kysely';
import type { Database } from '../database/handle.ts';
import type { Session } from '../database/session.ts';
import { lockAuthors } from '../people/lock-authors.ts';
import { type ImportProgress, writeProgress } from '../repos/imports.ts';
import { CopyBuffer } from './copy-buffer.ts';
import { copyRows } from './copy-rows.ts';
import { removeFacts } from './derive-anew.ts';
import { COMPLETION_COLUMNS, CREDIT_COLUMNS, FILE_COLUMNS, FLOW_COLUMNS, STAGED_COLUMNS } from './fact-rows.ts';
import { addToRollups, bumpDataVersion } from './rollups.ts';
import { placeNewCommits } from './shared-commits.ts';

/** Rows on their way to the tables; its memory is used for batch after batch. */
export class FactBatch {
  readonly commits = new CopyBuffer();
  /** Commits of earlier batches whose last origin is now known. */
  readonly completions = new CopyBuffer();
  readonly files = new CopyBuffer();
  readonly flows = new CopyBuffer();
  readonly credits = new CopyBuffer();
  /** Complete commits whose flows are emitted again, with origins that an earlier import did not reach. */
  readonly reopened: number[] = [];
  /** Commits that the batch makes complete. */
  readonly completed: number[] = [];
  /** Of all commits above, completed ones included. */
  readonly authorIds = new Set<number>();
  readonly skipped: { readonly sha: string; readonly reason: string; readonly path: string | null }[] = [];

  clear(): void {
    for (const rows of [this.commits, this.completions, this.files, this.flows, this.credits]) rows.clear();
    this.authorIds.clear();
    this.skipped.length = 0;
    this.reopened.length = 0;
    this.completed.length = 0;
  }
}

export interface FactTarget {
  readonly entityId: number;
  readonly repoId: number;
  readonly importId: number;
  /** Of this run; a batch of a run that lost its right to write is refused. */
  readonly runToken: string;
  readonly timeZone: string;
  /** Of its commits: whether branches lead to them; they do unless given. */
  readonly presence?: 'existent' | 'off_branch';
}

export interface BatchOptions {
  readonly progress: ImportProgress;
  /** Commits may have facts of another derivation, which are replaced. */
  readonly isDerivedAnew: boolean;
}

/** Staged as seconds since 1970. */
const TIMES: readonly string[] = ['authored_at', 'committed_at'];

export async function prepareStaging(session: Session): Promise<void> {
  // The types come from the table itself; constraints do not.
  const staging = { staged_commits: STAGED_COLUMNS, staged_completions: COMPLETION_COLUMNS };
  const typed = (column: string) => (TIMES.includes(column) ? `0::bigint as ${column}` : column);
  for (const [table, columns] of Object.entries(staging)) {
    await session.client.query(
      `create temp table if not exists ${table} on commit delete rows as
       select ${columns.map(typed).join(', ')} from commits with no data`,
    );
  }
}

export async function storeBatch(
  session: Session,
  target: FactTarget,
  batch: FactBatch,
  { progress, isDerivedAnew }: BatchOptions,
): Promise<void> {
  const { client, db } = session;
  const { entityId } = target;
  await session.transaction(async () => {
    // Facts and progress are one transaction: losing the last ones in a crash only means walking again.
    await client.query('set local synchronous_commit = off');
    await client.query('set local statement_timeout = 0');
    // The tables grow faster than statistics are taken of them: without this the planner reads them whole.
    await client.query('set local enable_seqscan = off');
    await writeProgress(db, target, progress);
    await copyRows(client, 'staged_commits', STAGED_COLUMNS, batch.commits);
    await copyRows(client, 'staged_completions', COMPLETION_COLUMNS, batch.completions);
    const authors = await listCountedAuthors(db, entityId, [...batch.authorIds]);
    if (isDerivedAnew) await removeFacts(db, entityId, batch.completed);
    if (isDerivedAnew) await refreshCounted(db, target);
    const counted = [
      ...(await upsertCommits(db, target, authors, isDerivedAnew)),
      ...(await completeCommits(db, target, authors, isDerivedAnew)),
    ];
    await copyRows(client, 'commit_files', FILE_COLUMNS, batch.files);
    await removeFlows(db, entityId, batch.reopened);
    await copyRows(client, 'line_flows', FLOW_COLUMNS, batch.flows);
    await copyRows(client, 'commit_ai', CREDIT_COLUMNS, batch.credits);
    await storeSkipped(db, target, batch.skipped);
    await placeNewCommits(db, target, counted);
    await addToRollups(db, entityId, counted, 1);
    if (counted.length > 0) await bumpDataVersion(db, entityId);
  });
}

/** Those of the authors whose commits count. Nobody's status may change before the end of the transaction. */
async function listCountedAuthors(db: Database, entityId: number, authorIds: readonly number[]): Promise<number[]> {
  await lockAuthors(db, entityId, authorIds);
  const { rows } = await sql<{ id: number }>`
    select p.id
    from committers p join committers r on r.entity_id = ${entityId} and r.id = p.root_committer_id
    where p.entity_id = ${entityId} and p.id = any(${authorIds}) and r.processing_status = 'processing_stats'`.execute(
    db,
  );
  return rows.map(({ id }) => id);
}

const UPDATED = STAGED_COLUMNS.filter((column) => column !== 'id' && column !== 'sha');
/** Which commits repeat others was found out by an earlier walk, and is found out again at the end of this one. */
const UPDATED_ANEW = UPDATED.filter((column) => column !== 'not_counted' && column !== 'derived_from');

const STAGED = STAGED_COLUMNS.map((column) => (TIMES.includes(column) ? `to_timestamp(s.${column})` : `s.${column}`));

interface StoredRow {
  readonly id: number;
  readonly rolled_up: boolean;
}
const countedOf = (rows: readonly StoredRow[]): number[] => rows.filter((row) => row.rolled_up).map(({ id }) => id);

/**
 * Returns the commits whose facts now belong into the daily tables. One that is in them with facts of another derivation
 * stays as it is until it is complete.
 */
async function upsertCommits(
  db: Database,
  target: FactTarget,
  authors: readonly number[],
  isDerivedAnew: boolean,
): Promise<number[]> {
  const columns = sql.raw(STAGED_COLUMNS.join(', '));
  const updated = isDerivedAnew ? UPDATED_ANEW : UPDATED;
  const { rows } = await sql<StoredRow>`
    insert into commits (entity_id, repo_id, entered_at, presence, authored_on, rolled_up, ${columns})
    select ${target.entityId}::bigint, ${target.repoId}::bigint, now(), ${target.presence ?? 'existent'}::commit_presence,
           (to_timestamp(s.authored_at) at time zone ${target.timeZone})::date,
           ${target.presence !== 'off_branch'}::boolean and s.state = 'analysis_complete' and s.not_counted is null
             and s.author_id = any(${authors}),
           ${sql.raw(STAGED.join(', '))}
    from staged_commits s
    on conflict (entity_id, repo_id, sha) do update set
      presence = excluded.presence,
      rolled_up = excluded.rolled_up and (${!isDerivedAnew}::boolean or commits.not_counted is null),
      ${sql.raw(updated.map((column) => `${column} = excluded.${column}`).join(', '))}
    where commits.state <> 'analysis_complete' and not commits.rolled_up
    returning id, rolled_up`.execute(db);
  return countedOf(rows);
}

/** What a commit says of itself, and nothing that its sums depend on. */
const SAID_OF_ITSELF = [
  'parents',
  'children',
  'author_signature_id',
  'raw_author_signature_id',
  'committer_signature_id',
  'raw_committer_signature_id',
  'co_author_signature_ids',
  'is_merge',
  'patch_id',
  'min_hash',
  'reverts',
  'message',
  'limits',
] as const satisfies readonly (typeof STAGED_COLUMNS)[number][];

/** Of commits that stay in the daily tables until they are complete: the rest follows then. */
async function refreshCounted(db: Database, { entityId, repoId }: FactTarget): Promise<void> {
  await sql`
    update commits c set ${sql.raw(SAID_OF_ITSELF.map((column) => `${column} = s.${column}`).join(', '))}
    from staged_commits s
    where c.entity_id = ${entityId} and c.repo_id = ${repoId} and c.sha = s.sha and c.rolled_up`.execute(db);
}

const COMPLETED_ANEW = COMPLETION_COLUMNS.filter((column) => column !== 'id');
const COMPLETED = COMPLETED_ANEW.filter((column) => column !== 'author_id' && column !== 'agent_id');

/** The same for commits that were stored before. */
async function completeCommits(
  db: Database,
  { entityId }: FactTarget,
  authors: readonly number[],
  isDerivedAnew: boolean,
): Promise<number[]> {
  const columns = isDerivedAnew ? COMPLETED_ANEW : COMPLETED;
  const author = sql.raw(isDerivedAnew ? 's.author_id' : 'c.author_id');
  const { rows } = await sql<StoredRow>`
    update commits c set
      state = 'analysis_complete',
      rolled_up = c.not_counted is null and c.presence = 'existent' and ${author} = any(${authors}),
      ${sql.raw(columns.map((column) => `${column} = s.${column}`).join(', '))}
    from staged_completions s
    where c.entity_id = ${entityId} and c.id = s.id and c.state <> 'analysis_complete'
    returning c.id, c.rolled_up`.execute(db);
  return countedOf(rows);
}

async function removeFlows(db: Database, entityId: number, commitIds: readonly number[]): Promise<void> {
  if (commitIds.length === 0) return;
  await sql`delete from line_flows where entity_id = ${entityId} and commit_id = any(${commitIds})`.execute(db);
}

async function storeSkipped(db: Database, target: FactTarget, skipped: FactBatch['skipped']): Promise<void> {
  if (skipped.length === 0) return;
  await sql`
    insert into skipped_commits (entity_id, repo_id, seen_at, sha, reason, path)
    select ${target.entityId}, ${target.repoId}, now(), decode(s, 'hex'), r, p
    from unnest(${skipped.map((s) => s.sha)}::text[], ${skipped.map((s) => s.reason)}::text[],
                ${skipped.map((s) => (s.path ?? '').replaceAll('\0', ''))}::text[]) as t(s, r, p)
    on conflict (entity_id, repo_id, sha, reason, path) do nothing`.execute(db);
}
