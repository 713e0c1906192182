// What a report can be asked for.
import type { Aggregation, IntervalChoice, SegmentId, TimeStatistic } from '../../domain/segments.ts';

export interface ReportInput {
  readonly segment_by: SegmentId;
  readonly team_slug?: string | undefined;
  readonly aggregate_by?: Aggregation | undefined;
  readonly ai_provider?: string | undefined;
  readonly default_branch_only?: boolean | undefined;
  readonly committer_identifier?: string | undefined;
  readonly committer_user_name?: readonly string[] | undefined;
  readonly days_ago?: number | undefined;
  readonly start_date?: string | undefined;
  readonly end_date?: string | undefined;
  readonly generate_summary_stats?: boolean | undefined;
  readonly fill_all_dates?: boolean | undefined;
  readonly project_final_point?: boolean | undefined;
  readonly suppress_aggregation?: boolean | undefined;
  readonly time_statistic?: TimeStatistic | undefined;
  /** By the length of the range when absent. */
  readonly interval?: IntervalChoice | undefined;
}
