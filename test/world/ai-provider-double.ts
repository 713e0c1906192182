// Stands in for providers of AI tools: answers as their documentation shows, from tables that a test fills, counts
// requests, and can refuse.
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ProviderRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage['headers'];
  readonly body: Readonly<Record<string, unknown>>;
}
export type ProviderAnswer = {
  readonly status?: number;
  readonly json?: unknown;
  readonly text?: string;
  readonly headers?: Record<string, string>;
};

export interface ProviderDouble {
  readonly base: string;
  readonly requests: ProviderRequest[];
  close(): void;
}

export async function startProviderDouble(
  answer: (request: ProviderRequest) => ProviderAnswer | null,
): Promise<ProviderDouble> {
  const requests: ProviderRequest[] = [];
  const server = createServer((incoming, outgoing) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      const url = new URL(incoming.url ?? '/', 'http://double');
      const text = Buffer.concat(chunks).toString();
      const request: ProviderRequest = {
        method: incoming.method ?? 'GET',
        path: url.pathname,
        query: url.searchParams,
        headers: incoming.headers,
        body: text === '' ? {} : (JSON.parse(text) as Record<string, unknown>),
      };
      requests.push(request);
      const given = answer(request);
      const { status = 200, json, text: plain, headers = {} } = given ?? { status: 404, json: {} };
      outgoing.writeHead(status, { 'content-type': 'application/json', ...headers });
      outgoing.end(plain ?? JSON.stringify(json ?? {}));
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    base: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    close: () => void server.close(),
  };
}
