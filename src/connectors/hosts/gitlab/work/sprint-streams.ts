// Sprints of a project: iterations, which Premium and Ultimate have; elsewhere milestones with a beginning and an end. All of
// them each time: there are a few dozen in a year.
import { readTime } from '../../../../domain/collect/read-time.ts';
import type { Page, Stream } from '../../../../domain/collect/stream.ts';
import type { CollectedSprint } from '../../../../domain/work/issue.ts';
import { readAnswer } from '../../../http/read-answer.ts';
import { iterations as iterationList, milestones as milestoneList } from '../collect-answers.ts';
import type { GitlabCollectClient } from '../collect-client.ts';

const common = {
  scope: 'repo',
  order: 'census',
  resource: 'api',
  priority: 2,
  everyMinutes: 24 * 60,
  overlapMinutes: 0,
  pageSize: { first: 100, most: 100 },
} as const;

const toPage = (sprints: readonly CollectedSprint[], itemCount: number, link: string | null): Page => ({
  collected: { sprints },
  next: link === null ? null : { link },
  itemCount,
  oldest: null,
  newest: null,
});

/** The last day belongs to it. */
const endOf = (day: string | null | undefined): string | null => (day == null ? null : readTime(`${day}T23:59:59Z`));

const SPRINT_STATES: Readonly<Record<number, CollectedSprint['state']>> = { 1: 'future', 2: 'active', 3: 'closed' };

export const iterations: Stream<GitlabCollectClient> = {
  ...common,
  name: 'iterations',
  right: { needs: 'read_api, and GitLab Premium or Ultimate', brings: 'iterations as sprints' },
  async page({ client, scope, cursor, pageSize, signal }) {
    const { items, link } =
      typeof cursor?.link === 'string'
        ? await client.follow(cursor.link, signal)
        : await client.page(`/projects/${scope.external_id}/iterations`, { per_page: pageSize }, signal);
    const sprints = readAnswer('hostD', iterationList, items).map((item): CollectedSprint => {
      const ends_at = endOf(item.due_date);
      const state = SPRINT_STATES[item.state] ?? 'future';
      return {
        external_id: String(item.id),
        board_id: String(item.group_id),
        name: item.title ?? `Iteration ${item.sequence ?? item.id}`,
        state,
        starts_at: readTime(item.start_date),
        ends_at,
        completed_at: state === 'closed' ? ends_at : null,
        isInDays: true,
      };
    });
    return toPage(sprints, items.length, link);
  },
};

/** Milestones and iterations count separately. */
export const milestoneSprint = (id: number): string => `milestone:${id}`;

export const milestones: Stream<GitlabCollectClient> = {
  ...common,
  name: 'milestones',
  right: { needs: 'read_api', brings: 'milestones as sprints where there are no iterations' },
  async page({ client, scope, cursor, pageSize, signal }) {
    const place = `/projects/${scope.external_id}`;
    const isFirst = typeof cursor?.link !== 'string';
    if (isFirst && (await client.oneWhereThere(`${place}/iterations?per_page=1`, 'iterations', signal)) !== null) {
      return toPage([], 0, null);
    }
    const { items, link } = isFirst
      ? await client.page(`${place}/milestones`, { per_page: pageSize, include_ancestors: true }, signal)
      : await client.follow(String(cursor?.link), signal);
    const sprints = readAnswer('hostD', milestoneList, items).flatMap((item): CollectedSprint[] => {
      const [starts_at, ends_at] = [readTime(item.start_date), endOf(item.due_date)];
      if (starts_at === null || ends_at === null) return [];
      const isClosed = item.state === 'closed';
      return [
        {
          external_id: milestoneSprint(item.id),
          board_id: 'milestones',
          name: item.title,
          state: isClosed ? 'closed' : 'active',
          starts_at,
          ends_at,
          completed_at: isClosed ? ends_at : null,
          isInDays: true,
        },
      ];
    });
    return toPage(sprints, items.length, link);
  },
};
