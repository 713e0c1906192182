import { lookup } from 'node:dns/promises';
import { request } from 'node:http';
import { connect, createServer } from 'node:net';
import { expect, test } from 'vitest';
import { takeAttempts } from './stay-on-loopback.ts';

const REFUSED = /tests stay on this machine/;

test.each(['192.0.2.1', '10.0.0.1', '169.254.169.254', '::ffff:8.8.8.8', '2001:db8::1', 'example.com'])(
  'a connection to %s is refused before there is one',
  (host) => {
    expect(() => connect({ host, port: 80 })).toThrow(REFUSED);
    expect(() => connect(80, host)).toThrow(REFUSED);
    expect(takeAttempts()).toEqual([`a connection to ${host}`, `a connection to ${host}`]);
  },
);

test('calls by HTTP and fetch are refused too', async () => {
  expect(() => request('http://192.0.2.1/')).toThrow(REFUSED);
  await expect(fetch('http://192.0.2.1/')).rejects.toThrow();
  expect(takeAttempts()).toHaveLength(2);
});

test.each([
  ['127.0.0.1', 'ECONNREFUSED'],
  ['192.0.2.1', 'EBEYONDLOOPBACK'],
])('a look-up of one’s own that answers %s ends with %s', async (address, code) => {
  const error = await new Promise((resolve) =>
    connect({
      host: 'any.example.com',
      port: 1,
      lookup: (_name, options, callback) =>
        options.all ? callback(null, [{ address, family: 4 }]) : callback(null, address, 4),
    }).on('error', resolve),
  );
  expect(error).toMatchObject({ code });
  expect(takeAttempts()).toHaveLength(code === 'ECONNREFUSED' ? 0 : 1);
});

test('names are not looked up', async () => {
  expect(() => lookup('example.com')).toThrow(REFUSED);
  expect(takeAttempts()).toEqual(['the look-up of example.com']);
  expect(await lookup('localhost')).toMatchObject({ address: expect.stringMatching(/^127\.|::1/) });
});

test('this machine is reached', async () => {
  const server = createServer((socket) => socket.end('here'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const text = await new Promise((resolve) => connect(port, '127.0.0.1').on('data', (data) => resolve(String(data))));
  expect(text).toBe('here');
  server.close();
});
