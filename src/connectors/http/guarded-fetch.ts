// HTTP to addresses that users may choose. Each connection goes to the very address that was checked, so a
// name that resolves differently a moment later leads nowhere; redirects are not followed, so a token
// reaches only the host it is meant for.
import { lookup as dnsLookup } from 'node:dns/promises';
import { Agent as HttpAgent, type IncomingMessage, request as requestHttp } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { gunzipSync } from 'node:zlib';
import { HostError } from '../../domain/repos/code-host.ts';
import { type AddressRule, addressRule } from '../sources/check-address.ts';

/** The part of fetch that hosts' clients use. */
export type GuardedFetch = (
  address: string | URL,
  init?: {
    readonly method?: string;
    readonly headers?: Readonly<Record<string, string>>;
    readonly body?: string;
    readonly signal?: AbortSignal | null;
  },
) => Promise<Response>;

export interface ResolvedAddress {
  readonly address: string;
  readonly family: number;
}

export interface GuardedFetchOptions {
  /** Allows private networks, this machine, and http without TLS. */
  readonly allowPrivate: boolean;
  /** Certificate authorities in PEM form, in place of the public ones. */
  readonly authorities?: readonly string[];
  readonly resolve?: (hostName: string) => Promise<readonly ResolvedAddress[]>;
  readonly mostBytes?: number;
  /** For one request, whatever longer time its signal leaves. */
  readonly requestMilliseconds?: number;
}

const MOST_BYTES = 20_000_000;
const REQUEST_MILLISECONDS = 60_000;
const BODILESS = [204, 304];

export function createGuardedFetch(options: GuardedFetchOptions): GuardedFetch {
  const { allowPrivate, mostBytes = MOST_BYTES, requestMilliseconds = REQUEST_MILLISECONDS } = options;
  const isAllowed = addressRule(allowPrivate);
  const resolve = options.resolve ?? ((hostName: string) => dnsLookup(hostName, { all: true }));
  const trusted = options.authorities === undefined ? {} : { ca: [...options.authorities] };
  const agents = {
    'http:': new HttpAgent({ keepAlive: true }),
    'https:': new HttpsAgent({ keepAlive: true, ...trusted }),
  };
  const lookup = createCheckedLookup(resolve, isAllowed);

  return async (address, { method = 'GET', headers = {}, body, signal: given } = {}) => {
    const url = new URL(address);
    if (url.protocol !== 'https:' && !(url.protocol === 'http:' && allowPrivate)) {
      throw new HostError('refused_address', `${url.origin} would send the token without encryption; use https`);
    }
    const literal = url.hostname.replace(/^\[|\]$/g, '');
    // Literal addresses are never looked up.
    if (isIP(literal) !== 0 && !isAllowed(literal)) throw refusedAddress(literal);
    if (given?.aborted) throw explain(given.reason, url, given);
    const limit = AbortSignal.timeout(requestMilliseconds);
    const signal = given ? AbortSignal.any([given, limit]) : limit;
    const isSecure = url.protocol === 'https:';
    const send = isSecure ? requestHttps : requestHttp;
    const ask = (agent: HttpAgent | false): Promise<IncomingMessage> =>
      new Promise((resolve, fail) => {
        let isAnswered = false;
        const request = send(url, {
          method,
          headers: { ...headers, 'accept-encoding': 'gzip' },
          agent,
          lookup,
          signal,
          ...(isSecure ? trusted : {}),
        });
        request.on('response', (answer) => {
          isAnswered = true;
          resolve(answer);
        });
        request.on('error', (error) => {
          // A host ends a kept connection that idles, and may do so while a request is on its way, which it then has
          // not read: that one goes over a new connection.
          if (!isAnswered && request.reusedSocket && isReset(error)) resolve(ask(false));
          else fail(error);
        });
        request.end(body);
      });
    try {
      const answer = await ask(agents[isSecure ? 'https:' : 'http:']);
      return toResponse(answer, await readBody(answer, mostBytes));
    } catch (error) {
      throw explain(error, url, signal);
    }
  };
}

const isReset = (error: Error): boolean => 'code' in error && (error.code === 'ECONNRESET' || error.code === 'EPIPE');

const refusedAddress = (hostName: string): HostError =>
  new HostError(
    'refused_address',
    `${hostName} leads into a private network; whoever runs this service can allow that with allow_private_addresses`,
  );

/** Resolves names, and refuses those that lead where the service may not connect to. */
export function createCheckedLookup(
  resolve: (hostName: string) => Promise<readonly ResolvedAddress[]>,
  isAllowed: AddressRule,
): LookupFunction {
  return (hostName, options, callback) => {
    resolve(hostName).then(
      (found) => {
        const [first] = found;
        if (first === undefined) callback(new Error(`${hostName} has no address`), '', 0);
        else if (!found.every(({ address }) => isAllowed(address))) callback(refusedAddress(hostName), '', 0);
        else if (options.all) callback(null, [...found]);
        else callback(null, first.address, first.family);
      },
      (error: unknown) => callback(error instanceof Error ? error : new Error(String(error)), '', 0),
    );
  };
}

async function readBody(answer: IncomingMessage, mostBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of answer) {
    const bytes = Buffer.from(chunk);
    size += bytes.length;
    if (size > mostBytes) {
      answer.destroy();
      throw new HostError('unexpected_answer', `the answer is larger than ${mostBytes} bytes`);
    }
    chunks.push(bytes);
  }
  const body = Buffer.concat(chunks);
  if (answer.headers['content-encoding'] !== 'gzip' || size === 0) return body;
  try {
    return gunzipSync(body, { maxOutputLength: mostBytes });
  } catch (cause) {
    throw new HostError('unexpected_answer', 'the answer cannot be decompressed', { cause });
  }
}

function toResponse(answer: IncomingMessage, body: Buffer): Response {
  const headers = new Headers();
  for (const [name, value] of Object.entries(answer.headers)) {
    if (name === 'content-encoding' || name === 'content-length' || value === undefined) continue;
    for (const item of Array.isArray(value) ? value : [value]) headers.append(name, item);
  }
  const status = answer.statusCode ?? 500;
  // Other codes cannot be put into a Response, and no host answers with them.
  if (status < 200 || status > 599) throw new HostError('unexpected_answer', `the answer has the status ${status}`);
  return new Response(BODILESS.includes(status) ? null : new Uint8Array(body), { status, headers });
}

function explain(error: unknown, url: URL, signal: AbortSignal): unknown {
  if (error instanceof HostError) return error;
  if (signal.aborted) {
    const reason: unknown = signal.reason;
    if (reason instanceof Error && reason.name === 'TimeoutError') {
      return new HostError('timeout', `${url.host} did not answer in time`);
    }
    return reason;
  }
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return new HostError('unreachable', `${url.host} cannot be reached${code === '' ? '' : ` (${code})`}`);
}
