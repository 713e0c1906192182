// Where reports of use come from, and which of them counts where several speak of one person, day and tool.
import type { AiProvider } from './models.ts';

export const USAGE_SOURCES = {
  submitted: { title: 'sent with POST /ai_usages' },
  import: { title: 'read from a file with `strata ai import`' },
  provider_api: { title: 'collected from the provider' },
  otlp: { title: 'telemetry of the tool itself (OTLP)' },
} as const satisfies Record<string, { title: string }>;

export type UsageSource = keyof typeof USAGE_SOURCES;

/** The first that reports anything counts; sums of two would count the same work twice. */
export const USAGE_SOURCE_ORDER = Object.keys(USAGE_SOURCES) as [UsageSource, ...UsageSource[]];

/**
 * What a source may report of a person's day, besides cost. The columns of `ai_usages`; null means: not reported.
 */
export const ACTIVITY_COUNTS = [
  'lines_added',
  'lines_deleted',
  'prompted_suggest_count',
  'prompted_accept_count',
  'tab_suggest_count',
  'tab_accept_count',
  'prompt_count',
  'session_count',
  'active_seconds',
  'tokens_input',
  'tokens_output',
  'tokens_cache_read',
  'tokens_cache_write',
  'commit_count',
  'pull_request_count',
] as const;
export type ActivityCount = (typeof ACTIVITY_COUNTS)[number];

export const COST_COUNTS = ['cost_microcents', 'microcredits'] as const;

/** Providers that stand for many tools: there the tool tells reports apart. */
export const MANY_TOOLS = ['other', 'custom'] as const;

/**
 * A tool that people use with accounts of two providers. Telemetry without a known account is stored as the first one's;
 * where only the second one reports the person's day, it speaks of the same work as that report.
 */
export const SHARED_TOOL = {
  tool: 'claude-code',
  assumed: 'vendorC_platform',
  other: 'vendorC_enterprise_teams',
} as const satisfies { tool: string; assumed: AiProvider; other: AiProvider };

/** By what a source names a person. */
export const IDENTITY_KINDS = ['email', 'login', 'user_id', 'key_name', 'install_id'] as const;
export type IdentityKind = (typeof IDENTITY_KINDS)[number];

export const IDENTITY_STATUSES = ['matched', 'ignored', 'unmatched'] as const;
export type IdentityStatus = (typeof IDENTITY_STATUSES)[number];

/** How far back points of telemetry are taken: as long as retries are remembered, an older one could count twice. */
export const TELEMETRY_DAYS = 7;
