// Anthropic twice: the Console lists actors by day and terminal with cost by model; Claude Enterprise lists people by day
// without a model, and cost by model apart, which it revises for a month.
import { type AiCollector, type CollectedUsage, ProviderError, type UsageIdentity } from '../../domain/ai/collector.ts';
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

const PER_PAGE = '1000';
const TOOL = 'claude-code';

export const ANTHROPIC_HEADERS = (secret: string): Record<string, string> => ({
  'x-api-key': secret,
  'anthropic-version': '2023-06-01',
});

/** The rows of all pages of a call, null where it answers 404; a cursor belongs to its query. */
async function listRows(
  client: ProviderClient,
  path: string,
  query: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<Json[] | null> {
  const rows: Json[] = [];
  for (let page: string | null = ''; page !== null; ) {
    const answer: Json | null = await client.get(path, page === '' ? query : { ...query, page }, signal);
    if (answer === null) return null;
    rows.push(...listOf(answer, 'data'));
    const next = textOf(answer, 'next_page');
    page = answer.has_more === true && next !== '' ? next : null;
  }
  return rows;
}

const decisionsOf = (actions: Json) => {
  const tools = Object.keys(actions).map((name) => objectOf(actions, name));
  const accepted = tools.reduce((sum, each) => sum + countOf(each, 'accepted') + countOf(each, 'accepted_count'), 0);
  const rejected = tools.reduce((sum, each) => sum + countOf(each, 'rejected') + countOf(each, 'rejected_count'), 0);
  return { prompted_accept_count: accepted, prompted_suggest_count: accepted + rejected };
};

export function createConsoleCollector(client: ProviderClient): AiCollector {
  return {
    overlapDays: 2,
    backfillDays: 365,
    minutesBetweenRuns: 60,
    async pullDay(day, signal) {
      const query = { starting_at: day, limit: PER_PAGE };
      const rows = await listRows(client, '/v1/organizations/usage_report/claude_code', query, signal);
      return rows === null ? 'absent' : { usages: rows.flatMap(consoleUsages) };
    },
  };
}

function consoleUsages(row: Json): CollectedUsage[] {
  const actor = objectOf(row, 'actor');
  const email = textOf(actor, 'email_address');
  const key = textOf(actor, 'api_key_name');
  const identity: UsageIdentity | null =
    email !== '' ? { kind_em: 'email', value: email } : key !== '' ? { kind_em: 'key_name', value: key } : null;
  const of = { ai_provider_em: 'vendorC_platform', tool_em: TOOL, identity };
  const core = objectOf(row, 'core_metrics');
  const lines = objectOf(core, 'lines_of_code');
  return [
    {
      ...of,
      llm_model_name: TOOL,
      lines_added: countOf(lines, 'added'),
      lines_deleted: countOf(lines, 'removed'),
      session_count: countOf(core, 'num_sessions'),
      commit_count: countOf(core, 'commits_by_claude_code'),
      pull_request_count: countOf(core, 'pull_requests_by_claude_code'),
      ...decisionsOf(objectOf(row, 'tool_actions')),
    },
    ...listOf(row, 'model_breakdown').map((each): CollectedUsage => {
      const tokens = objectOf(each, 'tokens');
      return {
        ...of,
        llm_model_name: usageModel(textOf(each, 'model')).model,
        cost_microcents: microcents(numberOf(objectOf(each, 'estimated_cost'), 'amount') ?? 0),
        is_cost_estimate: true,
        tokens_input: countOf(tokens, 'input'),
        tokens_output: countOf(tokens, 'output'),
        tokens_cache_read: countOf(tokens, 'cache_read'),
        tokens_cache_write: countOf(tokens, 'cache_creation'),
      };
    }),
  ];
}

export function createEnterpriseCollector(client: ProviderClient): AiCollector {
  const base = '/v1/organizations/analytics';
  return {
    overlapDays: 31,
    backfillDays: 365,
    minutesBetweenRuns: 360,
    async pullDay(day, signal) {
      let users: Json[] | null;
      try {
        users = await listRows(client, `${base}/users`, { date: day, limit: PER_PAGE }, signal);
      } catch (error) {
        // The answer names the newest day that there is: this one has not come yet.
        if (error instanceof ProviderError && error.latestAvailable !== null && error.latestAvailable < day)
          return 'absent';
        throw error;
      }
      const query = {
        starting_at: `${day}T00:00:00Z`,
        ending_at: `${dayAfter(day)}T00:00:00Z`,
        bucket_width: '1d',
        'group_by[]': 'model',
        'products[]': 'claude_code',
      };
      const buckets = users && (await listRows(client, `${base}/user_cost_report`, query, signal));
      if (users === null || buckets === null) return 'absent';
      const costs = buckets.flatMap((bucket) => [bucket, ...listOf(bucket, 'results')]);
      return { usages: [...users.flatMap(enterpriseUsages), ...costs.flatMap(enterpriseCosts)] };
    },
  };
}

const ENTERPRISE = { ai_provider_em: 'vendorC_enterprise_teams', tool_em: TOOL } as const;

function personOf(user: Json, email: string): UsageIdentity | null {
  if (email !== '') return { kind_em: 'email', value: email };
  const id = textOf(user, 'id') || textOf(user, 'user_id');
  return id === '' ? null : { kind_em: 'user_id', value: id };
}

function enterpriseUsages(row: Json): CollectedUsage[] {
  const user = objectOf(row, 'user');
  const metrics = objectOf(row, 'claude_code_metrics');
  const core = objectOf(metrics, 'core_metrics');
  const lines = objectOf(core, 'lines_of_code');
  const usage = {
    lines_added: countOf(lines, 'added_count'),
    lines_deleted: countOf(lines, 'removed_count'),
    session_count: countOf(core, 'distinct_session_count'),
    commit_count: countOf(core, 'commit_count'),
    pull_request_count: countOf(core, 'pull_request_count'),
    ...decisionsOf(objectOf(metrics, 'tool_actions')),
  };
  if (Object.values(usage).every((count) => count === 0)) return [];
  return [{ ...ENTERPRISE, llm_model_name: TOOL, identity: personOf(user, textOf(user, 'email_address')), ...usage }];
}

/** Amounts are decimal text in cents. */
function enterpriseCosts(row: Json): CollectedUsage[] {
  const cents = numberOf(row, 'amount') ?? numberOf(objectOf(row, 'cost'), 'amount');
  if (cents === null) return [];
  const actor = objectOf(row, 'actor');
  return [
    {
      ...ENTERPRISE,
      llm_model_name: usageModel(textOf(row, 'model') || TOOL).model,
      identity: personOf(actor, textOf(actor, 'email')),
      cost_microcents: microcents(cents),
    },
  ];
}
