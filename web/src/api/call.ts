// One call of the API: parameters into query or body, the answer typed by the generated contract. Errors are
// values of one class that hold the server's own sentence and the trace identifier for the logs.
import type { Answer, Call, ErrorAnswer, Params } from './schema.ts';

/** The server could not be reached at all. */
export const UNREACHABLE = 0;
const NO_ANSWER = 'the server does not answer; it may be restarting, or the network is down';

export class CallError extends Error {
  readonly status: number;
  readonly answer: ErrorAnswer | null;
  readonly trace: string | null;

  constructor(status: number, answer: ErrorAnswer | null, trace: string | null) {
    super(answer?.response_detail ?? (status === UNREACHABLE ? NO_ANSWER : `the server answered ${status}`));
    this.name = 'CallError';
    this.status = status;
    this.answer = answer;
    this.trace = trace;
  }
}

export type Query = Readonly<Record<string, unknown>>;

export function writeQuery(params: Query): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(params)) {
    if (value === undefined || value === null) continue;
    query.set(name, Array.isArray(value) ? value.join(',') : String(value));
  }
  return query.toString();
}

/** `GET /reports` with its parameters as method, address and body. */
export function describeCall(name: Call, params: Query): { method: string; address: string; body: string | null } {
  const [method, route] = name.split(' ') as [string, string];
  const left: Record<string, unknown> = { ...params };
  const path = route.replaceAll(/:(\w+)/g, (_, key: string) => {
    const value = left[key];
    delete left[key];
    return encodeURIComponent(String(value));
  });
  const inQuery = method === 'GET' || method === 'DELETE';
  const query = inQuery ? writeQuery(left) : '';
  return {
    method,
    address: `/api/v1${path}${query === '' ? '' : `?${query}`}`,
    body: inQuery ? null : JSON.stringify(left),
  };
}

export async function call<C extends Call>(name: C, params: Params<C>, signal?: AbortSignal): Promise<Answer<C>> {
  const { method, address, body } = describeCall(name, params as Query);
  const reply = await send(address, {
    method,
    headers: body === null ? { accept: 'application/json' } : { 'content-type': 'application/json' },
    body,
    signal: signal ?? null,
  });
  const trace = reply.headers.get('x-trace-identifier');
  const answer: unknown = await reply.json().catch(() => null);
  if (!reply.ok) throw new CallError(reply.status, answer as ErrorAnswer | null, trace);
  return answer as Answer<C>;
}

async function send(address: string, request: RequestInit): Promise<Response> {
  try {
    return await fetch(address, request);
  } catch (cause) {
    if (request.signal?.aborted) throw cause;
    throw new CallError(UNREACHABLE, null, null);
  }
}
