// A code host on this machine: answers as the real one documents, notes what it was asked, and can be told
// to answer otherwise.
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface DoubleRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  /** Of the double, as the client sees it. */
  readonly origin: string;
  readonly body: string;
}

export interface DoubleAnswer {
  /** 200 unless given. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Text is sent as HTML, bytes as they are, anything else as JSON. */
  readonly body?: unknown;
}

export type Answerer = (request: DoubleRequest) => DoubleAnswer | Promise<DoubleAnswer>;

export interface HostDouble {
  readonly address: string;
  /** What was asked and answered, oldest first. */
  readonly exchanges: { readonly request: DoubleRequest; readonly answer: DoubleAnswer }[];
  /** What the double itself got wrong. */
  readonly faults: unknown[];
  /** Answers in place of the host; `hang` never answers, `reset` breaks off in the body, null leaves it to the host. */
  instead: ((request: DoubleRequest) => DoubleAnswer | 'hang' | 'reset' | null) | null;
  close(): Promise<void>;
}

/** Small, so that a handful of records fills several pages. */
export const DOUBLE_PAGE_SIZE = 2;

/** The page of a list that a request for page `number`, from 1, gets. */
export const pageOf = <T>(items: readonly T[], number: number): { items: readonly T[]; hasNext: boolean } => ({
  items: items.slice((number - 1) * DOUBLE_PAGE_SIZE, number * DOUBLE_PAGE_SIZE),
  hasNext: items.length > number * DOUBLE_PAGE_SIZE,
});

export async function startHostDouble(answerWell: Answerer): Promise<HostDouble> {
  const answerOrFault = async (request: DoubleRequest): Promise<DoubleAnswer> => {
    try {
      return await answerWell(request);
    } catch (error) {
      double.faults.push(error);
      return { status: 500, body: { message: String(error) } };
    }
  };
  const server = createServer(async (incoming, outgoing) => {
    const url = new URL(incoming.url ?? '/', `http://${incoming.headers.host}`);
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(Buffer.from(chunk));
    const request = {
      method: incoming.method ?? 'GET',
      path: url.pathname,
      query: url.searchParams,
      headers: incoming.headers,
      origin: url.origin,
      body: Buffer.concat(chunks).toString('utf8'),
    };
    const instead = double.instead?.(request) ?? null;
    if (instead === 'hang') return;
    if (instead === 'reset') {
      outgoing.writeHead(200, { 'content-type': 'application/json', 'content-length': '100000' });
      outgoing.write('{"data":');
      setTimeout(() => outgoing.destroy(), 5);
      return;
    }
    const answer = instead ?? (await answerOrFault(request));
    double.exchanges.push({ request, answer });
    const { body } = answer;
    const isText = typeof body === 'string';
    outgoing.writeHead(answer.status ?? 200, {
      'content-type': Buffer.isBuffer(body)
        ? 'application/octet-stream'
        : `${isText ? 'text/html' : 'application/json'}; charset=utf-8`,
      ...answer.headers,
    });
    outgoing.end(isText || Buffer.isBuffer(body) ? body : JSON.stringify(body ?? {}));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const double: HostDouble = {
    address: `http://127.0.0.1:${port}`,
    exchanges: [],
    faults: [],
    instead: null,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return double;
}
