// What is collected of the answers of Azure DevOps.
import { z } from 'zod';

export const azureIdentity = z
  .object({
    id: z.string(),
    displayName: z.string().nullish(),
    uniqueName: z.string().nullish(),
    descriptor: z.string().nullish(),
    isContainer: z.boolean().nullish(),
  })
  .nullish();
export type AzureIdentity = z.infer<typeof azureIdentity>;

const commitRef = z.object({ commitId: z.string() }).nullish();

export const pullRequest = z.object({
  pullRequestId: z.int(),
  title: z.string().nullish(),
  status: z.string(),
  creationDate: z.string(),
  closedDate: z.string().nullish(),
  sourceRefName: z.string(),
  targetRefName: z.string(),
  isDraft: z.boolean().nullish(),
  createdBy: azureIdentity,
  closedBy: azureIdentity,
  lastMergeSourceCommit: commitRef,
  lastMergeCommit: commitRef,
  completionOptions: z.object({ mergeStrategy: z.string().nullish(), squashMerge: z.boolean().nullish() }).nullish(),
  reviewers: z
    .array(z.object({ id: z.string(), vote: z.int().nullish(), isContainer: z.boolean().nullish() }))
    .nullish(),
  labels: z.array(z.object({ name: z.string() })).nullish(),
});
export type AzurePullRequest = z.infer<typeof pullRequest>;
export const pullRequests = z.object({ value: z.array(pullRequest) });

const line = z.object({ line: z.int() }).nullish();
export const threads = z.object({
  value: z.array(
    z.object({
      id: z.int(),
      publishedDate: z.string().nullish(),
      lastUpdatedDate: z.string().nullish(),
      status: z.string().nullish(),
      isDeleted: z.boolean().nullish(),
      properties: z.record(z.string(), z.object({ $value: z.union([z.string(), z.number(), z.boolean()]) })).nullish(),
      identities: z.record(z.string(), azureIdentity).nullish(),
      threadContext: z.object({ filePath: z.string().nullish(), rightFileStart: line, leftFileStart: line }).nullish(),
      pullRequestThreadContext: z
        .object({ iterationContext: z.object({ secondComparingIteration: z.int() }).nullish() })
        .nullish(),
      comments: z.array(
        z.object({
          id: z.int(),
          author: azureIdentity,
          content: z.string().nullish(),
          publishedDate: z.string(),
          lastUpdatedDate: z.string().nullish(),
          commentType: z.string().nullish(),
          isDeleted: z.boolean().nullish(),
        }),
      ),
    }),
  ),
});
export type AzureThread = z.infer<typeof threads>['value'][number];

export const commits = z.object({
  value: z.array(z.object({ commitId: z.string(), author: z.object({ date: z.string().nullish() }).nullish() })),
});
export const iterations = z.object({
  value: z.array(
    z.object({
      id: z.int(),
      createdDate: z.string(),
      reason: z.string().nullish(),
      author: azureIdentity,
      sourceRefCommit: commitRef,
    }),
  ),
});
export const workItems = z.object({ value: z.array(z.object({ id: z.string() })) });
export const oneRepo = z.object({ project: z.object({ id: z.string() }) });

export const builds = z.object({
  value: z.array(
    z.object({
      id: z.int(),
      definition: z.object({ name: z.string() }).nullish(),
      sourceBranch: z.string().nullish(),
      sourceVersion: z.string().nullish(),
      reason: z.string().nullish(),
      queueTime: z.string(),
      startTime: z.string().nullish(),
      finishTime: z.string(),
      requestedFor: azureIdentity,
      _links: z.object({ web: z.object({ href: z.string() }).nullish() }).nullish(),
    }),
  ),
});

const reference = z.object({ id: z.string().nullish() }).nullish();
export const releaseDeployments = z.object({
  value: z.array(
    z.object({
      id: z.int(),
      deploymentStatus: z.string().nullish(),
      operationStatus: z.string().nullish(),
      queuedOn: z.string().nullish(),
      startedOn: z.string().nullish(),
      completedOn: z.string().nullish(),
      lastModifiedOn: z.string().nullish(),
      requestedFor: azureIdentity,
      releaseEnvironment: z.object({ name: z.string().nullish() }).nullish(),
      release: z
        .object({
          artifacts: z
            .array(
              z.object({ type: z.string().nullish(), definitionReference: z.record(z.string(), reference).nullish() }),
            )
            .nullish(),
          _links: z.object({ web: z.object({ href: z.string() }).nullish() }).nullish(),
        })
        .nullish(),
    }),
  ),
});
export const oneBuild = z.object({
  sourceVersion: z.string().nullish(),
  repository: z.object({ id: z.string() }).nullish(),
});

export const teams = z.object({ value: z.array(z.object({ id: z.string(), name: z.string() })) });
export const members = z.object({
  value: z.array(z.object({ identity: azureIdentity, isTeamAdmin: z.boolean().nullish() })),
});
