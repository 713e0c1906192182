// Decides, before a body is read, whether a request may go on: who is asking, and how often. A token in the header wins
// over a session in the cookie.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Caller, credentialKey } from '../../domain/access/caller.ts';
import { StrataError } from '../../domain/errors.ts';
import type { Endpoint } from '../../endpoints/endpoint.ts';
import { RateLimiter, type RateState } from '../../kit/door/rate-limiter.ts';
import type { Operations } from '../../operations/index.ts';
import type { HttpSettings } from '../http-settings.ts';
import { refuseOtherPages, requireOwnPage } from './check-origin.ts';
import { readSessionCookie } from './session-cookie.ts';

// Wrong tokens cost a look-up each, so one address may try only so many per minute.
const WRONG_TOKENS_PER_MINUTE = 120;
/** A page asks for many charts at once. */
const SESSION_REQUESTS_PER_MINUTE = 3_000;
const LONGEST_SECRET = 500;

/** What a request shows, and who knows whose it is. */
interface Shown {
  readonly kind: 'token' | 'session';
  readonly secret: string;
  readonly holders: Pick<Operations['tokens'], 'authenticate' | 'wasValid'>;
}

export class Guard {
  readonly #operations: Pick<Operations, 'tokens' | 'sessions'>;
  readonly #allowedOrigins: readonly string[];
  readonly #limits: Readonly<Record<Shown['kind'], RateLimiter>>;
  readonly #wrongByAddress = new RateLimiter(WRONG_TOKENS_PER_MINUTE);

  constructor(
    operations: Pick<Operations, 'tokens' | 'sessions'>,
    settings: Pick<HttpSettings, 'rate_limit_per_minute' | 'cors_origins'>,
  ) {
    this.#operations = operations;
    this.#allowedOrigins = settings.cors_origins;
    this.#limits = {
      token: new RateLimiter(settings.rate_limit_per_minute),
      session: new RateLimiter(Math.max(SESSION_REQUESTS_PER_MINUTE, settings.rate_limit_per_minute)),
    };
  }

  /** The caller of an endpoint that needs one; counts the call against the limit of the credential. */
  async admit(endpoint: Endpoint, request: FastifyRequest, reply: FastifyReply): Promise<Caller | null> {
    if (endpoint.access === 'public') {
      refuseOtherPages(request, this.#allowedOrigins);
      return null;
    }
    // A clock that never goes back: with the wall clock set back a minute would last for hours.
    const nowMs = performance.now();
    const shown = this.#read(request);
    if (shown?.kind === 'session') requireOwnPage(request);
    const caller = await this.#authenticate(shown, request, reply, nowMs);
    const state = this.#limits[caller.via.kind].take(credentialKey(caller.via), nowMs);
    writeRateHeaders(reply, state);
    if (state.isExceeded) {
      throw tooMany(reply, state, `this ${caller.via.kind} may make ${state.limit} requests per minute`);
    }
    return caller;
  }

  /** The caller of a session, for a page that is shown with or without one: it refuses nobody. */
  async recognise(request: FastifyRequest): Promise<Caller | null> {
    const nowMs = performance.now();
    const { sessions } = this.#operations;
    const secret = readSessionCookie(request) ?? '';
    const mayTry = sessions.wasValid(secret) || !this.#wrongByAddress.peek(request.ip, nowMs).isExceeded;
    if (secret === '' || secret.length > LONGEST_SECRET || !mayTry) return null;
    const caller = await sessions.authenticate(secret);
    if (caller === null) this.#wrongByAddress.take(request.ip, nowMs);
    const isIn = caller !== null && !this.#limits.session.take(credentialKey(caller.via), nowMs).isExceeded;
    return isIn ? caller : null;
  }

  #read(request: FastifyRequest): Shown | null {
    const { tokens, sessions } = this.#operations;
    const token = bearerSecret(request.headers.authorization);
    if (token !== null) return { kind: 'token', secret: token, holders: tokens };
    const session = readSessionCookie(request);
    return session === null || session === '' ? null : { kind: 'session', secret: session, holders: sessions };
  }

  async #authenticate(
    shown: Shown | null,
    request: FastifyRequest,
    reply: FastifyReply,
    nowMs: number,
  ): Promise<Caller> {
    const wrong = this.#wrongByAddress.peek(request.ip, nowMs);
    // Who shares an address with somebody that guesses, as behind a proxy, is not locked out.
    if (shown !== null && wrong.isExceeded && !shown.holders.wasValid(shown.secret)) {
      throw tooMany(reply, wrong, 'too many wrong tokens came from this address');
    }
    const canBeOne = shown !== null && shown.secret.length <= LONGEST_SECRET;
    const caller = canBeOne ? await shown.holders.authenticate(shown.secret) : null;
    if (caller !== null) return caller;
    reply.header('www-authenticate', 'Bearer realm="strata"');
    if (shown === null) {
      throw new StrataError('unauthorized', 'no token was sent; expected the header Authorization: Bearer <API_TOKEN>');
    }
    this.#wrongByAddress.take(request.ip, nowMs);
    if (shown.kind === 'session') throw new StrataError('unauthorized', 'the session is over; sign in again');
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
