// The measures: named quantities over the facts, as data. A measure sums columns with weights, counts
// rows, counts different members, or takes the time between two moments.
import { SURVIVAL_DAYS, SURVIVAL_GROUPS, type SurvivalDays, type SurvivalGroup } from '../../domain/ai/survival.ts';
import { deltaMeasure, LINE_MEASURES, OPERATION_DELTAS, SHOWN_LINES } from '../../domain/commits/file-measures.ts';
import {
  AGE_BUCKETS,
  type AgeBucket,
  CATEGORIES,
  CATEGORY_IDS,
  SCORED_OPERATIONS,
  type ScoredOperation,
} from '../../domain/commits/line-model.ts';
import type { FactColumn, FactName } from './facts.ts';

/** Members that a measure can count besides columns: the person (children folded in), the day, the ISO week. */
export type Member = 'person' | 'day' | 'week';

interface MeasureBase<F extends FactName> {
  readonly fact: F;
  /** The moment that decides the date, for facts without a date of their own. */
  readonly at?: FactColumn<F>;
  readonly where?: { readonly [C in FactColumn<F>]?: boolean | number | readonly number[] };
  /** Of line statistics: only the kinds of code that the entity counts there, or only the others. */
  readonly files?: 'category' extends FactColumn<F> ? 'processed' | 'left_out' : never;
  /** Only rows that report these at all. */
  readonly reports?: readonly FactColumn<F>[];
  /** Stored units per unit shown: 1000 for thousandths. */
  readonly scale?: number;
  /** Only on weekdays that are no holiday. */
  readonly onBusinessDays?: true;
  /** Counts what lies in so many days up to the end of the interval. */
  readonly windowDays?: number;
  /** Rows of nobody, or of somebody without statistics, count too while no person is asked for. */
  readonly byAnyone?: true;
  /** Rows of nobody, whose accounts are gone, count too while no person is asked for. */
  readonly byUnknown?: true;
  /** Only what people did, or only what AI agents did without a person known to have directed them; else both. */
  readonly by?: 'people' | 'agents';
  /** Only people without any AI usage in the interval. */
  readonly withoutUsage?: true;
  /** State at the end of the interval, instead of what happened in it: from one moment until the other. */
  readonly during?: readonly [FactColumn<F>, FactColumn<F>];
}
type Quantity<F extends FactName> =
  | { readonly sum: { readonly [C in FactColumn<F>]?: number } }
  | { readonly count: 'rows' }
  | { readonly distinct: readonly (FactColumn<F> | Member)[] }
  | {
      /** Items whose value is the time between two moments; kept one by one, so that medians are exact. */
      readonly between: readonly [FactColumn<F>, FactColumn<F>];
      readonly clock: 'business' | 'wall' | 'calendar';
      readonly in: 'hours' | 'days';
      /** Only the part that lies within the interval; an item then counts in each interval it touches. */
      readonly clipped?: true;
    };
export type MeasureOf<F extends FactName> = MeasureBase<F> & Quantity<F>;
type Measure = { [F in FactName]: MeasureOf<F> }[FactName];

const sumOf = <C extends string>(columns: readonly C[]) =>
  Object.fromEntries(columns.map((column) => [column, 1])) as Record<C, 1>;
/** A measure for each of the keys. */
const forEach = <K extends string | number, N extends string, M>(
  keys: readonly K[],
  name: (key: K) => N,
  make: (key: K) => M,
) => Object.fromEntries(keys.map((key) => [name(key), make(key)])) as Record<N, M>;

/** Lines that were followed for so many days, and those that stand then. */
export const linesFollowed = <G extends SurvivalGroup, D extends SurvivalDays>(group: G, days: D) =>
  `lines_followed_${days}_${group}` as const;
export const linesStanding = <G extends SurvivalGroup, D extends SurvivalDays>(group: G, days: D) =>
  `lines_standing_${days}_${group}` as const;
const livesOf = <G extends SurvivalGroup>(group: G) => {
  const lives = { fact: 'lives', files: 'processed', where: { evidence: SURVIVAL_GROUPS[group].code } } as const;
  return {
    ...forEach(
      SURVIVAL_DAYS,
      (days) => linesFollowed(group, days),
      (days) => ({ ...lives, sum: sumOf([`followed_${days}` as const]) }),
    ),
    ...forEach(
      SURVIVAL_DAYS,
      (days) => linesStanding(group, days),
      (days) => ({ ...lives, sum: sumOf([`standing_${days}` as const]) }),
    ),
  };
};

const DELTA = sumOf(OPERATION_DELTAS);
const AGES = AGE_BUCKETS.map(({ key }) => key);
/** Names of measures, for the rows of the line model. */
export const deltaOfOperation = (operation: ScoredOperation): `delta_of_${ScoredOperation}` => `delta_of_${operation}`;
export const deltaInAge = (age: AgeBucket): `delta_in_${AgeBucket}` => `delta_in_${age}`;
const work = { fact: 'work' } as const;
const categories = { fact: 'categories' } as const;
/** Lines are those of processed files; scores are of all. */
const lines = { ...categories, files: 'processed' } as const;
const credits = { fact: 'credits' } as const;
const credited = { ...credits, files: 'processed' } as const;
const thousandths = { scale: 1000 } as const;
/** Thousandths of a line or point, times thousandths of weight. */
const weighed = { scale: 1_000_000 } as const;
const byPeople = { is_by_person: true } as const;
/** A deleted account is an unknown person. */
const pulls = { fact: 'pulls', byUnknown: true } as const;
const byOthers = { is_by_author: false, is_bot: false } as const;

export const MEASURES = {
  // work of counted commits
  delta: { ...work, sum: DELTA, ...thousandths },
  ...forEach(SCORED_OPERATIONS, deltaOfOperation, (operation) => ({
    ...work,
    sum: sumOf([deltaMeasure(operation)]),
    ...thousandths,
  })),
  ...forEach(AGES, deltaInAge, (age) => ({ ...work, sum: sumOf([deltaMeasure(age)]), ...thousandths })),
  lines_changed: { ...lines, sum: sumOf(LINE_MEASURES) },
  ...forEach(
    LINE_MEASURES,
    (measure) => measure,
    (measure) => ({ ...lines, sum: SHOWN_LINES[measure] }),
  ),
  lines_written: { ...lines, sum: { lines_added: 1, lines_updated: 1, lines_copy_pasted: 1 } },
  lines_churned: { ...lines, sum: { lines_churned: 1 } },
  lines_duplicated: { ...lines, sum: { duplicate_lines: 1 } },
  calls: { ...lines, sum: { calls: 1 } },
  error_masks: { ...lines, sum: { error_masks: 1 } },
  lines_left_out: { ...categories, files: 'left_out', sum: sumOf(LINE_MEASURES) },
  lines_of_all_files: { ...categories, sum: sumOf(LINE_MEASURES) },
  commits: { ...work, sum: { commit_count: 1 } },
  commits_copied: { fact: 'copies', count: 'rows', byAnyone: true },
  commits_unread: { fact: 'unread', count: 'rows' },
  commits_of_agents: { ...work, sum: { commit_count: 1 }, by: 'agents' },
  delta_of_agents: { ...work, sum: DELTA, ...thousandths, by: 'agents' },
  lines_with_evidence: { ...lines, sum: { known_lines_changed: 1 } },
  active_committers: { fact: 'attendance', distinct: ['person'] },
  active_committer_days: { fact: 'attendance', distinct: ['person', 'day'], onBusinessDays: true },
  active_committer_weeks: { fact: 'attendance', distinct: ['person', 'week'] },
  active_committers_without_ai: { fact: 'attendance', distinct: ['person'], withoutUsage: true },
  // the same by kind of code; doc comments are documentation wherever they stand
  delta_of_category: { ...categories, sum: { ...DELTA, doc_delta: -1 }, ...thousandths },
  delta_of_doc_comments: { ...categories, sum: { doc_delta: 1 }, ...thousandths },
  delta_of_doc_files: { ...categories, sum: DELTA, where: { category: CATEGORY_IDS.documentation }, ...thousandths },
  delta_of_doc_comments_elsewhere: {
    ...categories,
    sum: { doc_delta: 1 },
    where: { category: CATEGORIES.map(({ id }) => id).filter((id) => id !== CATEGORY_IDS.documentation) },
    ...thousandths,
  },
  delta_of_tests: {
    ...categories,
    sum: { ...DELTA, doc_delta: -1 },
    where: { category: CATEGORY_IDS.tests },
    ...thousandths,
  },
  delta_of_test_fixtures: {
    ...categories,
    sum: { ...DELTA, doc_delta: -1 },
    where: { category: CATEGORY_IDS.test_fixtures },
    ...thousandths,
  },
  // commits one by one
  delta_of_commits: { fact: 'traced', sum: { delta: 1 }, ...thousandths },
  delta_with_estimate: { fact: 'traced', sum: { estimated_delta: 1 }, ...thousandths },
  minutes_used: { fact: 'traced', sum: { minutes_used: 1 } },
  hours_used: { fact: 'traced', sum: { minutes_used: 1 }, scale: 60 },
  delta_on_bugs: { fact: 'traced', sum: { bug_delta: 1 }, ...thousandths },
  delta_on_opex: { fact: 'traced', sum: { opex_delta: 1 }, ...thousandths },
  delta_unclassified: { fact: 'traced', sum: { unclassified_delta: 1 }, ...thousandths },
  delta_of_issues: { fact: 'commit_issues', sum: { delta: 1 }, ...thousandths },
  delta_of_sprints: { fact: 'commit_sprints', sum: { delta: 1 }, ...thousandths },
  lines_churned_of_origin: { fact: 'churned', files: 'processed', sum: { lines: 1 } },
  // what became of written lines, by the evidence of their commit
  ...livesOf('sure'),
  ...livesOf('estimated'),
  ...livesOf('rest'),
  ai_lines_churned: { fact: 'ai_churned', files: 'processed', sum: { ai_lines: 1 }, ...weighed },
  // AI-credited work, by evidence and by reported usage
  ai_lines: { ...credited, sum: { ai_lines_changed: 1 }, ...weighed },
  ai_lines_sure: { ...credited, sum: { sure_lines_changed: 1 }, ...thousandths },
  ai_lines_at_most: { ...credited, sum: { all_lines_changed: 1 } },
  ai_lines_by_usage: { fact: 'usage_credits', sum: { ai_lines_changed: 1 }, ...thousandths },
  ai_lines_recent: { ...credited, sum: { ai_lines_changed: 1 }, ...weighed, windowDays: 90 },
  ai_lines_recent_sure: { ...credited, sum: { sure_lines_changed: 1 }, ...thousandths, windowDays: 90 },
  ai_lines_recent_at_most: { ...credited, sum: { all_lines_changed: 1 }, windowDays: 90 },
  ai_lines_recent_by_usage: {
    fact: 'recent_usage_credits',
    sum: { ai_lines_changed: 1 },
    ...thousandths,
    windowDays: 90,
  },
  ai_lines_added: { ...credited, sum: { ai_lines_added: 1 }, ...weighed },
  ai_lines_added_sure: { ...credited, sum: { sure_lines_added: 1 }, ...thousandths },
  ai_lines_added_at_most: { ...credited, sum: { all_lines_added: 1 } },
  ai_lines_added_by_usage: { fact: 'usage_credits', sum: { ai_lines_added: 1 }, ...thousandths },
  ai_lines_deleted: { ...credited, sum: { ai_lines_deleted: 1 }, ...weighed },
  ai_lines_deleted_sure: { ...credited, sum: { sure_lines_deleted: 1 }, ...thousandths },
  ai_lines_deleted_at_most: { ...credited, sum: { all_lines_deleted: 1 } },
  ai_lines_deleted_by_usage: { fact: 'usage_credits', sum: { ai_lines_deleted: 1 }, ...thousandths },
  ai_delta: { ...credits, sum: { ai_delta: 1 }, ...weighed },
  ai_delta_sure: { ...credits, sum: { sure_delta: 1 }, ...thousandths },
  ai_delta_at_most: { ...credits, sum: { all_delta: 1 }, ...thousandths },
  ai_delta_by_usage: { fact: 'usage_credits', sum: { ai_delta: 1 }, ...thousandths },
  commits_with_evidence: { ...credits, sum: { commit_count: 1 } },
  commits_with_sure_evidence: { ...credits, sum: { sure_commit_count: 1 } },
  // reported use of AI tools
  ai_cost_cents: { fact: 'usages', sum: { cost_microcents: 1 }, scale: 1_000_000 },
  ai_cost_dollars: { fact: 'usages', sum: { cost_microcents: 1 }, scale: 100_000_000 },
  usage_lines_added: { fact: 'usages', sum: { lines_added: 1 } },
  usage_lines_deleted: { fact: 'usages', sum: { lines_deleted: 1 } },
  usage_lines: { fact: 'usages', sum: { lines_added: 1, lines_deleted: 1 } },
  // what is kept is held against what was offered only where the tool reports both
  prompts_accepted: { fact: 'usages', sum: { prompted_accept_count: 1 }, reports: ['prompted_suggest_count'] },
  prompts_suggested: { fact: 'usages', sum: { prompted_suggest_count: 1 }, reports: ['prompted_suggest_count'] },
  tabs_accepted: { fact: 'usages', sum: { tab_accept_count: 1 }, reports: ['tab_suggest_count'] },
  tabs_suggested: { fact: 'usages', sum: { tab_suggest_count: 1 }, reports: ['tab_suggest_count'] },
  all_accepted: { fact: 'usages', sum: { prompted_accept_count: 1, tab_accept_count: 1 } },
  all_suggested: { fact: 'usages', sum: { prompted_suggest_count: 1, tab_suggest_count: 1 } },
  // a kept prompt 1, one that was not 0.5, a kept completion 0.2, a line 0.02
  composite_use: {
    fact: 'usages',
    sum: {
      prompted_accept_count: 0.5,
      prompted_suggest_count: 0.5,
      tab_accept_count: 0.2,
      lines_added: 0.02,
      lines_deleted: 0.02,
    },
  },
  prompts: { fact: 'usages', sum: { prompt_count: 1 } },
  tokens: { fact: 'usages', sum: { tokens: 1 } },
  active_minutes: { fact: 'usages', sum: { active_seconds: 1 }, scale: 60 },
  seats_held: { fact: 'seat_days', distinct: ['person', 'provider'] },
  seats_used: { fact: 'seat_days', distinct: ['person', 'provider'], where: { is_used: true } },
  ai_user_days: { fact: 'usages', distinct: ['person', 'day'], onBusinessDays: true },
  idle_ai_user_days: { fact: 'idle_days', distinct: ['person', 'day'], onBusinessDays: true },
  ai_engaged: { fact: 'engaged_usages', distinct: ['person'] },
  // pull requests
  pulls_opened: { ...pulls, at: 'opened_at', count: 'rows', where: { is_draft: false } },
  pulls_closed: { ...pulls, at: 'closed_at', count: 'rows' },
  pulls_merged: { ...pulls, at: 'merged_at', count: 'rows' },
  // only those of which it is worked out
  pulls_with_work: { ...pulls, at: 'merged_at', count: 'rows', reports: ['work_delta'] },
  work_of_pulls: { ...pulls, at: 'merged_at', sum: { work_delta: 1 }, reports: ['work_delta'], ...thousandths },
  pulls_abandoned: { ...pulls, at: 'closed_at', count: 'rows', where: { is_abandoned: true, ...byPeople } },
  pulls_merged_unreviewed: { ...pulls, at: 'merged_at', count: 'rows', where: { is_merged_unreviewed: true } },
  pulls_merged_unreviewed_by_people: {
    ...pulls,
    at: 'merged_at',
    count: 'rows',
    where: { is_merged_unreviewed_by_people: true },
  },
  pull_wait: {
    ...pulls,
    between: ['opened_at', 'wait_ended_at'],
    clock: 'business',
    in: 'hours',
    clipped: true,
    where: { is_draft: false, ...byPeople },
  },
  pulls_waiting: {
    ...pulls,
    during: ['opened_at', 'waits_until'],
    count: 'rows',
    where: { is_draft: false },
  },
  pull_wait_of_reviewed: {
    ...pulls,
    at: 'first_human_review_at',
    between: ['opened_at', 'first_human_review_at'],
    clock: 'business',
    in: 'hours',
    where: { is_merged_unreviewed_by_people: false, ...byPeople },
  },
  pull_cycle: {
    ...pulls,
    at: 'merged_at',
    between: ['first_commit_authored_at', 'merged_at'],
    clock: 'business',
    in: 'days',
    where: byPeople,
  },
  pull_lead: {
    ...pulls,
    at: 'released_at',
    between: ['first_commit_authored_at', 'released_at'],
    clock: 'business',
    in: 'days',
    where: byPeople,
  },
  pull_open: {
    ...pulls,
    at: 'closed_at',
    between: ['opened_at', 'closed_at'],
    clock: 'business',
    in: 'days',
    where: byPeople,
  },
  reviews: { fact: 'reviews', at: 'submitted_at', count: 'rows', where: { is_by_author: false }, byAnyone: true },
  pulls_reviewed: { fact: 'reviews', at: 'submitted_at', distinct: ['pull_request_id'], where: byOthers },
  commits_reviewed: { fact: 'reviewed_commits', at: 'submitted_at', distinct: ['person', 'sha'], where: byOthers },
  comments_left: { fact: 'comments', at: 'commented_at', count: 'rows', where: byOthers },
  comments_received: { fact: 'received_comments', at: 'commented_at', count: 'rows', where: byOthers },
  first_pull: {
    fact: 'first_pulls',
    at: 'opened_at',
    between: ['joined_at', 'opened_at'],
    clock: 'calendar',
    in: 'days',
    by: 'people',
  },
  first_deploy: {
    fact: 'first_deploys',
    at: 'released_at',
    between: ['joined_at', 'released_at'],
    clock: 'calendar',
    in: 'days',
    by: 'people',
  },
  // releases
  releases: { fact: 'releases', at: 'released_at', count: 'rows' },
  releases_repairing: { fact: 'releases', at: 'released_at', count: 'rows', where: { is_repairing: true } },
  releases_failed: { fact: 'releases', at: 'released_at', count: 'rows', where: { is_failed: true } },
  deploys_of_people: { fact: 'release_people', at: 'released_at', distinct: ['record_id', 'person'] },
  change_lead: {
    fact: 'changes',
    at: 'released_at',
    between: ['started_at', 'released_at'],
    clock: 'business',
    in: 'days',
    byAnyone: true,
  },
  // critical defects
  defects_detected: { fact: 'defects', at: 'detected_at', count: 'rows' },
  defects_fix_merged: { fact: 'defects', at: 'first_fix_merged_at', count: 'rows' },
  defect_to_activity: {
    fact: 'defects',
    at: 'first_activity_at',
    between: ['detected_at', 'first_activity_at'],
    clock: 'business',
    in: 'hours',
  },
  defect_to_merge: {
    fact: 'defects',
    at: 'first_fix_merged_at',
    between: ['detected_at', 'first_fix_merged_at'],
    clock: 'business',
    in: 'hours',
  },
  defect_to_repair: {
    fact: 'defects',
    at: 'first_fix_released_at',
    between: ['detected_at', 'first_fix_released_at'],
    clock: 'business',
    in: 'hours',
  },
  defect_to_resolved: {
    fact: 'defects',
    at: 'final_fix_released_at',
    between: ['detected_at', 'final_fix_released_at'],
    clock: 'business',
    in: 'hours',
  },
  defect_to_repair_by_wall: {
    fact: 'defects',
    at: 'first_fix_released_at',
    between: ['detected_at', 'first_fix_released_at'],
    clock: 'wall',
    in: 'hours',
  },
  defect_to_resolved_by_wall: {
    fact: 'defects',
    at: 'final_fix_released_at',
    between: ['detected_at', 'final_fix_released_at'],
    clock: 'wall',
    in: 'hours',
  },
  defects_originated: { fact: 'defect_lines', at: 'detected_at', sum: { defect_share: 1 } },
  ai_lines_of_defects: { fact: 'fixed_lines', sum: { ai_lines: 1 }, ...weighed },
  ai_lines_of_defects_sure: { fact: 'fixed_lines', sum: { sure_lines: 1 }, ...thousandths },
  ai_lines_of_defects_at_most: { fact: 'fixed_lines', sum: { all_lines: 1 }, ...thousandths },
  // issues
  issues_resolved: {
    fact: 'issues',
    at: 'resolved_at',
    count: 'rows',
    where: { is_epic: false, is_subtask: false },
    byAnyone: true,
  },
  epics_resolved: { fact: 'issues', at: 'resolved_at', count: 'rows', where: { is_epic: true }, byAnyone: true },
  epic_shares: { fact: 'epic_shares', at: 'resolved_at', sum: { epic_share: 1 } },
  bug_fix: {
    fact: 'issues',
    at: 'resolved_at',
    between: ['opened_at', 'resolved_at'],
    clock: 'business',
    in: 'days',
    where: { is_bug: true },
    byAnyone: true,
  },
  issue_lead: {
    fact: 'issues',
    at: 'ended_at',
    between: ['started_at', 'ended_at'],
    clock: 'business',
    in: 'days',
    where: { is_epic: false },
    byAnyone: true,
  },
  points_resolved: {
    fact: 'issues',
    at: 'resolved_at',
    sum: { story_points: 1 },
    where: { is_epic: false },
    scale: 100,
    byAnyone: true,
  },
  points_resolved_estimated: {
    fact: 'issues',
    at: 'resolved_at',
    sum: { story_points_estimated: 1 },
    where: { is_epic: false },
    scale: 100,
    byAnyone: true,
  },
  points_resolved_by_people: {
    fact: 'issues',
    at: 'resolved_at',
    sum: { story_points: 1 },
    where: { is_epic: false },
    scale: 100,
  },
  assignees: { fact: 'issues', at: 'resolved_at', distinct: ['person'], where: { is_epic: false } },
  bugs_found: { fact: 'bugs', at: 'found_at', count: 'rows', byAnyone: true },
  bugs_escaped: { fact: 'bugs', at: 'found_at', count: 'rows', where: { is_escaped: true }, byAnyone: true },
  // sprints
  sprint_points_at_start: {
    fact: 'sprint_parts',
    at: 'starts_at',
    sum: { points_at_start: 1 },
    scale: 100,
    byAnyone: true,
  },
  sprint_points_planned: {
    fact: 'sprint_parts',
    at: 'ends_at',
    sum: { points_at_start: 1 },
    scale: 100,
    byAnyone: true,
  },
  sprint_points_done: { fact: 'sprint_parts', at: 'ends_at', sum: { points_done: 1 }, scale: 100, byAnyone: true },
  sprint_points_kept: { fact: 'sprint_parts', at: 'ends_at', sum: { points_kept: 1 }, scale: 100, byAnyone: true },
  sprint_points_unplanned: {
    fact: 'sprint_parts',
    at: 'ends_at',
    sum: { points_unplanned: 1 },
    scale: 100,
    byAnyone: true,
  },
} as const satisfies Record<string, Measure>;

export type MeasureName = keyof typeof MEASURES;

/** A measure with its column types forgotten: what the compiler sees. */
export interface AnyMeasure {
  readonly fact: FactName;
  readonly files?: 'processed' | 'left_out';
  readonly at?: string;
  readonly where?: Readonly<Record<string, boolean | number | readonly number[]>>;
  readonly reports?: readonly string[];
  readonly scale?: number;
  readonly onBusinessDays?: true;
  readonly windowDays?: number;
  readonly byAnyone?: true;
  readonly byUnknown?: true;
  readonly by?: 'people' | 'agents';
  readonly withoutUsage?: true;
  readonly during?: readonly [string, string];
  readonly sum?: Readonly<Record<string, number>>;
  readonly count?: 'rows';
  readonly distinct?: readonly string[];
  readonly between?: readonly [string, string];
  readonly clock?: 'business' | 'wall' | 'calendar';
  readonly in?: 'hours' | 'days';
  readonly clipped?: true;
}
