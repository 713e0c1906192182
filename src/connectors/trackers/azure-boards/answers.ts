// The fields that are read of Azure Boards' answers.
import { z } from 'zod';

export const connection = z.object({
  authenticatedUser: z.object({
    id: z.string(),
    providerDisplayName: z.string().nullish(),
    customDisplayName: z.string().nullish(),
  }),
});

export const projects = z.object({ value: z.array(z.object({ id: z.string(), name: z.string() })) });

const identity = z.union([
  z.object({
    id: z.string().nullish(),
    descriptor: z.string().nullish(),
    displayName: z.string().nullish(),
    uniqueName: z.string().nullish(),
  }),
  z.string(),
]);
export type AzureIdentity = z.infer<typeof identity>;

const revision = z.object({
  id: z.int(),
  rev: z.int(),
  fields: z
    .object({
      'System.Title': z.string().nullish(),
      'System.WorkItemType': z.string().nullish(),
      'System.State': z.string().nullish(),
      'System.CreatedDate': z.string().nullish(),
      'System.CreatedBy': identity.nullish(),
      'System.ChangedDate': z.string(),
      'System.ChangedBy': identity.nullish(),
      'System.AssignedTo': identity.nullish(),
      'System.Tags': z.string().nullish(),
      'System.IterationId': z.int().nullish(),
      'System.TeamProject': z.string().nullish(),
      'System.Parent': z.int().nullish(),
      'System.IsDeleted': z.boolean().nullish(),
      'Microsoft.VSTS.Common.Priority': z.union([z.int(), z.string()]).nullish(),
    })
    .loose(),
});
export type AzureRevision = z.infer<typeof revision>;

export const revisionBatch = z.object({
  values: z.array(revision),
  isLastBatch: z.boolean(),
  continuationToken: z.string().nullish(),
  nextLink: z.string().nullish(),
});

export const types = z.object({
  value: z.array(
    z.object({ name: z.string(), states: z.array(z.object({ name: z.string(), category: z.string() })).nullish() }),
  ),
});

export const typeCategories = z.object({
  value: z.array(z.object({ referenceName: z.string(), workItemTypes: z.array(z.object({ name: z.string() })) })),
});

export interface AzureNode {
  readonly id: number;
  readonly name: string;
  readonly attributes?:
    | { readonly startDate?: string | null | undefined; readonly finishDate?: string | null | undefined }
    | null
    | undefined;
  readonly children?: readonly AzureNode[] | null | undefined;
}
export const node: z.ZodType<AzureNode> = z.object({
  id: z.int(),
  name: z.string(),
  attributes: z.object({ startDate: z.string().nullish(), finishDate: z.string().nullish() }).nullish(),
  get children() {
    return z.array(node).nullish();
  },
});
