// What we read of GitHub's projects.
import { z } from 'zod';
import { pageInfo } from '../collect-answers.ts';

const iterations = z.array(
  z.object({ id: z.string(), title: z.string(), startDate: z.string(), duration: z.number() }),
);
const fieldName = z.object({ name: z.string().optional() }).nullish();
/** Null where GitHub does not show it to the token. */
export const graphqlProjects = z.object({
  repositoryOwner: z
    .object({
      projectsV2: z
        .object({
          totalCount: z.int(),
          pageInfo,
          nodes: z.array(
            z
              .object({
                id: z.string(),
                fields: z
                  .object({
                    nodes: z.array(
                      z
                        .object({
                          name: z.string().optional(),
                          configuration: z.object({ iterations, completedIterations: iterations }).optional(),
                        })
                        .nullable(),
                    ),
                  })
                  .optional(),
                items: z.object({
                  totalCount: z.int(),
                  pageInfo,
                  nodes: z.array(
                    z
                      .object({
                        content: z
                          .object({ __typename: z.string(), fullDatabaseId: z.coerce.string().optional() })
                          .nullish(),
                        fieldValues: z.object({
                          nodes: z.array(
                            z
                              .object({
                                __typename: z.string(),
                                number: z.number().nullish(),
                                iterationId: z.string().optional(),
                                updatedAt: z.string().optional(),
                                field: fieldName,
                              })
                              .nullable(),
                          ),
                        }),
                      })
                      .nullable(),
                  ),
                }),
              })
              .nullable(),
          ),
        })
        .nullish(),
    })
    .nullable(),
});
type Projects = NonNullable<NonNullable<z.infer<typeof graphqlProjects>['repositoryOwner']>['projectsV2']>;
export type GraphqlProject = NonNullable<Projects['nodes'][number]>;
