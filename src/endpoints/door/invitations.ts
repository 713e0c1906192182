// Invitations of people into an entity.
import { z } from 'zod';
import { ROLES } from '../../domain/access/caller.ts';
import { endpoint } from '../endpoint.ts';
import { p } from '../params/index.ts';
import { r } from '../returns.ts';

const GROUP = 'Signing in';

const invitation = z
  .object({
    id: z.int(),
    entity: z.string(),
    email: z.string(),
    full_name: z.string().nullable(),
    role: z.enum(ROLES),
    created_at: z.string(),
    expires_at: z.string(),
    accepted_at: z.string().nullable(),
  })
  .meta({ id: 'Invitation' });

const resource_path = p
  .resourcePath('entity')
  .optional()
  .describe('The entity; the caller’s own when absent.')
  .ourName();

export const createInvitation = endpoint({
  route: 'POST /invitations',
  action: 'action_invitation_created',
  group: GROUP,
  summary: 'Invite somebody into an entity',
  description:
    'The link works once, within seven days. It is mailed where mail is set up, and shown in this answer alone. ' +
    'Who has a role in another entity or is a super admin gets the role at once and signs in as usual: the link opens no such account.',
  access: { resource: 'admin' },
  params: {
    resource_path,
    email: p.userEmail().ourName(),
    full_name: p.string().optional().ourName(),
    role: p.oneOf(ROLES).default('member').ourName(),
  },
  returns: r.envelope({ invitation, link: z.string(), mailed: z.boolean() }),
  fails: ['conflict'],
  async run({ params, grant, ops }) {
    const made = await ops.invitations.create(grant, params);
    return { response_detail: `${made.invitation.email} is invited to ${made.invitation.entity}`, ...made };
  },
});

export const listInvitations = endpoint({
  route: 'GET /invitations',
  action: 'action_get_resource',
  group: GROUP,
  summary: 'List the invitations into an entity',
  access: { resource: 'admin' },
  params: { resource_path },
  returns: r.envelope({ invitations: z.array(invitation) }),
  async run({ grant, ops }) {
    const invitations = await ops.invitations.list(grant);
    return { response_detail: `${invitations.length} invitations`, invitations };
  },
});

export const removeInvitation = endpoint({
  route: 'DELETE /invitations/:id',
  action: 'action_invitation_removed',
  group: GROUP,
  summary: 'Take an invitation back',
  access: { resource: 'admin' },
  params: { id: p.recordId().ourName(), resource_path },
  returns: r.envelope({ invitation }),
  fails: ['not_found'],
  async run({ params, grant, ops }) {
    const removed = await ops.invitations.remove(grant, params.id);
    return { response_detail: `the invitation of ${removed.email} is taken back`, invitation: removed };
  },
});
