// Deployments and workflow runs, newest first. Both change after they were made, so the last days are looked at again, and
// each night as many as GitHub lets them wait for an approval or be run again.
import { needTime, readTime } from '../../../domain/collect/read-time.ts';
import type { Cursor, Stream } from '../../../domain/collect/stream.ts';
import type { CollectedDeployment, CollectedRun } from '../../../domain/delivery/host-delivery.ts';
import { nextLink } from '../../http/next-link.ts';
import { readAnswer } from '../../http/read-answer.ts';
import { graphqlDeployments, restRuns } from './collect-answers.ts';
import type { GithubCollectClient } from './collect-client.ts';
import { deploymentsQuery } from './queries.ts';

const DAY_MINUTES = 24 * 60;
/** A run waits 30 days for an approval at most, and can be run again for 30 days; it may then take a while. */
const CHANGES_FOR_DAYS = 35;

export const deployments: Stream<GithubCollectClient> = {
  name: 'deployments',
  scope: 'repo',
  order: 'newest_first',
  resource: 'graphql',
  priority: 4,
  everyMinutes: 120,
  overlapMinutes: 7 * DAY_MINUTES,
  changesForDays: CHANGES_FOR_DAYS,
  pageSize: { first: 50, most: 100 },
  right: { needs: 'repo, or Deployments (read) of a fine-grained token', brings: 'deployments as releases' },
  async page({ client, scope, cursor, pageSize, signal }) {
    const after = typeof cursor?.after === 'string' ? cursor.after : null;
    const { repository } = await client.queryRepo(scope, deploymentsQuery, { first: pageSize, after }, signal);
    const { deployments: list } = readAnswer('hostC', graphqlDeployments, repository);
    const found = list.nodes.filter((node) => node !== null);
    const times = found.map(({ createdAt }) => Date.parse(createdAt));
    return {
      collected: {
        deployments: found.map((node): CollectedDeployment => {
          const statuses = (node.statuses?.nodes ?? []).filter((status) => status !== null);
          const success = statuses.find(({ state }) => state === 'SUCCESS') ?? null;
          const state = stateOf(node.state ?? 'PENDING', success !== null);
          const reached = state === 'success' || state === 'inactive' ? success : (statuses[0] ?? null);
          return {
            external_id: node.id,
            environment: node.environment ?? '',
            sha: node.commitOid,
            ref: node.ref?.name ?? null,
            state,
            created_at: needTime(node.createdAt, 'a deployment'),
            finished_at: state === 'pending' ? null : readTime(reached?.createdAt ?? node.updatedAt),
            creator: client.accounts.actor(node.creator),
            url: success?.environmentUrl || null,
            updated_at: readTime(node.updatedAt),
          };
        }),
      },
      next: list.pageInfo.hasNextPage && list.pageInfo.endCursor ? { after: list.pageInfo.endCursor } : null,
      itemCount: list.nodes.length,
      oldest: times.length === 0 ? null : new Date(Math.min(...times)),
      newest: times.length === 0 ? null : new Date(Math.max(...times)),
      expected: list.totalCount,
    };
  },
};

function stateOf(state: string, wasSuccess: boolean): CollectedDeployment['state'] {
  if (state === 'ACTIVE' || state === 'SUCCESS') return 'success';
  if (state === 'INACTIVE' || state === 'DESTROYED' || state === 'ABANDONED')
    return wasSuccess ? 'inactive' : 'failure';
  return state === 'ERROR' || state === 'FAILURE' ? 'failure' : 'pending';
}

/**
 * GitHub gives at most 1,000 runs of one question, so each page asks for those made up to the oldest of the page before;
 * its own next page serves where a whole page was made in one second.
 */
export const workflowRuns: Stream<GithubCollectClient> = {
  name: 'workflow_runs',
  scope: 'repo',
  order: 'newest_first',
  resource: 'core',
  priority: 4,
  everyMinutes: 120,
  overlapMinutes: 3 * DAY_MINUTES,
  changesForDays: CHANGES_FOR_DAYS,
  pageSize: { first: 100, most: 100 },
  right: { needs: 'repo, or Actions (read) of a fine-grained token', brings: 'releases by successful workflows' },
  async page({ client, scope, cursor, since, pageSize, signal }) {
    const to = typeof cursor?.to === 'string' ? cursor.to : null;
    const from = since === null ? '*' : atSecond(since);
    const answer =
      typeof cursor?.link === 'string'
        ? await client.rest.follow(cursor.link, signal)
        : await client.rest.get(
            '/repositories/{repository_id}/actions/runs',
            {
              repository_id: scope.external_id,
              status: 'success',
              per_page: pageSize,
              ...(to === null && since === null ? {} : { created: to === null ? `>=${from}` : `${from}..${to}` }),
            },
            signal,
          );
    const { workflow_runs: items } = readAnswer('hostC', restRuns, answer.body);
    const times = items.map(({ created_at }) => Date.parse(created_at));
    const oldest = times.length === 0 ? null : new Date(Math.min(...times));
    const link = nextLink(answer.headers);
    const isMoving = oldest !== null && atSecond(oldest) !== to;
    const next: Cursor | null =
      link === null || oldest === null ? null : isMoving ? { to: atSecond(oldest) } : { to, link };
    return {
      collected: {
        runs: items.flatMap((item): CollectedRun[] =>
          item.conclusion !== 'success'
            ? []
            : [
                {
                  external_id: String(item.id),
                  name: item.name ?? item.path ?? '',
                  path: item.path ?? null,
                  branch: item.head_branch ?? null,
                  sha: item.head_sha,
                  event: item.event,
                  state: 'success',
                  attempt: item.run_attempt ?? 1,
                  created_at: needTime(item.created_at, 'a run'),
                  started_at: readTime(item.run_started_at),
                  finished_at: readTime(item.updated_at),
                  actor: client.accounts.user(item.actor),
                  url: item.html_url,
                },
              ],
        ),
      },
      next,
      itemCount: items.length,
      oldest,
      newest: times.length === 0 ? null : new Date(Math.max(...times)),
    };
  },
};

const atSecond = (time: Date): string => time.toISOString().replace(/\.\d+Z$/, 'Z');
