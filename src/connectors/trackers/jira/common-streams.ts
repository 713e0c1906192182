// Statuses, boards and sprints: the same calls on Cloud and Data Center, all of them each time.
import { readTime } from '../../../domain/collect/read-time.ts';
import type { Stream } from '../../../domain/collect/stream.ts';
import { HostError } from '../../../domain/repos/code-host.ts';
import type { CollectedSprint } from '../../../domain/work/issue.ts';
import { isHeavy } from '../../collect/item-lists.ts';
import { readAnswer } from '../../http/read-answer.ts';
import { boardPage, type JiraSprint, sprintPage, statusList } from './answers.ts';
import type { JiraClient } from './client.ts';
import { readStatus } from './normalise-issue.ts';

export const common = { scope: 'tracker', resource: 'core', overlapMinutes: 5 } as const;

const DAY_MINUTES = 24 * 60;
const SPRINTS_AT_ONCE = 50;
/** Boards without sprints answer so. */
const NO_SPRINTS = [400, 404];

export const statuses: Stream<JiraClient> = {
  ...common,
  name: 'statuses',
  order: 'census',
  priority: 1,
  everyMinutes: DAY_MINUTES,
  pageSize: { first: 100, most: 100 },
  right: { needs: 'a permission to browse projects', brings: 'which statuses mean done' },
  async page({ client, signal }) {
    const { body } = await client.get(`${client.api}/status`, signal);
    const list = readAnswer(client.kind, statusList, body).map(readStatus);
    return { collected: { statuses: list }, next: null, itemCount: list.length, oldest: null, newest: null };
  },
};

export const sprints: Stream<JiraClient> = {
  ...common,
  name: 'sprints',
  order: 'census',
  priority: 2,
  everyMinutes: 30,
  pageSize: { first: 20, most: 50 },
  right: { needs: 'access to Jira Software and a permission to view its boards', brings: 'sprints and their points' },
  async page({ client, cursor, pageSize, isLight, signal }) {
    const start = typeof cursor?.start === 'number' ? cursor.start : 0;
    const { body } = await client.get(`/rest/agile/1.0/board?startAt=${start}&maxResults=${pageSize}`, signal);
    const { values: boards, isLast } = readAnswer(client.kind, boardPage, body);
    const found: CollectedSprint[] = [];
    const leftOut: string[] = [];
    for (const board of boards) {
      if (board.type === 'kanban') continue;
      try {
        found.push(...(await listSprints(client, board.id, signal)));
      } catch (error) {
        if (!isOfBoard(error, isLight)) throw error;
        leftOut.push(`without the sprints of the board "${board.name}": ${error.message}`);
      }
    }
    const isEnd = isLast ?? boards.length < pageSize;
    return {
      collected: { sprints: found },
      next: isEnd || boards.length === 0 ? null : { start: start + boards.length },
      itemCount: boards.length,
      oldest: null,
      newest: null,
      leftOut,
    };
  },
};

/**
 * Whether one board is at fault: the list of boards was answered just before. The next walk looks again. Timeouts are left to
 * smaller pages first, because a page of them takes too long.
 */
const isOfBoard = (error: unknown, isLight: boolean): error is HostError =>
  error instanceof HostError &&
  (error.failure === 'insufficient_scope' || (isHeavy(error) && (isLight || error.failure !== 'timeout')));

async function listSprints(client: JiraClient, boardId: string, signal: AbortSignal): Promise<CollectedSprint[]> {
  const found: CollectedSprint[] = [];
  for (;;) {
    const path = `/rest/agile/1.0/board/${encodeURIComponent(boardId)}/sprint`;
    const answer = await client
      .get(`${path}?startAt=${found.length}&maxResults=${SPRINTS_AT_ONCE}`, signal)
      .catch((error: unknown) => {
        if (error instanceof HostError && error.status !== null && NO_SPRINTS.includes(error.status)) return null;
        throw error;
      });
    if (answer === null) return found;
    const { values, isLast } = readAnswer(client.kind, sprintPage, answer.body);
    for (const sprint of values) {
      found.push({
        external_id: sprint.id,
        // It is shown on every board whose filter finds its issues.
        board_id: sprint.originBoardId ?? boardId,
        name: sprint.name,
        ...startOf(sprint),
        ends_at: readTime(sprint.endDate),
        completed_at: sprint.state === 'closed' ? readTime(sprint.completeDate) : null,
      });
    }
    if (values.length === 0 || (isLast ?? values.length < SPRINTS_AT_ONCE)) return found;
  }
}

/** One that nobody has begun has not started, though it may be planned for a day that has passed. */
function startOf({ state, activatedDate, startDate }: JiraSprint): Pick<CollectedSprint, 'state' | 'starts_at'> {
  if (state !== 'closed' && state !== 'active') return { state: 'future', starts_at: null };
  return { state, starts_at: readTime(activatedDate ?? startDate) };
}
