// What a provider of AI tools can be asked for, whatever its own calls look like: usage by day, seats, and commits.
import type { TokenKindName, TokenSettings } from './providers.ts';
import type { ActivityCount, IdentityKind } from './usage-sources.ts';

export interface UsageIdentity {
  readonly kind_em: IdentityKind;
  readonly value: string;
  readonly display_name?: string | null;
}

/** Counts of a day, a person and a model; absent or null: not reported. */
export interface CollectedUsage extends Readonly<Partial<Record<ActivityCount, number | null>>> {
  readonly ai_provider_em: string;
  readonly tool_em: string;
  readonly llm_model_name: string;
  /** Null: the provider's sum, which belongs to nobody. */
  readonly identity: UsageIdentity | null;
  readonly cost_microcents?: number | null;
  readonly microcredits?: number | null;
  readonly is_cost_estimate?: boolean;
}

/**
 * What a provider has of a day. `no_data`: it answers that there is nothing, which may also mean that it does not report.
 * `absent`: it knows no such day (404), because the day is not ready or because the token may not see it.
 */
export type DayReport = { readonly usages: readonly CollectedUsage[] } | 'no_data' | 'absent';

export interface Seat {
  readonly identity: UsageIdentity;
  /** YYYY-MM-DD; null where the provider does not say: the day it was first seen. */
  readonly from_on: string | null;
  readonly last_activity_on: string | null;
}

/** Lines of a commit as the provider counts them. */
export interface CommitCount {
  readonly sha: string;
  readonly llm_model_name: string;
  readonly ai_lines: number;
  readonly all_lines: number;
}

export interface AiCollector {
  /** Days that the provider may still revise. */
  readonly overlapDays: number;
  /** How far back it is read at first. */
  readonly backfillDays: number;
  readonly minutesBetweenRuns: number;
  /** `day` is YYYY-MM-DD in UTC. */
  pullDay(day: string, signal: AbortSignal): Promise<DayReport>;
  /** Null where the provider lists none by name. */
  listSeats?(signal: AbortSignal): Promise<readonly Seat[]>;
  listCommits?(from: string, to: string, signal: AbortSignal): Promise<readonly CommitCount[]>;
}

export interface AiAccount {
  readonly kind: TokenKindName;
  readonly secret: string;
  readonly settings: TokenSettings;
}

export interface AiCollectors {
  connect(account: AiAccount): AiCollector;
}

/** Why a provider did not answer; wire values of `global_error_em`. */
export type ProviderFailure =
  | 'rejected'
  | 'insufficient_scope'
  | 'rate_limited'
  | 'unreachable'
  | 'unexpected_answer'
  | 'missing_setting';

export class ProviderError extends Error {
  readonly failure: ProviderFailure;
  /** When it may be asked again; null where it does not say. */
  readonly retryAt: Date | null;
  /** The newest day that it has, where the answer names it. */
  readonly latestAvailable: string | null;

  constructor(
    failure: ProviderFailure,
    message: string,
    more: { readonly retryAt?: Date | null; readonly latestAvailable?: string | null } = {},
  ) {
    super(message);
    this.failure = failure;
    this.retryAt = more.retryAt ?? null;
    this.latestAvailable = more.latestAvailable ?? null;
  }
}

/** A 404 for what must be there. It is asked for again: the right may come back without a new token. */
export const absentAnswer = (product: string, what: string): ProviderError =>
  new ProviderError(
    'unexpected_answer',
    `${product} says that there is no ${what} (status 404): the token may have lost the right to read it, or a setting names the wrong place`,
  );
