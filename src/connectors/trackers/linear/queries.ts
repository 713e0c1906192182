// The questions to Linear. They are held against its published schema by test/world/tracker-doubles.

const USER = 'id name displayName email active app';

const HISTORY = `
  id createdAt actor { ${USER} } fromStateId toStateId fromCycleId toCycleId fromEstimate toEstimate
  fromAssigneeId toAssigneeId fromPriority toPriority`;

export const VIEWER = `query Viewer { viewer { ${USER} organization { name urlKey } } teams(first: 100) { nodes { id } } }`;

const ISSUE = `
        id identifier previousIdentifiers title estimate priorityLabel url trashed archivedAt
        createdAt updatedAt startedAt completedAt
        state { id name type }
        team { id name }
        cycle { id }
        project { slugId }
        parent { id }
        assignee { ${USER} }
        creator { ${USER} }
        labels(first: 50) { nodes { name } }
        history(first: 50) { pageInfo { hasNextPage endCursor } nodes { ${HISTORY} } }`;

export const ONE_ISSUE = `query OneIssue($id: String!) { issue(id: $id) { ${ISSUE} } }`;

export const ISSUES = `
  query Issues($first: Int!, $after: String, $filter: IssueFilter) {
    issues(first: $first, after: $after, includeArchived: true, orderBy: updatedAt, filter: $filter) {
      pageInfo { hasNextPage endCursor }
      nodes { ${ISSUE} }
    }
  }`;

export const HISTORY_OF_ISSUE = `
  query HistoryOfIssue($id: String!, $first: Int!, $after: String) {
    issue(id: $id) { history(first: $first, after: $after) { pageInfo { hasNextPage endCursor } nodes { ${HISTORY} } } }
  }`;

export const PROJECTS = `
  query Projects($first: Int!, $after: String, $filter: ProjectFilter) {
    projects(first: $first, after: $after, includeArchived: true, orderBy: updatedAt, filter: $filter) {
      pageInfo { hasNextPage endCursor }
      nodes {
        id slugId name url createdAt updatedAt startedAt completedAt status { name type }
        lead { ${USER} }
        creator { ${USER} }
      }
    }
  }`;

export const STATES = `
  query States($first: Int!, $after: String) {
    workflowStates(first: $first, after: $after, includeArchived: true) {
      pageInfo { hasNextPage endCursor }
      nodes { id name type }
    }
  }`;

export const CYCLES = `
  query Cycles($first: Int!, $after: String) {
    cycles(first: $first, after: $after, includeArchived: true) {
      pageInfo { hasNextPage endCursor }
      nodes { id number name startsAt endsAt completedAt team { id name } }
    }
  }`;
