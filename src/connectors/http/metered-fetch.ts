// A fetch whose calls are counted: a due wait is noticed before a call, and what an answer says of the token's budget
// and of the host's clock after it.
import type { Meter } from '../../domain/collect/stream.ts';
import type { GuardedFetch } from './guarded-fetch.ts';
import { readBudget, readHostTime } from './read-limits.ts';

export interface MeterRules {
  /** Which budget a call draws on. */
  resourceOf(url: URL): string;
  now(): Date;
}

export const meterFetch =
  (fetch: GuardedFetch, meter: Meter, { resourceOf, now }: MeterRules): GuardedFetch =>
  async (address, init = {}) => {
    const url = new URL(address);
    const resource = resourceOf(url);
    meter.before(resource);
    const answer = await fetch(url, init);
    const isEmpty = answer.status === 204 || answer.status === 304;
    const body = isEmpty ? new Uint8Array() : new Uint8Array(await answer.arrayBuffer());
    const budget = readBudget(resource, answer.headers, now());
    meter.after({
      resource,
      method: init.method ?? 'GET',
      address: url.href,
      requestBody: init.body ?? null,
      status: answer.status,
      headers: answer.headers,
      body,
      // Some hosts name a part of theirs there that no stream knows.
      budget: budget && { ...budget, resource },
      hostTime: readHostTime(answer.headers),
    });
    return new Response(isEmpty ? null : body, { status: answer.status, headers: answer.headers });
  };
