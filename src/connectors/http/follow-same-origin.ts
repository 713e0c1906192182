// Renamed and moved repos answer with another address. It is followed on the same origin only: a token goes to no
// other host.
import { HostError } from '../../domain/repos/code-host.ts';
import type { GuardedFetch } from './guarded-fetch.ts';

const REDIRECTS = [301, 302, 307, 308];
const MOST_HOPS = 3;

export const followSameOrigin =
  (fetch: GuardedFetch): GuardedFetch =>
  async (address, init = {}) => {
    let url = new URL(address);
    for (let hop = 0; ; hop += 1) {
      const answer = await fetch(url, init);
      const location = answer.headers.get('location');
      if (!REDIRECTS.includes(answer.status) || location === null) return answer;
      const next = URL.canParse(location, url.href) ? new URL(location, url.href) : null;
      if (next === null || next.origin !== url.origin) {
        throw new HostError('unexpected_answer', `${url.host} leads to another host, where the token is not sent`, {
          status: answer.status,
        });
      }
      if (hop === MOST_HOPS) {
        throw new HostError('unexpected_answer', `${url.host} leads from one address to the next without end`, {
          status: answer.status,
        });
      }
      url = next;
    }
  };
