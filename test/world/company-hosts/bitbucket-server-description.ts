// The REST API of Bitbucket Data Center as Atlassian's documentation describes it (version 9): the calls that are used, in
// our own words.
import { z } from 'zod';
import type { Description } from './described.ts';

const time = z.int().positive();
const sha = z.string().regex(/^[0-9a-f]{40}$/);
const user = z.strictObject({
  id: z.int(),
  name: z.string(),
  slug: z.string(),
  displayName: z.string(),
  emailAddress: z.string(),
  active: z.boolean(),
  type: z.enum(['NORMAL', 'SERVICE']),
});
const project = z.strictObject({
  id: z.int(),
  key: z.string(),
  name: z.string(),
  public: z.boolean(),
  type: z.enum(['NORMAL', 'PERSONAL']),
});
const repo = z.strictObject({
  id: z.int(),
  slug: z.string(),
  name: z.string(),
  state: z.string(),
  public: z.boolean(),
  project,
  links: z.strictObject({ clone: z.array(z.strictObject({ name: z.string(), href: z.string() })) }),
});
const ref = z.strictObject({ id: z.string(), displayId: z.string(), latestCommit: sha });
const participant = z.strictObject({
  user,
  role: z.enum(['AUTHOR', 'REVIEWER', 'PARTICIPANT']),
  approved: z.boolean(),
  status: z.enum(['UNAPPROVED', 'NEEDS_WORK', 'APPROVED']),
});

const pullRequest = z.strictObject({
  id: z.int(),
  version: z.int(),
  title: z.string(),
  state: z.enum(['OPEN', 'MERGED', 'DECLINED']),
  open: z.boolean(),
  closed: z.boolean(),
  draft: z.boolean().optional(),
  createdDate: time,
  updatedDate: time,
  closedDate: time.optional(),
  fromRef: ref,
  toRef: ref,
  locked: z.boolean(),
  author: participant.optional(),
  reviewers: z.array(participant),
  properties: z.strictObject({ commentCount: z.int(), openTaskCount: z.int(), resolvedTaskCount: z.int() }),
  links: z.strictObject({ self: z.array(z.strictObject({ href: z.string() })) }),
});

const answer = {
  id: z.int(),
  version: z.int(),
  text: z.string(),
  author: user.optional(),
  createdDate: time,
  updatedDate: time,
  severity: z.enum(['NORMAL', 'BLOCKER']),
  state: z.enum(['OPEN', 'RESOLVED']),
};
const comment = z.strictObject({
  ...answer,
  threadResolved: z.boolean(),
  threadResolvedDate: time.optional(),
  comments: z.array(z.strictObject({ ...answer, comments: z.array(z.never()) })),
});

const entry = { id: z.int(), createdDate: time, user: user.optional() };
const commit = z.strictObject({
  id: sha,
  displayId: z.string(),
  message: z.string(),
  author: z.strictObject({ name: z.string(), emailAddress: z.string() }),
  authorTimestamp: time,
  committerTimestamp: time,
  parents: z.array(z.strictObject({ id: sha, displayId: z.string() })),
});

const paged = ['limit', 'start'];
const place = '/projects/{key}/repos/{slug}';

export const BITBUCKET_SERVER: Description = {
  '/projects': { query: paged, answer: project },
  '/projects/{key}/repos': { query: paged, answer: repo },
  [place]: { query: [], answer: repo },
  // There is no way to ask for changes.
  [`${place}/pull-requests`]: { query: [...paged, 'state', 'order'], answer: pullRequest },
  [`${place}/pull-requests/{id}`]: { query: [], answer: pullRequest },
  [`${place}/pull-requests/{id}/activities`]: {
    query: paged,
    answer: z.union([
      z.strictObject({ ...entry, action: z.enum(['OPENED', 'APPROVED', 'REVIEWED', 'UNAPPROVED', 'DECLINED']) }),
      z.strictObject({ ...entry, action: z.literal('MERGED'), commit }),
      z.strictObject({
        ...entry,
        action: z.literal('UPDATED'),
        addedReviewers: z.array(user),
        removedReviewers: z.array(user),
      }),
      z.strictObject({ ...entry, action: z.literal('RESCOPED'), fromHash: sha, toHash: sha }),
      z.strictObject({
        ...entry,
        action: z.literal('COMMENTED'),
        commentAction: z.enum(['ADDED', 'UPDATED', 'DELETED', 'REPLIED']),
        comment,
        commentAnchor: z
          .strictObject({
            path: z.string(),
            line: z.int(),
            lineType: z.enum(['ADDED', 'REMOVED', 'CONTEXT']),
            fileType: z.enum(['FROM', 'TO']),
            fromHash: sha,
            toHash: sha,
            diffType: z.string(),
            orphaned: z.boolean(),
          })
          .optional(),
      }),
    ]),
  },
  [`${place}/pull-requests/{id}/commits`]: { query: paged, answer: commit },
  [`${place}/commits/{commit}`]: { query: ['path'], answer: commit },
};
