// What we read of Bitbucket Data Center's answers.
import { z } from 'zod';

const page = <T extends z.ZodType>(item: T) =>
  z.object({ values: z.array(item), isLastPage: z.boolean(), nextPageStart: z.int().nullish() });

export const bitbucketServerProjects = page(
  z.object({ id: z.int(), key: z.string(), name: z.string(), type: z.string().optional() }),
);

export const bitbucketServerRepos = page(
  z.object({
    id: z.int(),
    slug: z.string(),
    public: z.boolean().optional(),
    links: z.object({ clone: z.array(z.object({ name: z.string(), href: z.string() })).optional() }),
  }),
);

export type BitbucketServerRepo = z.infer<typeof bitbucketServerRepos>['values'][number];
