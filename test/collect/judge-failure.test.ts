// What a failed page means, and what a token's budget allows.
import { describe, expect, test } from 'vitest';
import { Budgets } from '../../src/collect/budget.ts';
import { judgeFailure } from '../../src/collect/judge-failure.ts';
import { HostError, type HostFailure } from '../../src/domain/repos/code-host.ts';

const page = { pageSize: 25, failures: 1, hasCursor: false, lot: 0.5 };
const fails = (failure: HostFailure, status?: number) =>
  new HostError(failure, 'x', status === undefined ? {} : { status });

test.each([
  ['a limit', fails('rate_limited', 429), {}, { kind: 'wait' }],
  ['a refused token', fails('rejected', 401), {}, { kind: 'give_up_token' }],
  ['a missing right', fails('insufficient_scope', 403), {}, { kind: 'deny', failure: 'insufficient_scope' }],
  ['a repo that is gone', fails('unexpected_answer', 404), {}, { kind: 'deny', failure: 'gone' }],
  ['issues that are switched off', fails('unexpected_answer', 410), {}, { kind: 'deny', failure: 'gone' }],
  ['a cursor that ran out', fails('unexpected_answer', 422), { hasCursor: true }, { kind: 'restart' }],
  ['a page that is too heavy', fails('unreachable', 502), {}, { kind: 'shrink', pageSize: 12 }],
  ['the same at size 1', fails('unreachable', 502), { pageSize: 1 }, { kind: 'retry', afterSeconds: 60, pageSize: 1 }],
  ['a lost connection', fails('unreachable'), {}, { kind: 'retry', afterSeconds: 60, pageSize: 25 }],
  ['the third in a row', fails('unreachable'), { failures: 3 }, { kind: 'retry', afterSeconds: 240, pageSize: 12 }],
  ['a long row of them', fails('unreachable'), { failures: 20 }, { kind: 'retry', afterSeconds: 3600, pageSize: 12 }],
  ['a fault of ours', new TypeError('x'), {}, { kind: 'retry', afterSeconds: 60, pageSize: 25 }],
] as const)('%s', (_what, error, changes, verdict) => {
  expect(judgeFailure({ ...page, ...changes, error })).toEqual(verdict);
});

describe('a budget', () => {
  const now = new Date('2026-11-16T08:00:00Z');
  const reset = new Date('2026-11-16T08:30:00Z');
  const reading = { resource: 'core', quota: 1000, reset_at: reset, wait_until: null };

  test('keeps a tenth for the owner of the token, until it is filled again', () => {
    const budgets = new Budgets([]);
    budgets.read({ ...reading, remaining: 101 });
    expect(budgets.blockedUntil('core', now)).toBeNull();
    budgets.read({ ...reading, remaining: 100 });
    expect(budgets.blockedUntil('core', now)).toEqual(reset);
    expect(budgets.blockedUntil('graphql', now)).toBeNull();
    expect(budgets.blockedUntil('core', reset)).toBeNull();
    // Within a page calls go on.
    expect(() => budgets.check('core', now)).not.toThrow();
  });

  test('without a limit never waits', () => {
    const budgets = new Budgets([]);
    budgets.read({ ...reading, quota: null, remaining: null });
    expect(budgets.blockedUntil('core', now)).toBeNull();
  });

  test('doubles waits that the host gives no time for, and forgets them after a good page', () => {
    const budgets = new Budgets([]);
    const guessed = new HostError('rate_limited', 'x', {
      retryAt: new Date(now.getTime() + 60_000),
      isWaitGuessed: true,
    });
    const waits = [1, 2, 3].map(() => (budgets.wait('core', guessed, now).getTime() - now.getTime()) / 1000);
    expect(waits).toEqual([60, 120, 240]);
    expect(() => budgets.check('core', now)).toThrow('nothing is requested');
    budgets.succeed('core');
    expect(budgets.wait('core', guessed, now).getTime() - now.getTime()).toBe(60_000);
  });

  test('survives a restart', () => {
    const budgets = new Budgets([]);
    budgets.wait('core', new HostError('rate_limited', 'x', { retryAt: reset }), now);
    expect(new Budgets(budgets.takeChanges()).blockedUntil('core', now)).toEqual(reset);
  });
});
