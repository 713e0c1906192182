// The most that one report of use can say of a quantity: a point of telemetry, a call, a row of a file; and the most that
// is kept of a person's day. Far beyond what people and tools do in a day, so that only nonsense is refused, and small
// enough that no sum fails: columns are signed 64-bit numbers, and a week of a person adds up thousands of such rows.
import type { ActivityCount, COST_COUNTS } from './usage-sources.ts';

export type UsageQuantity = ActivityCount | (typeof COST_COUNTS)[number];

const COUNT = 2_147_483_647;
/** A provider's sum of a day over a large company is a hundredth of it. */
const TOKENS = 1_000_000_000_000;

/** In millionths it is still a whole number that JavaScript holds exactly. */
export const MOST_CENTS = 9_000_000_000;
export const MICROCENTS_PER_CENT = 1_000_000;

export const MOST_OF: Readonly<Record<UsageQuantity, number>> = {
  lines_added: COUNT,
  lines_deleted: COUNT,
  prompted_suggest_count: COUNT,
  prompted_accept_count: COUNT,
  tab_suggest_count: COUNT,
  tab_accept_count: COUNT,
  prompt_count: COUNT,
  session_count: COUNT,
  active_seconds: COUNT,
  tokens_input: TOKENS,
  tokens_output: TOKENS,
  tokens_cache_read: TOKENS,
  tokens_cache_write: TOKENS,
  commit_count: COUNT,
  pull_request_count: COUNT,
  cost_microcents: MOST_CENTS * MICROCENTS_PER_CENT,
  microcredits: MOST_CENTS * MICROCENTS_PER_CENT,
};

/** Not more can be accepted than was suggested; where suggestions are not reported there is nothing to compare. */
export const ACCEPTED_OF = [
  ['prompted_accept_count', 'prompted_suggest_count'],
  ['tab_accept_count', 'tab_suggest_count'],
] as const satisfies readonly (readonly [ActivityCount, ActivityCount])[];

type AcceptedCount = (typeof ACCEPTED_OF)[number][0];

/** All counts of a day that say more than was suggested, with the words for whoever reported them. */
export const listOverAccepted = (
  counts: Readonly<Partial<Record<ActivityCount, number | null>>>,
  day: string,
): { readonly field: AcceptedCount; readonly message: string }[] =>
  ACCEPTED_OF.flatMap(([accepted, suggested]) => {
    const [given, most] = [counts[accepted] ?? null, counts[suggested] ?? null];
    if (given === null || most === null || given <= most) return [];
    const message = `${given} accepted is more than the ${most} suggested (${suggested}) on ${day}`;
    return [{ field: accepted, message }];
  });
