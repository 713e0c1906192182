// The header with which a caller makes a call that may be repeated without being carried out twice.
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from '../../domain/access/caller.ts';
import { StrataError } from '../../domain/errors.ts';
import type { Endpoint } from '../../endpoints/endpoint.ts';
import type { EndpointAnswer } from '../../endpoints/run-endpoint.ts';
import type { Work } from '../../kit/current-work.ts';
import type { Operations } from '../../operations/index.ts';

export const KEY_HEADER = 'idempotency-key';
export const REPEATED_HEADER = 'idempotency-repeated';

/** One to 200 visible characters. */
const KEY = /^[\x21-\x7e]{1,200}$/;

export const takesKey = ({ method, access }: Endpoint): boolean => method !== 'GET' && access !== 'public';

interface KeyedRequest {
  readonly endpoint: Endpoint;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly caller: Caller;
  readonly given: ReadonlyMap<string, unknown>;
  readonly work: Work;
}

/** Runs a call as it is without the header, and else at most once for each key. */
export async function runOnce(
  ops: Operations,
  { endpoint, request, reply, caller, given, work }: KeyedRequest,
  run: (work: Work) => Promise<EndpointAnswer>,
): Promise<EndpointAnswer> {
  const key = request.headers[KEY_HEADER];
  if (key === undefined) return run(work);
  if (typeof key !== 'string' || !KEY.test(key)) {
    throw new StrataError(
      'invalid_parameter',
      'Idempotency-Key: expected 1 to 200 visible ASCII characters, sent once',
    );
  }
  const { answer, isRepeated } = await ops.idempotency.once(
    {
      caller,
      key,
      secret: request.headers.authorization ?? request.headers.cookie ?? '',
      request: JSON.stringify([endpoint.method, request.url.split('?', 1)[0], sorted(Object.fromEntries(given))]),
      work,
    },
    run,
  );
  if (isRepeated) reply.header(REPEATED_HEADER, 'true');
  return answer;
}

/** The same value, with the names of all objects in order. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return entries.map(([name, part]) => [name, sorted(part)]);
}
