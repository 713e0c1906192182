// What made a release known.

export const RELEASE_TRIGGERS = [
  'api',
  'branch_push',
  'branch_prefix',
  'merged_pull_request',
  'git_tag',
  'commit_message',
  'workflow_success',
] as const;
export type ReleaseTrigger = (typeof RELEASE_TRIGGERS)[number];
