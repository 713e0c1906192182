import { expect, test } from 'vitest';
import { retryOnce } from '../../../src/connectors/http/retry-once.ts';
import { HostError } from '../../../src/domain/repos/code-host.ts';

type Step = number | HostError | { readonly status: number; readonly headers: Record<string, string> };

/** Reads an address whose answers are these, one after the other, and says how often it was called. */
async function read(steps: readonly Step[], init?: { method?: string; signal?: AbortSignal }) {
  let calls = 0;
  const fetch = retryOnce(async () => {
    const step = steps[calls]!;
    calls += 1;
    if (step instanceof HostError) throw step;
    return typeof step === 'number'
      ? new Response('', { status: step })
      : new Response('', { status: step.status, headers: step.headers });
  });
  try {
    return { end: (await fetch('https://example.com/x', init)).status, count: calls };
  } catch (error) {
    return { end: (error as HostError).failure, count: calls };
  }
}

const reset = new HostError('unreachable', 'the connection was reset');
const slow = new HostError('timeout', 'no answer within 60 s');

test.each<[string, Step[], string | number, number]>([
  ['a good answer', [200], 200, 1],
  ['a bad gateway', [502, 200], 200, 2],
  ['a reset', [reset, 200], 200, 2],
  ['two faults in a row', [502, reset, 200], 'unreachable', 2],
  ['a fault that says when to come back', [{ status: 503, headers: { 'retry-after': '30' } }, 200], 503, 1],
  ['a spent budget', [429, 200], 429, 1],
  ['what is absent', [404, 200], 404, 1],
  ['what took too long', [slow, 200], 'timeout', 1],
])('%s', async (_, steps, end, count) => {
  expect(await read(steps)).toMatchObject({ end, count });
});

test('what changes something, or is as heavy as a query, is sent once', async () => {
  expect(await read([502, 200], { method: 'POST' })).toMatchObject({ end: 502, count: 1 });
});

test('who stops is not kept waiting', async () => {
  expect(await read([reset, 200], { signal: AbortSignal.abort() })).toMatchObject({ count: 1 });
});
