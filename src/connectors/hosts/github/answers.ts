// What we read of GitHub's answers.
import { z } from 'zod';

export const githubUser = z.object({ id: z.int(), login: z.string(), name: z.string().nullish() });

const githubOwner = z.object({ id: z.int(), login: z.string() });
export type GithubOwner = z.infer<typeof githubOwner>;

export const githubOrganizations = z.array(githubOwner);

export const githubRepos = z.array(
  z.object({
    id: z.int(),
    name: z.string(),
    private: z.boolean(),
    clone_url: z.string().optional(),
    html_url: z.string(),
    default_branch: z.string().nullish(),
    owner: githubOwner.optional(),
  }),
);

export type GithubRepo = z.infer<typeof githubRepos>[number];
