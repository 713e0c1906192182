// The REST API of Azure DevOps as Microsoft's documentation describes it (version 7.1): the calls that are used, in our own
// words.
import { z } from 'zod';
import type { Description } from './described.ts';

const time = z.iso.datetime();
const sha = z.string().regex(/^[0-9a-f]{40}$/);
const guid = z.guid();
const identity = z.strictObject({
  id: guid,
  displayName: z.string(),
  uniqueName: z.string(),
  descriptor: z.string(),
  url: z.string(),
  imageUrl: z.string(),
  isContainer: z.boolean().optional(),
});
const commitRef = z.strictObject({ commitId: sha, url: z.string() });
const project = z.strictObject({ id: guid, name: z.string(), state: z.string(), visibility: z.string() });
const repo = z.strictObject({
  id: guid,
  name: z.string(),
  remoteUrl: z.string(),
  webUrl: z.string(),
  defaultBranch: z.string().optional(),
  isDisabled: z.boolean(),
  project,
});

const pullRequest = z.strictObject({
  repository: z.strictObject({ id: guid, name: z.string() }),
  pullRequestId: z.int(),
  codeReviewId: z.int(),
  status: z.enum(['active', 'abandoned', 'completed']),
  createdBy: identity.optional(),
  creationDate: time,
  closedDate: time.optional(),
  closedBy: identity.optional(),
  title: z.string(),
  // Cut in lists.
  description: z.string().max(400).optional(),
  sourceRefName: z.string().startsWith('refs/heads/'),
  targetRefName: z.string().startsWith('refs/heads/'),
  mergeStatus: z.string(),
  isDraft: z.boolean(),
  mergeId: guid,
  lastMergeSourceCommit: commitRef,
  lastMergeTargetCommit: commitRef,
  lastMergeCommit: commitRef.optional(),
  reviewers: z.array(identity.extend({ vote: z.int(), hasDeclined: z.boolean(), isFlagged: z.boolean() })),
  labels: z.array(z.strictObject({ id: guid, name: z.string(), active: z.boolean() })).optional(),
  completionOptions: z
    .strictObject({
      mergeCommitMessage: z.string(),
      mergeStrategy: z.enum(['noFastForward', 'squash', 'rebase', 'rebaseMerge']),
      squashMerge: z.boolean().optional(),
    })
    .optional(),
  url: z.string(),
});

const property = z.strictObject({ $type: z.string(), $value: z.union([z.string(), z.number()]) });
const position = z.strictObject({ line: z.int(), offset: z.int() });
const thread = z.strictObject({
  id: z.int(),
  publishedDate: time,
  lastUpdatedDate: time,
  status: z.enum(['active', 'fixed', 'wontFix', 'closed', 'byDesign', 'pending', 'unknown']).optional(),
  isDeleted: z.boolean(),
  comments: z
    .array(
      z.strictObject({
        id: z.int(),
        parentCommentId: z.int(),
        author: identity.optional(),
        content: z.string(),
        publishedDate: time,
        lastUpdatedDate: time,
        lastContentUpdatedDate: time,
        commentType: z.enum(['text', 'codeChange', 'system']),
      }),
    )
    .min(1),
  threadContext: z
    .strictObject({
      filePath: z.string().startsWith('/'),
      rightFileStart: position.optional(),
      rightFileEnd: position.optional(),
      leftFileStart: position.optional(),
      leftFileEnd: position.optional(),
    })
    .nullable(),
  pullRequestThreadContext: z
    .strictObject({
      iterationContext: z.strictObject({ firstComparingIteration: z.int(), secondComparingIteration: z.int() }),
      changeTrackingId: z.int(),
    })
    .optional(),
  properties: z.record(z.string(), property).optional(),
  identities: z.record(z.string(), identity).nullable(),
});

const versioned = ['api-version'];
const paged = [...versioned, '$top', '$skip'];
const place = '/_apis/git/repositories/{repo}';
const needs = versioned;

export const AZURE: Description = {
  '/_apis/connectionData': {
    query: versioned,
    needs,
    answer: z.strictObject({
      authenticatedUser: z.strictObject({
        id: guid,
        descriptor: z.string(),
        providerDisplayName: z.string(),
        isActive: z.boolean(),
      }),
      instanceId: guid,
    }),
  },
  '/_apis/projects': { query: [...versioned, '$top', 'continuationToken'], needs, answer: project },
  '/{project}/_apis/git/repositories': { query: versioned, needs, answer: repo },
  [place]: { query: versioned, needs, answer: repo },
  [`${place}/pullrequests`]: {
    query: [
      ...paged,
      'searchCriteria.status',
      'searchCriteria.minTime',
      'searchCriteria.maxTime',
      'searchCriteria.queryTimeRangeType',
    ],
    needs: [...versioned, 'searchCriteria.status', '$top'],
    answer: pullRequest,
  },
  [`${place}/pullrequests/{id}`]: { query: versioned, needs, answer: pullRequest },
  [`${place}/pullRequests/{id}/threads`]: { query: versioned, needs, answer: thread },
  [`${place}/pullRequests/{id}/commits`]: {
    query: [...versioned, '$top', 'continuationToken'],
    needs,
    answer: z.strictObject({
      commitId: sha,
      author: z.strictObject({ name: z.string(), email: z.string(), date: time }),
      committer: z.strictObject({ name: z.string(), email: z.string(), date: time }),
      comment: z.string(),
      url: z.string(),
    }),
  },
  [`${place}/pullRequests/{id}/iterations`]: {
    query: [...versioned, 'includeCommits'],
    needs,
    answer: z.strictObject({
      id: z.int(),
      description: z.string(),
      author: identity.optional(),
      createdDate: time,
      updatedDate: time,
      sourceRefCommit: z.strictObject({ commitId: sha }),
      targetRefCommit: z.strictObject({ commitId: sha }),
      hasMoreCommits: z.boolean(),
      reason: z.enum(['push', 'forcePush', 'create', 'rebase', 'unknown', 'retarget']),
    }),
  },
  [`${place}/pullRequests/{id}/workitems`]: {
    query: versioned,
    needs,
    answer: z.strictObject({ id: z.string(), url: z.string() }),
  },
  '/{project}/_apis/build/builds': {
    query: [
      ...versioned,
      'repositoryId',
      'repositoryType',
      'resultFilter',
      'statusFilter',
      'queryOrder',
      'minTime',
      'maxTime',
      '$top',
      'continuationToken',
    ],
    needs: [...versioned, 'repositoryId', 'repositoryType'],
    answer: z.strictObject({
      id: z.int(),
      buildNumber: z.string(),
      status: z.string(),
      result: z.string(),
      queueTime: time,
      startTime: time,
      finishTime: time,
      definition: z.strictObject({ id: z.int(), name: z.string() }),
      sourceBranch: z.string(),
      sourceVersion: sha,
      reason: z.string(),
      requestedFor: identity,
      repository: z.strictObject({ id: guid, type: z.literal('TfsGit') }),
      _links: z.strictObject({ web: z.strictObject({ href: z.string() }) }),
    }),
  },
  '/{project}/_apis/build/builds/{id}': {
    query: versioned,
    needs,
    answer: z.strictObject({
      id: z.int(),
      buildNumber: z.string(),
      sourceVersion: sha,
      repository: z.strictObject({ id: guid, type: z.literal('TfsGit') }),
    }),
  },
  '/{project}/_apis/release/deployments': {
    query: [...versioned, 'queryOrder', 'minModifiedTime', 'maxModifiedTime', '$top', 'continuationToken'],
    needs: [...versioned, 'queryOrder', '$top'],
    answer: z.strictObject({
      id: z.int(),
      attempt: z.int(),
      definitionEnvironmentId: z.int(),
      reason: z.enum(['none', 'manual', 'automated', 'scheduled', 'redeployTrigger']),
      deploymentStatus: z.enum(['undefined', 'notDeployed', 'inProgress', 'succeeded', 'partiallySucceeded', 'failed']),
      operationStatus: z.string(),
      requestedBy: identity,
      requestedFor: identity,
      queuedOn: z.string(),
      startedOn: time,
      completedOn: time.optional(),
      lastModifiedOn: time,
      releaseEnvironment: z.strictObject({ id: z.int(), name: z.string(), _links: z.strictObject({}) }),
      release: z.strictObject({
        id: z.int(),
        name: z.string(),
        artifacts: z.array(
          z.strictObject({
            sourceId: z.string(),
            type: z.enum(['Build', 'Git', 'NuGet']),
            alias: z.string(),
            definitionReference: z.record(z.string(), z.strictObject({ id: z.string(), name: z.string() })),
          }),
        ),
        _links: z.strictObject({ web: z.strictObject({ href: z.string() }) }),
      }),
    }),
  },
  '/_apis/projects/{project}/teams': {
    query: paged,
    needs,
    answer: z.strictObject({ id: guid, name: z.string(), url: z.string(), description: z.string() }),
  },
  '/_apis/projects/{project}/teams/{team}/members': {
    query: paged,
    needs,
    answer: z.strictObject({ isTeamAdmin: z.boolean().optional(), identity }),
  },
};
