// What audits answer with: one record schema per kind.
import { z } from 'zod';
import { USAGE_SOURCE_ORDER } from '../../domain/ai/usage-sources.ts';
import { type AuditType, PULL_REQUEST_PHASES } from '../../domain/audit-types.ts';
import { EVIDENCE_SOURCES } from '../../domain/commits/line-model.ts';
import { developer } from '../people/developers.ts';
import { team } from '../teams/teams.ts';

const person = z.object({ full_name: z.string().nullable(), user_name: z.string() });
const time = z.string();
const count = z.int().min(0);

const site = z.object({
  branches: z.array(z.string()).describe('The default branch alone for what stands on it.'),
  current_branch: z.string().nullable(),
  committed_at: time,
  sha: z.string(),
});

const commit = z.object({
  id: z.int(),
  sha: z.string(),
  authored_at: time,
  child_shas: z.array(z.string()),
  contributor: z.object({ full_name: z.string(), username: z.string() }),
  diff_delta: z.number(),
  entered_service_at: time,
  message: z.string(),
  presence: z.enum(['existent', 'rewritten', 'removed', 'branch_left_out', 'off_branch']),
  not_counted_because: z
    .string()
    .nullable()
    .describe(
      '`merge`, `rebase_copy`, `squash_source`, `same_commit_in_another_repo` and the like; null where it counts.',
    ),
  counted_in: z
    .array(z.string())
    .describe('Repos that hold the same commit and were imported before; it counts there.'),
  reverts: z.string().nullable().describe('The commit that it takes back, as its message names it.'),
  reverted_by: z.array(z.string()).describe('The commits that take it back.'),
  ai_evidence: z
    .array(z.object({ source: z.enum(EVIDENCE_SOURCES), model: z.string(), provider: z.string() }))
    .describe('What speaks of AI in it, the strongest first; its AI lines are credited to the first.'),
  repo: z.string(),
  repo_path: z.string(),
  sites: z.array(site).describe('The commit itself, then its copies.'),
  state: z.enum(['queued', 'analysis_in_progress', 'analysis_complete', 'analysis_skipped', 'analysis_failed']),
});

const pullRequestCommit = z.object({
  sha: z.string(),
  authored_at: time,
  child_shas: z.array(z.string()),
  contributor: person,
  diff_delta: z.number(),
  entered_service_at: time,
  message: z.string(),
  phase_em: z.enum(['phase_preparing', 'phase_reviewing', 'phase_post_merge']),
  presence_em: commit.shape.presence,
  repo_path: z.string(),
  sites: z.array(site),
  state_em: commit.shape.state,
});

const minutes = z.int().nullable();

const pullRequest = z.object({
  id: z.int(),
  number: z.int(),
  title: z.string(),
  branch_name: z.string(),
  repo_path: z.string(),
  phase_em: z.enum(PULL_REQUEST_PHASES),
  opened_at: time,
  closed_at: time.nullable(),
  first_commented_at: time.nullable(),
  first_commit_authored_at: time.nullable(),
  entered_service_at: time,
  squash_commit_sha: z.string().nullable(),
  post_merge_delta: z.number(),
  contributor: person.nullable(),
  business_minutes_awaited_first_review: minutes,
  business_minutes_cycle_time: minutes,
  business_minutes_lead_time: minutes,
  business_minutes_open_to_closed: minutes,
  commits: z.array(pullRequestCommit),
});

const issue = z.object({
  id: z.int(),
  key: z.string(),
  title: z.string(),
  type: z.string(),
  status: z.string(),
  priority: z.string().nullable(),
  url: z.string().nullable(),
  provider_em: z.string(),
  project_name: z.string().nullable(),
  assignee: person.nullable(),
  story_points: z.number().nullable(),
  epic_key: z.string().nullable(),
  sprint_names: z.array(z.string()),
  is_critical_defect: z.boolean(),
  opened_at: time,
  started_at: time.nullable(),
  resolved_at: time.nullable(),
  first_commit_authored_at: time.nullable(),
  last_commit_authored_at: time.nullable(),
  released_at: time.nullable(),
  diff_delta: z.number().describe('Of the commits that name it, each shared among the issues it names.'),
  commit_shas: z.array(z.string()),
});

const tag = z.object({
  name: z.string(),
  sha: z.string(),
  repo_path: z.string(),
  tagged_at: time,
  is_release: z.boolean(),
});

const release = z.object({
  id: z.int(),
  name: z.string(),
  repo: z.string(),
  repo_id: z.int(),
  repo_path: z.string(),
  triggered_by: z.string(),
  deployed_by: person.nullable(),
  released_at: time,
  release_sha: z.string().nullable(),
  is_baseline: z.boolean(),
  commit_count: count,
  defect_count: count,
  issue_count: count,
});

const defect = z.object({
  id: z.int(),
  defect_key: z.string(),
  category: z.string().nullable(),
  severity: z.int().nullable(),
  source_em: z.string(),
  issue_key: z.string().nullable(),
  repo_paths: z.array(z.string()),
  detected_at: time,
  first_activity_at: time.nullable(),
  first_fix_merged_at: time.nullable(),
  first_fix_released_at: time.nullable(),
  final_fix_released_at: time.nullable(),
  business_minutes_to_first_activity: minutes,
  business_minutes_to_fix_merged: minutes,
  business_minutes_to_first_release: minutes,
  business_minutes_to_final_release: minutes,
  commit_shas: z.array(z.string()),
});

const reported = z.int().nullable();
const aiUsage = z.object({
  id: z.int(),
  date: z.string(),
  committer: person.nullable(),
  team_slug: z.string().nullable(),
  llm_model_name: z.string(),
  ai_provider_em: z.string(),
  source_em: z.enum(USAGE_SOURCE_ORDER).describe('Where the record comes from.'),
  tool_em: z.string().nullable(),
  identity: z
    .object({ kind_em: z.string(), value: z.string() })
    .nullable()
    .describe('Whom the source named; null where the submission named the committer.'),
  is_activity_chosen: z.boolean().describe('False where another source counts for this person, day and provider.'),
  is_cost_chosen: z.boolean(),
  prompt_count: reported,
  session_count: reported,
  active_seconds: reported,
  tokens_input: reported,
  tokens_output: reported,
  tokens_cache_read: reported,
  tokens_cache_write: reported,
  credits: z.number().nullable().describe('In the unit of the provider, which is not money.'),
  is_cost_estimate: z.boolean(),
  lines_added: reported,
  lines_deleted: reported,
  prompted_suggest_count: reported,
  prompted_accept_count: reported,
  tab_suggest_count: reported,
  tab_accept_count: reported,
  cents_cost: z.number().nullable(),
});

const ofPullRequest = {
  id: z.int(),
  repo_path: z.string(),
  pull_request_id: z.int(),
  pull_request_number: z.int(),
};
const review = z.object({
  ...ofPullRequest,
  reviewer: person.nullable(),
  is_bot: z.boolean(),
  is_by_author: z.boolean(),
  state_em: z.string(),
  submitted_at: time,
});
const comment = z.object({
  ...ofPullRequest,
  author: person.nullable(),
  is_bot: z.boolean(),
  is_by_author: z.boolean(),
  is_review_comment: z.boolean(),
  body: z.string(),
  path: z.string().nullable(),
  line: z.int().nullable(),
  commit_sha: z.string().nullable(),
  commented_at: time,
  resolved_at: time.nullable(),
});

const sprint = z.object({
  id: z.int(),
  name: z.string(),
  board_id: z.string(),
  team_slug: z.string().nullable(),
  starts_at: time,
  ends_at: time,
  issue_count: count,
  story_points: z.number(),
});

export const AUDIT_RECORDS = {
  commits: commit.meta({ id: 'AuditedCommit' }),
  committers: developer,
  issues: issue.meta({ id: 'AuditedIssue' }),
  pull_requests: pullRequest.meta({ id: 'AuditedPullRequest' }),
  teams: team,
  tags: tag.meta({ id: 'AuditedTag' }),
  releases: release.meta({ id: 'AuditedRelease' }),
  critical_defects: defect.meta({ id: 'AuditedDefect' }),
  ai_usages: aiUsage.meta({ id: 'AuditedAiUsage' }),
  reviews: review.meta({ id: 'AuditedReview' }),
  comments: comment.meta({ id: 'AuditedComment' }),
  sprints: sprint.meta({ id: 'AuditedSprint' }),
} as const satisfies Record<AuditType, z.ZodObject>;

const contribution = z.object({
  part: z.enum(['value', 'of', 'members']).describe('Counted, or what the count is divided by.'),
  measure: z.string(),
  contribution: z.number(),
  members: z.array(z.string()).optional().describe('Counted once, however many records have them.'),
});

/** What a record has besides where it explains a point. */
export const EXPLAINED = {
  contribution: z.number().optional().describe('To the count of the point, in its unit.'),
  contributions: z.array(contribution).optional(),
  excluded_because: z.string().optional().describe('Why the point does not count it.'),
};

export const explanation = z
  .object({
    segment_em: z.string(),
    series: z.string(),
    unit: z.string(),
    combination: z.string(),
    times: z.number().describe('100 for percentages.'),
    divisor: z
      .object({ name: z.string(), total: z.number().nullable() })
      .nullable()
      .describe('What the count is divided by; null where nothing is divided.'),
    unavailable_reason: z.string().optional().describe('Why the report has no figures, and so its point no records.'),
    start_date: z.string(),
    end_date: z.string(),
    parts: z.array(
      z.object({
        part: contribution.shape.part,
        measure: z.string(),
        resource_type: z.string(),
        record_count: z.int(),
        total: z.number().describe('Over all pages; of members, how many different ones.'),
      }),
    ),
  })
  .meta({ id: 'PointExplanation' });
