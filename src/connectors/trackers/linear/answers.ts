// The fields that are read of Linear's answers.
import { z } from 'zod';

const pageInfo = z.object({ hasNextPage: z.boolean(), endCursor: z.string().nullish() });

const user = z
  .object({
    id: z.string(),
    name: z.string().nullish(),
    displayName: z.string().nullish(),
    email: z.string().nullish(),
    app: z.boolean().nullish(),
  })
  .nullish();
export type LinearUser = z.infer<typeof user>;

const entry = z.object({
  id: z.string(),
  createdAt: z.string(),
  actor: user,
  fromStateId: z.string().nullish(),
  toStateId: z.string().nullish(),
  fromCycleId: z.string().nullish(),
  toCycleId: z.string().nullish(),
  fromEstimate: z.number().nullish(),
  toEstimate: z.number().nullish(),
  fromAssigneeId: z.string().nullish(),
  toAssigneeId: z.string().nullish(),
  fromPriority: z.number().nullish(),
  toPriority: z.number().nullish(),
});
export type LinearEntry = z.infer<typeof entry>;

const history = z.object({ pageInfo, nodes: z.array(entry) });

const state = z.object({ id: z.string(), name: z.string(), type: z.string() });

const issue = z.object({
  id: z.string(),
  identifier: z.string(),
  previousIdentifiers: z.array(z.string()),
  title: z.string(),
  estimate: z.number().nullish(),
  priorityLabel: z.string().nullish(),
  url: z.string().nullish(),
  trashed: z.boolean().nullish(),
  archivedAt: z.string().nullish(),
  createdAt: z.string(),
  updatedAt: z.string(),
  startedAt: z.string().nullish(),
  completedAt: z.string().nullish(),
  state,
  team: z.object({ id: z.string(), name: z.string() }),
  cycle: z.object({ id: z.string() }).nullish(),
  project: z.object({ slugId: z.string() }).nullish(),
  parent: z.object({ id: z.string() }).nullish(),
  assignee: user,
  creator: user,
  labels: z.object({ nodes: z.array(z.object({ name: z.string() })) }),
  history,
});
export type LinearIssue = z.infer<typeof issue>;

const project = z.object({
  id: z.string(),
  slugId: z.string(),
  name: z.string(),
  url: z.string().nullish(),
  createdAt: z.string(),
  updatedAt: z.string(),
  startedAt: z.string().nullish(),
  completedAt: z.string().nullish(),
  status: z.object({ name: z.string(), type: z.string() }),
  lead: user,
  creator: user,
});
export type LinearProject = z.infer<typeof project>;

export const viewer = z.object({
  viewer: z.object({
    name: z.string().nullish(),
    email: z.string().nullish(),
    organization: z.object({ name: z.string(), urlKey: z.string() }),
  }),
  teams: z.object({ nodes: z.array(z.object({ id: z.string() })) }),
});
export const issuesPage = z.object({ issues: z.object({ pageInfo, nodes: z.array(issue) }) });
export const oneIssueAnswer = z.object({ issue });
export const historyPage = z.object({ issue: z.object({ history }) });
export const projectsPage = z.object({ projects: z.object({ pageInfo, nodes: z.array(project) }) });
export const statesPage = z.object({ workflowStates: z.object({ pageInfo, nodes: z.array(state) }) });
export const cyclesPage = z.object({
  cycles: z.object({
    pageInfo,
    nodes: z.array(
      z.object({
        id: z.string(),
        number: z.number(),
        name: z.string().nullish(),
        startsAt: z.string(),
        endsAt: z.string(),
        completedAt: z.string().nullish(),
        team: z.object({ id: z.string(), name: z.string() }),
      }),
    ),
  }),
});
