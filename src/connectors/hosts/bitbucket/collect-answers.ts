// What is collected of Bitbucket Cloud's answers.
import { z } from 'zod';

export const bitbucketAccount = z
  .object({
    type: z.string().nullish(),
    uuid: z.string().nullish(),
    account_id: z.string().nullish(),
    nickname: z.string().nullish(),
    display_name: z.string().nullish(),
  })
  .nullish();
export type BitbucketAccount = z.infer<typeof bitbucketAccount>;

/** `next` is to be followed as it stands. */
export const listOf = <T extends z.ZodType>(item: T) =>
  z.object({ values: z.array(item), next: z.string().nullish(), size: z.int().nullish() });

const commitRef = z.object({ hash: z.string() }).nullish();
const side = z.object({ branch: z.object({ name: z.string() }), commit: commitRef });

export const pullRequest = z.object({
  id: z.int(),
  title: z.string(),
  state: z.string(),
  draft: z.boolean().nullish(),
  created_on: z.string(),
  updated_on: z.string(),
  author: bitbucketAccount,
  closed_by: bitbucketAccount,
  source: side,
  destination: side,
  merge_commit: commitRef,
  comment_count: z.int().nullish(),
  task_count: z.int().nullish(),
  participants: z
    .array(z.object({ user: bitbucketAccount, approved: z.boolean().nullish(), state: z.string().nullish() }))
    .nullish(),
  links: z.object({ html: z.object({ href: z.string() }).nullish() }).nullish(),
});
export type BitbucketPullRequest = z.infer<typeof pullRequest>;

const vote = z.object({ date: z.string(), user: bitbucketAccount }).nullish();
export const activity = z.object({
  update: z
    .object({
      date: z.string(),
      state: z.string(),
      author: bitbucketAccount,
      reviewers: z.array(bitbucketAccount).nullish(),
    })
    .nullish(),
  approval: vote,
  changes_requested: vote,
});
export type BitbucketActivity = z.infer<typeof activity>;

export const comment = z.object({
  id: z.int(),
  created_on: z.string(),
  updated_on: z.string().nullish(),
  content: z.object({ raw: z.string().nullish() }).nullish(),
  user: bitbucketAccount,
  deleted: z.boolean().nullish(),
  pending: z.boolean().nullish(),
  parent: z.object({ id: z.int() }).nullish(),
  inline: z.object({ path: z.string(), from: z.int().nullish(), to: z.int().nullish() }).nullish(),
  resolution: z.object({ created_on: z.string().nullish() }).nullish(),
});
export type BitbucketComment = z.infer<typeof comment>;

export const commit = z.object({
  hash: z.string(),
  date: z.string().nullish(),
  message: z.string().nullish(),
  author: z.object({ raw: z.string().nullish(), user: bitbucketAccount }).nullish(),
  parents: z.array(z.object({ hash: z.string() })).nullish(),
});
export type BitbucketCommit = z.infer<typeof commit>;

export const pipeline = z.object({
  uuid: z.string(),
  created_on: z.string(),
  completed_on: z.string().nullish(),
  creator: bitbucketAccount,
  state: z.object({ name: z.string(), result: z.object({ name: z.string() }).nullish() }),
  target: z
    .object({
      ref_name: z.string().nullish(),
      commit: commitRef,
      selector: z.object({ type: z.string().nullish(), pattern: z.string().nullish() }).nullish(),
    })
    .nullish(),
  trigger: z.object({ name: z.string().nullish() }).nullish(),
});

export const deployment = z.object({
  uuid: z.string(),
  environment: z.object({ uuid: z.string() }).nullish(),
  release: z.object({ created_on: z.string().nullish(), commit: commitRef }).nullish(),
  state: z.object({
    name: z.string(),
    status: z.object({ name: z.string() }).nullish(),
    started_on: z.string().nullish(),
    completed_on: z.string().nullish(),
  }),
  last_update_time: z.string().nullish(),
});

export const environment = z.object({ uuid: z.string(), name: z.string() });
export const member = z.object({ user: bitbucketAccount });
