// How far apart walks are: a quiet hour of many repos stays within the calls that it may cost, hour by hour.
import { expect, test } from 'vitest';
import { createPace, type PaceOptions } from '../../src/collect/pace.ts';
import type { Collector } from '../../src/connectors/collect/collector.ts';
import { bitbucketCollector } from '../../src/connectors/hosts/bitbucket/collector.ts';
import { githubCollector } from '../../src/connectors/hosts/github/collector.ts';

const repoOf = (repo_id: number) => ({ repo_id, tracker_id: null, organization_external_id: null });
const NOW = Date.UTC(2026, 10, 16, 9, 13);
const MINUTE_MS = 60_000;

function optionsOf(collector: Collector, repos: number): PaceOptions {
  const { quietCalls, probe } = collector.open(
    {
      source: 'host',
      host: { provider: 'hostC', endpoint_url: null, token: 'x', username: null } as never,
    },
    { before: () => undefined, after: () => undefined },
    { fetch: () => Promise.reject(new Error('nothing is requested')), now: () => new Date(NOW) },
  );
  const { streams } = collector;
  const counts = new Map(streams.map(({ name, scope }) => [name, scope === 'repo' ? repos : 1]));
  return { streams, counts, quietCalls, probe };
}

/** The most calls of any hour in two days in which nothing changes, by budget; all repos were imported at once. */
function worstHour(options: PaceOptions): Readonly<Record<string, number>> {
  const { streams, counts, probe } = options;
  const pace = createPace(options);
  const HOURS = 48;
  const calls: Record<string, number[]> = {};
  const spend = (resource: string, at: number, cost: number) => {
    const hours = calls[resource] ?? new Array<number>(HOURS).fill(0);
    hours[Math.floor((at - NOW) / (60 * MINUTE_MS))]! += cost;
    calls[resource] = hours;
  };
  for (const stream of streams) {
    const isProbed = probe?.streams.includes(stream.name) === true;
    if (isProbed && stream.name !== 'pull_requests') continue;
    for (let repo = 0; repo < counts.get(stream.name)!; repo += 1) {
      const place = repoOf(1_000 + repo);
      let at = pace.dueAt(stream, place, new Date(NOW)).getTime();
      while (at < NOW + HOURS * 60 * MINUTE_MS) {
        spend(isProbed ? probe.resource : stream.resource, at, isProbed ? 1 / probe.most : 1);
        at = pace.dueAt(stream, place, new Date(at)).getTime();
      }
    }
  }
  return Object.fromEntries(Object.entries(calls).map(([resource, hours]) => [resource, Math.max(...hours)]));
}

test.each([50, 500, 800, 1_200, 2_000, 5_000])(
  'at GitHub no quiet hour of %i repos takes more than a tenth of the limit',
  (repos) => {
    const worst = worstHour(optionsOf(githubCollector, repos));
    expect(Object.keys(worst).sort()).toEqual(['core', 'graphql']);
    for (const calls of Object.values(worst)) expect(calls).toBeLessThanOrEqual(500);
  },
);

test('500 repos of GitHub are looked at every ten minutes all the same', () => {
  const options = optionsOf(githubCollector, 500);
  const stream = options.streams.find(({ name }) => name === 'pull_requests')!;
  expect(createPace(options).dueAt(stream, repoOf(7), new Date(NOW)).getTime()).toBe(NOW + 10 * MINUTE_MS);
});

test.each([10, 15, 40, 500])('at Bitbucket no quiet hour of %i repos takes more than a tenth of the limit', (repos) => {
  for (const calls of Object.values(worstHour(optionsOf(bitbucketCollector, repos)))) {
    expect(calls).toBeLessThanOrEqual(100);
  }
});

test('a walk keeps its own time after it was hurried', () => {
  const options = optionsOf(githubCollector, 500);
  const stream = options.streams.find(({ name }) => name === 'workflow_runs')!;
  const pace = createPace(options);
  const due = pace.dueAt(stream, repoOf(7), new Date(NOW)).getTime();
  expect(due).toBeGreaterThan(NOW);
  expect(due).toBeLessThanOrEqual(NOW + 120 * MINUTE_MS);
  const hurried = pace.dueAt(stream, repoOf(7), new Date(due + 30 * MINUTE_MS)).getTime();
  expect(hurried).toBe(due + 120 * MINUTE_MS);
  expect(pace.dueAt(stream, repoOf(8), new Date(NOW)).getTime()).not.toBe(due);
});
