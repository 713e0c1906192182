// What HTTP itself must do: trace identifier, limits, headers, compression, CORS, time-outs, closing,
// health, readiness and metrics.
import { randomBytes } from 'node:crypto';
import { get } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { Gauge } from 'prom-client';
import { beforeAll, describe, expect, test } from 'vitest';
import { endpoint } from '../../src/endpoints/endpoint.ts';
import { ENDPOINTS } from '../../src/endpoints/index.ts';
import { r } from '../../src/endpoints/returns.ts';
import { OPERATOR } from '../../src/operations/index.ts';
import { SAMPLE_ENDPOINTS, STOPPED } from '../endpoints/sample-endpoints.ts';
import { createTestApp, errorBody, type TestApp } from '../support/app.ts';
import { addressOf } from '../support/server-address.ts';

const endpoints = [...ENDPOINTS, ...SAMPLE_ENDPOINTS];
let app: TestApp;
beforeAll(async () => {
  app = await createTestApp({ endpoints });
});

/** Writes bytes to a listening server and collects what comes back until it closes the connection. */
async function sendRaw(address: string, bytes: string): Promise<string> {
  const { hostname, port } = new URL(address);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => socket.write(bytes));
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk;
    });
    socket.on('close', () => resolve(text));
    socket.on('error', reject);
  });
}

const connectionsOf = (app: TestApp): Promise<number> =>
  new Promise((resolve, reject) => {
    app.server.server.getConnections((error, count) => (error ? reject(error) : resolve(count)));
  });

const bodyOf = (raw: string): unknown => JSON.parse(raw.slice(raw.indexOf('\r\n\r\n') + 4));

test('the token status names entity and role', async () => {
  const answer = await app.request({ route: 'GET /api_tokens' });
  expect([answer.status, answer.body]).toEqual([
    200,
    {
      action_em: 'action_get_resource',
      response_em: 'response_success',
      response_detail: 'The token is valid for the entity acme with the rights of the role admin.',
    },
  ]);
});

test('the scheme of the token is read in any case', async () => {
  const headers = { authorization: `bEARER  ${app.tokens.member}` };
  expect((await app.request({ route: 'GET /api_tokens', token: null, headers })).status).toBe(200);
});

test('a revoked token is refused at once', async () => {
  const { token, id } = await app.operations.tokens.create('operator', {
    entity: app.entity,
    user_email: 'admin@example.com',
  });
  expect((await app.request({ route: 'GET /api_tokens', token })).status).toBe(200);
  await app.operations.tokens.revoke('operator', String(id));
  expect((await app.request({ route: 'GET /api_tokens', token })).status).toBe(401);
});

describe('the trace identifier', () => {
  const trace = async (value: string) =>
    (await app.request({ route: 'GET /api_tokens', headers: { 'x-trace-identifier': value } })).headers[
      'x-trace-identifier'
    ];

  test('of the caller is answered back and logged', async () => {
    expect(await trace('build-4711/a')).toBe('build-4711/a');
    expect(app.logged()).toContain('"trace":"build-4711/a"');
  });

  test('is made up when absent or empty', async () => {
    const answer = await app.request({ route: 'GET /nowhere' });
    expect(answer.headers['x-trace-identifier']).toMatch(/^[0-9a-f-]{36}$/);
    expect(await trace('  ')).toMatch(/^[0-9a-f-]{36}$/);
  });

  test('loses what could forge a line and is cut', async () => {
    expect(await trace('a"b<c>{d}')).toBe('abcd');
    expect(await trace('x'.repeat(500))).toBe('x'.repeat(128));
  });
});

describe('rate limits', () => {
  test('are counted per token and announced', async () => {
    const limited = await createTestApp({ endpoints, settings: { rate_limit_per_minute: 3 } });
    const ask = (token: string) => limited.request({ route: 'GET /api_tokens', token });
    const remaining = [];
    for (let i = 0; i < 3; i++) {
      const answer = await ask(limited.tokens.member);
      expect(answer.status).toBe(200);
      expect(answer.headers['x-ratelimit-limit']).toBe('3');
      remaining.push(answer.headers['x-ratelimit-remaining']);
    }
    expect(remaining).toEqual(['2', '1', '0']);
    const refused = await ask(limited.tokens.member);
    expect([refused.status, refused.body.response_em]).toEqual([429, 'response_rate_limited']);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(60);
    expect((await ask(limited.tokens.admin)).status).toBe(200);
    await limited.close();
  });

  test('also bound how many wrong tokens one address may try', async () => {
    const guarded = await createTestApp({ endpoints });
    const statuses = new Set<number>();
    for (let i = 0; i < 125; i++) {
      statuses.add((await guarded.request({ route: 'GET /api_tokens', token: `wrong-${i}` })).status);
    }
    expect([...statuses]).toEqual([401, 429]);
    await guarded.close();
  });

  test('do not lock out who shares an address with somebody that guesses', async () => {
    const guarded = await createTestApp({ endpoints });
    const status = async (token: string) => (await guarded.request({ route: 'GET /api_tokens', token })).status;
    expect(await status(guarded.tokens.member)).toBe(200);
    for (let i = 0; i < 121; i++) await status(`wrong-${i}`);
    expect(await status('wrong')).toBe(429);
    expect(await status(guarded.tokens.member)).toBe(200);
    await guarded.operations.tokens.revoke(OPERATOR, guarded.tokens.member);
    expect(await status(guarded.tokens.member)).toBe(429);
    await guarded.close();
  });
});

describe('headers', () => {
  test('keep browsers from running, framing, sniffing or caching an answer', async () => {
    for (const route of ['GET /api_tokens', 'GET /nowhere', 'GET //healthz']) {
      const { headers } = await app.request({ route });
      expect(headers['x-content-type-options']).toBe('nosniff');
      expect(headers['x-frame-options']).toBe('DENY');
      expect(headers['content-security-policy']).toContain("default-src 'none'");
      expect(headers['referrer-policy']).toBe('no-referrer');
      expect(headers['cache-control']).toBe('no-store');
      expect(headers['strict-transport-security']).toBeUndefined();
      expect(headers['x-powered-by']).toBeUndefined();
    }
  });

  test('ask for https only where users come by https', async () => {
    const secure = await createTestApp({ settings: { public_url: 'https://strata.example.com' } });
    const { headers } = await secure.request({ route: 'GET /api_tokens' });
    expect(headers['strict-transport-security']).toMatch(/^max-age=\d+/);
    await secure.close();
  });

  test('allow no foreign page by default', async () => {
    const { headers } = await app.request({ route: 'GET /api_tokens', headers: { origin: 'https://evil.example' } });
    expect(headers['access-control-allow-origin']).toBeUndefined();
    expect((await app.request({ route: 'OPTIONS /api_tokens', token: null })).status).toBe(405);
  });

  test('allow the pages that the operator names, and only those', async () => {
    const shared = await createTestApp({ settings: { cors_origins: ['https://dash.example'] } });
    const ask = (origin: string, method = 'GET') =>
      shared.request({
        route: `${method} /api_tokens`,
        headers: { origin, 'access-control-request-method': 'GET', 'access-control-request-headers': 'authorization' },
      });
    expect((await ask('https://dash.example')).headers['access-control-allow-origin']).toBe('https://dash.example');
    expect((await ask('https://evil.example')).headers['access-control-allow-origin']).toBeUndefined();
    const preflight = await ask('https://dash.example', 'OPTIONS');
    expect(preflight.status).toBe(204);
    expect(preflight.headers['access-control-allow-headers']).toContain('authorization');
    await shared.close();
  });
});

test('a long answer is compressed for those who accept it', async () => {
  const headers = { 'accept-encoding': 'gzip' };
  const response = await app.server.inject({
    url: '/api/v1/samples?size=2000',
    headers: { ...headers, authorization: `Bearer ${app.tokens.admin}` },
  });
  expect(response.headers['content-encoding']).toBe('gzip');
  expect(JSON.parse(gunzipSync(response.rawPayload).toString())).toHaveLength(2000);
  const short = await app.request({ route: 'GET /api_tokens', headers });
  expect(short.headers['content-encoding']).toBeUndefined();
});

test('a compressed body is refused with its reason', async () => {
  const answer = await app.request({ route: 'POST /samples', json: {}, headers: { 'content-encoding': 'gzip' } });
  expect([answer.status, answer.body.response_detail]).toEqual([415, 'compressed bodies are not accepted']);
});

test('a form in parts is read as the same form encoded, and a file in it is refused', async () => {
  const send = (parts: readonly [string, string, string?][]) => {
    const lines = parts.map(
      ([name, value, file]) =>
        `--xyz\r\nContent-Disposition: form-data; name="${name}"${file === undefined ? '' : `; filename="${file}"`}\r\n\r\n${value}\r\n`,
    );
    return app.request({
      route: 'POST /samples',
      payload: `${lines.join('')}--xyz--\r\n`,
      headers: { 'content-type': 'multipart/form-data; boundary=xyz' },
    });
  };
  const encoded = await app.request({
    route: 'POST /samples',
    payload: 'name=a%26b%20c&tags[]=x&tags[]=y',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });
  const inParts = await send([
    ['name', 'a&b c'],
    ['tags[]', 'x'],
    ['tags[]', 'y'],
  ]);
  expect([inParts.status, inParts.body]).toEqual([encoded.status, encoded.body]);
  const file = await send([['name', 'x', 'a.txt']]);
  expect([file.status, file.body.response_detail]).toEqual([400, expect.stringContaining('a file is not accepted')]);
  const broken = await app.request({
    route: 'POST /samples',
    payload: 'no parts',
    headers: { 'content-type': 'multipart/form-data' },
  });
  expect(broken.status).toBe(400);
});

test('a broken percent-encoding is answered with the envelope', async () => {
  const answer = await app.request({ route: 'GET /%E0%A4%A' });
  expect([answer.status, answer.body.response_em]).toEqual([400, 'response_invalid_parameter']);
  expect(answer.headers['x-trace-identifier']).toBeDefined();
});

test.each(['a[b][c][d][e][f]=1', `${'a=1&'.repeat(6000)}a=1`.slice(0, 16_000), '%', '=&=&&', 'a%00b=1', '[]=1&[0]=2'])(
  'odd query number %# never harms the server',
  async (query) => {
    const answer = await app.request({ route: 'GET /samples', query });
    expect([200, 400, 413]).toContain(answer.status);
  },
);

test('a JSON body nested too deeply to print is refused, not fatal', async () => {
  const deep = `{"page":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
  const answer = await app.request({
    route: 'GET /samples',
    payload: deep,
    headers: { 'content-type': 'application/json' },
  });
  expect(answer.status).toBe(400);
});

test('HEAD is answered without a body', async () => {
  const answer = await app.request({ route: 'HEAD /api_tokens' });
  expect([answer.status, answer.text]).toEqual([200, '']);
});

describe('faults', () => {
  test('are logged with the trace identifier and answered without detail', async () => {
    const answer = await app.request({
      route: 'POST /samples/crash',
      json: { words: 'table users is on fire' },
      headers: { 'x-trace-identifier': 'fault-1' },
    });
    expect(answer.status).toBe(500);
    expect(answer.body).toMatchObject({ action_em: 'action_sample_crashed', response_em: 'response_error' });
    expect(answer.body.response_detail).toContain('fault-1');
    expect(answer.text).not.toContain('fire');
    const line = app
      .logged()
      .split('\n')
      .find((text) => text.includes('fault-1') && text.includes('"level":"error"'));
    expect(JSON.parse(line ?? '{}')).toMatchObject({
      trace: 'fault-1',
      err: { message: 'outer table users is on fire', cause: { message: 'inner table users is on fire' } },
    });
  });

  test.each(['ECONNREFUSED', '57P03', '53300'])('that pass (%s) ask the caller to try again', async (system_code) => {
    const answer = await app.request({ route: 'POST /samples/crash', json: { system_code } });
    expect([answer.status, answer.body.response_em]).toEqual([503, 'response_unavailable']);
    expect(answer.headers['retry-after']).toBe('5');
  });
});

/** More than a connection takes at once, also compressed. */
const LARGE = randomBytes(4_000_000).toString('hex');
const largeRead = endpoint({
  route: 'GET /large_samples',
  action: 'action_sample_large_read',
  group: 'Samples',
  summary: 'Says much',
  access: 'token',
  params: {},
  returns: r.envelope(),
  run: async () => ({ response_detail: LARGE }),
});

describe('a listening server', () => {
  let live: TestApp;
  let address: string;
  beforeAll(async () => {
    live = await createTestApp({ endpoints: [...endpoints, largeRead], settings: { request_timeout_seconds: 1 } });
    await live.server.listen({ host: '127.0.0.1', port: 0 });
    address = addressOf(live.server);
  });

  test.each(['/hooks/hostC/1-nobody', '/hooks/nobody/1-x', '/api/v1/otlp/v1/metrics'])(
    'refuses whoever sends to %s and has no right to before the body has come',
    async (path) => {
      const answer = await sendRaw(
        address,
        `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 3000000\r\n\r\n{"a":`,
      );
      expect(answer).toMatch(/^HTTP\/1\.1 401 /);
    },
  );

  const slow = (ms: number, signal?: AbortSignal, method: 'GET' | 'POST' = 'POST') =>
    fetch(`${address}/api/v1/${method === 'GET' ? 'slow_samples' : 'samples/slow'}?ms=${ms}`, {
      method,
      headers: { authorization: `Bearer ${live.tokens.admin}` },
      ...(signal ? { signal } : {}),
    });

  test('does not tell running work to stop while the client waits', async () => {
    expect((await slow(200)).status).toBe(200);
  });

  test('answers a request that takes too long with 504 and stops the work', async () => {
    const stopped = STOPPED.length;
    const response = await slow(5_000);
    expect([response.status, errorBody.parse(await response.json()).response_em]).toEqual([504, 'response_timeout']);
    await expect.poll(() => STOPPED.length).toBe(stopped + 1);
  });

  test('stops what is read for a client that goes away, and not what it wanted to be written', async () => {
    const stopped = STOPPED.length;
    await expect(slow(901, AbortSignal.timeout(100))).rejects.toThrow();
    await expect(slow(900, AbortSignal.timeout(100), 'GET')).rejects.toThrow();
    await expect.poll(() => STOPPED.slice(stopped), { timeout: 700 }).toEqual([900]);
    await sleep(900);
    expect(STOPPED.slice(stopped)).toEqual([900]);
  });

  test('takes a client that leaves for no fault: not while it is read, nor while its answer is worked out', async () => {
    const before = live.logged().length;
    await expect(slow(800, AbortSignal.timeout(100), 'GET')).rejects.toThrow();
    await leaveMidway('/api/v1/samples', 'application/json');
    const ingest = await live.operations.ingestTokens.create(OPERATOR, { entity: 'acme' });
    await leaveMidway('/api/v1/otlp/v1/metrics', 'application/x-protobuf', ingest.token);
    await leaveMidway(await makeHook(), 'application/json');
    const lines = () =>
      live
        .logged()
        .slice(before)
        .split('\n')
        .flatMap((line): { level: string; status?: number; route?: string }[] =>
          line === '' ? [] : [JSON.parse(line)],
        );
    const left = () => lines().flatMap(({ status, route }) => (status === undefined ? [] : [`${status} ${route}`]));
    await expect
      .poll(() => left().toSorted())
      .toEqual([
        '499 /api/v1/otlp/v1/metrics',
        '499 /api/v1/samples',
        '499 /api/v1/slow_samples',
        '499 /hooks/:provider/:part',
      ]);
    await sleep(300);
    expect(lines().filter(({ level }) => level === 'error')).toEqual([]);
    const { text } = await live.request({ route: 'GET //metrics', token: null });
    expect(text).toMatch(/route="\/api\/v1\/slow_samples",status="499"/);
    expect(text).not.toMatch(/status="50[03]"/);
  });

  test('takes a client that leaves in the middle of its answer for no fault, also when its time is over', async () => {
    const before = live.logged().length;
    const leave = () =>
      new Promise<void>((resolve) => {
        const { hostname, port } = new URL(address);
        const path = '/api/v1/large_samples';
        const headers = { 'accept-encoding': 'gzip', authorization: `Bearer ${live.tokens.admin}` };
        get({ hostname, port, path, headers }, (answer) => {
          answer.destroy();
          resolve();
        }).on('error', () => resolve());
      });
    for (let time = 0; time < 20; time++) await leave();
    const faults = () =>
      live
        .logged()
        .slice(before)
        .split('\n')
        .filter((line) => /"level":"(?:error|warn)"/.test(line));
    await sleep(1_300);
    expect(live.logged().slice(before)).toContain('"status":499');
    expect(faults()).toEqual([]);
  });

  /** Sends half of a body and closes the connection. */
  /** The path that deliveries go to. */
  const makeHook = async (): Promise<string> => {
    await live.store.pool.query(
      `insert into provider_connections (entity_id, user_id, git_provider_em, host_key, token_sealed)
       select e.id, u.id, 'hostC', 'github.com', ''::bytea from entities e, users u where e.slug = 'acme' limit 1`,
    );
    return new URL((await live.operations.hooks.create(OPERATOR, 'acme', 'github.com')).address, address).pathname;
  };

  const leaveMidway = async (path: string, type: string, token = live.tokens.admin): Promise<void> => {
    const { hostname, port } = new URL(address);
    const socket = connect(Number(port), hostname);
    socket.write(
      `POST ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\n` +
        `Content-Type: ${type}\r\nContent-Length: 100\r\n\r\n{"a":`,
    );
    await sleep(100);
    socket.destroy();
  };

  test('leaves places to the calls of other entities, however many calls one makes', async () => {
    const shared = await createTestApp({ endpoints, settings: { database_pool_size: 4 } });
    const many = Array.from({ length: 4 }, () => shared.request({ route: 'POST /samples/slow', query: 'ms=1500' }));
    await sleep(200);
    const startedAt = performance.now();
    const other = await shared.request({ route: 'GET /samples', token: shared.tokens.foreignAdmin });
    expect(other.status).toBe(200);
    expect(performance.now() - startedAt).toBeLessThan(1_000);
    expect((await Promise.all(many)).map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  });

  test('answers a body that never arrives with 408', async () => {
    const raw = await sendRaw(
      address,
      `POST /api/v1/samples HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${live.tokens.admin}\r\n` +
        'Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{"a":',
    );
    expect(raw).toMatch(/^HTTP\/1\.1 408 /);
    expect(errorBody.parse(bodyOf(raw)).response_em).toBe('response_request_timeout');
  });

  test('answers headers that are too large with 431', async () => {
    const raw = await sendRaw(address, `GET / HTTP/1.1\r\nHost: localhost\r\nX-Big: ${'x'.repeat(40_000)}\r\n\r\n`);
    expect(raw).toMatch(/^HTTP\/1\.1 431 /);
    expect(errorBody.parse(bodyOf(raw)).response_em).toBe('response_headers_too_large');
  });

  test('answers what is not HTTP with 400', async () => {
    const raw = await sendRaw(address, 'this is not HTTP\r\n\r\n');
    expect(raw).toMatch(/^HTTP\/1\.1 400 /);
    expect(errorBody.parse(bodyOf(raw)).action_em).toBe('action_unknown');
  });

  test('closes at once although browsers hold connections on which they never asked for anything', async () => {
    const closing = await createTestApp();
    await closing.server.listen({ host: '127.0.0.1', port: 0 });
    const { hostname, port } = new URL(addressOf(closing.server));
    const socket = connect(Number(port), hostname);
    socket.on('error', () => undefined);
    const ended = new Promise((resolve) => socket.on('close', resolve));
    await expect.poll(() => connectionsOf(closing)).toBe(1);
    const startedAt = performance.now();
    await closing.server.close();
    expect(performance.now() - startedAt).toBeLessThan(5_000);
    await ended;
  });

  test('lets running requests finish when it closes, and refuses later ones on open connections', async () => {
    const closing = await createTestApp({ endpoints });
    await closing.server.listen({ host: '127.0.0.1', port: 0 });
    const { hostname, port } = new URL(addressOf(closing.server));
    const request = (ms: number) =>
      `POST /api/v1/samples/slow?ms=${ms} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${closing.tokens.admin}\r\nContent-Length: 0\r\n\r\n`;
    let text = '';
    const socket = connect(Number(port), hostname);
    socket.on('data', (chunk) => {
      text += chunk;
    });
    const ended = new Promise((resolve) => socket.on('close', resolve));
    socket.write(request(400));
    await sleep(100);
    const closed = closing.server.close();
    socket.write(request(0));
    await ended;
    await closed;
    expect(text).toContain('Waited 400 ms.');
    expect(text.match(/HTTP\/1\.1 \d+/g)?.[0]).toBe('HTTP/1.1 200');
    expect(text.match(/HTTP\/1\.1 \d+/g)?.[1] ?? 'HTTP/1.1 503').toBe('HTTP/1.1 503');
    await expect(fetch(`http://${hostname}:${port}/healthz`)).rejects.toThrow();
  });
});

describe('watching', () => {
  test('the service is alive at once and ready only when nothing is missing', async () => {
    let missing: string[] = ['credentials.json is not written yet'];
    const starting = await createTestApp({ notReady: async () => missing });
    expect((await starting.request({ route: 'GET //healthz', token: null })).status).toBe(200);
    const early = await starting.request({ route: 'GET //readyz', token: null });
    expect([early.status, early.body]).toEqual([503, { status: 'not_ready', missing }]);
    missing = [];
    expect((await starting.request({ route: 'GET //readyz', token: null })).status).toBe(200);
    await starting.close();
  });

  test('the API description is known again by its tag, and sent packed to who takes it', async () => {
    const watched = await createTestApp({ endpoints });
    const plain = await watched.request({ route: 'GET /openapi.json', token: null });
    const tag = String(plain.headers.etag);
    expect(plain.headers['content-encoding']).toBe('identity');
    const again = await watched.request({ route: 'GET /openapi.json', token: null, headers: { 'if-none-match': tag } });
    expect([again.status, again.text]).toEqual([304, '']);
    const packed = await watched.server.inject({
      url: '/api/v1/openapi.json',
      headers: { 'accept-encoding': 'br, gzip' },
    });
    expect(packed.headers['content-encoding']).toBe('gzip');
    // Packed it is other bytes: only a weak tag may be that of both.
    expect([packed.headers.etag, tag.startsWith('W/"')]).toEqual([tag, true]);
    const any = await watched.request({ route: 'GET /openapi.json', token: null, headers: { 'if-none-match': '*' } });
    expect(any.status).toBe(304);
    // A server between may have made a strong one of it.
    const some = { 'if-none-match': `"other", ${tag.replace('W/', '')}` };
    expect((await watched.request({ route: 'GET /openapi.json', token: null, headers: some })).status).toBe(304);
    expect(JSON.parse(gunzipSync(packed.rawPayload).toString())).toEqual(JSON.parse(plain.text));
    await watched.close();
  });

  test('one address reads public pages 600 times a minute, and probes as often as it likes', async () => {
    const watched = await createTestApp({ endpoints });
    const read = async (url: string) => (await watched.server.inject({ url })).statusCode;
    for (let count = 0; count < 600; count++) expect(await read('/api/v1/openapi.json')).toBe(200);
    const refused = await watched.server.inject({ url: '/metrics' });
    expect([refused.statusCode, Number(refused.headers['retry-after']) > 0]).toEqual([429, true]);
    expect(refused.json().response_detail).toMatch(/this address may read public pages 600 times per minute/);
    expect(await read('/healthz')).toBe(200);
    expect(await read('/readyz')).toBe(200);
    await watched.close();
  });

  test('metrics count requests by route and status, never by address, and take in what other parts add', async () => {
    const watched = await createTestApp({
      endpoints,
      collectors: [
        (registry) =>
          void new Gauge({
            name: 'strata_queue_jobs',
            help: 'x',
            registers: [registry],
            collect() {
              this.set(7);
            },
          }),
      ],
    });
    // So long that no figure among the metrics has it by chance.
    const id = '1928374655';
    await watched.request({ route: `GET /samples/${id}`, token: null });
    await watched.request({ route: 'GET /samples/abc', token: null });
    await watched.request({ route: 'GET /api_tokens', token: null });
    const { text, headers } = await watched.request({ route: 'GET //metrics', token: null });
    expect(headers['content-type']).toMatch(/^text\/plain/);
    expect(text).toContain(
      'strata_http_request_duration_seconds_count{method="GET",route="/api/v1/samples/:id",status="200"} 1',
    );
    expect(text).toContain('route="/api/v1/samples/:id",status="400"} 1');
    expect(text).toContain('route="/api/v1/api_tokens",status="401"} 1');
    expect(text).not.toContain(id);
    expect(text).toContain('strata_process_resident_memory_bytes');
    expect(text).toContain('strata_queue_jobs 7');
    await watched.close();
  });
});
