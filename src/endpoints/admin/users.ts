// Users of an entity and their roles.
import { z } from 'zod';
import { ROLES } from '../../domain/access/caller.ts';
import type { UserRecord } from '../../operations/index.ts';
import { endpoint } from '../endpoint.ts';
import { p } from '../params/index.ts';
import { r } from '../returns.ts';
import { entity, GROUP } from './entity-param.ts';

const user = z
  .object({
    id: z.int(),
    email: z.string(),
    full_name: z.string().nullable(),
    is_super_admin: z.boolean(),
    memberships: z
      .array(z.object({ entity: z.string(), role: z.enum(ROLES) }))
      .describe('Roles; of other entities only where a super admin asks.'),
    has_password: z.boolean(),
    created_at: z.string(),
  })
  .meta({ id: 'User' });

/** Admins of an entity learn nothing of the others that its users are in. */
const shownTo = (isSuperAdmin: boolean, slug: string, record: UserRecord): z.input<typeof user> => ({
  ...record,
  memberships: record.memberships.filter((each) => isSuperAdmin || each.entity === slug).map((each) => ({ ...each })),
});

const id = p.recordId().describe('Of a user, as GET /users shows it.').ourName();

export const listUsers = endpoint({
  route: 'GET /users',
  action: 'action_get_resource',
  group: GROUP,
  summary: 'List the users of an entity',
  access: { resource: 'admin' },
  params: {
    resource_path: entity(),
    all: p.boolean().default(false).describe('Of all entities; for super admins.').ourName(),
  },
  returns: r.envelope({ users: z.array(user) }),
  async run({ params, grant, caller, ops }) {
    const isAll = params.all && caller.is_super_admin;
    const found = await ops.users.list(grant.actor, isAll ? {} : { entity: grant.entity.slug });
    const users = found.map((record) => shownTo(caller.is_super_admin, grant.entity.slug, record));
    return { response_detail: `${users.length} users`, users };
  },
});

export const createUser = endpoint({
  route: 'POST /users',
  action: 'action_user_created',
  group: GROUP,
  summary: 'Give somebody a role in an entity',
  description: 'A user with the address is reused. Whoever is new comes in by an invitation; see POST /invitations.',
  access: { resource: 'admin' },
  params: {
    resource_path: entity(),
    email: p.userEmail().ourName(),
    full_name: p.string().optional().ourName(),
    role: p.oneOf(ROLES).default('member').ourName(),
    is_super_admin: p.boolean().optional().describe('May administer every entity; for super admins.').ourName(),
  },
  returns: r.envelope({ user }),
  async run({ params, grant, caller, ops }) {
    const { email, full_name, role, is_super_admin } = params;
    const input = { email, full_name, role, is_super_admin, entity: grant.entity.slug };
    const made = await ops.users.create(grant.actor, input);
    return {
      response_detail: `${made.email} is ${role} of ${grant.entity.slug}`,
      user: shownTo(caller.is_super_admin, grant.entity.slug, made),
    };
  },
});

export const changeUser = endpoint({
  route: 'PUT /users/:id',
  action: 'action_user_changed',
  group: GROUP,
  summary: 'Change a user’s role or name',
  description:
    'Another role ends the user’s sessions. Names and the rights of super admins are for super admins to change.',
  access: { resource: 'admin' },
  params: {
    id,
    resource_path: entity(),
    role: p.oneOf(ROLES).optional().ourName(),
    full_name: p.string().optional().ourName(),
    is_super_admin: p.boolean().optional().ourName(),
  },
  returns: r.envelope({ user }),
  fails: ['conflict', 'not_found'],
  async run({ params, grant, caller, ops }) {
    const changed = await ops.users.change(grant, params.id, params);
    return {
      response_detail: `${changed.email} is changed`,
      user: shownTo(caller.is_super_admin, grant.entity.slug, changed),
    };
  },
});

export const removeRole = endpoint({
  route: 'DELETE /users/:id/role',
  action: 'action_role_removed',
  group: GROUP,
  summary: 'Take a user’s role in an entity away',
  description: 'The user’s tokens for the entity are revoked, and all sessions end.',
  access: { resource: 'admin' },
  params: { id, resource_path: entity() },
  returns: r.envelope(),
  fails: ['conflict', 'not_found'],
  async run({ params, grant, ops }) {
    const { email } = await ops.users.removeRole(grant, params.id);
    return { response_detail: `${email} has no role in ${grant.entity.slug} any more` };
  },
});

export const removeUser = endpoint({
  route: 'DELETE /users/:id',
  action: 'action_user_removed',
  group: GROUP,
  summary: 'Remove a user with all roles, tokens and sessions',
  description: 'For super admins. What the person committed stays: developers are not users.',
  access: 'super_admin',
  params: { id },
  returns: r.envelope(),
  fails: ['conflict', 'not_found'],
  async run({ params, caller, ops }) {
    const { email } = await ops.users.remove(caller, params.id);
    return { response_detail: `${email} is removed` };
  },
});
