// The load generator of the HTTP benchmark, run as a process of its own: keep-alive connections on
// loopback, each with one request in flight. Bare sockets, so that the client is never the slower side.
import { connect } from 'node:net';
import { formatRunningNumber, RUNNING_NUMBER } from './running-number.ts';

let lastNumber = 1_000_000;

export interface LoadOrder {
  readonly port: number;
  readonly connections: number;
  readonly milliseconds: number;
  /** Whole requests as they go over the wire; each connection takes them in turn. Every RUNNING_NUMBER is replaced. */
  readonly requests: readonly string[];
}

export interface LoadResult {
  readonly completed: number;
  /** Answers with a status other than 200. */
  readonly failed: number;
  readonly seconds: number;
}

const numbered = (request: string): string => request.replaceAll(RUNNING_NUMBER, formatRunningNumber(++lastNumber));

function runLoad(order: LoadOrder): Promise<LoadResult> {
  const requests = order.requests.map((text) => (text.includes(RUNNING_NUMBER) ? text : Buffer.from(text)));
  let next = 0;
  let completed = 0;
  let failed = 0;
  const startedAt = performance.now();
  const deadline = startedAt + order.milliseconds;
  const runConnection = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const socket = connect(order.port, '127.0.0.1');
      socket.setNoDelay(true);
      let pending = '';
      const send = (): void => {
        if (performance.now() >= deadline) {
          socket.end();
          resolve();
          return;
        }
        const request = requests[next++ % requests.length]!;
        socket.write(typeof request === 'string' ? numbered(request) : request);
      };
      socket.on('connect', send);
      socket.on('error', reject);
      socket.on('data', (chunk) => {
        pending += chunk.toString('latin1');
        const headEnd = pending.indexOf('\r\n\r\n');
        if (headEnd === -1) return;
        const length = /content-length: (\d+)/i.exec(pending.slice(0, headEnd))?.[1];
        if (length === undefined) return reject(new Error(`no content-length in ${pending.slice(0, 200)}`));
        if (pending.length < headEnd + 4 + Number(length)) return;
        completed++;
        if (!pending.startsWith('HTTP/1.1 200')) failed++;
        pending = '';
        send();
      });
    });
  return Promise.all(Array.from({ length: order.connections }, runConnection)).then(() => ({
    completed,
    failed,
    seconds: (performance.now() - startedAt) / 1000,
  }));
}

process.on('message', (order: LoadOrder) => {
  runLoad(order).then(
    (result) => process.send?.(result),
    (error) => {
      console.error(error);
      process.exit(1);
    },
  );
});
