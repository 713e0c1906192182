// What we read of GitHub's answers.
import { z } from 'zod';

export const githubUser = z.object({ id: z.int(), login: z.string(), name: z.string().nullish() });

export const githubOrganizations = z.array(z.object({ id: z.int(), login: z.string() }));

export const githubRepos = z.array(
  z.object({
    id: z.int(),
    name: z.string(),
    private: z.boolean(),
    clone_url: z.string().optional(),
    html_url: z.string(),
    default_branch: z.string().nullish(),
  }),
);

export type GithubRepo = z.infer<typeof githubRepos>[number];
