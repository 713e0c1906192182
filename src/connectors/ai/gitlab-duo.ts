// GitLab Duo: code suggestions as events of users in a group.
import { type AiCollector, type CollectedUsage, ProviderError } from '../../domain/ai/collector.ts';
import type { TokenSettings } from '../../domain/ai/providers.ts';
import { dayAfter, listOf, objectOf, type ProviderClient, textOf } from './provider-client.ts';

const QUERY = `query($group: ID!, $from: Date!, $to: Date!, $after: String) {
  group(fullPath: $group) { aiUsageData { codeSuggestionEvents(startDate: $from, endDate: $to, first: 100, after: $after) {
    nodes { event timestamp user { username } } pageInfo { hasNextPage endCursor } } } } }`;

const SUGGESTED = /SHOWN/i;
const ACCEPTED = /ACCEPTED/i;

export function createGitlabDuoCollector(client: ProviderClient, { group = '' }: TokenSettings): AiCollector {
  return {
    overlapDays: 2,
    backfillDays: 90,
    minutesBetweenRuns: 360,
    async pullDay(day, signal) {
      const counts = new Map<string, { tab_suggest_count: number; tab_accept_count: number }>();
      for (let after: string | null = null; ; ) {
        const variables = { group, from: day, to: dayAfter(day), after };
        const answer = await client.post('/api/graphql', { query: QUERY, variables }, signal);
        if (listOf(answer, 'errors').length > 0) {
          throw new ProviderError(
            'insufficient_scope',
            'GitLab does not let this token read the usage of Duo in the group',
          );
        }
        const events = objectOf(
          objectOf(objectOf(objectOf(answer, 'data'), 'group'), 'aiUsageData'),
          'codeSuggestionEvents',
        );
        for (const node of listOf(events, 'nodes')) {
          if (textOf(node, 'timestamp').slice(0, 10) !== day) continue;
          const name = textOf(objectOf(node, 'user'), 'username');
          const known = counts.get(name) ?? { tab_suggest_count: 0, tab_accept_count: 0 };
          const event = textOf(node, 'event');
          if (SUGGESTED.test(event)) known.tab_suggest_count += 1;
          if (ACCEPTED.test(event)) known.tab_accept_count += 1;
          counts.set(name, known);
        }
        const { hasNextPage, endCursor } = objectOf(events, 'pageInfo');
        if (hasNextPage !== true || typeof endCursor !== 'string') break;
        after = endCursor;
      }
      return {
        usages: [...counts].map(
          ([name, each]): CollectedUsage => ({
            ai_provider_em: 'other',
            tool_em: 'gitlab-duo',
            llm_model_name: 'gitlab-duo',
            identity: name === '' ? null : { kind_em: 'login', value: name },
            ...each,
          }),
        ),
      };
    },
  };
}
