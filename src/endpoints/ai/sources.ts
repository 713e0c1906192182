// Where usage comes from: what each source brought, and what the tools send.
import { z } from 'zod';
import { USAGE_SOURCE_ORDER } from '../../domain/ai/usage-sources.ts';
import { endpoint } from '../endpoint.ts';
import { p } from '../params/index.ts';
import { r } from '../returns.ts';

export const listAiSources = endpoint({
  route: 'GET /ai_sources',
  action: 'action_get_resource',
  group: 'AI usage',
  summary: 'List the sources of AI usage',
  description: 'What each source reported in the last 30 days, how much of it counts, and what telemetry tools send.',
  access: { resource: 'manager' },
  params: { resource_path: p.resourcePath('entity').optional().describe('The token’s entity when it is left out.') },
  returns: r.object({
    sources: z.array(
      z.object({
        source_em: z.enum(USAGE_SOURCE_ORDER),
        ai_provider_em: z.string(),
        tool_em: z.string().nullable(),
        latest_on: z.string(),
        record_count: z.int(),
        counted_record_count: z
          .int()
          .describe('Records that count; the others are of people and days with a better source.'),
        person_count: z.int(),
      }),
    ),
    telemetry: z.array(
      z.object({
        tool_em: z.string(),
        signals: z.array(z.string()),
        person_count: z.int(),
        cumulative_count: z.int(),
        advice: z.string().nullable(),
      }),
    ),
  }),
  run: ({ grant, ops }) => ops.aiIdentities.listSources(grant),
});
