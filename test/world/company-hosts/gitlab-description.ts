// GitLab's REST API as its documentation describes it (docs.gitlab.com/api, version 18): the calls that are used, in our
// own words.
import { z } from 'zod';
import type { Description } from './described.ts';

const time = z.iso.datetime();
const day = z.iso.date();
const sha = z.string().regex(/^[0-9a-f]{40}$/);
const user = z.strictObject({
  id: z.int(),
  username: z.string(),
  public_email: z.string().nullable().optional(),
  name: z.string(),
  state: z.enum(['active', 'blocked', 'deactivated']),
  locked: z.boolean(),
  avatar_url: z.string().nullable(),
  web_url: z.string(),
});
const references = z.strictObject({ short: z.string(), relative: z.string(), full: z.string() });
const paging = ['page', 'per_page'];

const mergeRequest = z.strictObject({
  id: z.int(),
  iid: z.int(),
  project_id: z.int(),
  title: z.string(),
  description: z.string().nullable(),
  state: z.enum(['opened', 'closed', 'locked', 'merged']),
  created_at: time,
  updated_at: time,
  merged_by: user.nullable(),
  merge_user: user.nullable(),
  merged_at: time.nullable(),
  closed_by: user.nullable(),
  closed_at: time.nullable(),
  target_branch: z.string(),
  source_branch: z.string(),
  user_notes_count: z.int(),
  author: user,
  assignees: z.array(user),
  assignee: user.nullable(),
  reviewers: z.array(user),
  labels: z.array(z.string()),
  draft: z.boolean(),
  work_in_progress: z.boolean(),
  sha: sha.nullable(),
  merge_commit_sha: sha.nullable(),
  squash_commit_sha: sha.nullable(),
  squash: z.boolean(),
  references,
  web_url: z.string(),
});

const note = z.strictObject({
  id: z.int(),
  type: z.enum(['DiffNote', 'DiscussionNote']).nullable(),
  body: z.string(),
  author: user,
  created_at: time,
  updated_at: time,
  system: z.boolean(),
  noteable_id: z.int(),
  noteable_type: z.literal('MergeRequest'),
  noteable_iid: z.int(),
  project_id: z.int(),
  resolvable: z.boolean(),
  resolved: z.boolean().optional(),
  resolved_by: user.nullable().optional(),
  resolved_at: time.nullable().optional(),
  position: z
    .strictObject({
      base_sha: sha,
      start_sha: sha,
      head_sha: sha,
      old_path: z.string(),
      new_path: z.string(),
      position_type: z.literal('text'),
      old_line: z.int().nullable(),
      new_line: z.int().nullable(),
    })
    .optional(),
});

const issue = z.strictObject({
  id: z.int(),
  iid: z.int(),
  project_id: z.int(),
  title: z.string(),
  description: z.string().nullable(),
  state: z.enum(['opened', 'closed']),
  created_at: time,
  updated_at: time,
  closed_at: time.nullable(),
  closed_by: user.nullable(),
  labels: z.array(z.string()),
  assignees: z.array(user),
  assignee: user.nullable(),
  author: user,
  type: z.enum(['ISSUE', 'INCIDENT', 'TASK']),
  issue_type: z.enum(['issue', 'incident', 'test_case', 'task']),
  moved_to_id: z.int().nullable(),
  severity: z.enum(['UNKNOWN', 'LOW', 'MEDIUM', 'HIGH', 'CRITICAL']),
  weight: z.int().nullable(),
  milestone: z
    .strictObject({
      id: z.int(),
      iid: z.int(),
      title: z.string(),
      start_date: day.nullable(),
      due_date: day.nullable(),
    })
    .nullable(),
  iteration: z.strictObject({ id: z.int(), iid: z.int(), title: z.string().nullable() }).nullable(),
  epic: z.strictObject({ id: z.int(), iid: z.int(), title: z.string(), url: z.string(), group_id: z.int() }).nullable(),
  references,
  web_url: z.string(),
});

const event = { id: z.int(), user: user.nullable(), created_at: time, resource_type: z.string(), resource_id: z.int() };

const group = z.strictObject({
  id: z.int(),
  name: z.string(),
  path: z.string(),
  full_name: z.string(),
  full_path: z.string(),
  visibility: z.enum(['private', 'internal', 'public']),
  parent_id: z.int().nullable(),
  web_url: z.string(),
});

const project = z.strictObject({
  id: z.int(),
  name: z.string(),
  path: z.string(),
  path_with_namespace: z.string(),
  default_branch: z.string().nullable(),
  http_url_to_repo: z.string(),
  ssh_url_to_repo: z.string(),
  visibility: z.enum(['private', 'internal', 'public']),
  archived: z.boolean(),
});

const timed = [...paging, 'order_by', 'sort', 'updated_after', 'updated_before'];

export const GITLAB: Description = {
  '/user': { query: [], answer: user },
  '/personal_access_tokens/self': {
    query: [],
    answer: z.strictObject({
      id: z.int(),
      name: z.string(),
      revoked: z.boolean(),
      created_at: time,
      scopes: z.array(z.string()),
      user_id: z.int(),
      active: z.boolean(),
      expires_at: day.nullable(),
    }),
  },
  '/users': { query: ['username'], answer: user },
  '/users/{id}': { query: [], answer: user.extend({ bot: z.boolean() }) },
  '/users/{id}/projects': { query: [...paging, 'pagination'], answer: project },
  '/projects': { query: [...paging, 'pagination', 'membership'], answer: project },
  '/groups': { query: [...paging, 'pagination', 'min_access_level'], answer: group },
  '/groups/{id}': { query: [], answer: group },
  '/groups/{id}/projects': { query: [...paging, 'pagination'], answer: project },
  '/groups/{id}/descendant_groups': { query: paging, answer: group },
  '/groups/{id}/members': {
    query: paging,
    answer: user.extend({ access_level: z.int(), created_at: time, expires_at: day.nullable() }),
  },
  '/projects/{id}/merge_requests': { query: [...timed, 'scope', 'state'], answer: mergeRequest },
  '/projects/{id}/merge_requests/{iid}': { query: [], answer: mergeRequest },
  '/projects/{id}/merge_requests/{iid}/discussions': {
    query: paging,
    answer: z.strictObject({
      id: z.string().regex(/^[0-9a-f]{40}$/),
      individual_note: z.boolean(),
      notes: z.array(note).min(1),
    }),
  },
  '/projects/{id}/merge_requests/{iid}/commits': {
    query: paging,
    answer: z.strictObject({
      id: sha,
      short_id: z.string(),
      title: z.string(),
      message: z.string(),
      author_name: z.string(),
      author_email: z.string(),
      authored_date: time,
      committed_date: time,
      created_at: time,
    }),
  },
  '/projects/{id}/merge_requests/{iid}/approvals': {
    query: [],
    answer: z.strictObject({
      id: z.int(),
      iid: z.int(),
      project_id: z.int(),
      approved: z.boolean(),
      approved_by: z.array(z.strictObject({ user, approved_at: time.optional() })),
    }),
  },
  '/projects/{id}/merge_requests/{iid}/reviewers': {
    query: paging,
    answer: z.strictObject({
      user,
      state: z.enum(['unreviewed', 'reviewed', 'requested_changes', 'approved', 'unapproved', 'review_started']),
      created_at: time,
    }),
  },
  '/projects/{id}/merge_requests/{iid}/resource_state_events': {
    query: paging,
    answer: z.strictObject({ ...event, state: z.enum(['closed', 'reopened', 'merged']) }),
  },
  '/projects/{id}/issues': { query: [...timed, 'scope', 'state'], answer: issue },
  '/projects/{id}/issues/{iid}/resource_state_events': {
    query: paging,
    answer: z.strictObject({ ...event, state: z.enum(['opened', 'closed', 'reopened']) }),
  },
  '/projects/{id}/issues/{iid}/resource_weight_events': {
    query: paging,
    answer: z.strictObject({
      id: z.int(),
      user: user.nullable(),
      created_at: time,
      issue_id: z.int(),
      weight: z.int().nullable(),
    }),
  },
  '/projects/{id}/issues/{iid}/resource_iteration_events': {
    query: paging,
    answer: z.strictObject({
      ...event,
      iteration: z.strictObject({ id: z.int(), iid: z.int(), title: z.string().nullable() }),
      action: z.enum(['add', 'remove']),
    }),
  },
  '/projects/{id}/issues/{iid}/resource_milestone_events': {
    query: paging,
    answer: z.strictObject({
      ...event,
      milestone: z.strictObject({ id: z.int(), iid: z.int(), title: z.string() }),
      action: z.enum(['add', 'remove']),
    }),
  },
  '/projects/{id}/issues/{iid}/notes': {
    query: [...paging, 'sort', 'order_by', 'activity_filter'],
    answer: z.strictObject({
      id: z.int(),
      type: z.string().nullable(),
      body: z.string(),
      author: user,
      created_at: time,
      updated_at: time,
      system: z.boolean(),
      noteable_id: z.int(),
      noteable_type: z.literal('Issue'),
      noteable_iid: z.int(),
      project_id: z.int(),
      resolvable: z.boolean(),
      confidential: z.boolean(),
      internal: z.boolean(),
    }),
  },
  '/groups/{id}/epics': {
    query: [...timed, 'state', 'include_ancestor_groups', 'include_descendant_groups'],
    answer: z.strictObject({
      id: z.int(),
      iid: z.int(),
      group_id: z.int(),
      parent_id: z.int().nullable(),
      title: z.string(),
      description: z.string().nullable(),
      state: z.enum(['opened', 'closed']),
      author: user,
      labels: z.array(z.string()),
      start_date: day.nullable(),
      due_date: day.nullable(),
      created_at: time,
      updated_at: time,
      closed_at: time.nullable(),
      references,
      web_url: z.string(),
    }),
  },
  '/projects/{id}/milestones': {
    query: [...paging, 'state', 'include_ancestors'],
    answer: z.strictObject({
      id: z.int(),
      iid: z.int(),
      project_id: z.int(),
      title: z.string(),
      description: z.string().nullable(),
      state: z.enum(['active', 'closed']),
      start_date: day.nullable(),
      due_date: day.nullable(),
      expired: z.boolean(),
      created_at: time,
      updated_at: time,
      web_url: z.string(),
    }),
  },
  '/projects/{id}/iterations': {
    query: [...paging, 'state', 'include_ancestors'],
    answer: z.strictObject({
      id: z.int(),
      iid: z.int(),
      sequence: z.int(),
      group_id: z.int(),
      title: z.string().nullable(),
      description: z.string().nullable(),
      state: z.int().min(1).max(3),
      created_at: time,
      updated_at: time,
      start_date: day,
      due_date: day,
      web_url: z.string(),
    }),
  },
  '/projects/{id}/deployments': {
    query: [...timed, 'status', 'environment'],
    answer: z.strictObject({
      id: z.int(),
      iid: z.int(),
      ref: z.string(),
      sha,
      status: z.enum(['created', 'running', 'success', 'failed', 'canceled', 'skipped', 'blocked']),
      created_at: time,
      updated_at: time,
      user,
      environment: z.strictObject({ id: z.int(), name: z.string(), external_url: z.string().nullable() }),
      deployable: z
        .strictObject({ id: z.int(), status: z.string(), finished_at: time.nullable(), created_at: time })
        .nullable(),
    }),
  },
  '/projects/{id}/pipelines': {
    query: [...timed, 'status', 'ref', 'source'],
    answer: z.strictObject({
      id: z.int(),
      iid: z.int(),
      project_id: z.int(),
      name: z.string().nullable(),
      sha,
      ref: z.string(),
      status: z.string(),
      source: z.string(),
      created_at: time,
      updated_at: time,
      web_url: z.string(),
    }),
  },
};
