// API tokens of an entity.
import { z } from 'zod';
import { StrataError } from '../../domain/errors.ts';
import { endpoint } from '../endpoint.ts';
import { p } from '../params/index.ts';
import { r } from '../returns.ts';
import { entity } from './entity-param.ts';

const GROUP = 'API tokens';
const DAY_MS = 86_400_000;

const token = z
  .object({
    id: z.int(),
    entity: z.string(),
    user_email: z.string(),
    name: z.string().nullable(),
    created_at: z.string(),
    expires_at: z.string().nullable(),
    last_used_at: z.string().nullable(),
    revoked_at: z.string().nullable(),
  })
  .meta({ id: 'ApiToken' });

export const listTokens = endpoint({
  route: 'GET /tokens',
  action: 'action_get_resource',
  group: GROUP,
  summary: 'List the API tokens of an entity',
  access: { resource: 'admin' },
  params: { resource_path: entity() },
  returns: r.envelope({ tokens: z.array(token) }),
  async run({ grant, ops }) {
    const tokens = await ops.tokens.list(grant.actor, { entity: grant.entity.slug });
    return { response_detail: `${tokens.length} tokens`, tokens };
  },
});

export const createToken = endpoint({
  route: 'POST /tokens',
  action: 'action_token_created',
  group: GROUP,
  summary: 'Make an API token',
  description: 'Its secret is in this answer alone.',
  access: { resource: 'admin' },
  params: {
    resource_path: entity(),
    user_email: p.userEmail().optional().describe('Whose rights it has; the caller’s when absent.').ourName(),
    name: p.string().optional().describe('What it is for.').ourName(),
    days: p.integer({ min: 1, max: 3650 }).optional().describe('How long it holds; for ever when absent.').ourName(),
  },
  returns: r.envelope({ token: token.extend({ token: z.string().describe('The secret.') }) }),
  fails: ['not_found'],
  async run({ params, grant, caller, ops, now }) {
    const user_email = params.user_email ?? (await ops.me.read(caller)).user.email;
    const made = await ops.tokens.create(grant.actor, {
      entity: grant.entity.slug,
      user_email,
      name: params.name,
      ...(params.days === undefined
        ? {}
        : { expires_at: new Date(now.getTime() + params.days * DAY_MS).toISOString() }),
    });
    return { response_detail: `a token with the rights of ${user_email}`, token: made };
  },
});

export const revokeToken = endpoint({
  route: 'DELETE /tokens/:id',
  action: 'action_token_revoked',
  group: GROUP,
  summary: 'Revoke an API token',
  access: { resource: 'admin' },
  params: { id: p.recordId().ourName(), resource_path: entity() },
  returns: r.envelope({ token }),
  fails: ['not_found'],
  async run({ params, grant, ops }) {
    const own = await ops.tokens.list(grant.actor, { entity: grant.entity.slug });
    if (!own.some(({ id }) => id === params.id)) throw new StrataError('not_found', 'there is no such token');
    return {
      response_detail: `token ${params.id} is revoked`,
      token: await ops.tokens.revoke(grant.actor, String(params.id)),
    };
  },
});
