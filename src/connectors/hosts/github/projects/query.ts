// The GraphQL query of projects, validated like the others.

const ITERATION = 'id title startDate duration';

/** One project of an owner at a time, with a page of its items; iterations come with the first page. */
export const projectsQuery = (): string => {
  const projects = `projectsV2(first: 1, after: $project, orderBy: { field: NUMBER, direction: ASC }) {
      totalCount
      pageInfo { hasNextPage endCursor }
      nodes {
        id
        fields(first: 100) @include(if: $isFirst) {
          nodes { __typename ... on ProjectV2IterationField { name configuration {
            iterations { ${ITERATION} } completedIterations { ${ITERATION} } } } }
        }
        items(first: $first, after: $after) {
          totalCount
          pageInfo { hasNextPage endCursor }
          nodes {
            content { __typename ... on Issue { fullDatabaseId } }
            fieldValues(first: 100) { nodes { __typename
              ... on ProjectV2ItemFieldNumberValue { number updatedAt field { ... on ProjectV2Field { name } } }
              ... on ProjectV2ItemFieldIterationValue { iterationId updatedAt field { ... on ProjectV2IterationField { name } } }
            } }
          }
        }
      }
    }`;
  return `
query ($owner: String!, $project: String, $first: Int!, $after: String, $isFirst: Boolean!) {
  repositoryOwner(login: $owner) {
    __typename
    ... on Organization { ${projects} }
    ... on User { ${projects} }
  }
}`;
};
