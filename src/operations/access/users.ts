// Users and their roles in entities.
import { ROLES, type Role } from '../../domain/access/caller.ts';
import { StrataError } from '../../domain/errors.ts';
import { ensureUser, listMemberships, listUsers, setMembership, type UserRow } from '../../storage/access/users.ts';
import type { OperationParts } from '../operation-parts.ts';
import type { UserRecord } from '../records.ts';
import { type Actor, OPERATOR } from './actor.ts';
import { type AccessOperations, requireSuperAdmin } from './grant.ts';

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
  /** A second call for the same address completes the user: rights are added, never taken. */
  create(actor: Actor, input: NewUserInput): Promise<UserRecord>;
  list(actor: Actor, filter: { entity?: string | undefined }): Promise<UserRecord[]>;
}

export function createUserOperations(
  { store: { db }, now }: OperationParts,
  access: Pick<AccessOperations, 'enterEntity'>,
): UserOperations {
  const toRecords = async (users: readonly UserRow[]): Promise<UserRecord[]> => {
    const memberships = await listMemberships(
      db,
      users.map(({ id }) => id),
    );
    return users.map(({ id, email, full_name, is_super_admin, created_at }) => ({
      id,
      email,
      full_name,
      is_super_admin,
      memberships: memberships.filter(({ user_id }) => user_id === id).map(({ entity, role }) => ({ entity, role })),
      created_at,
    }));
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
      const user = await db.transaction().execute(async (transaction) => {
        const created = await ensureUser(
          transaction,
          { email, full_name: input.full_name?.trim() || null, is_super_admin: input.is_super_admin ?? false },
          now(),
        );
        if (entity) await setMembership(transaction, { entity_id: entity.id, user_id: created.id, role }, now());
        return created;
      });
      return (await toRecords([user]))[0]!;
    },

    async list(actor, filter) {
      const slug = filter.entity ?? (actor === OPERATOR || actor.is_super_admin ? undefined : actor.entity_slug);
      const entity = slug === undefined ? null : (await access.enterEntity(actor, slug, 'admin')).entity;
      return toRecords(await listUsers(db, { entityId: entity?.id ?? null }));
    },
  };
}

export function readEmail(text: string): string {
  const email = text.trim().toLowerCase();
  if (/^[^\s@<>"]+@[^\s@<>"]+$/.test(email) && email.length <= 254) return email;
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
