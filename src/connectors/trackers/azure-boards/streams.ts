// Work items by their revisions, states and iterations.
import { readTime } from '../../../domain/collect/read-time.ts';
import type { Stream } from '../../../domain/collect/stream.ts';
import { HostError } from '../../../domain/repos/code-host.ts';
import type { CollectedIssue, CollectedSprint } from '../../../domain/work/issue.ts';
import { pathPart, readAnswer } from '../../http/read-answer.ts';
import { type AzureNode, type AzureRevision, node, revisionBatch } from './answers.ts';
import { type AzureClient, isUnreadable, VERSION } from './client.ts';
import { FIELDS, normaliseItem, pointsFields, readCategory, statusId } from './normalise-item.ts';

const common = { scope: 'tracker', resource: 'core', overlapMinutes: 5 } as const;
const DAY_MS = 86_400_000;
const SECOND_MS = 1_000;

/** In all projects at once, or in the named ones one after another. */
const WHOLE = '';

export const workItems: Stream<AzureClient> = {
  ...common,
  name: 'issues',
  order: 'oldest_first',
  priority: 2,
  everyMinutes: 10,
  pageSize: { first: 200, most: 1000 },
  right: { needs: 'the scope Work Items (read)', brings: 'work items, their points and their history' },
  async page({ client, cursor, since, pageSize, signal }) {
    const scopes = client.settings.projects.length === 0 ? [WHOLE] : client.settings.projects;
    const points = pointsFields(client.settings.points_fields);
    let place = Math.max(0, typeof cursor?.project === 'string' ? scopes.indexOf(cursor.project) : 0);
    let token = typeof cursor?.token === 'string' ? cursor.token : null;
    for (;;) {
      const scope = scopes[place]!;
      // A token holds the start with it: both together are refused or lose changes.
      const start =
        token !== null
          ? `&continuationToken=${encodeURIComponent(token)}`
          : since === null
            ? ''
            : `&startDateTime=${encodeURIComponent(since.toISOString())}`;
      const path = `${scope === WHOLE ? '' : `/${pathPart(scope)}`}/_apis/wit/reporting/workitemrevisions`;
      const wanted = [...FIELDS, ...points].join(',');
      const { body } = await client.get(
        `${path}?${VERSION}&fields=${wanted}&includeIdentityRef=true&includeDeleted=true&$maxPageSize=${pageSize}${start}`,
        signal,
      );
      const batch = readAnswer('azure_boards', revisionBatch, body);
      const next = batch.isLastBatch ? null : tokenOf(batch);
      const isLastScope = place === scopes.length - 1;
      if (next === null && batch.values.length === 0 && !isLastScope) {
        place += 1;
        token = null;
        continue;
      }
      return {
        collected: { issues: await normaliseAll(client, batch.values, points, signal) },
        next:
          next !== null
            ? { project: scope, token: next }
            : isLastScope
              ? null
              : { project: scopes[place + 1]!, token: null },
        itemCount: batch.values.length,
        oldest: null,
        newest: null,
      };
    }
  },
};

function tokenOf({ continuationToken, nextLink }: ReturnType<typeof revisionBatch.parse>): string {
  const linked = nextLink == null ? null : new URL(nextLink).searchParams.get('continuationToken');
  const token = continuationToken ?? linked;
  if (token == null) throw new HostError('unexpected_answer', 'Azure Boards leads on without saying where');
  return token;
}

async function normaliseAll(
  client: AzureClient,
  revisions: readonly AzureRevision[],
  points: readonly string[],
  signal: AbortSignal,
): Promise<CollectedIssue[]> {
  const byItem = new Map<number, AzureRevision[]>();
  for (const revision of revisions) byItem.set(revision.id, [...(byItem.get(revision.id) ?? []), revision]);
  const items: CollectedIssue[] = [];
  for (const list of byItem.values()) {
    const newest = list.reduce((a, b) => (a.rev > b.rev ? a : b));
    const process = await client.process(newest.fields['System.TeamProject'] ?? '', signal);
    items.push(normaliseItem(list, { site: client.site, process, points }));
  }
  return items;
}

export const states: Stream<AzureClient> = {
  ...common,
  name: 'statuses',
  order: 'census',
  priority: 1,
  everyMinutes: 24 * 60,
  pageSize: { first: 10, most: 10 },
  right: { needs: 'the scope Work Items (read)', brings: 'which states mean done' },
  async page({ client, cursor, pageSize, signal }) {
    const { names, next } = await someProjects(client, cursor?.start, pageSize, signal);
    const found = [];
    for (const project of names) {
      const { states: list } = await client.process(project, signal);
      found.push(
        ...list.map(({ type, name, category }) => ({
          external_id: statusId(project, type, name),
          name,
          category: readCategory(category),
        })),
      );
    }
    return { collected: { statuses: found }, next, itemCount: names.length, oldest: null, newest: null };
  },
};

export const iterations: Stream<AzureClient> = {
  ...common,
  name: 'sprints',
  order: 'census',
  priority: 2,
  everyMinutes: 60,
  pageSize: { first: 10, most: 50 },
  right: { needs: 'the scope Work Items (read)', brings: 'sprints and their points' },
  async page({ client, cursor, pageSize, signal }) {
    const { names, next } = await someProjects(client, cursor?.start, pageSize, signal);
    const sprints: CollectedSprint[] = [];
    const leftOut: string[] = [];
    for (const project of names) {
      const path = `/${pathPart(project)}/_apis/wit/classificationnodes/iterations`;
      try {
        const { body } = await client.get(`${path}?${VERSION}&$depth=10`, signal);
        sprints.push(...sprintsOf(readAnswer('azure_boards', node, body), project, client.now()));
      } catch (error) {
        // Where none of all can be read, the token lacks the right.
        const isWhole = cursor === null && next === null;
        if (!isUnreadable(error) || (isWhole && leftOut.length === names.length - 1)) throw error;
        leftOut.push(`without the sprints of the project "${project}": ${error.message}`);
      }
    }
    return { collected: { sprints }, next, itemCount: names.length, oldest: null, newest: null, leftOut };
  },
};

async function someProjects(client: AzureClient, start: unknown, pageSize: number, signal: AbortSignal) {
  const all = await client.projects(signal);
  const first = typeof start === 'number' ? start : 0;
  const names = all.slice(first, first + pageSize);
  return { names, next: first + names.length < all.length ? { start: first + names.length } : null };
}

/** Iterations are days: the last one belongs to the sprint. */
function sprintsOf(root: AzureNode, project: string, now: Date): CollectedSprint[] {
  const own = (() => {
    const starts_at = readTime(root.attributes?.startDate);
    const last = readTime(root.attributes?.finishDate);
    if (starts_at === null || last === null) return [];
    const ends_at = new Date(Math.floor(Date.parse(last) / DAY_MS) * DAY_MS + DAY_MS - SECOND_MS).toISOString();
    const isOver = ends_at < now.toISOString();
    const state = isOver
      ? ('closed' as const)
      : starts_at <= now.toISOString()
        ? ('active' as const)
        : ('future' as const);
    return [
      {
        external_id: String(root.id),
        board_id: project,
        name: root.name,
        state,
        starts_at,
        ends_at,
        completed_at: null,
        isInDays: true,
      },
    ];
  })();
  return [...own, ...(root.children ?? []).flatMap((child) => sprintsOf(child, project, now))];
}
