// Ends requests that take too long, and tells running work when nobody waits for it any more. The web
// framework's own limit is not used: its signal fires as soon as a request's body has been read.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { StrataError } from '../domain/errors.ts';

declare module 'fastify' {
  interface FastifyRequest {
    deadline: Deadline | null;
  }
}

export class Deadline {
  readonly #request: FastifyRequest;
  readonly #reply: FastifyReply;
  readonly #timer: NodeJS.Timeout;
  #controller: AbortController | null = null;

  constructor(request: FastifyRequest, reply: FastifyReply, milliseconds: number) {
    this.#request = request;
    this.#reply = reply;
    this.#timer = setTimeout(() => this.#expire(), milliseconds);
  }

  /** Made only when asked for: most work is over before a signal could reach it. */
  get signal(): AbortSignal {
    if (this.#controller === null) {
      this.#controller = new AbortController();
      const { raw } = this.#reply;
      raw.once('close', () => {
        if (!raw.writableFinished) this.#controller?.abort(new Error('the client went away'));
      });
    }
    return this.#controller.signal;
  }

  end(): void {
    clearTimeout(this.#timer);
  }

  #expire(): void {
    if (this.#reply.sent) return;
    const error = hasArrived(this.#request)
      ? new StrataError('timeout', `the request took too long; its trace identifier is ${this.#request.id}`)
      : new StrataError('request_timeout', 'the request did not arrive completely in time');
    this.#reply.send(error);
    this.#controller?.abort(error);
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
