// The fields that are read of Jira's answers, Cloud and Data Center.
import { z } from 'zod';

const id = z.union([z.string(), z.number()]).transform(String);

const category = z.object({ key: z.string() });

export const user = z.object({
  accountId: z.string().nullish(),
  accountType: z.string().nullish(),
  key: z.string().nullish(),
  name: z.string().nullish(),
  displayName: z.string().nullish(),
  emailAddress: z.string().nullish(),
});
export type JiraUser = z.infer<typeof user>;

export const serverInfo = z.object({
  deploymentType: z.string().nullish(),
  serverTitle: z.string().nullish(),
  version: z.string().nullish(),
});

const project = z.object({ id, key: z.string(), name: z.string() });
export const projectPage = z.object({
  values: z.array(project),
  isLast: z.boolean().nullish(),
  total: z.int().nullish(),
});
export const projectList = z.array(project);

export const fieldList = z.array(
  z.object({
    id: z.string(),
    name: z.string(),
    schema: z.object({ type: z.string().nullish(), custom: z.string().nullish() }).nullish(),
  }),
);
export type JiraField = z.infer<typeof fieldList>[number];

const status = z.object({ id, name: z.string(), statusCategory: category });
export const statusList = z.array(status);

const issueType = z.object({
  name: z.string(),
  untranslatedName: z.string().nullish(),
  hierarchyLevel: z.number().nullish(),
  subtask: z.boolean().nullish(),
});

/** An item has a property toString, which every object has of itself. */
const changeItem = z.preprocess(
  (item) => {
    if (typeof item !== 'object' || item === null) return item;
    const own = (name: string): unknown =>
      Object.hasOwn(item, name) ? (item as Record<string, unknown>)[name] : undefined;
    return {
      field: own('field'),
      fieldId: own('fieldId'),
      from: own('from'),
      to: own('to'),
      fromText: own('fromString'),
      toText: own('toString'),
    };
  },
  z.object({
    field: z.string(),
    fieldId: z.string().nullish(),
    from: z.string().nullish(),
    to: z.string().nullish(),
    fromText: z.string().nullish(),
    toText: z.string().nullish(),
  }),
);

const history = z.object({
  id,
  author: user.nullish(),
  created: z.union([z.string(), z.number()]),
  items: z.array(changeItem),
});
export type JiraHistory = z.infer<typeof history>;

const issue = z.object({
  id,
  key: z.string(),
  fields: z
    .object({
      summary: z.string().nullish(),
      issuetype: issueType,
      status,
      priority: z.object({ name: z.string() }).nullish(),
      labels: z.array(z.string()).nullish(),
      assignee: user.nullish(),
      creator: user.nullish(),
      reporter: user.nullish(),
      parent: z
        .object({ id, key: z.string(), fields: z.object({ issuetype: issueType.nullish() }).nullish() })
        .nullish(),
      created: z.string(),
      updated: z.string(),
      resolutiondate: z.string().nullish(),
      project: z.object({ name: z.string() }).nullish(),
    })
    .loose(),
  changelog: z.object({ total: z.int().nullish(), histories: z.array(history) }).nullish(),
});
export type JiraIssue = z.infer<typeof issue>;

export const searchPage = z.object({
  issues: z.array(issue),
  nextPageToken: z.string().nullish(),
  isLast: z.boolean().nullish(),
  total: z.int().nullish(),
});

export const changelogPage = z.object({
  issueChangeLogs: z.array(z.object({ issueId: id, changeHistories: z.array(history) })),
  nextPageToken: z.string().nullish(),
});

export const boardPage = z.object({
  values: z.array(z.object({ id, name: z.string(), type: z.string() })),
  isLast: z.boolean().nullish(),
});

const sprint = z.object({
  id,
  name: z.string(),
  state: z.string(),
  startDate: z.string().nullish(),
  activatedDate: z.string().nullish(),
  endDate: z.string().nullish(),
  completeDate: z.string().nullish(),
  originBoardId: id.nullish(),
});
export type JiraSprint = z.infer<typeof sprint>;
export const sprintPage = z.object({ values: z.array(sprint), isLast: z.boolean().nullish() });

/** The sprint field of an issue on Cloud. */
export const issueSprints = z.array(z.object({ id, boardId: id.nullish() }));
