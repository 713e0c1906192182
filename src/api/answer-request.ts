// From an admitted request to its reply: gathers the values, runs the endpoint, and writes what it answers.
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from '../domain/access/caller.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import { createEndpointRunner, type EndpointAnswer, type EndpointCall } from '../endpoints/run-endpoint.ts';
import { TextAnswer } from '../endpoints/text-answer.ts';
import { type Work, workFor } from '../kit/current-work.ts';
import type { FairQueue } from '../kit/fair-queue.ts';
import type { Client, Operations } from '../operations/index.ts';
import { readSessionCookie, writeSessionCookie } from './door/session-cookie.ts';
import { isKnown, tagOf } from './etag.ts';
import type { HttpSettings } from './http-settings.ts';
import { mergeInput, parseEncoded, queryOf } from './input/raw-input.ts';
import { textHeaders } from './text-headers.ts';
import { runOnce, takesKey } from './writes/idempotency-key.ts';

const LONGEST_HEADER = 4_000;

export interface AnswererParts {
  readonly endpoint: Endpoint;
  readonly ops: Operations;
  readonly queue: FairQueue;
  readonly settings: Pick<HttpSettings, 'public_url'>;
}

/** Of one endpoint. */
export type EndpointRun = (call: EndpointCall, work: Work) => Promise<EndpointAnswer>;

/** In turn with the requests of other entities. What was begun for a request that is over ends as that did. */
export function createRun({ endpoint, ops, queue }: Pick<AnswererParts, 'endpoint' | 'ops' | 'queue'>): EndpointRun {
  const runEndpoint = createEndpointRunner(endpoint, ops);
  return async (call, work) => {
    const { caller, signal } = call;
    const answer = () => workFor(work, () => runEndpoint({ ...call, now: new Date() }));
    try {
      return await (caller === null ? answer() : queue.run(String(caller.entity_id), signal, answer));
    } catch (error) {
      throw signal.aborted ? signal.reason : error;
    }
  };
}

export function createAnswerer({ endpoint, ops, queue, settings }: AnswererParts) {
  const run = createRun({ endpoint, ops, queue });
  const hasKey = takesKey(endpoint);

  return async function answerRequest(request: FastifyRequest, reply: FastifyReply, caller: Caller | null) {
    const given = gatherInput(endpoint, request);
    const { work } = request.deadline!;
    const call: EndpointCall = {
      caller,
      given,
      now: new Date(),
      signal: work.signal,
      client: clientOf(request),
      trace: request.id,
    };
    const { body, warnings, session } =
      hasKey && caller !== null
        ? await runOnce(ops, { endpoint, request, reply, caller, given, work }, (kept) =>
            run({ ...call, signal: kept.signal }, kept),
          )
        : await run(call, work);
    if (warnings.length > 0) reply.header('x-warnings', asciiJson(warnings));
    if (session !== undefined) writeSessionCookie(request, reply, settings, session);
    if (!(body instanceof TextAnswer)) return endpoint.revalidates ? revalidated(request, reply, body) : body;
    reply.type(body.contentType).headers(textHeaders(body));
    return body.text;
  };
}

const clientOf = (request: FastifyRequest): Client => ({
  address: request.ip,
  agent: request.headers['user-agent'] ?? '',
  session: readSessionCookie(request),
});

/** With a tag of the whole answer: it differs wherever anything does that the answer depends on, and only there. */
function revalidated(request: FastifyRequest, reply: FastifyReply, body: unknown): unknown {
  const text = JSON.stringify(body);
  const tag = tagOf(text);
  reply.headers({ etag: tag, 'cache-control': 'private, no-cache', vary: 'authorization, cookie, accept-encoding' });
  if (isKnown(request.headers['if-none-match'], tag)) return reply.code(304).send();
  reply.type('application/json; charset=utf-8');
  return text;
}

function gatherInput(endpoint: Endpoint, request: FastifyRequest): Map<string, unknown> {
  const { body } = request;
  return mergeInput(
    parseEncoded(queryOf(request.url), 'query'),
    typeof body === 'object' && body !== null ? { ...body } : undefined,
    endpoint.pathParams.length > 0 ? { ...Object(request.params) } : undefined,
  );
}

/** A JSON array that fits into a header: ASCII only, and whole items only. */
function asciiJson(items: readonly string[]): string {
  const kept = [...items];
  for (;;) {
    const text = JSON.stringify(kept).replace(
      /[\u007f-\uffff]/g,
      (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
    );
    if (text.length <= LONGEST_HEADER || kept.length <= 1) return text.slice(0, LONGEST_HEADER * 4);
    kept.pop();
  }
}
