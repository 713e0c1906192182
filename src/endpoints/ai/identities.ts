// Whom providers and tools name in their reports of use, and who that is.
import { z } from 'zod';
import { IDENTITY_KINDS, IDENTITY_STATUSES } from '../../domain/ai/usage-sources.ts';
import { endpoint } from '../endpoint.ts';
import { p } from '../params/index.ts';
import { r } from '../returns.ts';

const identity = z
  .object({
    id: z.int(),
    ai_provider_em: z.string(),
    kind_em: z.enum(IDENTITY_KINDS).describe('By what the source names the person.'),
    value: z.string(),
    display_name: z.string().nullable(),
    status_em: z.enum(IDENTITY_STATUSES),
    committer_user_name: z.string().nullable(),
    first_seen_on: z.string(),
    last_seen_on: z.string(),
    record_count: z.int().describe('Records of usage in the days asked for.'),
    cents_cost: z.number(),
    lines_added: z.int(),
    has_seat: z.boolean(),
  })
  .meta({ id: 'AiIdentity' });

const share = z
  .object({
    identity_count: z.int(),
    cents_cost: z.number(),
    cost_percent: z.number().nullable().describe('Of the cost of all usage.'),
    lines_added: z.int(),
    lines_percent: z.number().nullable(),
  })
  .describe('Usage that belongs to nobody who is known: counted for the entity, and for no person.');

const resourcePath = p.resourcePath('entity').optional().describe('The token’s entity when it is left out.');

export const listAiIdentities = endpoint({
  route: 'GET /ai_identities',
  action: 'action_get_resource',
  group: 'AI usage',
  summary: 'List whom AI tools name',
  description:
    'Providers name people by an address, a login or a key. An identity is matched with a committer by itself as soon as one ' +
    'is known by it; what it reported moves to the person. The list says what is still unmatched, most cost first, and ' +
    'which share of the usage that is.',
  access: { resource: 'manager' },
  params: {
    resource_path: resourcePath,
    status: p.oneOf(IDENTITY_STATUSES).optional(),
    days_ago: p.integer({ min: 1, max: 3660 }).default(90).describe('Days up to today whose usage is summed.'),
  },
  returns: r.object({ identities: z.array(identity), unknown: share }),
  run: ({ params, grant, ops }) =>
    ops.aiIdentities.list(grant, { status: params.status ?? null, days: params.days_ago }),
});

export const setAiIdentity = endpoint({
  route: 'POST /ai_identities',
  action: 'action_ai_identity_set',
  group: 'AI usage',
  summary: 'Say who an identity is',
  description:
    'With a committer, all usage of the identity moves to the person, also what is collected later. ' +
    '`ignored` leaves a service account out of the unmatched; `unmatched` lets the rules decide again.',
  access: { resource: 'admin' },
  params: {
    resource_path: resourcePath,
    identity_id: p.integer({ min: 1 }),
    committer_identifier: p
      .string()
      .optional()
      .alias('committer')
      .describe('User name, code-host id or e-mail address.'),
    status: p.oneOf(['ignored', 'unmatched']).optional(),
  },
  returns: r.envelope(),
  fails: ['not_found', 'unprocessable', 'missing_conditional_parameter'],
  async run({ params: { resource_path: _, ...change }, grant, ops }) {
    const owner = await ops.aiIdentities.set(grant, change);
    return { response_detail: `The identity ${change.identity_id} belongs to ${owner}.` };
  },
});
