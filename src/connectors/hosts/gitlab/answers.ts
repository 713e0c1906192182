// What we read of GitLab's answers.
import { z } from 'zod';

export const gitlabUser = z.object({ id: z.int(), username: z.string() });

/** A day, at whose beginning the token ends. */
export const gitlabToken = z.object({ expires_at: z.iso.date().nullish() });

export const gitlabGroups = z.array(z.object({ id: z.int(), name: z.string(), full_path: z.string() }));

export const gitlabProjects = z.array(
  z.object({
    id: z.int(),
    path: z.string(),
    http_url_to_repo: z.string(),
    default_branch: z.string().nullish(),
    visibility: z.string().optional(),
    namespace: z.object({ id: z.int(), name: z.string(), full_path: z.string() }).optional(),
  }),
);

export type GitlabProject = z.infer<typeof gitlabProjects>[number];
