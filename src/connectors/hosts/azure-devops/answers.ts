// What we read of the answers of Azure DevOps.
import { z } from 'zod';

export const azureConnection = z.object({
  authenticatedUser: z.object({
    id: z.string(),
    providerDisplayName: z.string().nullish(),
    customDisplayName: z.string().nullish(),
  }),
});

export const azureProjects = z.object({
  value: z.array(z.object({ id: z.string(), name: z.string(), visibility: z.string().optional() })),
});

export const azureRepos = z.object({
  value: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      remoteUrl: z.string().optional(),
      webUrl: z.string().optional(),
      defaultBranch: z.string().optional(),
      isDisabled: z.boolean().optional(),
      project: z.object({ visibility: z.string().optional() }).optional(),
    }),
  ),
});

export type AzureRepo = z.infer<typeof azureRepos>['value'][number];
