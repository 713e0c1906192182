// Tokens that may send telemetry and nothing else. Only hashes of their secrets come here.
import { sql } from 'kysely';
import type { Database } from '../database/handle.ts';

export interface NewIngestToken {
  readonly entity_id: number;
  readonly user_id: number | null;
  readonly name: string | null;
  readonly token_sha256: Buffer;
  readonly created_by: number | null;
  readonly expires_at: Date | null;
}

export interface IngestTokenRow {
  readonly id: number;
  readonly entity: string;
  readonly user_email: string | null;
  readonly name: string | null;
  readonly created_at: string;
  readonly expires_at: string | null;
  readonly last_used_at: string | null;
  readonly revoked_at: string | null;
}

export async function insertIngestToken(db: Database, token: NewIngestToken): Promise<number> {
  return (await db.insertInto('ingest_tokens').values(token).returning('id').executeTakeFirstOrThrow()).id;
}

const withOwners = (db: Database) =>
  db
    .selectFrom('ingest_tokens as t')
    .innerJoin('entities as e', 'e.id', 't.entity_id')
    .leftJoin('users as u', 'u.id', 't.user_id')
    .select([
      't.id',
      'e.slug as entity',
      'u.email as user_email',
      't.name',
      't.created_at',
      't.expires_at',
      't.last_used_at',
      't.revoked_at',
    ]);

export const listIngestTokens = (db: Database, entityId: number | null): Promise<IngestTokenRow[]> => {
  const tokens = withOwners(db).orderBy('t.id');
  return (entityId === null ? tokens : tokens.where('t.entity_id', '=', entityId)).execute();
};

export async function findIngestToken(
  db: Database,
  by: { readonly id: number } | { readonly sha256: Buffer },
): Promise<IngestTokenRow | null> {
  const tokens = withOwners(db);
  const found = 'id' in by ? tokens.where('t.id', '=', by.id) : tokens.where('t.token_sha256', '=', by.sha256);
  return (await found.executeTakeFirst()) ?? null;
}

export async function revokeIngestToken(db: Database, id: number, now: Date): Promise<void> {
  await sql`update ingest_tokens set revoked_at = coalesce(revoked_at, ${now}::timestamptz) where id = ${id}`.execute(
    db,
  );
}

export interface IngestHolder {
  readonly token_id: number;
  readonly entity_id: number;
  /** Of a personal token: whatever the telemetry says, the use is this person's. */
  readonly user_email: string | null;
}

/** Nobody once it is revoked or has expired, its entity is leaving, or its person has no role there. */
export async function findIngestHolder(db: Database, sha256: Buffer, now: Date): Promise<IngestHolder | null> {
  const { rows } = await sql<IngestHolder>`
    select t.id as token_id, t.entity_id, u.email as user_email
    from ingest_tokens t
    join entities e on e.id = t.entity_id and e.state = 'active'
    left join users u on u.id = t.user_id
    where t.token_sha256 = ${sha256} and t.revoked_at is null
      and (t.expires_at is null or t.expires_at > ${now}::timestamptz)
      and (t.user_id is null or u.is_super_admin or exists (
        select from memberships m where m.entity_id = t.entity_id and m.user_id = t.user_id))`.execute(db);
  return rows[0] ?? null;
}

export async function recordIngestUses(
  db: Database,
  uses: readonly { readonly token_id: number; readonly used_at: Date }[],
): Promise<void> {
  await sql`
    update ingest_tokens set last_used_at = greatest(ingest_tokens.last_used_at, used.at)
    from unnest(${uses.map(({ token_id }) => token_id)}::bigint[],
      ${uses.map(({ used_at }) => used_at.toISOString())}::timestamptz[]) as used (id, at)
    where ingest_tokens.id = used.id`.execute(db);
}
