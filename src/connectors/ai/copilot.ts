// GitHub Copilot: one report per user and day behind signed links, and the seats. An unfinished day is a 404, or an
// answer without links.
import type { AiCollector, CollectedUsage, Seat, UsageIdentity } from '../../domain/ai/collector.ts';
import { usageModel } from '../../domain/ai/models.ts';
import type { TokenSettings } from '../../domain/ai/providers.ts';
import {
  countOf,
  type Json,
  listOf,
  microcents,
  numberOf,
  objectOf,
  type ProviderClient,
  textOf,
} from './provider-client.ts';

const SEATS_PER_PAGE = 100;
/** What is not one model. */
const MIXED_MODELS = new Set(['', 'auto', 'unknown', 'others', 'default']);
/** It has lines, and neither suggestions nor acceptances: in a ratio it would sink it. */
const WITHOUT_DECISIONS = 'agent_edit';
const COMPLETION = 'code_completion';

export const COPILOT_HEADERS = (secret: string): Record<string, string> => ({
  authorization: `Bearer ${secret}`,
  accept: 'application/vnd.github+json',
  'x-github-api-version': '2026-03-10',
});

export function createCopilotCollector(client: ProviderClient, settings: TokenSettings): AiCollector {
  const place =
    settings.enterprise === undefined
      ? `/orgs/${encodeURIComponent(settings.organization ?? '')}`
      : `/enterprises/${encodeURIComponent(settings.enterprise)}`;
  return {
    overlapDays: 5,
    backfillDays: 365,
    minutesBetweenRuns: 360,

    async pullDay(day, signal) {
      const report = await client.get(`${place}/copilot/metrics/reports/users-1-day`, { day }, signal);
      if (report === null) return 'absent';
      const links = report.download_links;
      if (!Array.isArray(links) || links.length === 0) return 'no_data';
      const usages: CollectedUsage[] = [];
      for (const link of links) {
        for (const line of (await client.download(String(link), signal)).split('\n')) {
          if (line.trim() !== '') usages.push(...usagesOfUser(JSON.parse(line) as Json));
        }
      }
      return { usages };
    },

    async listSeats(signal) {
      const seats = new Map<string, Seat>();
      for (let page = 1; ; page++) {
        const query = { page: String(page), per_page: String(SEATS_PER_PAGE) };
        const rows = listOf(await client.getList('seats', `${place}/copilot/billing/seats`, query, signal), 'seats');
        for (const row of rows) {
          const login = textOf(objectOf(row, 'assignee'), 'login');
          const known = seats.get(login.toLowerCase());
          const from_on = dateOf(textOf(row, 'created_at'));
          // One person may hold a seat by several teams or organizations: the earliest counts.
          if (login === '' || (known !== undefined && (known.from_on ?? '') <= (from_on ?? ''))) continue;
          const last_activity_on = dateOf(textOf(row, 'last_activity_at'));
          seats.set(login.toLowerCase(), { identity: { kind_em: 'login', value: login }, from_on, last_activity_on });
        }
        if (rows.length < SEATS_PER_PAGE) return [...seats.values()];
      }
    },
  };
}

const dateOf = (text: string): string | null => (/^\d{4}-\d{2}-\d{2}/.test(text) ? text.slice(0, 10) : null);

interface Counts {
  prompted_suggest_count: number;
  prompted_accept_count: number;
  lines_added: number;
  lines_deleted: number;
}

/** One row per model that chat names; completions, and what names none, under the tool's own name. */
function usagesOfUser(row: Json): CollectedUsage[] {
  const login = textOf(row, 'user_login');
  const identity: UsageIdentity =
    login === '' ? { kind_em: 'user_id', value: textOf(row, 'user_id') } : { kind_em: 'login', value: login };
  const of = { ai_provider_em: 'vendorA_assistant', tool_em: 'copilot', identity };
  const features = listOf(row, 'totals_by_feature');
  const sum = (name: string, keep: (feature: string) => boolean): number =>
    features.filter((each) => keep(textOf(each, 'feature'))).reduce((total, each) => total + countOf(each, name), 0);
  const isPrompted = (feature: string): boolean => feature !== COMPLETION && feature !== WITHOUT_DECISIONS;
  const isCompletion = (feature: string): boolean => feature === COMPLETION;
  const rest: Counts = {
    prompted_suggest_count: sum('code_generation_activity_count', isPrompted),
    prompted_accept_count: sum('code_acceptance_activity_count', isPrompted),
    lines_added: countOf(row, 'loc_added_sum'),
    lines_deleted: countOf(row, 'loc_deleted_sum'),
  };
  const byModel = new Map<string, Counts>();
  for (const each of listOf(row, 'totals_by_model_feature')) {
    const feature = textOf(each, 'feature');
    const name = textOf(each, 'model');
    if (MIXED_MODELS.has(name.toLowerCase()) || isCompletion(feature)) continue;
    const known = byModel.get(name) ?? {
      prompted_suggest_count: 0,
      prompted_accept_count: 0,
      lines_added: 0,
      lines_deleted: 0,
    };
    const take = (to: keyof Counts, count: number): void => {
      const taken = Math.min(count, rest[to]);
      known[to] += taken;
      rest[to] -= taken;
    };
    if (isPrompted(feature)) {
      take('prompted_suggest_count', countOf(each, 'code_generation_activity_count'));
      take('prompted_accept_count', countOf(each, 'code_acceptance_activity_count'));
    }
    take('lines_added', countOf(each, 'loc_added_sum'));
    take('lines_deleted', countOf(each, 'loc_deleted_sum'));
    byModel.set(name, known);
  }
  const cli = objectOf(row, 'totals_by_cli');
  const tokens = objectOf(cli, 'token_usage');
  const credits = numberOf(row, 'ai_credits_used');
  return [
    ...[...byModel].map(([name, counts]) => ({ ...of, llm_model_name: usageModel(name).model, ...counts })),
    {
      ...of,
      llm_model_name: 'github-copilot',
      ...rest,
      tab_suggest_count: sum('code_generation_activity_count', isCompletion),
      tab_accept_count: sum('code_acceptance_activity_count', isCompletion),
      prompt_count: countOf(row, 'user_initiated_interaction_count') + countOf(cli, 'prompt_count'),
      session_count: numberOf(cli, 'session_count'),
      tokens_input: numberOf(tokens, 'prompt_tokens_sum'),
      tokens_output: numberOf(tokens, 'output_tokens_sum'),
      // A credit is a cent.
      ...(credits === null
        ? {}
        : { cost_microcents: microcents(credits), microcredits: microcents(credits), is_cost_estimate: true }),
    },
  ];
}
