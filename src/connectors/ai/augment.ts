// Augment Code: messages and changed lines by person, one day at a time.
import type { AiCollector, CollectedUsage } from '../../domain/ai/collector.ts';
import { countOf, listOf, type ProviderClient, textOf } from './provider-client.ts';

export function createAugmentCollector(client: ProviderClient): AiCollector {
  return {
    overlapDays: 3,
    backfillDays: 90,
    minutesBetweenRuns: 360,
    async pullDay(day, signal) {
      const usages: CollectedUsage[] = [];
      for (let cursor = ''; ; ) {
        const query = { start_date: day, end_date: day, page_size: '500', ...(cursor === '' ? {} : { cursor }) };
        const answer = await client.get('/analytics/v0/user-activity', query, signal);
        if (answer === null) return 'absent';
        for (const row of listOf(answer, 'users')) {
          const email = textOf(row, 'user_email');
          const service = textOf(row, 'service_account_name');
          usages.push({
            ai_provider_em: 'other',
            tool_em: 'augment',
            llm_model_name: 'augment',
            identity:
              email !== ''
                ? { kind_em: 'email', value: email }
                : service !== ''
                  ? { kind_em: 'key_name', value: service }
                  : null,
            lines_added: countOf(row, 'total_modified_lines_of_code'),
            prompt_count: countOf(row, 'total_messages'),
          });
        }
        cursor = textOf(answer, 'next_cursor');
        if (cursor === '') return { usages };
      }
    },
  };
}
