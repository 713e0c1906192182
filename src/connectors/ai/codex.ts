// OpenAI Codex of a workspace: turns, lines and credits by person and day. Credits are not money, and no acceptance is
// reported.
import type { AiCollector, CollectedUsage, UsageIdentity } from '../../domain/ai/collector.ts';
import { usageModel } from '../../domain/ai/models.ts';
import type { TokenSettings } from '../../domain/ai/providers.ts';
import {
  countOf,
  dayAfter,
  type Json,
  listOf,
  microcents,
  numberOf,
  objectOf,
  type ProviderClient,
  textOf,
} from './provider-client.ts';

export function createCodexCollector(client: ProviderClient, { workspace = '' }: TokenSettings): AiCollector {
  return {
    overlapDays: 6,
    backfillDays: 90,
    minutesBetweenRuns: 360,
    async pullDay(day, signal) {
      const usages: CollectedUsage[] = [];
      const seconds = (on: string): string => String(Date.parse(`${on}T00:00:00Z`) / 1000);
      const query = { start_time: seconds(day), end_time: seconds(dayAfter(day)), limit: '1000' };
      for (let page = ''; ; ) {
        const path = `/v1/analytics/codex/workspaces/${encodeURIComponent(workspace)}/usage`;
        const answer = await client.get(path, page === '' ? query : { ...query, page }, signal);
        if (answer === null) return 'absent';
        usages.push(...listOf(answer, 'data').flatMap(usagesOf));
        page = textOf(answer, 'next_page');
        if (page === '') return { usages };
      }
    },
  };
}

function usagesOf(row: Json): CollectedUsage[] {
  const email = textOf(objectOf(row, 'actor'), 'email');
  const id = textOf(row, 'user_id');
  const identity: UsageIdentity | null =
    email !== '' ? { kind_em: 'email', value: email } : id !== '' ? { kind_em: 'user_id', value: id } : null;
  const of = { ai_provider_em: 'other', tool_em: 'codex', identity };
  const totals = objectOf(row, 'totals');
  const lines = objectOf(row, 'code_attribution');
  const models = listOf(row, 'models');
  return [
    {
      ...of,
      llm_model_name: 'codex',
      prompt_count: countOf(totals, 'turns'),
      session_count: countOf(totals, 'threads'),
      lines_added: countOf(lines, 'lines_added'),
      lines_deleted: countOf(lines, 'lines_removed'),
      ...(models.length > 0 ? {} : { microcredits: microcents(numberOf(totals, 'credits') ?? 0) }),
    },
    ...models.map((each) => ({
      ...of,
      llm_model_name: usageModel(textOf(each, 'model')).model,
      microcredits: microcents(numberOf(each, 'credits') ?? 0),
    })),
  ];
}
