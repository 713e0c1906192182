// Addresses that a user names must not lead into the network of the machine.
import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, expect, test } from 'vitest';
import { createGuardedFetch } from '../../../src/connectors/http/guarded-fetch.ts';
import { HostError } from '../../../src/domain/repos/code-host.ts';
import type { HostDouble } from '../../world/host-doubles/host-double.ts';
import { startHostDouble } from '../../world/host-doubles/host-double.ts';

const open: HostDouble[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((double) => double.close()));
});

const failureOf = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'an answer',
    (error: unknown) => (error instanceof HostError ? error.failure : String(error)),
  );

test.each([
  'https://127.0.0.1/',
  'https://10.1.2.3/',
  'https://169.254.169.254/latest/meta-data/',
  'https://[::1]/',
  'https://[::ffff:127.0.0.1]/',
  'https://[::ffff:7f00:1]/',
  'https://[fd00::1]/',
  'https://2130706433/',
  'https://0x7f.1/',
  'https://0/',
])('%s is refused', async (address) => {
  const fetch = createGuardedFetch({ allowPrivate: false });
  expect(await failureOf(fetch(address))).toBe('refused_address');
});

test('a name that leads into a private network is refused, also by one of several addresses', async () => {
  const answers = [
    [{ address: '192.168.1.1', family: 4 }],
    [
      { address: '93.184.216.34', family: 4 },
      { address: '127.0.0.1', family: 4 },
    ],
  ];
  for (const found of answers) {
    const fetch = createGuardedFetch({ allowPrivate: false, resolve: async () => found });
    expect(await failureOf(fetch('https://git.example.com/'))).toBe('refused_address');
  }
});

test('the connection goes to the address that was checked: the name is resolved once', async () => {
  const double = await startHostDouble(() => ({ body: { fine: true } }));
  open.push(double);
  let count = 0;
  const fetch = createGuardedFetch({
    allowPrivate: true,
    resolve: async () => {
      count += 1;
      // A second look would lead to a port that nobody listens on.
      return [{ address: count === 1 ? '127.0.0.1' : '127.0.0.2', family: 4 }];
    },
  });
  const { port } = new URL(double.address);
  const answer = await fetch(`http://rebinding.example.com:${port}/`);
  expect([await answer.json(), count]).toEqual([{ fine: true }, 1]);
});

test('a token is not sent without encryption unless private networks are allowed', async () => {
  const fetch = createGuardedFetch({ allowPrivate: false });
  expect(await failureOf(fetch('http://git.example.com/'))).toBe('refused_address');
});

test('redirects are handed back, not followed', async () => {
  const target = await startHostDouble(() => ({}));
  const double = await startHostDouble(() => ({ status: 302, headers: { location: target.address } }));
  open.push(target, double);
  const answer = await createGuardedFetch({ allowPrivate: true })(double.address);
  expect([answer.status, target.exchanges.length]).toEqual([302, 0]);
});

test('an answer without end is cut off', async () => {
  const double = await startHostDouble(() => ({ body: 'x'.repeat(5_000) }));
  open.push(double);
  const fetch = createGuardedFetch({ allowPrivate: true, mostBytes: 4_000 });
  expect(await failureOf(fetch(double.address))).toBe('unexpected_answer');
});

test('compressed answers are read, and one that swells beyond the limit is not', async () => {
  const server = createServer((_, outgoing) => {
    outgoing.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('y'.repeat(50_000)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
  const text = await (await createGuardedFetch({ allowPrivate: true })(url)).text();
  expect(text.length).toBe(50_000);
  const narrow = createGuardedFetch({ allowPrivate: true, mostBytes: 10_000 });
  expect(await failureOf(narrow(url))).toBe('unexpected_answer');
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

test('a host that never finishes is left after the time for one request', async () => {
  const double = await startHostDouble(() => ({}));
  open.push(double);
  double.instead = () => 'hang';
  const fetch = createGuardedFetch({ allowPrivate: true, requestMilliseconds: 100 });
  expect(await failureOf(fetch(double.address))).toBe('timeout');
});

/** A server that ends a connection when a second request comes over it, as if it had just found it idle for too long. */
async function startForgetful(isAnswering: () => boolean) {
  const served = new WeakSet<Socket>();
  let connections = 0;
  let requests = 0;
  const server = createServer((request, answer) => {
    requests += 1;
    if (served.has(request.socket) || !isAnswering()) return request.socket.destroy();
    served.add(request.socket);
    request.resume().on('end', () => answer.end('{}'));
    return undefined;
  }).on('connection', () => {
    connections += 1;
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    address: `http://127.0.0.1:${port}/`,
    counts: () => ({ connections, requests }),
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

test.each(['GET', 'POST'])(
  'a %s over a kept connection that the host has ended is sent over a new one',
  async (method) => {
    const host = await startForgetful(() => true);
    const fetch = createGuardedFetch({ allowPrivate: true });
    const send = async () =>
      (await fetch(host.address, { method, ...(method === 'POST' ? { body: '{}' } : {}) })).status;
    // Three at once leave three kept connections, and all of them are stale.
    expect(await Promise.all([send(), send(), send()])).toEqual([200, 200, 200]);
    expect(await send()).toBe(200);
    expect(host.counts()).toEqual({ connections: 4, requests: 5 });
    host.close();
  },
);

test('a host that ends a new connection cannot be reached, and is not asked again', async () => {
  let isAnswering = true;
  const host = await startForgetful(() => isAnswering);
  const fetch = createGuardedFetch({ allowPrivate: true });
  await fetch(host.address);
  isAnswering = false;
  expect(await failureOf(fetch(host.address, { method: 'POST', body: '{}' }))).toBe('unreachable');
  expect(host.counts()).toEqual({ connections: 2, requests: 3 });
  host.close();
});
