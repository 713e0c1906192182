// Endpoint 2 of the specification: the stored tokens of AI providers.
import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { p } from '../params/index.ts';
import { r } from '../returns.ts';

const llmToken = z
  .object({
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
    'Without their secrets, which nobody is shown. Tokens are added with `strata llm-token add`. ' +
    'Usage and seats are collected with them, by day and over again for as long as the provider revises a day.',
  access: { resource: 'manager' },
  params: {
    resource_path: p
      .resourcePath('entity', 'organization')
      .describe('For an organization, the tokens that were confirmed for it or for the whole entity.'),
  },
  returns: r.list(llmToken),
  run: async ({ grant, ops }) => (await ops.llmTokens.list(grant)).map(({ id: _, ...token }) => token),
});
