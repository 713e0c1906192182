// What is collected of Bitbucket Data Center's answers. Times are milliseconds since 1970.
import { z } from 'zod';

export const serverUser = z
  .object({
    id: z.int().nullish(),
    name: z.string(),
    slug: z.string().nullish(),
    displayName: z.string().nullish(),
    emailAddress: z.string().nullish(),
    type: z.string().nullish(),
  })
  .nullish();
export type ServerUser = z.infer<typeof serverUser>;

export const listOf = <T extends z.ZodType>(item: T) =>
  z.object({ values: z.array(item), isLastPage: z.boolean(), nextPageStart: z.int().nullish() });

const ref = z.object({ id: z.string(), displayId: z.string().nullish(), latestCommit: z.string().nullish() });

export const pullRequest = z.object({
  id: z.int(),
  version: z.int(),
  title: z.string(),
  state: z.string(),
  draft: z.boolean().nullish(),
  createdDate: z.int(),
  updatedDate: z.int(),
  closedDate: z.int().nullish(),
  fromRef: ref,
  toRef: ref,
  author: z.object({ user: serverUser }).nullish(),
  reviewers: z.array(z.object({ user: serverUser, status: z.string().nullish() })).nullish(),
  properties: z
    .object({
      commentCount: z.int().nullish(),
      openTaskCount: z.int().nullish(),
      resolvedTaskCount: z.int().nullish(),
    })
    .nullish(),
  links: z.object({ self: z.array(z.object({ href: z.string() })).nullish() }).nullish(),
});
export type ServerPullRequest = z.infer<typeof pullRequest>;

const anchor = z
  .object({
    path: z.string().nullish(),
    line: z.int().nullish(),
    lineType: z.string().nullish(),
    fileType: z.string().nullish(),
    toHash: z.string().nullish(),
  })
  .nullish();

export interface ServerComment {
  readonly id: number;
  readonly text?: string | null | undefined;
  readonly author?: ServerUser;
  readonly createdDate: number;
  readonly updatedDate?: number | null | undefined;
  readonly threadResolved?: boolean | null | undefined;
  readonly threadResolvedDate?: number | null | undefined;
  readonly comments?: readonly ServerComment[] | null | undefined;
}

const comment: z.ZodType<ServerComment> = z.lazy(() =>
  z.object({
    id: z.int(),
    text: z.string().nullish(),
    author: serverUser,
    createdDate: z.int(),
    updatedDate: z.int().nullish(),
    threadResolved: z.boolean().nullish(),
    threadResolvedDate: z.int().nullish(),
    comments: z.array(comment).nullish(),
  }),
);

export const activity = z.object({
  id: z.int(),
  createdDate: z.int(),
  user: serverUser,
  action: z.string(),
  commentAction: z.string().nullish(),
  comment: comment.nullish(),
  commentAnchor: anchor,
  commit: z.object({ id: z.string() }).nullish(),
  addedReviewers: z.array(serverUser).nullish(),
});
export type ServerActivity = z.infer<typeof activity>;

export const commit = z.object({
  id: z.string(),
  message: z.string().nullish(),
  authorTimestamp: z.int().nullish(),
  author: z.object({ name: z.string().nullish(), emailAddress: z.string().nullish(), id: z.int().nullish() }).nullish(),
  parents: z.array(z.object({ id: z.string() })).nullish(),
});
export type ServerCommit = z.infer<typeof commit>;

export const oneRepo = z.object({ id: z.int(), slug: z.string(), project: z.object({ key: z.string() }) });
