// A fetch over answers that were kept: whatever is not among them ends the page, and nothing leaves the machine.
import type { Replay } from '../../domain/collect/stream.ts';
import { HostError } from '../../domain/repos/code-host.ts';
import type { GuardedFetch } from '../http/guarded-fetch.ts';

export const replayFetch =
  (answers: Replay): GuardedFetch =>
  async (address, init = {}) => {
    const url = new URL(address);
    const asked = { method: init.method ?? 'GET', address: url.href, requestBody: init.body ?? null };
    const kept = await answers(asked);
    if (kept === null)
      throw new HostError('unexpected_answer', `no answer to ${asked.method} ${url.pathname} was kept`);
    return new Response(Buffer.from(kept.body), {
      status: kept.status,
      headers: { 'content-type': 'application/json', ...kept.headers },
    });
  };
