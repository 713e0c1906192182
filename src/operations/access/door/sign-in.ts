// The ways through the door: a one-time link, an invitation, a password. All of them end in a new session.

import type { Caller } from '../../../domain/access/caller.ts';
import { passwordProblem } from '../../../domain/access/password-rules.ts';
import { firstPage, LINK_MS, type SessionOrigin } from '../../../domain/access/sign-in.ts';
import { SERVICE_ENTITY_ID } from '../../../domain/activity/activity.ts';
import { StrataError } from '../../../domain/errors.ts';
import { isActiveEntity } from '../../../storage/access/entities.ts';
import { listUsersWithPassword, readPasswordHash, storePasswordHash } from '../../../storage/access/passwords.ts';
import { findSessionOrigin, listStandings } from '../../../storage/access/sessions.ts';
import {
  deleteOldLinks,
  insertSignInKey,
  type SignInKeyRow,
  takeSignInKey,
} from '../../../storage/access/sign-in-keys.ts';
import {
  ensureMembership,
  findFirstSuperAdmin,
  findOrCreateUser,
  findUser,
  findUserByEmail,
  hasRightsBeyond,
  type UserRow,
} from '../../../storage/access/users.ts';
import type { Database } from '../../../storage/database/handle.ts';
import { inTransaction } from '../../../storage/database/in-transaction.ts';
import { type ActivityOperations, outcomeOf } from '../../activity/activity.ts';
import type { OperationParts } from '../../operation-parts.ts';
import type { OPERATOR } from '../actor.ts';
import { readEmail } from '../users.ts';
import type { Client } from './client.ts';
import { createPasswordChecker } from './passwords.ts';
import { type BegunSession, hashSecret, isSecret, newSecret, type SessionOperations, sessionIdOf } from './sessions.ts';

export interface SignedIn {
  readonly session: BegunSession;
  /** As whom it acts; null for a super admin while there is no entity. */
  readonly caller: Caller | null;
  readonly email: string;
  /** Where the page begins; always an address of this server without its host. */
  readonly page: string;
  readonly entity: string | null;
  readonly needs_password: boolean;
}

export interface SignInOperations {
  byLink(key: string, client: Client): Promise<SignedIn>;
  byPassword(input: { email: string; password: string }, client: Client, signal: AbortSignal): Promise<SignedIn>;
  /** A key for a link, of the user with the address or of the first super admin. The operator alone may make one. */
  makeLink(actor: typeof OPERATOR, email?: string): Promise<{ readonly key: string; readonly email: string }>;
  /** Ends all other sessions of the caller. */
  setPassword(
    caller: Caller,
    input: { password: string; current_password?: string | undefined },
    client: Client,
    signal: AbortSignal,
  ): Promise<{ readonly ended_sessions: number }>;
  readonly hasPasswords: boolean;
}

/** Who came in by a link so recently need not know the password that is to be replaced: that is the way back in. */
const FRESH_MS = LINK_MS;

export function createSignInOperations(
  parts: OperationParts,
  sessions: SessionOperations,
  activity: Pick<ActivityOperations, 'record'>,
): SignInOperations {
  const { store, now, elapsedMs = () => performance.now() } = parts;
  const { db } = store;
  const hasPasswords = parts.door?.hasPasswords ?? true;
  const checker = createPasswordChecker(elapsedMs, parts.door?.passwordCost);

  const enter = async (
    trx: Database,
    user: Pick<UserRow, 'id' | 'email' | 'is_super_admin'>,
    by: SessionOrigin,
    client: Client,
    entityId?: number | null,
  ): Promise<SignedIn> => {
    const standings = await listStandings(trx, { user_id: user.id, is_super_admin: user.is_super_admin });
    const home = standings.find(({ entity_id }) => entity_id === entityId) ?? standings[0];
    if (home === undefined && !user.is_super_admin) {
      throw new StrataError('forbidden', `${user.email} has no role in any entity; an admin can give one`);
    }
    const session = await sessions.begin(trx, { user_id: user.id, entity_id: home?.entity_id ?? null }, by, client);
    const withPassword = hasPasswords ? await listUsersWithPassword(trx, [user.id]) : new Set([user.id]);
    const entity = home?.entity_slug ?? null;
    const caller: Caller | null =
      home === undefined
        ? null
        : {
            ...home,
            user_id: user.id,
            is_super_admin: user.is_super_admin,
            via: { kind: 'session', session_id: String(session.id) },
          };
    const needs_password = !withPassword.has(user.id);
    return { session, caller, email: user.email, entity, page: firstPage(entity), needs_password };
  };

  /** Whoever comes in or is turned away is in the trail. */
  const recorded = async (
    operation: string,
    client: Client,
    email: string | null,
    act: () => Promise<SignedIn>,
  ): Promise<SignedIn> => {
    const common = {
      operation,
      address: client.address,
      parameters: email === null ? [] : [['email', email] as const],
    };
    try {
      const signedIn = await act();
      const { caller } = signedIn;
      await activity.record({
        ...common,
        actor: caller,
        entityId: caller?.entity_id ?? SERVICE_ENTITY_ID,
        outcome: 'success',
      });
      return signedIn;
    } catch (error) {
      await activity.record({ ...common, actor: null, entityId: SERVICE_ENTITY_ID, outcome: outcomeOf(error) });
      throw error;
    }
  };

  return {
    hasPasswords,

    byLink: (key, client) =>
      recorded('sign in by link', client, null, () =>
        inTransaction(db, async (trx) => {
          await deleteOldLinks(trx, now());
          const taken = isSecret(key) ? await takeSignInKey(trx, hashSecret(key), now()) : null;
          const user = taken === null ? null : await userOf(trx, taken, now());
          if (taken === null || user === null) {
            throw new StrataError('unauthorized', 'this link was used before or is too old; ask for a new one');
          }
          return enter(trx, user, taken.kind, client, taken.entity_id);
        }),
      ),

    byPassword: ({ email, password }, client, signal) =>
      recorded('sign in by password', client, email, async () => {
        if (!hasPasswords) throw new StrataError('unauthorized', 'signing in with a password is switched off here');
        const account = email.trim().toLowerCase();
        const user = await findUserByEmail(db, account);
        const phc = user === null ? null : await readPasswordHash(db, user.id);
        const isRight = await checker.check({ account, address: client.address, password }, phc, signal);
        if (!isRight || user === null)
          throw new StrataError('unauthorized', 'this address and this password do not match');
        return inTransaction(db, (trx) => enter(trx, user, 'password', client));
      }),

    async makeLink(_operator, email) {
      const user = email === undefined ? await findFirstSuperAdmin(db) : await findUserByEmail(db, readEmail(email));
      if (user === null) {
        const who = email === undefined ? 'there is no super admin yet; strata serve makes one' : `${email} is unknown`;
        throw new StrataError('not_found', `${who}; strata user list shows those there are`);
      }
      const key = newSecret();
      const created_at = now();
      await insertSignInKey(db, {
        key_sha256: hashSecret(key),
        kind: 'link',
        user_id: user.id,
        created_at,
        expires_at: new Date(created_at.getTime() + LINK_MS),
      });
      return { key, email: user.email };
    },

    async setPassword(caller, { password, current_password }, client, signal) {
      if (!hasPasswords) throw new StrataError('unprocessable', 'signing in with a password is switched off here');
      // A token is for one entity, and whoever made it may have it: a password opens all of the account.
      if (sessionIdOf(caller) === null) {
        throw new StrataError('forbidden', 'a password is set by whoever has signed in; a token cannot');
      }
      const user = await findUser(db, caller.user_id);
      if (user === null) throw new StrataError('not_found', 'the user is gone');
      const phc = await readPasswordHash(db, user.id);
      if (phc !== null && !(await cameByFreshLink(db, caller, now()))) {
        const attempt = { account: user.email, address: client.address, password: current_password ?? '' };
        if (!(await checker.check(attempt, phc, signal))) throw refused('current_password', 'is not the present one');
      }
      const problem = passwordProblem(password, user);
      if (problem !== null) throw refused('password', problem);
      const hash = await checker.hash(password, client.address, signal);
      const ended = await inTransaction(db, async (trx) => {
        await storePasswordHash(trx, { user_id: user.id, phc: hash }, now());
        return sessions.endAllOf(trx, user.id, caller);
      });
      return { ended_sessions: ended };
    },
  };
}

const refused = (field: string, problem: string): StrataError =>
  new StrataError('unprocessable', `the password ${problem}`, { errors: { [field]: [problem] } });

async function cameByFreshLink(db: Database, caller: Caller, now: Date): Promise<boolean> {
  const id = sessionIdOf(caller);
  const origin = id === null ? null : await findSessionOrigin(db, id);
  return origin?.began_by === 'link' && now.getTime() - Date.parse(origin.created_at) <= FRESH_MS;
}

/**
 * Whom a key is for. An invitation makes the user, and gives the role to one who has none there. It is in the hands of
 * who invites as well: it does not open an account with rights that no admin of the entity has.
 */
async function userOf(trx: Database, key: SignInKeyRow, now: Date): Promise<UserRow | null> {
  if (key.kind === 'link') return key.user_id === null ? null : findUser(trx, key.user_id);
  const { email, entity_id, role } = key;
  if (email === null || entity_id === null || role === null) return null;
  if (!(await isActiveEntity(trx, entity_id))) return null;
  const user = await findOrCreateUser(trx, { email, full_name: key.full_name, avatar_url: null }, now);
  if (await hasRightsBeyond(trx, user, entity_id)) {
    throw new StrataError(
      'forbidden',
      `${email} has an account with other rights, which an invitation does not open: sign in as usual`,
    );
  }
  await ensureMembership(trx, { entity_id, user_id: user.id, role }, now);
  return user;
}
