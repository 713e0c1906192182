// Ends requests that take too long, and tells running work when nobody waits for it any more. The web
// framework's own limit is not used: its signal fires as soon as a request's body has been read.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { StrataError } from '../domain/errors.ts';
import { beginWork, canBeUndone, type Work } from '../kit/current-work.ts';

declare module 'fastify' {
  interface FastifyRequest {
    deadline: Deadline | null;
  }
}

/** Work that does not end by itself in this time is answered for. */
const UNDOING_MILLISECONDS = 2_000;
/** What is committed already ends in this time. */
const ENDING_MILLISECONDS = 30_000;

/** Why work ended that nobody waits for: no fault, and nobody gets an answer. */
class ClientGone extends Error {
  constructor() {
    super('the client went away');
  }
}

/** What logs and metrics show for a request whose client left before the answer; nobody receives it. */
export const CLIENT_GONE_STATUS = 499;

/** Whether a request failed because its client left: while it was read, or while its answer was worked out. */
export const isClientGone = (error: unknown, request: FastifyRequest): boolean =>
  error instanceof ClientGone || (request.raw.destroyed && !hasArrived(request));

export class Deadline {
  readonly #request: FastifyRequest;
  readonly #reply: FastifyReply;
  readonly #timer: NodeJS.Timeout;
  #controller: AbortController | null = null;
  #work: Work | null = null;

  constructor(request: FastifyRequest, reply: FastifyReply, milliseconds: number) {
    this.#request = request;
    this.#reply = reply;
    this.#timer = setTimeout(() => this.#expire(), milliseconds);
  }

  /** Made when work begins. A client that goes away ends what it wanted to read, not what it wanted to be written. */
  get work(): Work {
    if (this.#work === null) {
      this.#controller = new AbortController();
      this.#work = beginWork(this.#controller.signal);
      const { raw } = this.#reply;
      const isRead = this.#request.method === 'GET' || this.#request.method === 'HEAD';
      raw.once('close', () => {
        if (isRead && !raw.writableFinished) this.#controller?.abort(new ClientGone());
      });
    }
    return this.#work;
  }

  end(): void {
    clearTimeout(this.#timer);
  }

  /** An answer that has begun cannot become another one, also where its client has left in the middle of it. */
  get #isAnswered(): boolean {
    return this.#reply.sent || this.#reply.raw.headersSent;
  }

  #answer(error: StrataError): void {
    if (!this.#isAnswered && !this.#reply.raw.destroyed) void this.#reply.send(error);
  }

  #expire(): void {
    if (this.#isAnswered) return;
    const error = hasArrived(this.#request)
      ? new StrataError('timeout', `the request took too long; its trace identifier is ${this.#request.id}`)
      : new StrataError('request_timeout', 'the request did not arrive completely in time');
    if (this.#controller === null || this.#work === null) {
      this.#answer(error);
      return;
    }
    // The work ends with this error and nothing of it is kept, unless its commit was quicker: then the answer is its own.
    if (canBeUndone(this.#work)) {
      this.#controller.abort(error);
      setTimeout(() => this.#answer(error), UNDOING_MILLISECONDS).unref();
      return;
    }
    const late = new StrataError(
      'timeout',
      `the request took too long and may have been carried out; its trace identifier is ${this.#request.id}`,
    );
    setTimeout(() => this.#answer(late), ENDING_MILLISECONDS).unref();
  }
}

/** False while the body is still on its way: then the connection cannot be used again. */
export const hasArrived = (request: FastifyRequest): boolean => request.raw.complete || request.raw.readableEnded;

export function addDeadline(server: FastifyInstance, seconds: number): void {
  server.decorateRequest('deadline', null);
  server.addHook('onRequest', (request, reply, done) => {
    request.deadline = new Deadline(request, reply, seconds * 1000);
    done();
  });
  server.addHook('onResponse', (request, _reply, done) => {
    request.deadline?.end();
    done();
  });
}
