// What every page of an entity asks for first, for the page itself: a browser that is signed in draws its first chart
// without waiting for these calls. Null where the page has to be the same for everybody: without a session, and for
// whatever is not about to show it.
import type { FastifyRequest } from 'fastify';
import type { Caller } from '../../domain/access/caller.ts';
import type { Endpoint } from '../../endpoints/endpoint.ts';
import type { EndpointRun } from '../answer-request.ts';
import { readSessionCookie } from '../door/session-cookie.ts';

/** Call → whether it is about an entity. */
const CALLS = { 'GET /me': false, 'GET /segment_introspections': true, 'GET /imports': true } as const;
/** A database that is slow must not hold up the page; it asks again by itself. */
const LONGEST_MILLISECONDS = 1_000;

export type StartData = (request: FastifyRequest) => Promise<string> | null;

export interface StartDataParts {
  readonly endpoints: readonly Endpoint[];
  recognise(request: FastifyRequest): Promise<Caller | null>;
  runner(endpoint: Endpoint): EndpointRun;
}

export function createStartData({ endpoints, recognise, runner }: StartDataParts): StartData {
  const calls = Object.entries(CALLS).map(([name, isOfEntity]) => {
    const endpoint = endpoints.find(({ method, path }) => `${method} ${path}` === name);
    return { name, isOfEntity, run: endpoint === undefined ? null : runner(endpoint) };
  });

  const read = async (request: FastifyRequest, entity: string): Promise<string> => {
    const caller = await recognise(request);
    if (caller === null) return '';
    const { work } = request.deadline!;
    const answers = await Promise.allSettled(
      calls.map(async ({ name, isOfEntity, run }) => {
        const given = new Map<string, unknown>(isOfEntity ? [['resource_path', entity]] : []);
        const call = { caller, given, now: new Date(), signal: work.signal, trace: request.id };
        return run === null ? null : ([name, (await run(call, work)).body] as const);
      }),
    );
    const found = answers.flatMap((each) => (each.status === 'fulfilled' && each.value !== null ? [each.value] : []));
    return JSON.stringify({ entity, answers: Object.fromEntries(found) });
  };

  return (request) => {
    const entity = entityOf(request.url);
    if (request.method !== 'GET' || entity === null || !isShown(request) || !readSessionCookie(request)) return null;
    return Promise.race([read(request, entity).catch(() => ''), waited()]);
  };
}

const waited = (): Promise<string> =>
  new Promise((resolve) => void setTimeout(resolve, LONGEST_MILLISECONDS, '').unref());

/** Whether the browser is about to show the answer; other pages cannot make it load the data as anything else. */
const isShown = ({ headers }: FastifyRequest): boolean => (headers['sec-fetch-dest'] ?? 'document') === 'document';

function entityOf(url: string): string | null {
  const slug = /^\/e\/([^/?#]+)/.exec(url)?.[1];
  try {
    return slug === undefined ? null : decodeURIComponent(slug);
  } catch {
    return null;
  }
}
