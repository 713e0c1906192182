// Sessions: begun at the door, checked on every request, listed and ended. They carry no rights: what their user may do
// is looked up, and is at most a few seconds old.
import { createHash, randomBytes } from 'node:crypto';
import type { Caller } from '../../../domain/access/caller.ts';
import { SESSION_IDLE_MS, SESSION_MS, type SessionOrigin } from '../../../domain/access/sign-in.ts';
import { StrataError } from '../../../domain/errors.ts';
import {
  deleteOldSessions,
  deleteSession,
  deleteSessionsOf,
  findSessionHolder,
  insertSession,
  listSessions,
  recordSessionUses,
  type SessionRow,
} from '../../../storage/access/sessions.ts';
import type { Database } from '../../../storage/database/handle.ts';
import type { OperationParts } from '../../operation-parts.ts';
import { createLastUseRecorder } from '../last-use-recorder.ts';
import { createTokenCache } from '../token-cache.ts';
import type { Client } from './client.ts';

export interface BegunSession {
  readonly id: number;
  /** The only place that ever holds it. */
  readonly secret: string;
  readonly expires_at: string;
}

export interface SessionRecord extends SessionRow {
  readonly is_current: boolean;
}

export interface SessionOperations {
  /** Whom the session speaks for, or null when it speaks for nobody. */
  authenticate(secret: string): Promise<Caller | null>;
  /** Whether it authenticated somebody when it was last seen; costs no query. */
  wasValid(secret: string): boolean;
  /** A new session with a new secret; the one that the client showed ends. */
  begin(
    db: Database,
    who: { user_id: number; entity_id: number | null },
    by: SessionOrigin,
    client: Client,
  ): Promise<BegunSession>;
  /** The caller's own. */
  list(caller: Caller): Promise<SessionRecord[]>;
  /** One of the caller's own, by id, or `current`. */
  end(caller: Caller, id: string): Promise<{ readonly is_current: boolean }>;
  /** All of a user, in the transaction that changes what the user may do; the caller's own current one may stay. */
  endAllOf(db: Database, userId: number, keep?: Caller): Promise<number>;
  /** Makes the next request of every session, or of the one with this hash, ask the database. */
  forget(hash?: string): void;
  close(): Promise<void>;
}

const SECRET = /^[A-Za-z0-9_-]{43}$/;
const LONGEST_AGENT = 300;

/** 256 random bits; the database keeps their plain hash, which is enough for so many. */
export const newSecret = (): string => randomBytes(32).toString('base64url');
export const hashSecret = (secret: string): Buffer => createHash('sha256').update(secret).digest();
export const isSecret = (text: string): boolean => SECRET.test(text);

export const sessionIdOf = ({ via }: Caller): number | null => (via.kind === 'session' ? Number(via.session_id) : null);

export function createSessionOperations({
  store: { db },
  log,
  now,
  elapsedMs = () => performance.now(),
}: OperationParts): SessionOperations {
  const nowMs = (): number => now().getTime();
  const cache = createTokenCache(
    async (hash) => {
      const found = await findSessionHolder(db, Buffer.from(hash, 'hex'));
      if (found === null) return null;
      const { caller, seen_at, expires_at } = found;
      return { caller, expiresAtMs: Math.min(Date.parse(expires_at), Date.parse(seen_at) + SESSION_IDLE_MS) };
    },
    { nowMs, elapsedMs },
  );
  const lastUse = createLastUseRecorder((uses) => recordSessionUses(db, uses), {
    nowMs,
    onError: (error) => log.warn({ err: error }, 'the last use of sessions could not be written; trying again'),
  });
  const bounds = () => ({ now: now(), idleSince: new Date(nowMs() - SESSION_IDLE_MS) });
  const keyOf = (secret: string): string => hashSecret(secret).toString('hex');

  return {
    async authenticate(secret) {
      if (!isSecret(secret)) return null;
      const caller = await cache.find(keyOf(secret));
      const id = caller === null ? null : sessionIdOf(caller);
      if (id !== null) lastUse.note(id);
      return caller;
    },

    wasValid: (secret) => isSecret(secret) && cache.wasFound(keyOf(secret)),

    async begin(trx, { user_id, entity_id }, began_by, client) {
      const created_at = now();
      const expires_at = new Date(created_at.getTime() + SESSION_MS);
      const secret = newSecret();
      await deleteOldSessions(trx, bounds());
      if (client.session !== null && isSecret(client.session)) {
        await deleteSession(trx, { secret_sha256: hashSecret(client.session) });
        cache.forget(keyOf(client.session));
      }
      const id = await insertSession(trx, {
        user_id,
        entity_id,
        secret_sha256: hashSecret(secret),
        began_by,
        created_at,
        expires_at,
        address: client.address,
        agent: client.agent.slice(0, LONGEST_AGENT),
      });
      return { id, secret, expires_at: expires_at.toISOString() };
    },

    async list(caller) {
      await lastUse.flush();
      const current = sessionIdOf(caller);
      // Whoever made a token may have it: where its user has signed in is not for them to know or to end.
      if (current === null) return [];
      const rows = await listSessions(db, caller.user_id, bounds());
      return rows.map((row) => ({ ...row, is_current: row.id === current }));
    },

    async end(caller, id) {
      const current = sessionIdOf(caller);
      const wanted = id === 'current' || current === null ? current : /^\d{1,15}$/.test(id) ? Number(id) : null;
      const hash = wanted === null ? null : await deleteSession(db, { id: wanted, user_id: caller.user_id });
      if (hash === null) throw new StrataError('not_found', 'you have no such session');
      cache.forget(hash.toString('hex'));
      return { is_current: wanted === current };
    },

    async endAllOf(trx, userId, keep) {
      const kept = keep?.user_id === userId ? sessionIdOf(keep) : null;
      const count = await deleteSessionsOf(trx, userId, kept);
      cache.forget();
      return count;
    },

    forget: (hash) => cache.forget(hash),
    close: () => lastUse.close(),
  };
}
