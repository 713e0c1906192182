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
  | 'provider'
  | 'pull_request_phase'
  | 'release_phase'
  | 'repo'
  | 'source'
  | 'sprint_name'
  | 'team';

export type Combination = 'sum' | 'mean' | 'ratio' | 'distinct' | 'mean of daily' | 'mean of weekly' | 'snapshot';

export interface RangeEnd {
  readonly value: MeasureName | readonly MeasureName[];
  /** Where the divisor is an estimate too. */
  readonly of?: MeasureName | readonly MeasureName[];
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
  /** What the value is divided by. */
  readonly of?: MeasureName | readonly MeasureName[];
  readonly times?: number;
  readonly split?: Split;
  /** What the value is divided by that is no measure: members of the series' cohort, business days, active weeks. */
  readonly per?: 'cohort member' | 'business day' | 'active week';
  readonly combine: Combination;
  readonly by: readonly Aggregation[];
  /** Null where neither is. */
  readonly higher_is_better: boolean | null;
  /** The statistic to read beside it, so that one is not bought with the other. */
  readonly companion: SegmentId;
  readonly needs: readonly DataKind[];
  /** What one figure for all series shows, where that is not their sum. */
  readonly total?: MeasureName;
  /** Between which figures the value lies: counting only what is sure, and all that evidence speaks of. */
  readonly range?: { readonly low: RangeEnd; readonly high: RangeEnd };
  /** Says something about AI, so that the summary tells how much evidence there is. */
  readonly isAboutAi?: true;
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
