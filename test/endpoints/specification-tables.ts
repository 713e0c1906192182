// The tables of the API specification as data: each call with its parameters and the fields of its
// answer. `!` marks a required parameter; `~` one whose name is this project's choice, followed by the
// aliases that are accepted for it. Fields are paths into the answer, `[]` stepping into a list.

export interface SpecifiedCall {
  readonly action: string | null;
  readonly params: string;
  readonly fields: string;
}

const ENVELOPE = 'action_em response_em response_detail';
const PAGING = 'page page_count per_page total_count';
const DEVELOPER = 'id committer_user_name git_provider_id last_commit_authored_at last_commit_committed_at';
const inside = (list: string, fields: string): string =>
  fields
    .split(/\s+/)
    .map((field) => `${list}.${field}`)
    .join(' ');

const RANGE = '~start_date|beginning_date ~end_date|ending_date';
const TEAM_CHANGES =
  'name! developer_members invite_developers manager_members project_board_id repo_paths ~invite_managers';

const DEFECT = `id defectKey customerDefectIdentifier detectedAt firstFixReleasedAt finalFixReleasedAt firstFixActivityAt
  resolvedAt detectedAtWords detectedAtVisibleTimestamp hoursToFirstActivity minutesActivityToDeploy minutesToFirstActivity
  minutesToResolved htmlDescription severity path repoPaths timelineHours[].title timelineHours[].hours timelineHours[].key
  issueTracker.issueIdentifier issueTracker.projectName issueTracker.url issueTracker.title`;

const IMPORT = `id repo_path import_status created_at updated_at error_em error_detail available_provider_connection_count
  commits_complete_count commit_processed_count default_branch_processed_back_through last_deployed_at last_pr_discovery_at
  last_processed_at last_provider_quota_exceeded_at last_year_days_with_commit_processed_count percent_complete
  provider_past_year_commit_count pull_request_discovered_count pull_request_processed_count stats_calculated_at
  subscription_earliest_processing_at`;

const LINE = `authored_at authored_by_llm author.avatar_url author.commits_in_repo author.email author.full_name
  author.user_name churn code_file_path_after code_file_path_before commit_message containing_class_or_module deployed_at
  documentation_for_function_if_available file_category_label line_explanation line_number_after line_number_before line_value
  operation_em received_code_comment resolved_code_comment.author resolved_code_comment.markdown_comment_body
  resolved_code_comment.posted_at scoped_function_name time_since_previous_change commit_sha`;

const TEAM = `id name slug external_source_em project_board_id committers_total_count committers_active_count
  committers_seated developer_members[].committer_user_name developer_members[].full_name developer_members[].email
  developer_members[].role_em manager_members repo_paths created_at updated_at`;

const TIME_OFF: Omit<SpecifiedCall, 'action'> = {
  params: 'resource_path! start_date! end_date committer_user_name ~committer_identifier|committer',
  fields: 'action_em response_em days_off_in_range_count full_success start_date end_date user_name',
};

export const SPECIFIED_CALLS: Record<string, SpecifiedCall> = {
  'GET /api_tokens': { action: 'action_get_resource', params: '', fields: ENVELOPE },
  'GET /api_tokens/llm_tokens': {
    action: null,
    params: 'resource_path!',
    fields: inside(
      '[]',
      `ai_usage_provider_em created_at global_error_em last_exceeded_quota_at last_used_at created_by_user.service_id
       created_by_user.name created_by_user.git_provider_em confirmed_resources[].resource_em
       confirmed_resources[].resource_id confirmed_resources[].resource_name`,
    ),
  },
  'POST /api_tokens/provision_user': {
    action: 'action_provision_user',
    params: `email! git_provider_em! git_provider_token! entity_slug user_name ~avatar_url
      ~git_provider_token_expires_at|token_expires_at ~git_provider_organization|organization_name ~tenant_id
      ~endpoint_url|git_provider_endpoint_url`,
    fields: `${ENVELOPE} entity_slug api_token`,
  },
  'POST /admin/offboard': { action: 'action_offboard', params: 'entity_slug!', fields: 'response_em response_detail' },
  'POST /ai_usages': {
    action: 'action_ai_usage',
    params: `resource_path! llm_model_name! date! committer_user_name lines_added prompted_suggest_count
      prompted_accept_count cents_cost team_slug ~add_to_existing|increment ~committer_identifier ~lines_deleted
      ~tab_suggest_count ~tab_accept_count`,
    fields: ENVELOPE,
  },
  'GET /code_introspections/line_history': {
    action: 'action_code_line_history',
    params: `resource_path! file_path! sha! line_number_after line_number_before max_hops
      ~earliest_authored_at|start_date`,
    fields: `action_em response_em ${inside('line_history[]', LINE)}`,
  },
  'POST /critical_defects': {
    action: 'action_defect_created',
    params: `resource_path! defect_key! detected_at description fix_released_at fix_released_now fix_released_sha severity
      ~category ~detected_now ~fix_pushed_at ~fix_repo_path|fix_resource_path`,
    fields: ENVELOPE,
  },
  'GET /critical_defects': {
    action: 'action_defect_list',
    params: `resource_path! days_ago team_slug page ${RANGE}`,
    fields: `${ENVELOPE} ${PAGING} ${inside('critical_defects[]', DEFECT)}`,
  },
  'GET /audits': {
    action: null,
    params: `resource_path! resource_type! team_slug resolved_end_date ~committer_identifier|committer
      ~committer_user_name ${RANGE} page ~sha ~resolved_start_date ~critical_defects_only ~issue_key|issue_number
      ~issue_provider_em ~issue_status ~tag_name_contains|tag ~pull_request_number|number ~phase_em|pull_request_phase`,
    fields: `page per_page total_count page_count ${inside(
      'commits[]',
      'sha authored_at child_shas contributor.full_name contributor.username diff_delta entered_service_at message presence repo sites state',
    )} ${inside(
      'pull_requests[]',
      `id number title branch_name repo_path phase_em opened_at closed_at first_commented_at first_commit_authored_at
       entered_service_at squash_commit_sha post_merge_delta contributor.full_name contributor.user_name
       business_minutes_awaited_first_review business_minutes_cycle_time business_minutes_lead_time
       business_minutes_open_to_closed commits[].authored_at commits[].presence_em commits[].state_em commits[].child_shas
       commits[].contributor.full_name commits[].contributor.user_name commits[].diff_delta commits[].entered_service_at
       commits[].message commits[].repo_path commits[].sha commits[].phase_em commits[].sites[].branches
       commits[].sites[].current_branch commits[].sites[].committed_at commits[].sites[].sha`,
    )}`,
  },
  'POST /developers/record_time_off': { action: 'action_record_time_off', ...TIME_OFF },
  'POST /developers/remove_time_off': { action: 'action_remove_time_off', ...TIME_OFF },
  'GET /developers': {
    action: 'action_developer_list',
    params: `committer_user_name start_date page sort_by ~committer_identifier ~git_provider_ids|git_provider_id
      ~processing_status`,
    fields: `action_em response_em page total_pages ${inside(
      'committers[]',
      `${DEVELOPER} processing_status_em provider_email user_id teams[].role_em teams[].team_id teams[].team_name
       teams[].team_slug`,
    )}`,
  },
  'POST /developers/set_processing': {
    action: 'action_developer_set_processing',
    params: 'committer_user_name processing_status!',
    fields: 'action_em response_em committers[].committer_user_name committers[].processing_status',
  },
  'POST /imports': { action: null, params: 'resource_path! repo_path!', fields: 'imported errors' },
  'GET /imports': { action: null, params: 'resource_path!', fields: inside('repos[]', IMPORT) },
  'POST /releases': {
    action: 'action_release_created',
    params: `resource_path! name released_at release_now release_sha head_long ~issue_keys_resolved
      ~defect_keys_resolved|defect_keys ~deployed_by_user_name|deployed_by|user`,
    fields: ENVELOPE,
  },
  'GET /releases': {
    action: 'action_release_list',
    params: `resource_path! days_ago team_slug page ${RANGE}`,
    fields: `${ENVELOPE} ${PAGING} ${inside(
      'releases[]',
      `id name repo repo_id repo_path triggered_by released_at commit_count defect_count issue_count
       ${inside('deployed_by', `${DEVELOPER} full_name processing_status provider_email user_id`)}`,
    )}`,
  },
  'GET /reports': {
    action: null,
    params: `resource_path! segment_by team_slug ~aggregate_by ~committer_user_name ~committer_identifier ~days_ago ${RANGE}
      ~generate_summary_stats ~ai_provider|ai_usage_provider_em ~fill_all_dates ~project_final_point ~suppress_aggregation
      ~time_statistic`,
    fields: `context.entity context.organization aggregated_by interval_em segment_em series_segments unit value_precision
      ${inside(
        'calculated_summary_stats[]',
        `key title unit value_precision value weekday_count value_per_weekday previous_value previous_value_per_weekday
         percent_change detail`,
      )}`,
  },
  'GET /segment_introspections': {
    action: 'action_get_resource',
    params: '~segment_em',
    fields: `action_em response_em ${inside(
      'segments[]',
      `segment_em title description category unit value_precision is_multi_series series aggregation_options
       default_aggregation interval_combination higher_is_better projectable data_requirements is_available
       unavailable_reason`,
    )}`,
  },
  'POST /teams': { action: 'action_team_created', params: TEAM_CHANGES, fields: ENVELOPE },
  'GET /teams': {
    action: 'action_get_resource',
    params: 'name ~resource_path',
    fields: `action_em response_em ${inside('team', TEAM)} ${inside('teams[]', TEAM)}`,
  },
  'PUT /teams': {
    action: 'action_team_updated',
    params: `${TEAM_CHANGES} ~remove_members|members_to_remove`,
    fields: ENVELOPE,
  },
  'DELETE /teams': { action: 'action_team_deleted', params: 'name!', fields: ENVELOPE },
  'GET /teams/associated_repos': {
    action: null,
    params: 'name! ~resource_path page',
    fields: inside('repos[]', 'id repo_path name is_explicit'),
  },
};
