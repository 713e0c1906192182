// What the telemetry of each coding tool means: its metrics and log records as rows. A quantity is a count of usage, or
// the cost in dollars.
import type { AiProvider } from '../../domain/ai/models.ts';
import type { ActivityCount } from '../../domain/ai/usage-sources.ts';
import type { Attributes } from './model.ts';

export type Quantity = ActivityCount | 'cost_microcents';

/** How much a log record says of a quantity. */
export interface Amount {
  readonly attribute: string;
  /** How many of what it counts make one of ours. */
  readonly perUnit?: number;
  /** An attribute whose amount is part of this one and counts by itself. */
  readonly less?: string;
  /** Read where the record has no such attribute. */
  readonly otherwise?: Amount;
}

/** One quantity that a point or record adds to: by the point's value, by an amount of the record, or by one. */
export interface Part {
  readonly quantity: Quantity;
  readonly amount?: Amount;
}

interface Meaning {
  readonly tool: string;
  readonly parts: readonly Part[];
}

/** Only points or records with one of these values. */
interface Condition {
  readonly attribute: string;
  readonly values: readonly string[];
}

interface MetricRow extends Partial<Meaning> {
  readonly tool: string;
  readonly where?: Condition;
  /** The attribute that decides, and what each of its values adds to; others add nothing. */
  readonly by?: { readonly attribute: string; readonly values: Readonly<Record<string, readonly Quantity[]>> };
}

interface LogRow extends Meaning {
  readonly where?: Condition;
}

export const OTLP_TOOLS: Readonly<Record<string, AiProvider>> = {
  'claude-code': 'vendorC_platform',
  copilot: 'vendorA_assistant',
  codex: 'other',
  'gemini-cli': 'other',
  opencode: 'other',
};

/** Edits that somebody decides on; a command that was allowed to run is no suggestion. */
const EDIT_TOOLS = ['Edit', 'MultiEdit', 'Write', 'NotebookEdit', 'apply_patch', 'replace', 'write_file'];

const one = (quantity: Quantity): readonly Part[] => [{ quantity }];
const LINES = { attribute: 'type', values: { added: ['lines_added'], removed: ['lines_deleted'] } } as const;
const ACCEPTED = ['prompted_suggest_count', 'prompted_accept_count'] as const;
const REJECTED = ['prompted_suggest_count'] as const;

/**
 * What each type of token is at its tool. Every token counts once: where the cached ones are part of the input, either the
 * input is counted without them or, in metrics, whose points do not know of each other, they are not counted apart.
 */
const CLAUDE_TOKENS = {
  attribute: 'type',
  values: {
    // without the cached ones
    input: ['tokens_input'],
    output: ['tokens_output'],
    cacheRead: ['tokens_cache_read'],
    cacheCreation: ['tokens_cache_write'],
  },
} as const;
const GEMINI_TOKENS = {
  attribute: 'type',
  values: {
    input: ['tokens_input'],
    // part of the input
    cache: [],
    output: ['tokens_output'],
    // not part of the output
    thought: ['tokens_output'],
    // what calls of tools bring in; whether it is part of the input is not documented
    tool: [],
  },
} as const;

/** Claude Code's names; OpenCode's plugin copies them under its own prefix. */
const claudeMetrics = (tool: string, prefix: string): Record<string, MetricRow> => ({
  [`${prefix}.session.count`]: { tool, parts: one('session_count') },
  [`${prefix}.lines_of_code.count`]: { tool, by: LINES },
  [`${prefix}.code_edit_tool.decision`]: {
    tool,
    by: { attribute: 'decision', values: { accept: ACCEPTED, reject: REJECTED } },
  },
  [`${prefix}.cost.usage`]: { tool, parts: one('cost_microcents') },
  [`${prefix}.token.usage`]: { tool, by: CLAUDE_TOKENS },
  [`${prefix}.active_time.total`]: { tool, parts: one('active_seconds') },
  [`${prefix}.commit.count`]: { tool, parts: one('commit_count') },
  [`${prefix}.pull_request.count`]: { tool, parts: one('pull_request_count') },
});

const METRICS: Readonly<Record<string, MetricRow>> = {
  ...claudeMetrics('claude-code', 'claude_code'),
  ...claudeMetrics('opencode', 'opencode'),
  'gemini_cli.session.count': { tool: 'gemini-cli', parts: one('session_count') },
  'gemini_cli.lines.changed': { tool: 'gemini-cli', by: LINES },
  'gemini_cli.token.usage': { tool: 'gemini-cli', by: GEMINI_TOKENS },
  'gemini_cli.tool.call.count': {
    tool: 'gemini-cli',
    where: { attribute: 'function_name', values: EDIT_TOOLS },
    by: {
      attribute: 'decision',
      values: { accept: ACCEPTED, auto_accept: ACCEPTED, modify: ACCEPTED, reject: REJECTED },
    },
  },
  'copilot_chat.session.count': { tool: 'copilot', parts: one('session_count') },
  'copilot_chat.lines_of_code.count': { tool: 'copilot', by: LINES },
  'copilot_chat.edit.acceptance.count': {
    tool: 'copilot',
    by: { attribute: 'outcome', values: { accepted: ACCEPTED, rejected: REJECTED } },
  },
  'copilot_chat.pull_request.count': { tool: 'copilot', parts: one('pull_request_count') },
};

/** Named after no tool: whose it is the service says. The input is with the cached tokens. */
const SHARED_METRICS: Readonly<Record<string, Omit<MetricRow, 'tool'>>> = {
  'gen_ai.client.token.usage': {
    by: { attribute: 'gen_ai.token.type', values: { input: ['tokens_input'], output: ['tokens_output'] } },
  },
};
/** Gemini CLI is none of them: it sends the same tokens under a name of its own. */
const SERVICES: readonly (readonly [RegExp, string])[] = [
  [/copilot/i, 'copilot'],
  [/claude/i, 'claude-code'],
  [/codex/i, 'codex'],
];

const cost: Part = {
  quantity: 'cost_microcents',
  amount: { attribute: 'cost_usd_micros', perUnit: 1_000_000, otherwise: { attribute: 'cost_usd' } },
};
const tokens = (quantity: Quantity, attribute: string, more: Pick<Amount, 'less'> = {}): Part => ({
  quantity,
  amount: { attribute, ...more },
});

const claudeLogs = (tool: string, prefix: string): Record<string, LogRow> => ({
  [`${prefix}.user_prompt`]: { tool, parts: one('prompt_count') },
  [`${prefix}.api_request`]: {
    tool,
    parts: [
      cost,
      tokens('tokens_input', 'input_tokens'),
      tokens('tokens_output', 'output_tokens'),
      tokens('tokens_cache_read', 'cache_read_tokens'),
      tokens('tokens_cache_write', 'cache_creation_tokens'),
    ],
  },
  // what it decides is in decisionParts
  [`${prefix}.tool_decision`]: { tool, parts: [], where: { attribute: 'tool_name', values: EDIT_TOOLS } },
  [`${prefix}.tool_result`]: { tool, parts: [] },
});

const LOGS: Readonly<Record<string, LogRow>> = {
  ...claudeLogs('claude-code', 'claude_code'),
  ...claudeLogs('opencode', 'opencode'),
  'codex.conversation_starts': { tool: 'codex', parts: one('session_count') },
  'codex.user_prompt': { tool: 'codex', parts: one('prompt_count') },
  'codex.sse_event': {
    tool: 'codex',
    where: { attribute: 'event.kind', values: ['response.completed'] },
    // The output is with the tokens of reasoning.
    parts: [
      tokens('tokens_input', 'input_token_count', { less: 'cached_token_count' }),
      tokens('tokens_output', 'output_token_count'),
      tokens('tokens_cache_read', 'cached_token_count'),
    ],
  },
  'codex.tool_decision': { tool: 'codex', parts: [], where: { attribute: 'tool_name', values: EDIT_TOOLS } },
  'gemini_cli.user_prompt': { tool: 'gemini-cli', parts: one('prompt_count') },
  'gemini_cli.api_response': {
    tool: 'gemini-cli',
    parts: [
      tokens('tokens_input', 'input_token_count', { less: 'cached_content_token_count' }),
      tokens('tokens_output', 'output_token_count'),
      tokens('tokens_output', 'thoughts_token_count'),
      tokens('tokens_cache_read', 'cached_content_token_count'),
    ],
  },
};

const DECISIONS: Readonly<Record<string, readonly Quantity[]>> = {
  accept: ACCEPTED,
  approved: ACCEPTED,
  approved_for_session: ACCEPTED,
  reject: REJECTED,
  denied: REJECTED,
  abort: REJECTED,
};

const isMet = (where: Condition | undefined, attributes: Attributes): boolean =>
  where === undefined || where.values.includes(String(attributes[where.attribute] ?? ''));

/** Null for a metric that nothing is counted from. */
export function metricMeaning(name: string, attributes: Attributes, service: string): Meaning | null {
  const shared = Object.hasOwn(SHARED_METRICS, name) ? SHARED_METRICS[name] : undefined;
  const ofService = SERVICES.find(([pattern]) => pattern.test(service))?.[1];
  const row: MetricRow | undefined =
    shared === undefined
      ? Object.hasOwn(METRICS, name)
        ? METRICS[name]
        : undefined
      : ofService === undefined
        ? undefined
        : { ...shared, tool: ofService };
  if (row === undefined || !isMet(row.where, attributes)) return null;
  if (row.by === undefined) return { tool: row.tool, parts: row.parts ?? [] };
  const quantities = row.by.values[String(attributes[row.by.attribute] ?? '')] ?? [];
  return { tool: row.tool, parts: quantities.map((quantity) => ({ quantity })) };
}

/** Null for a record that nothing is counted from. */
export function logMeaning(name: string, attributes: Attributes, service: string): Meaning | null {
  const row = LOGS[logName(name, service)];
  if (row === undefined || !isMet(row.where, attributes)) return null;
  if (!/tool_decision$/.test(name)) return { tool: row.tool, parts: row.parts };
  const decision = String(attributes.decision ?? '').toLowerCase();
  return { tool: row.tool, parts: (DECISIONS[decision] ?? []).map((quantity) => ({ quantity })) };
}

/** Claude Code's attribute has the bare name, its body the long one. */
export const logName = (name: string, service: string): string =>
  name.includes('.') || service === '' ? name : `${/opencode/i.test(service) ? 'opencode' : 'claude_code'}.${name}`;
