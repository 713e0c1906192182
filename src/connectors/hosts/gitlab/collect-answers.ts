// What is collected of GitLab's answers.
import { z } from 'zod';
import { gitlabAccount } from './accounts.ts';

export const gitlabAccounts = z.array(gitlabAccount);
export const gitlabPage = z.array(z.unknown());
export const gitlabFlaggedUser = z.object({ bot: z.boolean().optional() });

export const mergeRequest = z.object({
  id: z.int(),
  iid: z.int(),
  title: z.string(),
  description: z.string().nullish(),
  state: z.string(),
  web_url: z.string().nullish(),
  source_branch: z.string(),
  target_branch: z.string(),
  sha: z.string().nullish(),
  draft: z.boolean().optional(),
  work_in_progress: z.boolean().optional(),
  created_at: z.string(),
  updated_at: z.string(),
  closed_at: z.string().nullish(),
  merged_at: z.string().nullish(),
  merge_commit_sha: z.string().nullish(),
  squash_commit_sha: z.string().nullish(),
  author: gitlabAccount,
  merge_user: gitlabAccount,
  merged_by: gitlabAccount,
  assignees: z.array(gitlabAccount).nullish(),
  labels: z.array(z.string()),
  user_notes_count: z.int().nullish(),
  references: z.object({ full: z.string() }).nullish(),
});
export type MergeRequest = z.infer<typeof mergeRequest>;

export const discussions = z.array(
  z.object({
    id: z.string(),
    notes: z.array(
      z.object({
        id: z.int(),
        type: z.string().nullish(),
        body: z.string(),
        author: gitlabAccount,
        system: z.boolean(),
        created_at: z.string(),
        updated_at: z.string(),
        resolved_at: z.string().nullish(),
        position: z
          .object({
            head_sha: z.string().nullish(),
            old_path: z.string().nullish(),
            new_path: z.string().nullish(),
            old_line: z.int().nullish(),
            new_line: z.int().nullish(),
          })
          .nullish(),
      }),
    ),
  }),
);
export type Discussion = z.infer<typeof discussions>[number];
export type Note = Discussion['notes'][number];

export const commits = z.array(z.object({ id: z.string(), authored_date: z.string().nullish() }));

export const approvals = z.object({
  approved_by: z.array(z.object({ user: gitlabAccount, approved_at: z.string().nullish() })).nullish(),
});

export const reviewers = z.array(
  z.object({ user: gitlabAccount, state: z.string(), created_at: z.string().nullish() }),
);

export const stateEvents = z.array(
  z.object({ id: z.int(), state: z.string(), created_at: z.string(), user: gitlabAccount }),
);

/** What hangs on a merge request. */
export interface MergeRequestLists {
  readonly discussions: readonly Discussion[];
  /** Newest first, as GitLab lists them. */
  readonly commits: z.infer<typeof commits>;
  readonly approvals: z.infer<typeof approvals>;
  readonly reviewers: z.infer<typeof reviewers>;
  readonly states: z.infer<typeof stateEvents>;
  /** What could not be fetched. */
  readonly missing: readonly string[];
}

export const issues = z.array(
  z.object({
    id: z.int(),
    iid: z.int(),
    title: z.string(),
    state: z.string(),
    issue_type: z.string().nullish(),
    labels: z.array(z.string()),
    author: gitlabAccount,
    assignee: gitlabAccount,
    assignees: z.array(gitlabAccount).nullish(),
    weight: z.number().nullish(),
    epic: z.object({ iid: z.int(), url: z.string().nullish() }).nullish(),
    iteration: z.object({ id: z.int() }).nullish(),
    milestone: z.object({ start_date: z.string().nullish(), due_date: z.string().nullish() }).nullish(),
    severity: z.string().nullish(),
    web_url: z.string().nullish(),
    created_at: z.string(),
    updated_at: z.string(),
    closed_at: z.string().nullish(),
    moved_to_id: z.int().nullish(),
    references: z.object({ full: z.string() }),
  }),
);
export type GitlabIssue = z.infer<typeof issues>[number];

export const epics = z.array(
  z.object({
    id: z.int(),
    title: z.string(),
    state: z.string(),
    author: gitlabAccount,
    labels: z.array(z.string()),
    web_url: z.string().nullish(),
    created_at: z.string(),
    updated_at: z.string(),
    closed_at: z.string().nullish(),
    references: z.object({ full: z.string() }),
  }),
);
export type GitlabEpic = z.infer<typeof epics>[number];

export const issueNotes = z.array(
  z.object({
    id: z.int(),
    body: z.string(),
    system: z.boolean(),
    author: gitlabAccount,
    created_at: z.string(),
  }),
);
export type IssueNote = z.infer<typeof issueNotes>[number];

export const weightEvents = z.array(
  z.object({ id: z.int(), weight: z.number().nullish(), created_at: z.string(), user: gitlabAccount }),
);

export const iterationEvents = z.array(
  z.object({
    id: z.int(),
    action: z.string(),
    created_at: z.string(),
    user: gitlabAccount,
    iteration: z.object({ id: z.int() }).nullish(),
  }),
);

export const milestoneEvents = z.array(
  z.object({
    id: z.int(),
    action: z.string(),
    created_at: z.string(),
    user: gitlabAccount,
    milestone: z.object({ id: z.int() }).nullish(),
  }),
);

export const milestones = z.array(
  z.object({
    id: z.int(),
    title: z.string(),
    state: z.string(),
    start_date: z.string().nullish(),
    due_date: z.string().nullish(),
  }),
);

export const iterations = z.array(
  z.object({
    id: z.int(),
    sequence: z.int().nullish(),
    group_id: z.int(),
    title: z.string().nullish(),
    state: z.int(),
    start_date: z.string().nullish(),
    due_date: z.string().nullish(),
  }),
);

export const deployments = z.array(
  z.object({
    id: z.int(),
    ref: z.string().nullish(),
    sha: z.string(),
    status: z.string(),
    created_at: z.string(),
    updated_at: z.string(),
    user: gitlabAccount,
    environment: z.object({ name: z.string(), external_url: z.string().nullish() }).nullish(),
    deployable: z.object({ finished_at: z.string().nullish() }).nullish(),
  }),
);

export const pipelines = z.array(
  z.object({
    id: z.int(),
    name: z.string().nullish(),
    ref: z.string().nullish(),
    sha: z.string(),
    status: z.string(),
    source: z.string().nullish(),
    web_url: z.string().nullish(),
    created_at: z.string(),
    updated_at: z.string(),
  }),
);

export const groups = z.array(
  z.object({ id: z.int(), name: z.string(), full_path: z.string(), parent_id: z.int().nullish() }),
);
export const oneGroup = groups.element;

export const members = z.array(
  z.object({ id: z.int(), username: z.string(), name: z.string().nullish(), access_level: z.int() }),
);
