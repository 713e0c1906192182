// A fetch that reads again, once, what failed in passing: a page is made of many calls, and one lost answer should not
// cost the others. Whatever says when to come back, and whatever took too long, is left to the page's own rule.
import { setTimeout as pause } from 'node:timers/promises';
import { HostError } from '../../domain/repos/code-host.ts';
import type { GuardedFetch } from './guarded-fetch.ts';

const PAUSE_MS = 300;
const PASSING = [500, 502, 503];

export const retryOnce =
  (fetch: GuardedFetch): GuardedFetch =>
  async (address, init = {}) => {
    if ((init.method ?? 'GET') !== 'GET') return fetch(address, init);
    try {
      const answer = await fetch(address, init);
      if (!PASSING.includes(answer.status) || answer.headers.has('retry-after')) return answer;
    } catch (error) {
      if (!(error instanceof HostError && error.failure === 'unreachable') || init.signal?.aborted) throw error;
    }
    await pause(PAUSE_MS, undefined, { signal: init.signal ?? undefined });
    return fetch(address, init);
  };
