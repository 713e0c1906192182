// Users and their roles in entities.

import { ROLES, type Role } from '../../domain/access/caller.ts';
import { LONGEST_EMAIL, USER_EMAIL } from '../../domain/email-address.ts';
import { StrataError } from '../../domain/errors.ts';
import { revokeTokensOf } from '../../storage/access/api-tokens.ts';
import { deletePassword, listUsersWithPassword } from '../../storage/access/passwords.ts';
import { deleteKeysOfUser } from '../../storage/access/sign-in-keys.ts';
import {
  deleteMembership,
  deleteUser,
  ensureUser,
  findUser,
  findUserByEmail,
  hasRole,
  listMemberships,
  listUsers,
  lockSuperAdmins,
  setMembership,
  type UserRow,
  updateUser,
} from '../../storage/access/users.ts';
import type { Database } from '../../storage/database/handle.ts';
import { inTransaction } from '../../storage/database/in-transaction.ts';
import { countConnectionsOf } from '../../storage/repos/list-connections.ts';
import type { OperationParts } from '../operation-parts.ts';
import type { UserRecord } from '../records.ts';
import { type Actor, OPERATOR } from './actor.ts';
import type { SessionOperations } from './door/sessions.ts';
import { type AccessOperations, type Grant, isSuperAdmin, requireSuperAdmin, type SuperAdmin } from './grant.ts';

export interface NewUserInput {
  readonly email: string;
  readonly full_name?: string | undefined;
  /** Slug of the entity the user gets a role in. */
  readonly entity?: string | undefined;
  /** `member` when left out. */
  readonly role?: string | undefined;
  readonly is_super_admin?: boolean | undefined;
}

export interface UserOperations {
  /**
   * A second call for the same address completes the user: rights are added, never taken, and a name is only a super admin's
   * to replace.
   */
  create(actor: Actor, input: NewUserInput): Promise<UserRecord>;
  list(actor: Actor, filter: { entity?: string | undefined }): Promise<UserRecord[]>;
  /** Whoever gets another role signs in again. The name and the rights of a super admin are a super admin's to change. */
  change(grant: Grant<'admin'>, userId: number, change: UserChange): Promise<UserRecord>;
  /** The user stays, with roles in other entities. A super admin's role is a super admin's to take. */
  removeRole(grant: Grant<'admin'>, userId: number): Promise<UserRecord>;
  /** With roles, tokens, sessions and password. */
  remove(actor: SuperAdmin, userId: number): Promise<UserRecord>;
}

export interface UserChange {
  readonly role?: Role | undefined;
  readonly full_name?: string | undefined;
  readonly is_super_admin?: boolean | undefined;
}

/** What speaks for users, and must not after a change. */
export interface UserCredentials {
  readonly sessions: Pick<SessionOperations, 'endAllOf'>;
  /** Makes every token be looked up again. */
  forgetTokens(): void;
}

export function createUserOperations(
  { store: { db }, now }: OperationParts,
  access: Pick<AccessOperations, 'enterEntity'>,
  credentials: UserCredentials,
): UserOperations {
  /** Where else somebody has a role is not for the admins of one entity to know. */
  const toRecords = async (actor: Actor, users: readonly UserRow[], entity: string | null): Promise<UserRecord[]> => {
    const ids = users.map(({ id }) => id);
    const [all, withPassword] = await Promise.all([listMemberships(db, ids), listUsersWithPassword(db, ids)]);
    const memberships = isSuperAdmin(actor) ? all : all.filter((each) => each.entity === entity);
    return users.map(({ id, email, full_name, is_super_admin, created_at }) => ({
      id,
      email,
      full_name,
      is_super_admin,
      memberships: memberships.filter(({ user_id }) => user_id === id).map(({ entity, role }) => ({ entity, role })),
      has_password: withPassword.has(id),
      created_at,
    }));
  };
  const toRecord = async (actor: Actor, user: UserRow, entity: string | null): Promise<UserRecord> =>
    (await toRecords(actor, [user], entity))[0]!;

  /**
   * For one who becomes a super admin: whoever could act as the user before, as admins who invited them or made them tokens,
   * must not be able to from now on.
   */
  const forgetWaysIn = async (trx: Database, user: Pick<UserRow, 'id' | 'email'>): Promise<void> => {
    await revokeTokensOf(trx, user.id, now());
    await deletePassword(trx, user.id);
    await deleteKeysOfUser(trx, user);
    await credentials.sessions.endAllOf(trx, user.id);
    credentials.forgetTokens();
  };

  /** A user with a role in the entity: others do not exist for its admins. */
  const findMember = async ({ actor, entity }: Grant<'admin'>, userId: number): Promise<UserRow> => {
    const user = await findUser(db, userId);
    const isMember = (await listMemberships(db, [userId])).some((each) => each.entity === entity.slug);
    if (user === null || !(isMember || isSuperAdmin(actor))) throw unknownUser(userId, entity.slug);
    return user;
  };

  return {
    async create(actor, input) {
      const email = readEmail(input.email);
      const role = readRole(input.role);
      if (input.entity === undefined && input.role !== undefined) {
        throw new StrataError('invalid_parameter', 'a role needs the entity it is for', {
          errors: { entity: ['missing'] },
        });
      }
      // Only with an entity can somebody below a super admin create a user.
      if (input.entity === undefined || input.is_super_admin) requireSuperAdmin(actor);
      const entity =
        input.entity === undefined ? null : (await access.enterEntity(actor, input.entity, 'admin')).entity;
      const user = await inTransaction(db, async (transaction) => {
        const before = await findUserByEmail(transaction, email);
        const created = await ensureUser(
          transaction,
          { email, full_name: input.full_name?.trim() || null, is_super_admin: input.is_super_admin ?? false },
          isSuperAdmin(actor),
          now(),
        );
        if (before !== null && created.is_super_admin && !before.is_super_admin) {
          await forgetWaysIn(transaction, created);
        } else if (before !== null && entity !== null && !(await hasRole(transaction, before.id, entity.id))) {
          // Who held a session of somebody without rights here is not to have them.
          await credentials.sessions.endAllOf(transaction, before.id, actor === OPERATOR ? undefined : actor);
        }
        if (entity !== null && before?.is_super_admin && (await hasRole(transaction, before.id, entity.id))) {
          refuseRightsOfSuperAdmin(actor, before);
        }
        if (entity) await setMembership(transaction, { entity_id: entity.id, user_id: created.id, role }, now());
        return created;
      });
      return toRecord(actor, user, entity?.slug ?? null);
    },

    async list(actor, filter) {
      const slug = filter.entity ?? (actor === OPERATOR || actor.is_super_admin ? undefined : actor.entity_slug);
      const entity = slug === undefined ? null : (await access.enterEntity(actor, slug, 'admin')).entity;
      return toRecords(actor, await listUsers(db, { entityId: entity?.id ?? null }), entity?.slug ?? null);
    },

    async change(grant, userId, change) {
      const { actor, entity } = grant;
      const user = await findMember(grant, userId);
      const { role, full_name, is_super_admin } = change;
      if (full_name !== undefined || is_super_admin !== undefined) requireSuperAdmin(actor);
      refuseRightsOfSuperAdmin(actor, user);
      await inTransaction(db, async (trx) => {
        if (is_super_admin === false) await requireAnotherSuperAdmin(trx, actor, user);
        const ofUser = {
          ...(full_name === undefined ? {} : { full_name: full_name.trim() || null }),
          ...(is_super_admin === undefined ? {} : { is_super_admin }),
        };
        if (Object.keys(ofUser).length > 0) await updateUser(trx, user.id, ofUser, now());
        if (is_super_admin === true && !user.is_super_admin) await forgetWaysIn(trx, user);
        if (role !== undefined) await setMembership(trx, { entity_id: entity.id, user_id: user.id, role }, now());
        if (role !== undefined || is_super_admin !== undefined) {
          await credentials.sessions.endAllOf(trx, user.id, actor === OPERATOR ? undefined : actor);
        }
      });
      credentials.forgetTokens();
      return toRecord(actor, (await findUser(db, user.id)) ?? user, entity.slug);
    },

    async removeRole(grant, userId) {
      const { actor, entity } = grant;
      const user = await findMember(grant, userId);
      if (actor !== OPERATOR && actor.user_id === user.id) throw refuseSelf('take away your own role');
      refuseRightsOfSuperAdmin(actor, user);
      await inTransaction(db, async (trx) => {
        if (!(await deleteMembership(trx, entity.id, user.id))) throw unknownUser(userId, entity.slug);
        // Whoever gets a role again is not to get the old tokens with it.
        await revokeTokensOf(trx, user.id, now(), entity.id);
        await credentials.sessions.endAllOf(trx, user.id);
      });
      credentials.forgetTokens();
      return toRecord(actor, user, entity.slug);
    },

    async remove(actor, userId) {
      const user = await findUser(db, userId);
      if (user === null) throw unknownUser(userId);
      if (actor !== OPERATOR && actor.user_id === user.id) throw refuseSelf('remove yourself');
      const record = await toRecord(actor, user, null);
      await inTransaction(db, async (trx) => {
        if (user.is_super_admin) await requireAnotherSuperAdmin(trx, actor, user);
        const connections = await countConnectionsOf(trx, user.id);
        if (connections > 0) {
          const message = `${user.email} owns ${connections} connections to code hosts; remove those first`;
          throw new StrataError('conflict', message);
        }
        await credentials.sessions.endAllOf(trx, user.id);
        await deleteKeysOfUser(trx, user);
        await deleteUser(trx, user.id);
      });
      credentials.forgetTokens();
      return record;
    },
  };
}

/** The last one must stay, and nobody gives up the right by mistake. */
async function requireAnotherSuperAdmin(trx: Database, actor: Actor, user: UserRow): Promise<void> {
  if (actor !== OPERATOR && actor.user_id === user.id) throw refuseSelf('give up the rights of a super admin');
  const others = (await lockSuperAdmins(trx)).filter((id) => id !== user.id);
  if (others.length === 0) throw new StrataError('conflict', `${user.email} is the last super admin`);
}

/** What only a super admin may give, only a super admin may take away. */
export function refuseRightsOfSuperAdmin(actor: Actor, user: Pick<UserRow, 'email' | 'is_super_admin'>): void {
  if (!user.is_super_admin || isSuperAdmin(actor)) return;
  throw new StrataError(
    'forbidden',
    `${user.email} is a super admin: only a super admin can change their roles and tokens`,
  );
}

const refuseSelf = (what: string): StrataError =>
  new StrataError('conflict', `you cannot ${what}; somebody else has to do it`);

const unknownUser = (id: number, entity?: string): StrataError =>
  new StrataError('not_found', `there is no user ${id}${entity === undefined ? '' : ` with a role in ${entity}`}`);

export function readEmail(text: string): string {
  const email = text.trim().toLowerCase();
  if (USER_EMAIL.test(email) && email.length <= LONGEST_EMAIL) return email;
  throw new StrataError('invalid_parameter', `"${text.slice(0, 200)}" is not an e-mail address; expected name@host`, {
    errors: { email: ['malformed'] },
  });
}

function readRole(text: string | undefined): Role {
  if (text === undefined) return 'member';
  const role = ROLES.find((candidate) => candidate === text);
  if (role) return role;
  throw new StrataError(
    'invalid_parameter',
    `"${text.slice(0, 200)}" is not a role; accepted are ${ROLES.join(', ')}`,
    {
      errors: { role: ['unknown'] },
    },
  );
}
