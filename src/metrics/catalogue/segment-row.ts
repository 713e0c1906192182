// What a row of the catalogue says about a statistic. Data only: measures by name, no SQL, no functions.
import type { Aggregation, DataKind, SegmentId } from '../../domain/segments.ts';
import type { MeasureName } from './measures.ts';

/** What a statistic's own series are. */
export type Split =
  | 'ai_cohort'
  | 'category'
  | 'committer'
  | 'issue_key'
  | 'issue_type'
  | 'model'
  | 'not_counted'
  | 'provider'
  | 'pull_request_phase'
  | 'release_phase'
  | 'repo'
  | 'source'
  | 'sprint_name'
  | 'team';

/** `ratio by series`: each series has a divisor of its own, so that they are no parts of one whole. */
export type Combination =
  | 'sum'
  | 'mean'
  | 'ratio'
  | 'ratio by series'
  | 'distinct'
  | 'mean of daily'
  | 'mean of weekly'
  | 'snapshot';

/** What a figure can be divided by, in the words in which answers name it. */
export const DIVISORS = {
  active_committers: 'developers with a counted commit in the interval',
  ai_cost_dollars: 'dollars spent on AI tools',
  ai_lines: 'AI lines committed',
  ai_lines_recent: 'AI lines committed in the 90 days up to the end of the interval',
  ai_lines_recent_at_most: 'lines of commits with evidence of AI in the 90 days up to the end of the interval',
  ai_lines_recent_by_usage: 'those that reported use of AI credits',
  ai_lines_recent_sure: 'lines that are surely of AI in the 90 days up to the end of the interval',
  assignees: 'assignees of the issues',
  bugs_found: 'bugs and critical defects found',
  commits: 'counted commits',
  delta: 'Diff Delta',
  delta_of_commits: 'Diff Delta',
  hours_used: 'estimated hours of coding',
  lines_changed: 'changed lines of processed files',
  lines_of_all_files: 'changed lines of all files',
  lines_written: 'added, copied and updated lines of processed files',
  prompts_suggested: 'suggestions offered after prompts, of tools that report both',
  pulls_merged: 'pull requests merged',
  pulls_with_work: 'pull requests merged',
  releases: 'releases',
  seats_held: 'people with a seat',
  sprint_points_done: 'story points done in the sprints',
  sprint_points_planned: 'story points that the sprints began with',
  tabs_suggested: 'completions offered, of tools that report both',
} as const satisfies Partial<Record<MeasureName, string>>;
export type DivisorName = keyof typeof DIVISORS;

/** The same where what divides is no measure. */
const DIVISORS_OF_PER = {
  'cohort member': 'members of the cohort, on average over the weeks of the interval',
  'business day': 'business days of the interval that have come',
  'active week': 'weeks of the interval with activity',
} as const;
/** Only survival has some. */
const DIVISOR_OF_BANDS = 'lines written in the interval that were followed for so many days';

export interface RangeEnd {
  readonly value: MeasureName | readonly MeasureName[];
  /** Where the divisor is an estimate too. */
  readonly of?: DivisorName | readonly DivisorName[];
}

export interface SegmentRow {
  readonly title: string;
  /** One or two plain sentences. */
  readonly description: string;
  readonly unit: string;
  readonly precision: number;
  /** Measures that are added up; absent where bands make all series. */
  readonly value?: MeasureName | readonly MeasureName[];
  /** Series of their own, by name. */
  readonly bands?: Readonly<Record<string, MeasureName | readonly MeasureName[]>>;
  /** What each band is divided by, where that differs. */
  readonly ofBands?: Readonly<Record<string, MeasureName>>;
  /** What the value is divided by. */
  readonly of?: DivisorName | readonly DivisorName[];
  readonly times?: number;
  readonly split?: Split;
  /** What the value is divided by that is no measure: members of the series' cohort, business days, active weeks. */
  readonly per?: keyof typeof DIVISORS_OF_PER;
  readonly combine: Combination;
  readonly by: readonly Aggregation[];
  /** Null where neither is. */
  readonly higher_is_better: boolean | null;
  /** The statistic to read beside it, so that one is not bought with the other. */
  readonly companion: SegmentId;
  readonly needs: readonly DataKind[];
  /** What its records are judged by: where that is missing they are fewer, but there are some. */
  readonly restsOn?: readonly DataKind[];
  /** What one figure for all series shows, where that is not their sum. */
  readonly total?: MeasureName;
  /** Between which figures the value lies: counting only what is sure, and all that evidence speaks of. */
  readonly range?: { readonly low: RangeEnd; readonly high: RangeEnd };
  /** Says something about AI, so that the summary tells how much evidence there is. */
  readonly isAboutAi?: true;
}

/** What a value is divided by, in words; null where nothing is divided. */
export function divisorOf({ of, ofBands, per, combine }: SegmentRow): string | null {
  if (ofBands !== undefined) return DIVISOR_OF_BANDS;
  if (per !== undefined) return DIVISORS_OF_PER[per];
  if (of !== undefined) return (typeof of === 'string' ? [of] : of).map((name) => DIVISORS[name]).join(', and ');
  return combine === 'mean' ? 'items counted' : null;
}

/** Aggregations by kind of data. */
export const BY = {
  code: ['none', 'team', 'repo', 'repo_path', 'committer', 'ai_cohort'],
  credit: ['none', 'team', 'repo', 'repo_path', 'committer', 'ai_cohort', 'ai_provider'],
  usage: ['none', 'team', 'committer', 'ai_provider', 'ai_cohort'],
  pulls: ['none', 'team', 'repo', 'repo_path', 'committer', 'ai_cohort'],
  issues: ['none', 'team', 'committer'],
  sprints: ['none', 'team', 'committer'],
  delivery: ['none', 'team', 'repo', 'repo_path'],
  cohorts: ['none', 'team', 'repo', 'repo_path'],
  cohortsOfIssues: ['none', 'team'],
} as const satisfies Record<string, readonly Aggregation[]>;
