// Decides, before a body is read, whether a request may go on: who is asking, and how often.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Caller, credentialKey } from '../domain/access/caller.ts';
import { StrataError } from '../domain/errors.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import type { Operations } from '../operations/index.ts';
import { RateLimiter, type RateState } from './rate-limiter.ts';

// Wrong tokens cost a look-up each, so one address may try only so many per minute.
const WRONG_TOKENS_PER_MINUTE = 120;
const LONGEST_SECRET = 500;

export class Guard {
  readonly #tokens: Operations['tokens'];
  readonly #byCredential: RateLimiter;
  readonly #wrongByAddress = new RateLimiter(WRONG_TOKENS_PER_MINUTE);

  constructor(tokens: Operations['tokens'], requestsPerMinute: number) {
    this.#tokens = tokens;
    this.#byCredential = new RateLimiter(requestsPerMinute);
  }

  /** The caller of an endpoint that needs one; counts the call against the limit of the credential. */
  async admit(endpoint: Endpoint, request: FastifyRequest, reply: FastifyReply): Promise<Caller | null> {
    if (endpoint.access === 'public') return null;
    // A clock that never goes back: with the wall clock set back a minute would last for hours.
    const nowMs = performance.now();
    const caller = await this.#authenticate(request, reply, nowMs);
    const state = this.#byCredential.take(credentialKey(caller.via), nowMs);
    writeRateHeaders(reply, state);
    if (state.isExceeded) {
      throw tooMany(reply, state, `this ${caller.via.kind} may make ${state.limit} requests per minute`);
    }
    return caller;
  }

  async #authenticate(request: FastifyRequest, reply: FastifyReply, nowMs: number): Promise<Caller> {
    const wrong = this.#wrongByAddress.peek(request.ip, nowMs);
    const secret = bearerSecret(request.headers.authorization);
    // Who shares an address with somebody that guesses, as behind a proxy, is not locked out.
    if (secret !== null && wrong.isExceeded && !this.#tokens.wasValid(secret)) {
      throw tooMany(reply, wrong, 'too many wrong tokens came from this address');
    }
    const canBeOne = secret !== null && secret.length <= LONGEST_SECRET;
    const caller = canBeOne ? await this.#tokens.authenticate(secret) : null;
    if (caller !== null) return caller;
    reply.header('www-authenticate', 'Bearer realm="strata"');
    if (secret === null) {
      throw new StrataError('unauthorized', 'no token was sent; expected the header Authorization: Bearer <API_TOKEN>');
    }
    this.#wrongByAddress.take(request.ip, nowMs);
    throw new StrataError('unauthorized', 'the token is unknown, revoked or expired');
  }
}

export function bearerSecret(header: string | undefined): string | null {
  const match = header === undefined ? null : /^\s*bearer\s+(\S+)\s*$/i.exec(header);
  return match?.[1] ?? null;
}

function writeRateHeaders(reply: FastifyReply, state: RateState): void {
  reply.header('x-ratelimit-limit', state.limit);
  reply.header('x-ratelimit-remaining', state.remaining);
  reply.header('x-ratelimit-reset', state.resetSeconds);
}

export function tooManyRequests(reply: FastifyReply, state: RateState, who: string): StrataError {
  return tooMany(reply, state, `${who} ${state.limit} times per minute`);
}

function tooMany(reply: FastifyReply, state: RateState, why: string): StrataError {
  reply.header('retry-after', state.resetSeconds);
  return new StrataError('rate_limited', `${why}; try again in ${state.resetSeconds} seconds`);
}
