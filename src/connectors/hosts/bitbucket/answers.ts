// What we read of Bitbucket Cloud's answers.
import { z } from 'zod';

export const bitbucketUser = z.object({
  uuid: z.string(),
  username: z.string().optional(),
  nickname: z.string().optional(),
  display_name: z.string().optional(),
});

const page = <T extends z.ZodType>(item: T) => z.object({ values: z.array(item), next: z.string().optional() });

const workspace = z.object({ uuid: z.string(), slug: z.string(), name: z.string().optional() });
export type BitbucketWorkspace = z.infer<typeof workspace>;

export const bitbucketWorkspaces = page(z.object({ workspace }));

export const bitbucketRepos = page(
  z.object({
    uuid: z.string(),
    slug: z.string(),
    is_private: z.boolean(),
    workspace: workspace.optional(),
    mainbranch: z.object({ name: z.string() }).nullish(),
    links: z.object({ clone: z.array(z.object({ name: z.string(), href: z.string() })) }),
  }),
);

export type BitbucketRepo = z.infer<typeof bitbucketRepos>['values'][number];
