// What a refusal means: retry later, a new token, no right, or not this host's API; and how long to wait.
import { describe, expect, test } from 'vitest';
import { githubAddresses } from '../../../src/connectors/hosts/github/addresses.ts';
import { failureOf } from '../../../src/connectors/http/answer-failure.ts';
import { followSameOrigin } from '../../../src/connectors/http/follow-same-origin.ts';
import { nextLink } from '../../../src/connectors/http/next-link.ts';
import { readBudget } from '../../../src/connectors/http/read-limits.ts';
import { type GitProvider, hostKeyOf } from '../../../src/domain/repos/code-host.ts';

const NOW = new Date('2026-11-16T08:00:00Z');
const judge = (provider: GitProvider, status: number, headers: Record<string, string> = {}, message = '') => {
  const error = failureOf(provider, { status, headers: new Headers(headers), body: { message } }, NOW);
  return [
    error.failure,
    error.retryAt === null ? null : (error.retryAt.getTime() - NOW.getTime()) / 1000,
    error.isWaitGuessed,
  ];
};

describe('a 403', () => {
  test('of GitHub with the words of its second limit is a limit, without a time', () => {
    const headers = { 'x-ratelimit-limit': '5000', 'x-ratelimit-remaining': '4990', 'x-ratelimit-reset': '1' };
    const words = 'You have exceeded a secondary rate limit. Please wait.';
    expect(judge('hostC', 403, headers, words)).toEqual(['rate_limited', 60, true]);
  });

  test('without such words is a missing right', () => {
    expect(judge('hostC', 403, { 'x-ratelimit-remaining': '4990' }, 'Resource not accessible')).toEqual([
      'insufficient_scope',
      null,
      false,
    ]);
  });

  test('of a server without limits is a missing right, though nothing remains of nothing', () => {
    expect(judge('hostC', 403, { 'x-ratelimit-limit': '0', 'x-ratelimit-remaining': '0' })[0]).toBe(
      'insufficient_scope',
    );
  });

  test('of Bitbucket Data Center is a missing right, though it sends retry-after with every answer', () => {
    expect(judge('hostB_server', 403, { 'retry-after': '0' })[0]).toBe('insufficient_scope');
    expect(judge('hostB_server', 403, { 'retry-after': '7' })[0]).toBe('insufficient_scope');
  });
});

test.each([
  ['seconds', { 'retry-after': '30' }, 30],
  ['an HTTP date', { 'retry-after': 'Mon, 16 Nov 2026 08:02:00 GMT' }, 120],
  ['nothing', {}, 60],
  ['a reset since 1970', { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(NOW.getTime() / 1000 + 90) }, 90],
  ['a reset in ISO 8601', { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '2026-11-16T08:05Z' }, 300],
])('a limit that says when by %s', (_how, headers, seconds) => {
  expect(judge('hostD', 429, headers)[1]).toBe(seconds);
});

test('other answers are told apart', () => {
  expect(judge('hostC', 401)[0]).toBe('rejected');
  expect(judge('hostC', 502)[0]).toBe('unreachable');
  expect(judge('hostC', 404)[0]).toBe('unexpected_answer');
});

test('a pause that comes with a good answer is a wait; a limit of 0 is none', () => {
  const paused = readBudget(
    'core',
    new Headers({ 'retry-after': '5', 'x-ratelimit-limit': '0', 'x-ratelimit-remaining': '0' }),
    NOW,
  );
  expect(paused).toMatchObject({ quota: null, remaining: null, wait_until: new Date('2026-11-16T08:00:05Z') });
  expect(readBudget('core', new Headers(), NOW)).toBeNull();
});

test.each([
  ['https://api.github.com', 'https://api.github.com', 'https://api.github.com/graphql', 'hostC:github.com'],
  ['https://github.com', 'https://api.github.com', 'https://api.github.com/graphql', 'hostC:github.com'],
  ['https://octo.ghe.com', 'https://api.octo.ghe.com', 'https://api.octo.ghe.com/graphql', 'hostC:octo.ghe.com'],
  ['https://api.octo.ghe.com', 'https://api.octo.ghe.com', 'https://api.octo.ghe.com/graphql', 'hostC:octo.ghe.com'],
  [
    'https://git.corp.example',
    'https://git.corp.example/api/v3',
    'https://git.corp.example/api/graphql',
    'hostC:git.corp.example',
  ],
  [
    'https://git.corp.example/api/v3',
    'https://git.corp.example/api/v3',
    'https://git.corp.example/api/graphql',
    'hostC:git.corp.example',
  ],
])('GitHub at %s', (address, rest, graphql, key) => {
  expect(githubAddresses(address)).toEqual({ rest, graphql });
  expect(hostKeyOf('hostC', address)).toBe(key);
});

test('the next page is the one that the host names', () => {
  const link =
    '<https://a.example/x?after=Y3Vyc29y%3D&per_page=2>; rel="next", <https://a.example/x?page=9>; rel="last"';
  expect(nextLink(new Headers({ link }))).toBe('https://a.example/x?after=Y3Vyc29y%3D&per_page=2');
  expect(nextLink(new Headers({ link: '<https://a.example/x>; rel="prev"' }))).toBeNull();
  expect(nextLink(new Headers())).toBeNull();
});

describe('redirects', () => {
  const to = (location: string) => new Response(null, { status: 301, headers: { location } });
  test('are followed on the same origin', async () => {
    const asked: string[] = [];
    const fetch = followSameOrigin(async (address) => {
      asked.push(String(address));
      return asked.length < 3 ? to(`/repositories/${asked.length}`) : new Response('{}');
    });
    expect((await fetch('https://a.example/repos/x')).status).toBe(200);
    expect(asked).toEqual([
      'https://a.example/repos/x',
      'https://a.example/repositories/1',
      'https://a.example/repositories/2',
    ]);
  });

  test('to another host are refused, and so are circles', async () => {
    await expect(followSameOrigin(async () => to('https://b.example/'))('https://a.example/')).rejects.toThrow(
      'another host',
    );
    await expect(followSameOrigin(async () => to('/again'))('https://a.example/')).rejects.toThrow('without end');
  });
});
