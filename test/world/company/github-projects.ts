// Projects of a company as GitHub's GraphQL shows them. A value is there with the time at which it was set, and without any
// that it had before.
import type { Company } from './company.ts';
import { type Bounds, connection } from './github-connection.ts';

export interface ProjectValue<T> {
  readonly value: T;
  readonly at: string;
}

export interface ProjectItem {
  /** Null stands for a draft, which is no issue. */
  readonly issueId: number | null;
  points: ProjectValue<number> | null;
  iteration: ProjectValue<string> | null;
}

export interface Project {
  readonly number: number;
  readonly pointsField: string;
  readonly iterations: readonly {
    readonly id: string;
    readonly title: string;
    readonly startDate: string;
    readonly duration: number;
    readonly isCompleted: boolean;
  }[];
  items: ProjectItem[];
}

export const projectId = ({ number }: Project): string => `PVT_${number}`;

function graphqlProject(project: Project) {
  const shown = (isCompleted: boolean) => project.iterations.filter((each) => each.isCompleted === isCompleted);
  return {
    id: projectId(project),
    fields: (bounds: Bounds) =>
      connection(
        [
          { __typename: 'ProjectV2Field', name: project.pointsField },
          {
            __typename: 'ProjectV2IterationField',
            name: 'Iteration',
            configuration: { iterations: shown(false), completedIterations: shown(true) },
          },
        ],
        bounds,
      ),
    items: (bounds: Bounds) =>
      connection(
        project.items.map(({ issueId, points, iteration }) => ({
          content:
            issueId === null
              ? { __typename: 'DraftIssue' }
              : { __typename: 'Issue', fullDatabaseId: String(issueId), databaseId: issueId },
          fieldValues: (inner: Bounds) =>
            connection(
              [
                { __typename: 'ProjectV2ItemFieldTextValue' },
                ...(points === null
                  ? []
                  : [
                      {
                        __typename: 'ProjectV2ItemFieldNumberValue',
                        number: points.value,
                        updatedAt: points.at,
                        field: { __typename: 'ProjectV2Field', name: project.pointsField },
                      },
                    ]),
                ...(iteration === null
                  ? []
                  : [
                      {
                        __typename: 'ProjectV2ItemFieldIterationValue',
                        iterationId: iteration.value,
                        updatedAt: iteration.at,
                        field: { __typename: 'ProjectV2IterationField', name: 'Iteration' },
                      },
                    ]),
              ],
              inner,
            ),
        })),
        bounds,
      ),
  };
}

/** Null for an owner who is not this company. */
export const graphqlOwner = (company: Company, login: string) =>
  login !== company.organization
    ? null
    : {
        __typename: 'Organization',
        projectsV2: (bounds: Bounds) => connection((company.projects ?? []).map(graphqlProject), bounds),
      };
