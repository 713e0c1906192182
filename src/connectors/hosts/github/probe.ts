// Whether anything changed in many repos, by one query.
import { z } from 'zod';
import type { LastChanges, Probe } from '../../../domain/collect/stream.ts';
import { readAnswer } from '../../http/read-answer.ts';
import type { GithubCollectClient } from './collect-client.ts';
import { probeQuery } from './queries.ts';

const newest = z.object({ nodes: z.array(z.object({ updatedAt: z.string() }).nullable()) });
const answer = z.record(z.string(), z.object({ databaseId: z.int(), pullRequests: newest, issues: newest }).nullable());

const timeOf = ({ nodes }: z.infer<typeof newest>): number | null =>
  nodes[0] == null ? null : Date.parse(nodes[0].updatedAt);

/** What moves each stream: a comment and an event move what they belong to. */
const MOVED_BY: Readonly<Record<string, 'pulls' | 'either'>> = {
  pull_requests: 'pulls',
  review_comments: 'pulls',
  issues: 'either',
  conversation_comments: 'either',
  issue_events: 'either',
};

export const probe: Probe<GithubCollectClient> = {
  resource: 'graphql',
  most: 25,
  streams: Object.keys(MOVED_BY),
  async ask(client, scopes, signal) {
    const variables = Object.fromEntries(
      scopes.flatMap(({ path }, index) => {
        const [owner = '', name = ''] = path.split('/');
        return [
          [`o${index}`, owner],
          [`n${index}`, name],
        ];
      }),
    );
    const { data } = await client.rest.graphql(probeQuery(scopes.length), variables, signal);
    const found = new Map<string, LastChanges>();
    for (const repo of Object.values(readAnswer('hostC', answer, data))) {
      if (repo === null) continue;
      const [pulls, issues] = [timeOf(repo.pullRequests), timeOf(repo.issues)];
      const either = pulls === null ? issues : issues === null ? pulls : Math.max(pulls, issues);
      const last = Object.entries(MOVED_BY).map(([stream, by]): [string, Date | null] => {
        const time = by === 'pulls' ? pulls : either;
        return [stream, time === null ? null : new Date(time)];
      });
      found.set(String(repo.databaseId), new Map(last));
    }
    return found;
  },
};
