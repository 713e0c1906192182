// The kinds of records that audits list: the six of the specification, and those that only report points need.

export const SPECIFIED_AUDIT_TYPES = ['commits', 'committers', 'issues', 'pull_requests', 'teams', 'tags'] as const;

export const AUDIT_TYPES = [
  ...SPECIFIED_AUDIT_TYPES,
  'releases',
  'critical_defects',
  'ai_usages',
  'reviews',
  'comments',
  'sprints',
] as const;
export type AuditType = (typeof AUDIT_TYPES)[number];

export const PULL_REQUEST_PHASES = ['phase_open', 'phase_stale_open', 'phase_closed', 'phase_merged'] as const;
export type PullRequestPhase = (typeof PULL_REQUEST_PHASES)[number];

export const ISSUE_PROVIDERS = ['tracker_a', 'hostC', 'generic', 'unknown'] as const;

/** An open pull request without a sign of life for so long is stale. */
export const STALE_BUSINESS_DAYS = 10;
