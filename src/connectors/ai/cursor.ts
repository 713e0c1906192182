// Cursor: activity by person and day, cost by event, members as seats, and the lines of commits by who wrote them.
import type { AiCollector, CollectedUsage, CommitCount, Seat } from '../../domain/ai/collector.ts';
import { usageModel } from '../../domain/ai/models.ts';
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

const DAILY_PER_PAGE = 500;
const EVENTS_PER_PAGE = 1000;
const COMMITS_PER_PAGE = 100;
const MOST_PAGES = 10_000;
const OF = { ai_provider_em: 'vendorB_editor', tool_em: 'cursor' } as const;

/** Names of paging fields differ between calls; a page that is not full is the last in any case. */
const hasMore = (answer: Json, rows: number, perPage: number): boolean => {
  const { hasNextPage } = objectOf(answer, 'pagination');
  return rows > 0 && (typeof hasNextPage === 'boolean' ? hasNextPage : rows >= perPage);
};

export function createCursorCollector(client: ProviderClient): AiCollector {
  return {
    overlapDays: 3,
    backfillDays: 90,
    minutesBetweenRuns: 60,

    async pullDay(day, signal) {
      const startDate = Date.parse(`${day}T00:00:00Z`);
      // Both ends are part of the range.
      const range = { startDate, endDate: Date.parse(`${dayAfter(day)}T00:00:00Z`) - 1 };
      const usages: CollectedUsage[] = [];
      for (let page = 1; page <= MOST_PAGES; page++) {
        const answer = await client.post(
          '/teams/daily-usage-data',
          { ...range, page, pageSize: DAILY_PER_PAGE },
          signal,
        );
        const rows = listOf(answer, 'data');
        usages.push(...rows.flatMap((row) => activityOf(row, day)));
        if (!hasMore(answer, rows.length, DAILY_PER_PAGE)) break;
      }
      for (let page = 1; page <= MOST_PAGES; page++) {
        const body = { ...range, page, pageSize: EVENTS_PER_PAGE };
        const answer = await client.post('/teams/filtered-usage-events', body, signal);
        const rows = listOf(answer, 'usageEvents');
        usages.push(...rows.map(costOf));
        if (!hasMore(answer, rows.length, EVENTS_PER_PAGE)) break;
      }
      return { usages };
    },

    async listSeats(signal) {
      const answer = await client.getList('members', '/teams/members', {}, signal);
      return listOf(answer, 'teamMembers').flatMap((row): Seat[] => {
        const email = textOf(row, 'email');
        if (email === '' || row.isRemoved === true) return [];
        const identity = { kind_em: 'email', value: email, display_name: textOf(row, 'name') || null } as const;
        return [{ identity, from_on: null, last_activity_on: null }];
      });
    },

    async listCommits(from, to, signal) {
      const commits: CommitCount[] = [];
      for (let page = 1; page <= MOST_PAGES; page++) {
        const query = { startDate: from, endDate: to, page: String(page), pageSize: String(COMMITS_PER_PAGE) };
        const answer = await client.get('/analytics/ai-code/commits', query, signal);
        // Not every plan has this call.
        if (answer === null) return commits;
        const rows = listOf(answer, 'items');
        commits.push(...rows.flatMap(commitOf));
        if (rows.length < COMMITS_PER_PAGE) break;
      }
      return commits;
    },
  };
}

function activityOf(row: Json, day: string): CollectedUsage[] {
  const email = textOf(row, 'email');
  const on =
    typeof row.date === 'number' ? new Date(row.date).toISOString().slice(0, 10) : textOf(row, 'day').slice(0, 10);
  if (email === '' || row.isActive === false || (on !== '' && on !== day)) return [];
  const usage = {
    lines_added: countOf(row, 'acceptedLinesAdded'),
    lines_deleted: countOf(row, 'acceptedLinesDeleted'),
    prompted_suggest_count: countOf(row, 'totalApplies'),
    prompted_accept_count: countOf(row, 'totalAccepts'),
    tab_suggest_count: countOf(row, 'totalTabsShown'),
    tab_accept_count: countOf(row, 'totalTabsAccepted'),
    prompt_count: ['composerRequests', 'chatRequests', 'agentRequests', 'cmdkUsages'].reduce(
      (total, name) => total + countOf(row, name),
      0,
    ),
  };
  if (Object.values(usage).every((count) => count === 0)) return [];
  return [{ ...OF, llm_model_name: 'cursor', identity: { kind_em: 'email', value: email }, ...usage }];
}

/** What was charged is what agrees with the spend; the model's list price is not. */
function costOf(row: Json): CollectedUsage {
  const email = textOf(row, 'userEmail');
  const service = textOf(row, 'serviceAccountId');
  const tokens = objectOf(row, 'tokenUsage');
  return {
    ...OF,
    llm_model_name: usageModel(textOf(row, 'model') || 'cursor').model,
    identity:
      email !== ''
        ? { kind_em: 'email', value: email }
        : service !== ''
          ? { kind_em: 'key_name', value: service }
          : null,
    cost_microcents: microcents(numberOf(row, 'chargedCents') ?? 0),
    tokens_input: numberOf(tokens, 'inputTokens'),
    tokens_output: numberOf(tokens, 'outputTokens'),
    tokens_cache_read: numberOf(tokens, 'cacheReadTokens'),
    tokens_cache_write: numberOf(tokens, 'cacheWriteTokens'),
  };
}

function commitOf(row: Json): CommitCount[] {
  const sha = textOf(row, 'commitHash').toLowerCase();
  if (!/^[0-9a-f]{40}$|^[0-9a-f]{64}$/.test(sha)) return [];
  const ai = ['tabLinesAdded', 'tabLinesDeleted', 'composerLinesAdded', 'composerLinesDeleted'].reduce(
    (total, name) => total + countOf(row, name),
    0,
  );
  const others = countOf(row, 'nonAiLinesAdded') + countOf(row, 'nonAiLinesDeleted');
  return [{ sha, llm_model_name: 'cursor', ai_lines: ai, all_lines: ai + others }];
}
