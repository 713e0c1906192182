// Queries on sessions. Only hashes of their secrets come here.
import { sql } from 'kysely';
import type { Caller, Standing } from '../../domain/access/caller.ts';
import type { SessionOrigin } from '../../domain/access/sign-in.ts';
import type { Database } from '../database/handle.ts';
import { listActiveEntities } from './entities.ts';
import { announceRevocation } from './revocations.ts';

export interface NewSession {
  readonly user_id: number;
  readonly entity_id: number | null;
  readonly secret_sha256: Buffer;
  readonly began_by: SessionOrigin;
  readonly created_at: Date;
  readonly expires_at: Date;
  readonly address: string;
  readonly agent: string;
}

export async function insertSession(db: Database, session: NewSession): Promise<number> {
  const row = await db
    .insertInto('sessions')
    .values({ ...session, seen_at: session.created_at })
    .returning('id')
    .executeTakeFirstOrThrow();
  return row.id;
}

export interface SessionRow {
  readonly id: number;
  readonly began_by: SessionOrigin;
  readonly created_at: string;
  readonly seen_at: string;
  readonly expires_at: string;
  readonly address: string;
  readonly agent: string;
}

/** Those that still hold, the one used last first. */
export const listSessions = (
  db: Database,
  userId: number,
  { now, idleSince }: { now: Date; idleSince: Date },
): Promise<SessionRow[]> =>
  db
    .selectFrom('sessions')
    .select(['id', 'began_by', 'created_at', 'seen_at', 'expires_at', 'address', 'agent'])
    .where('user_id', '=', userId)
    .where('expires_at', '>', now.toISOString())
    .where('seen_at', '>', idleSince.toISOString())
    .orderBy('seen_at', 'desc')
    .orderBy('id', 'desc')
    .execute();

export async function findSessionOrigin(
  db: Database,
  id: number,
): Promise<{ began_by: SessionOrigin; created_at: string } | null> {
  const row = await db
    .selectFrom('sessions')
    .select(['began_by', 'created_at'])
    .where('id', '=', id)
    .executeTakeFirst();
  return row ?? null;
}

export async function findSessionEnd(db: Database, id: number): Promise<string | null> {
  const row = await db.selectFrom('sessions').select('expires_at').where('id', '=', id).executeTakeFirst();
  return row?.expires_at ?? null;
}

/** Gives the hash of the secret of the one that was ended; null where the user has no such session. */
export async function deleteSession(
  db: Database,
  by: { readonly id: number; readonly user_id: number } | { readonly secret_sha256: Buffer },
): Promise<Buffer | null> {
  const sessions = db.deleteFrom('sessions').returning('secret_sha256');
  const found =
    'id' in by
      ? sessions.where('id', '=', by.id).where('user_id', '=', by.user_id)
      : sessions.where('secret_sha256', '=', by.secret_sha256);
  const hash = (await found.executeTakeFirst())?.secret_sha256 ?? null;
  if (hash !== null) await announceRevocation(db, hash);
  return hash;
}

/** All sessions of a user, but one. */
export async function deleteSessionsOf(db: Database, userId: number, exceptId: number | null = null): Promise<number> {
  const sessions = db.deleteFrom('sessions').where('user_id', '=', userId);
  const { numDeletedRows } = await (exceptId === null
    ? sessions
    : sessions.where('id', '<>', exceptId)
  ).executeTakeFirst();
  if (numDeletedRows > 0n) await announceRevocation(db);
  return Number(numDeletedRows);
}

export async function deleteOldSessions(db: Database, { now, idleSince }: { now: Date; idleSince: Date }) {
  await db
    .deleteFrom('sessions')
    .where((is) => is.or([is('expires_at', '<=', now.toISOString()), is('seen_at', '<=', idleSince.toISOString())]))
    .execute();
}

export interface SessionHolder {
  readonly caller: Caller;
  readonly seen_at: string;
  readonly expires_at: string;
}

/** Whom a session speaks for: nobody once its user has no role anywhere. */
export async function findSessionHolder(db: Database, sha256: Buffer): Promise<SessionHolder | null> {
  const found = await db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .select([
      'sessions.id',
      'sessions.user_id',
      'sessions.entity_id',
      'sessions.seen_at',
      'sessions.expires_at',
      'users.is_super_admin',
    ])
    .where('sessions.secret_sha256', '=', sha256)
    .executeTakeFirst();
  if (found === undefined) return null;
  const standings = await listStandings(db, found);
  const home = standings.find(({ entity_id }) => entity_id === found.entity_id) ?? standings[0];
  if (home === undefined) return null;
  const { seen_at, expires_at, is_super_admin, user_id } = found;
  return {
    caller: {
      ...home,
      user_id,
      is_super_admin,
      via: { kind: 'session', session_id: String(found.id) },
      elsewhere: standings.filter((each) => each !== home),
    },
    seen_at,
    expires_at,
  };
}

/** Where a user has a role; a super admin has one everywhere. */
export async function listStandings(
  db: Database,
  user: { readonly user_id: number; readonly is_super_admin: boolean },
): Promise<Standing[]> {
  if (user.is_super_admin) {
    const entities = await listActiveEntities(db);
    return entities.map(({ id, slug }) => ({ entity_id: id, entity_slug: slug, role: 'admin' }));
  }
  return db
    .selectFrom('memberships')
    .innerJoin('entities', 'entities.id', 'memberships.entity_id')
    .select(['memberships.entity_id', 'entities.slug as entity_slug', 'memberships.role'])
    .where('memberships.user_id', '=', user.user_id)
    .where('entities.state', '=', 'active')
    .orderBy('entities.id')
    .execute();
}

/** One statement for many sessions. A time never moves back, whichever process writes last. */
export async function recordSessionUses(db: Database, uses: readonly { id: number; used_at: Date }[]): Promise<void> {
  const ids = uses.map(({ id }) => id);
  const times = uses.map(({ used_at }) => used_at.toISOString());
  await sql`
    update sessions set seen_at = greatest(sessions.seen_at, used.at)
    from unnest(${ids}::bigint[], ${times}::timestamptz[]) as used (id, at)
    where sessions.id = used.id`.execute(db);
}
