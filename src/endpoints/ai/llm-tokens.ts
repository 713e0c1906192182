// Endpoint 2 of the specification: the stored tokens of AI providers.
import { z } from 'zod';
import { LLM_PROVIDER_ALIASES, LLM_PROVIDER_IDS } from '../../domain/ai/providers.ts';
import { endpoint } from '../endpoint.ts';
import { p } from '../params/index.ts';
import { r } from '../returns.ts';

const llmToken = z
  .object({
    id: z.int(),
    ai_usage_provider_em: z.string(),
    created_at: z.string(),
    global_error_em: z.string().nullable(),
    last_exceeded_quota_at: z.string().nullable(),
    last_used_at: z.string().nullable().describe('Null when it was never used.'),
    tool_em: z.string().nullable().describe('Null for the one tool of its provider.'),
    settings: z.record(z.string(), z.string()).describe('What the provider is asked about, and where.'),
    error_detail: z.string().nullable().describe('What went wrong last, in words.'),
    last_success_on: z.string().nullable().describe('Last day whose figures were final when they were read.'),
    latest_available_on: z.string().nullable().describe('Newest day that the provider has.'),
    next_run_at: z.string().nullable(),
    seat_count: z.int().describe('Seats that the provider lists now.'),
    created_by_user: z
      .object({ service_id: z.int(), name: z.string(), git_provider_em: z.string().nullable() })
      .nullable()
      .describe('Null when the operator added it.'),
    confirmed_resources: z.array(
      z.object({
        resource_em: z.enum(['entity_resource', 'organization_resource']),
        resource_id: z.int(),
        resource_name: z.string(),
      }),
    ),
  })
  .meta({ id: 'LlmToken' });

export const listLlmTokens = endpoint({
  route: 'GET /api_tokens/llm_tokens',
  action: 'action_get_resource',
  group: 'API tokens',
  summary: 'List the tokens of AI providers',
  description:
    'Without their secrets, which nobody is shown. ' +
    'Usage and seats are collected with them, by day and over again for as long as the provider revises a day.',
  access: { resource: 'manager' },
  params: {
    resource_path: p
      .resourcePath('entity', 'organization')
      .describe('For an organization, the tokens that were confirmed for it or for the whole entity.'),
  },
  returns: r.list(llmToken),
  run: ({ grant, ops }) => ops.llmTokens.list(grant),
});

export const addLlmToken = endpoint({
  route: 'POST /api_tokens/llm_tokens',
  action: 'action_llm_token_created',
  group: 'API tokens',
  summary: 'Store a token of an AI provider',
  description: 'It is sealed before it is stored, and never shown again.',
  access: { resource: 'admin' },
  params: {
    resource_path: p.resourcePath('entity', 'organization').describe('What it is confirmed for.'),
    ai_usage_provider_em: p.oneOf(LLM_PROVIDER_IDS, LLM_PROVIDER_ALIASES).ourName(),
    secret: p.string({ max: 4000 }).secret().ourName(),
  },
  returns: r.envelope({ llm_token: llmToken }),
  fails: ['not_found'],
  async run({ params, grant, ops }) {
    const token = await ops.llmTokens.add(grant.actor, {
      entity: grant.entity.slug,
      provider: params.ai_usage_provider_em,
      secret: params.secret,
      organization: params.resource_path.organization ?? undefined,
    });
    return { response_detail: `the token of ${token.ai_usage_provider_em} is stored`, llm_token: token };
  },
});

export const removeLlmToken = endpoint({
  route: 'DELETE /api_tokens/llm_tokens/:id',
  action: 'action_llm_token_removed',
  group: 'API tokens',
  summary: 'Remove a token of an AI provider',
  access: { resource: 'admin' },
  params: {
    id: p.recordId().ourName(),
    resource_path: p.resourcePath('entity').optional().describe('The caller’s entity when absent.').ourName(),
  },
  returns: r.envelope(),
  fails: ['not_found'],
  async run({ params, grant, ops }) {
    await ops.llmTokens.remove(grant.actor, grant.entity.slug, params.id);
    return { response_detail: `token ${params.id} is removed` };
  },
});
