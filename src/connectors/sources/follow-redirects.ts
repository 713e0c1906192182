// Renamed repositories answer with a redirect. Git is not allowed to follow it, because nobody would
// check where it leads; so it is followed here, one checked step at a time.
import { lookup as dnsLookup } from 'node:dns/promises';
import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { HostError } from '../../domain/repos/code-host.ts';
import { RepoAccessError } from '../../domain/repos/source.ts';
import { createCheckedLookup } from '../http/guarded-fetch.ts';
import { type AddressRule, checkReachable } from './check-address.ts';

const MOST_STEPS = 5;
const TIMEOUT_MS = 20_000;
const PROBE = '/info/refs?service=git-upload-pack';

/** What may be connected to, and whose certificates are trusted: the public authorities' when null. */
export interface Reach {
  readonly isAllowed: AddressRule;
  readonly authorities: readonly string[] | null;
}

/** The address that finally answers, and what git must be pinned to. */
export async function followRedirects(
  start: URL,
  credentials: { readonly username: string; readonly password: string } | null,
  reach: Reach,
): Promise<{ url: URL; pinnedHost: string }> {
  let url = start;
  for (let step = 0; step <= MOST_STEPS; step += 1) {
    const pinnedHost = await checkReachable(url, reach.isAllowed);
    const target = await probe(url, url.origin === start.origin ? credentials : null, reach);
    if (target === null) return { url, pinnedHost };
    if (!URL.canParse(target, url.href)) break;
    const next = new URL(target, url);
    if (next.protocol !== 'https:' && next.protocol !== url.protocol) {
      throw new RepoAccessError('refused_address', `${url.href} redirects to the unsafe address ${next.origin}`);
    }
    next.pathname = next.pathname.replace(/\/info\/refs$/, '');
    next.search = '';
    next.username = '';
    next.password = '';
    url = next;
  }
  throw new RepoAccessError('refused_address', `${start.href} redirects without end; register where it leads to`);
}

/**
 * The redirect's target, or null when there is none. Any other answer is git's to judge. The name is resolved anew, and
 * checked anew: it may lead elsewhere than a moment ago.
 */
async function probe(
  url: URL,
  credentials: { readonly username: string; readonly password: string } | null,
  { isAllowed, authorities }: Reach,
): Promise<string | null> {
  const headers: Record<string, string> = { 'user-agent': 'git/2 (strata)' };
  if (credentials !== null) {
    const basic = Buffer.from(`${credentials.username}:${credentials.password}`).toString('base64');
    headers.authorization = `Basic ${basic}`;
  }
  try {
    const send = url.protocol === 'https:' ? requestHttps : requestHttp;
    const answer = await new Promise<IncomingMessage>((resolve, fail) => {
      send(`${url.href.replace(/\/$/, '')}${PROBE}`, {
        headers,
        agent: false,
        ...(authorities === null ? {} : { ca: [...authorities] }),
        lookup: createCheckedLookup((hostName) => dnsLookup(hostName, { all: true }), isAllowed),
        signal: AbortSignal.timeout(TIMEOUT_MS),
      })
        .on('response', resolve)
        .on('error', fail)
        .end();
    });
    answer.on('error', () => {}).destroy();
    const { statusCode = 0, headers: answered } = answer;
    return statusCode >= 300 && statusCode < 400 ? (answered.location ?? null) : null;
  } catch (cause) {
    if (cause instanceof HostError) throw new RepoAccessError('refused_address', cause.message, { cause });
    throw new RepoAccessError('transient', `${url.host} does not answer; check the address and the network`, { cause });
  }
}
