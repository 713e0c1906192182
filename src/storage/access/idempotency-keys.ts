// The calls that were made with an Idempotency-Key. Only hashes of keys and sealed answers come here.
import { sql } from 'kysely';
import type { SendStatement } from '../../kit/current-work.ts';
import type { Database } from '../database/handle.ts';

export interface KeyedCall {
  readonly entity_id: number;
  readonly credential: string;
  readonly key_sha256: Buffer;
}

export interface KeyedRun extends KeyedCall {
  readonly request_sha256: Buffer;
  readonly run_id: string;
}

export interface StoredCall {
  readonly request_sha256: Buffer;
  readonly is_kept: boolean;
  readonly answer: Buffer | null;
}

/**
 * Null when the call is this run's to carry out; else what an earlier run has left. A run that has been silent for
 * `silentSeconds` is taken over, and one of more than `keptHours` is forgotten.
 */
export async function claimCall(
  db: Database,
  run: KeyedRun,
  { silentSeconds, keptHours }: { readonly silentSeconds: number; readonly keptHours: number },
): Promise<StoredCall | null> {
  const { rows } = await sql<{ run_id: string }>`
    insert into idempotency_keys as k (entity_id, credential, key_sha256, request_sha256, run_id)
    values (${run.entity_id}, ${run.credential}, ${run.key_sha256}, ${run.request_sha256}, ${run.run_id}::uuid)
    on conflict (entity_id, credential, key_sha256) do update
      set request_sha256 = excluded.request_sha256, run_id = excluded.run_id, started_at = excluded.started_at,
        is_kept = false, answer = null
      where k.started_at < now() - ${keptHours} * interval '1 hour'
        or (not k.is_kept and k.answer is null and k.request_sha256 = excluded.request_sha256
            and k.started_at < now() - ${silentSeconds} * interval '1 second')
    returning k.run_id`.execute(db);
  if (rows.length > 0) return null;
  const found = await db
    .selectFrom('idempotency_keys')
    .select(['request_sha256', 'is_kept', 'answer'])
    .where('entity_id', '=', run.entity_id)
    .where('credential', '=', run.credential)
    .where('key_sha256', '=', run.key_sha256)
    .executeTakeFirst();
  // It was given up a moment ago.
  return found ?? claimCall(db, run, { silentSeconds, keptHours });
}

/** Joins the transaction that carries the call out. False when another run has taken it over. */
export async function markKept(send: SendStatement, run: KeyedRun): Promise<boolean> {
  const { rowCount } = await send(
    `update idempotency_keys set is_kept = true
     where entity_id = $1 and credential = $2 and key_sha256 = $3 and run_id = $4`,
    [run.entity_id, run.credential, run.key_sha256, run.run_id],
  );
  return rowCount === 1;
}

const ofRun = (run: KeyedRun) => sql<boolean>`entity_id = ${run.entity_id} and credential = ${run.credential}
  and key_sha256 = ${run.key_sha256} and run_id = ${run.run_id}::uuid`;

export async function storeAnswer(db: Database, run: KeyedRun, answer: Buffer): Promise<void> {
  await sql`update idempotency_keys set is_kept = true, answer = ${answer} where ${ofRun(run)}`.execute(db);
}

/** A call of which nothing was kept may be made again. */
export async function releaseCall(db: Database, run: KeyedRun): Promise<void> {
  await sql`delete from idempotency_keys where ${ofRun(run)} and not is_kept`.execute(db);
}

export async function forgetCalls(db: Database, keptHours: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from idempotency_keys where started_at < now() - ${keptHours} * interval '1 hour'`.execute(db);
  return Number(numAffectedRows ?? 0n);
}
