// The names that reports know: statistics, ways to aggregate, intervals and time statistics. Declared
// once; the catalogue must have a row for each statistic, and the API's enumerations are read from here.

/** Every `segment_by` value of the specification, in its order, and those that this project adds. */
export const SEGMENT_IDS = [
  'absolute_hours_to_first_repair',
  'absolute_hours_to_resolved',
  'abandoned_pr_cohorts',
  'active_committer_cohorts',
  'active_committer_in_week_count',
  'active_committer_per_date_count',
  'active_llm_user_per_date_count',
  'ai_code_line_percent',
  'ai_commit_rate',
  'ai_cost_cents',
  'ai_defect_rate',
  'ai_defect_line_triaged_count',
  'ai_engaged_committer_count',
  'ai_inactive_committer_count',
  'ai_lines_added_count',
  'ai_lines_deleted_count',
  'ai_provider_line_change_count',
  'ai_prompt_acceptance_percent',
  'ai_tab_acceptance_percent',
  'all_accept_count',
  'all_suggestion_count',
  'bug_escape_rate',
  'bug_work_percent',
  'change_failure_rate',
  'churn_line_count',
  'churn_line_percent',
  'churn_line_count_cohorts_per_committer',
  'code_category',
  'copy_line_counts',
  'commit_ai_lines_added_count',
  'commit_ai_lines_committed_count',
  'commit_ai_lines_deleted_count',
  'commit_count',
  'commit_count_cohorts_per_committer',
  'commit_count_with_ai_lines',
  'committer_deploy_count',
  'commits_reviewed',
  'composite_ai_use',
  'connective_per_mil',
  'copy_move_percent',
  'copy_paste_line_count_cohorts_per_committer',
  'copy_paste_percent',
  'days_to_first_deploy',
  'days_to_first_pr',
  'defect_detected_count',
  'defect_originated_cohorts',
  'defect_originated_cohorts_per_committer',
  'delta_cohorts_per_committer',
  'delta_from_llms',
  'delta_per_ai_dollar',
  'delta_velocity',
  'detected_defect_fix_merged_count',
  'diff_delta_per_committer',
  'documentation_delta',
  'dora_change_lead_time',
  'duplicate_block_line_count',
  'duplicate_line_count_cohorts',
  'duplicate_line_count_cohorts_per_committer',
  'duplicate_line_count_per_mil',
  'epic_resolved_count_cohorts',
  'epic_resolved_count_cohorts_per_committer',
  'epics_resolved_count',
  'hours_to_fix_activity',
  'hours_to_fix_merged',
  'inactive_llm_user_per_date_count',
  'inside_bounds_sprint_name',
  'issue_business_days_to_fix',
  'issue_external_identifier',
  'issue_days_lead_time',
  'issues_resolved_per_active_developer',
  'left_out_line_percent',
  'line_operation_counts',
  'mean_hours_to_first_repair',
  'mean_hours_to_resolved',
  'minutes_used',
  'none',
  'operation',
  'opex_ratio',
  'provenance',
  'pr_abandoned_count',
  'pr_awaiting_review_hours',
  'pr_awaiting_review_count',
  'pr_average_hours_awaiting_first_review',
  'pr_comments_left',
  'pr_comments_received',
  'pr_cycle',
  'pr_lead_time',
  'pr_merged_without_any_review_count',
  'pr_merged_without_human_review_count',
  'pr_resolved_days',
  'pr_review_count',
  'prs_opened',
  'prs_reviewed',
  'pull_request_phase',
  'quality_cornerstones_percent',
  'release_count',
  'release_defect_percent',
  'release_phase',
  'release_resolves_defect_count',
  'repo',
  'sprint_start_story_points_committed',
  'sprint_end_story_points_completed',
  'story_points_resolved',
  'story_points_resolved_estimated',
  'story_points_per_active_developer',
  'story_points_per_assignee',
  'story_points_velocity',
  'team',
  'team_story_points_complete',
  'ticket_type',
  'ticket_type_story_points',
  'unplanned_work_story_points_percent',
  'ai_active_minutes',
  'ai_churn_line_percent',
  'ai_evidence_coverage_percent',
  'ai_token_count',
  'error_masking_per_mil',
  'line_survival_percent',
  'prompt_count',
  'seat_used_percent',
] as const;
export type SegmentId = (typeof SEGMENT_IDS)[number];

/** Those of them that the specification does not name. */
const ADDED_SEGMENT_IDS: readonly SegmentId[] = [
  'left_out_line_percent',
  'ai_active_minutes',
  'ai_churn_line_percent',
  'ai_evidence_coverage_percent',
  'ai_token_count',
  'error_masking_per_mil',
  'line_survival_percent',
  'prompt_count',
  'seat_used_percent',
];
export const isAddedSegment = (segment: SegmentId): boolean => ADDED_SEGMENT_IDS.includes(segment);

/** Other names that are accepted for a statistic. */
export const SEGMENT_ALIASES = { diff_delta: 'none' } as const satisfies Record<string, SegmentId>;

export const AGGREGATIONS = ['none', 'ai_cohort', 'ai_provider', 'committer', 'repo', 'repo_path', 'team'] as const;
export type Aggregation = (typeof AGGREGATIONS)[number];

export const INTERVALS = ['daily', 'weekly', 'monthly'] as const;
export type IntervalName = (typeof INTERVALS)[number];

/** What a caller may ask for; `auto` goes by the length of the range. */
export const INTERVAL_CHOICES = ['auto', 'day', 'week', 'month'] as const;
export type IntervalChoice = (typeof INTERVAL_CHOICES)[number];
export const CHOSEN_INTERVALS: Readonly<Record<IntervalChoice, IntervalName | null>> = {
  auto: null,
  day: 'daily',
  week: 'weekly',
  month: 'monthly',
};

export const TIME_STATISTICS = ['mean', 'median', 'p75', 'p90'] as const;
export type TimeStatistic = (typeof TIME_STATISTICS)[number];

/** Kinds of stored data that a statistic can need. */
export const DATA_KINDS = [
  'commits',
  'ai_usage',
  'pull_requests',
  'issues',
  'sprints',
  'releases',
  'critical_defects',
  'teams',
] as const;
export type DataKind = (typeof DATA_KINDS)[number];
