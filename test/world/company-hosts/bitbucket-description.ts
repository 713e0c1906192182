// Bitbucket Cloud's REST API as Atlassian's documentation describes it (version 2.0): the calls that are used, in our own
// words.
import { z } from 'zod';
import type { Description } from './described.ts';

const time = z.iso.datetime({ offset: true });
const uuid = z.string().regex(/^\{[0-9a-f-]{36}\}$/);
const whole = z.string().regex(/^[0-9a-f]{40}$/);
/** Pull requests show the beginning of a hash only. */
const short = z.string().regex(/^[0-9a-f]{12}$/);
const link = z.strictObject({ href: z.string() });
const user = z.strictObject({
  type: z.enum(['user', 'team', 'app_user']),
  uuid,
  account_id: z.string(),
  nickname: z.string(),
  display_name: z.string(),
  links: z.strictObject({ self: link }),
});
const end = z.strictObject({
  branch: z.strictObject({ name: z.string() }),
  commit: z.strictObject({ type: z.literal('commit'), hash: short }).nullable(),
  repository: z.strictObject({ type: z.literal('repository'), full_name: z.string(), uuid }).nullable(),
});

const pullRequest = z.strictObject({
  type: z.literal('pullrequest'),
  id: z.int(),
  title: z.string(),
  state: z.enum(['OPEN', 'MERGED', 'DECLINED', 'SUPERSEDED']),
  author: user.nullable(),
  closed_by: user.nullable(),
  source: end,
  destination: end,
  merge_commit: z.strictObject({ type: z.literal('commit'), hash: short }).nullable(),
  comment_count: z.int(),
  task_count: z.int(),
  close_source_branch: z.boolean(),
  reason: z.string(),
  created_on: time,
  updated_on: time,
  links: z.strictObject({ html: link }),
  // These come only where they are named.
  draft: z.boolean().optional(),
  reviewers: z.array(user).optional(),
  participants: z
    .array(
      z.strictObject({
        type: z.literal('participant'),
        user: user.nullable(),
        role: z.enum(['PARTICIPANT', 'REVIEWER']),
        approved: z.boolean(),
        state: z.enum(['approved', 'changes_requested']).nullable(),
      }),
    )
    .optional(),
});

const commit = z.strictObject({
  type: z.literal('commit'),
  hash: whole,
  date: time,
  message: z.string(),
  author: z.strictObject({ type: z.literal('author'), raw: z.string(), user: user.optional() }),
  parents: z.array(z.strictObject({ type: z.literal('commit'), hash: whole })),
});

const of = z.strictObject({ type: z.literal('pullrequest'), id: z.int() });
const vote = z.strictObject({ date: time, user: user.nullable(), pullrequest: of });

const repo = z.strictObject({
  type: z.literal('repository'),
  uuid,
  slug: z.string(),
  name: z.string(),
  full_name: z.string(),
  is_private: z.boolean(),
  mainbranch: z.strictObject({ type: z.literal('branch'), name: z.string() }).nullable(),
  links: z.strictObject({ clone: z.array(z.strictObject({ name: z.string(), href: z.string() })) }),
});

const paged = ['pagelen', 'page'];
const place = '/repositories/{workspace}/{repo}';

export const BITBUCKET: Description = {
  '/user': { query: [], answer: user.extend({ username: z.string() }) },
  '/user/workspaces': {
    query: paged,
    answer: z.strictObject({
      type: z.literal('workspace_access'),
      administrator: z.boolean(),
      workspace: z.strictObject({ type: z.literal('workspace_base'), slug: z.string(), uuid }),
    }),
  },
  '/repositories': { query: [...paged, 'role'], answer: repo },
  '/repositories/{workspace}': { query: paged, answer: repo },
  '/workspaces/{workspace}/members': {
    query: paged,
    answer: z.strictObject({ type: z.literal('workspace_membership'), user }),
  },
  [`${place}/pullrequests`]: {
    query: [...paged, 'state', 'sort', 'q', 'fields'],
    answer: pullRequest,
  },
  [`${place}/pullrequests/{id}`]: { query: ['fields'], answer: pullRequest },
  [`${place}/pullrequests/{id}/activity`]: {
    query: paged,
    answer: z.union([
      z.strictObject({
        pull_request: of,
        update: z.strictObject({
          date: time,
          state: z.enum(['OPEN', 'MERGED', 'DECLINED', 'SUPERSEDED']),
          author: user.nullable(),
          title: z.string(),
          description: z.string(),
          reason: z.string(),
          reviewers: z.array(user),
          changes: z.looseObject({}),
        }),
      }),
      z.strictObject({ pull_request: of, approval: vote }),
      z.strictObject({ pull_request: of, changes_requested: vote }),
      z.strictObject({ pull_request: of, comment: z.strictObject({ id: z.int(), created_on: time }) }),
    ]),
  },
  [`${place}/pullrequests/{id}/comments`]: {
    query: paged,
    answer: z.strictObject({
      type: z.literal('pullrequest_comment'),
      id: z.int(),
      created_on: time,
      updated_on: time,
      content: z.strictObject({ type: z.literal('rendered'), raw: z.string(), markup: z.string(), html: z.string() }),
      user: user.nullable(),
      deleted: z.boolean(),
      pending: z.boolean(),
      parent: z.strictObject({ id: z.int() }).optional(),
      inline: z.strictObject({ path: z.string(), from: z.int().nullable(), to: z.int().nullable() }).optional(),
      resolution: z
        .strictObject({ type: z.literal('comment_resolution'), user: user.nullable(), created_on: time })
        .optional(),
      pullrequest: of,
    }),
  },
  [`${place}/pullrequests/{id}/commits`]: { query: paged, answer: commit },
  [`${place}/commit/{hash}`]: { query: [], answer: commit },
  [`${place}/pipelines`]: {
    query: [...paged, 'sort', 'status', 'target.branch'],
    answer: z.strictObject({
      type: z.literal('pipeline'),
      uuid,
      build_number: z.int(),
      creator: user.nullable(),
      created_on: time,
      completed_on: time.nullable(),
      state: z.strictObject({
        name: z.enum(['PENDING', 'IN_PROGRESS', 'COMPLETED']),
        result: z.strictObject({ name: z.enum(['SUCCESSFUL', 'FAILED', 'ERROR', 'STOPPED']) }).optional(),
      }),
      target: z.strictObject({
        type: z.literal('pipeline_ref_target'),
        ref_type: z.literal('branch'),
        ref_name: z.string(),
        commit: z.strictObject({ type: z.literal('commit'), hash: whole }),
        selector: z.strictObject({ type: z.string(), pattern: z.string() }),
      }),
      trigger: z.strictObject({ name: z.string() }),
    }),
  },
  [`${place}/environments`]: {
    query: paged,
    answer: z.strictObject({ type: z.literal('deployment_environment'), uuid, name: z.string() }),
  },
  [`${place}/deployments`]: {
    // Sorting is refused, and a filter overlooked.
    query: paged,
    answer: z.strictObject({
      type: z.literal('deployment'),
      uuid,
      environment: z.strictObject({ uuid }),
      release: z.strictObject({
        uuid,
        created_on: time,
        commit: z.strictObject({ type: z.literal('commit'), hash: whole }),
      }),
      state: z.strictObject({
        name: z.enum(['UNDEPLOYED', 'IN_PROGRESS', 'COMPLETED']),
        status: z.strictObject({ name: z.enum(['SUCCESSFUL', 'FAILED', 'STOPPED']) }).optional(),
        started_on: time.optional(),
        completed_on: time.optional(),
      }),
      last_update_time: time,
    }),
  },
};
