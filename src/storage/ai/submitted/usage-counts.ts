// What a submitted record of AI usage counts, what tells such records apart, and how counts of two are added.
import { type RawBuilder, sql } from 'kysely';

/** Null means: not reported. */
export interface UsageCounts {
  readonly lines_added: number | null;
  readonly lines_deleted: number | null;
  readonly prompted_suggest_count: number | null;
  readonly prompted_accept_count: number | null;
  readonly tab_suggest_count: number | null;
  readonly tab_accept_count: number | null;
  readonly cost_microcents: number | null;
}

export const USAGE_COUNTS = [
  'lines_added',
  'lines_deleted',
  'prompted_suggest_count',
  'prompted_accept_count',
  'tab_suggest_count',
  'tab_accept_count',
  'cost_microcents',
] as const satisfies readonly (keyof UsageCounts)[];

/** The unique index of submitted records, for `on conflict`. */
export const SUBMITTED_KEY = sql.raw(
  `(entity_id, used_on, committer_id, team_id, llm_model_name) where source_em = 'submitted'`,
);

export const listCounts = (write: (name: string) => string): RawBuilder<unknown> =>
  sql.raw(USAGE_COUNTS.map(write).join(', '));

/** What a stored count becomes when another is added. */
export const addedCount = (name: string): string =>
  `case when excluded.${name} is null then ai_usages.${name} else coalesce(ai_usages.${name}, 0) + excluded.${name} end`;
