// Projects of an organization: issues with the numbers and iterations that they have there, and the iterations as sprints. GitHub
// keeps no history of fields but says when each value was set, so a value that was replaced between two looks is not known.
// All of them each time: neither projects nor items can be listed by their change.
import { needTime } from '../../../../domain/collect/read-time.ts';
import type { Cursor, Stream } from '../../../../domain/collect/stream.ts';
import { HostError } from '../../../../domain/repos/code-host.ts';
import type { BoardItem, BoardValue } from '../../../../domain/work/board.ts';
import type { CollectedSprint } from '../../../../domain/work/issue.ts';
import { readAnswer } from '../../../http/read-answer.ts';
import type { GithubCollectClient } from '../collect-client.ts';
import { type GraphqlProject, graphqlProjects } from './answers.ts';
import { projectsQuery } from './query.ts';

const DAY_MS = 86_400_000;
const SECOND_MS = 1_000;

export const projects: Stream<GithubCollectClient> = {
  name: 'projects',
  scope: 'organization',
  order: 'census',
  resource: 'graphql',
  priority: 2,
  everyMinutes: 6 * 60,
  overlapMinutes: 0,
  pageSize: { first: 50, most: 100 },
  right: {
    needs: 'read:project, or Projects (read) of a fine-grained token',
    brings: 'story points and iterations of projects',
  },
  async page({ client, scope, cursor, pageSize, signal }) {
    const [project, after] = [textOf(cursor?.project), textOf(cursor?.after)];
    const variables = { owner: scope.path, project, after, first: pageSize, isFirst: after === null };
    const { data, problems } = await client.rest.graphql(projectsQuery(), variables, signal);
    const { repositoryOwner } = readAnswer('hostC', graphqlProjects, data);
    const list = repositoryOwner?.projectsV2 ?? null;
    const [found] = list?.nodes ?? [];
    if (list === null || problems.some(({ type }) => type === 'FORBIDDEN' || type === 'INSUFFICIENT_SCOPES')) {
      throw new HostError('insufficient_scope', `GitHub does not show the projects of ${scope.path}`, { status: 403 });
    }
    const next = nextOf({ list, found, project });
    return {
      collected: {
        boards: { list: found == null ? [] : itemsOf(found), is_complete: next === null },
        ...(found?.fields === undefined ? {} : { sprints: sprintsOf(found, client.now()) }),
      },
      next,
      // The project is one: there may be nothing on it.
      itemCount: list.nodes.length + (found?.items.nodes.length ?? 0),
      oldest: null,
      newest: null,
    };
  },
};

const textOf = (value: Cursor[string] | undefined): string | null => (typeof value === 'string' ? value : null);

interface Reached {
  readonly list: { readonly pageInfo: GraphqlProject['items']['pageInfo'] };
  readonly found: GraphqlProject | null | undefined;
  readonly project: string | null;
}

/** Further items of the same project, else the next project. */
function nextOf({ list, found, project }: Reached): Cursor | null {
  const items = found?.items.pageInfo;
  if (items?.hasNextPage === true && items.endCursor != null) return { project, after: items.endCursor };
  const { hasNextPage, endCursor } = list.pageInfo;
  return hasNextPage && endCursor != null ? { project: endCursor, after: null } : null;
}

/** Ids of iterations are unique within their project. */
const sprintId = (project: string, iteration: string): string => `${project}/${iteration}`;

function itemsOf({ id, items }: GraphqlProject): BoardItem[] {
  return items.nodes.flatMap((item): BoardItem[] => {
    const issue = item?.content?.__typename === 'Issue' ? item.content.fullDatabaseId : undefined;
    if (item === null || issue === undefined) return [];
    const values = item.fieldValues.nodes.flatMap((value): BoardValue[] => {
      const field_name = value?.field?.name;
      if (value?.updatedAt === undefined || field_name === undefined) return [];
      const common = { field_name, changed_at: needTime(value.updatedAt, 'a value of a project') };
      if (value.iterationId !== undefined)
        return [{ ...common, kind: 'iteration', value: sprintId(id, value.iterationId) }];
      return value.number == null || value.number < 0
        ? []
        : [{ ...common, kind: 'number', value: String(value.number) }];
    });
    return [{ board_id: id, issue_external_id: issue, values }];
  });
}

function sprintsOf({ id, fields }: GraphqlProject, now: Date): CollectedSprint[] {
  return (fields?.nodes ?? []).flatMap((field) => {
    const { iterations = [], completedIterations = [] } = field?.configuration ?? {};
    return [...completedIterations, ...iterations].map((iteration): CollectedSprint => {
      const startMs = Date.parse(iteration.startDate);
      const endMs = startMs + iteration.duration * DAY_MS - SECOND_MS;
      const isClosed = completedIterations.includes(iteration);
      const ends_at = new Date(endMs).toISOString();
      return {
        external_id: sprintId(id, iteration.id),
        board_id: id,
        name: iteration.title,
        state: isClosed ? 'closed' : startMs > now.getTime() ? 'future' : 'active',
        starts_at: new Date(startMs).toISOString(),
        ends_at,
        completed_at: isClosed ? ends_at : null,
        isInDays: true,
      };
    });
  });
}
