// The OTLP receiver with the real exporters of OpenTelemetry as clients: every encoding, temporality, retry, duplicate and
// restart gives the same rows of usage, and what is not on the allow-list is found nowhere.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server as HttpServer, request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Attributes } from '@opentelemetry/api';
import { OTLPLogExporter as JsonLogExporter } from '@opentelemetry/exporter-logs-otlp-http';
import { OTLPLogExporter as ProtoLogExporter } from '@opentelemetry/exporter-logs-otlp-proto';
import { OTLPMetricExporter as JsonMetricExporter } from '@opentelemetry/exporter-metrics-otlp-http';
import { OTLPMetricExporter as ProtoMetricExporter } from '@opentelemetry/exporter-metrics-otlp-proto';
import { CompressionAlgorithm } from '@opentelemetry/otlp-exporter-base';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BatchLogRecordProcessor, LoggerProvider } from '@opentelemetry/sdk-logs';
import { AggregationTemporality, MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { countMetrics } from '../../../src/ingest/otlp/count-points.ts';
import { decodeJsonMetrics } from '../../../src/ingest/otlp/decode-json.ts';
import { TASKS } from '../../../src/jobs/tasks.ts';
import { silentLog } from '../../../src/kit/log.ts';
import { OPERATOR } from '../../../src/operations/index.ts';
import { backup } from '../../../src/storage/backup/backup.ts';
import { seedCommitter, seedEntityId } from '../../operations/seed-records.ts';
import { createTestApp, type TestApp } from '../../support/app.ts';

let app: TestApp;
let base: string;
let entityId: number;
let token: string;
const SECRET = 'hunter2-should-never-be-stored';

beforeAll(async () => {
  app = await createTestApp();
  entityId = await seedEntityId(app.store, 'acme');
  await seedCommitter(app.store, entityId, { userName: 'ada', email: 'ada@example.com' });
  await app.server.listen({ host: '127.0.0.1', port: 0 });
  base = `http://127.0.0.1:${(app.server.server.address() as AddressInfo).port}/api/v1/otlp/v1`;
  token = (await app.operations.ingestTokens.create(OPERATOR, { entity: 'acme', name: 'laptops' })).token;
});

beforeEach(async () => {
  for (const table of ['otlp_seen', 'otlp_sums', 'otlp_streams', 'otlp_due_days', 'ai_usages', 'ai_commit_claims']) {
    await app.store.pool.query(`delete from ${table}`);
  }
});

const fold = () =>
  TASKS.fold_telemetry.run(
    { entity_id: entityId },
    { log: silentLog } as Parameters<typeof TASKS.fold_telemetry.run>[1],
    { store: app.store, now: () => new Date() } as Parameters<typeof TASKS.fold_telemetry.run>[2],
  );
const usages = async () => {
  await fold();
  const { rows } = await app.store.pool.query(
    `select c.committer_user_name as who, u.source_em, u.tool_em, u.ai_provider_em, u.llm_model_name, u.lines_added,
       u.lines_deleted, u.prompted_suggest_count, u.prompted_accept_count, u.prompt_count, u.session_count,
       u.active_seconds, u.tokens_input, u.tokens_output, u.cost_microcents::float8 as cost_microcents
     from ai_usages u left join committers c on c.entity_id = u.entity_id and c.id = u.committer_id
     order by u.llm_model_name, who`,
  );
  return rows;
};

interface Client {
  readonly encoding: 'proto' | 'json';
  readonly compression: 'none' | 'gzip';
  readonly temporality: 'delta' | 'cumulative';
}
const configOf = ({ compression }: Client, signal: string, url = base) => ({
  url: `${url}/${signal}`,
  headers: { authorization: `Bearer ${token}` },
  compression: compression === 'gzip' ? CompressionAlgorithm.GZIP : CompressionAlgorithm.NONE,
});
const USER = { 'user.email': 'ada@example.com', 'session.id': 's-1', 'organization.id': 'org' };

/** A process of Claude Code: counts, exports, counts on, exports, ends. */
async function runMetrics(client: Client, session: Attributes = USER, url = base): Promise<void> {
  const temporalityPreference =
    client.temporality === 'delta' ? AggregationTemporality.DELTA : AggregationTemporality.CUMULATIVE;
  const config = { ...configOf(client, 'metrics', url), temporalityPreference };
  const exporter = client.encoding === 'proto' ? new ProtoMetricExporter(config) : new JsonMetricExporter(config);
  const reader = new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: 3_600_000 });
  const provider = new MeterProvider({
    resource: resourceFromAttributes({ 'service.name': 'claude-code', 'host.name': SECRET }),
    readers: [reader],
  });
  const meter = provider.getMeter('com.anthropic.claude_code');
  const add = (name: string, value: number, attributes: Attributes = {}) =>
    meter.createCounter(name).add(value, { ...session, ...attributes });
  add('claude_code.session.count', 1);
  add('claude_code.lines_of_code.count', 30, { type: 'added', model: 'claude-opus-4-5-20251101' });
  add('claude_code.lines_of_code.count', 4, { type: 'removed', model: 'claude-opus-4-5-20251101' });
  add('claude_code.cost.usage', 0.25, { model: 'claude-opus-4-5-20251101', 'file.path': SECRET });
  add('claude_code.code_edit_tool.decision', 3, { tool_name: 'Edit', decision: 'accept' });
  await provider.forceFlush();
  add('claude_code.lines_of_code.count', 12, { type: 'added', model: 'claude-opus-4-5-20251101' });
  add('claude_code.cost.usage', 0.5, { model: 'claude-opus-4-5-20251101' });
  add('claude_code.code_edit_tool.decision', 1, { tool_name: 'Edit', decision: 'reject' });
  add('claude_code.active_time.total', 61.5, { type: 'user' });
  await provider.forceFlush();
  await provider.shutdown();
}

const EXPECTED = [
  {
    who: 'ada',
    source_em: 'otlp',
    tool_em: 'claude-code',
    ai_provider_em: 'vendorC_platform',
    llm_model_name: 'claude-code',
    lines_added: null,
    lines_deleted: null,
    prompted_suggest_count: 4,
    prompted_accept_count: 3,
    prompt_count: null,
    session_count: 1,
    active_seconds: 62,
    tokens_input: null,
    tokens_output: null,
    cost_microcents: null,
  },
  {
    who: 'ada',
    source_em: 'otlp',
    tool_em: 'claude-code',
    ai_provider_em: 'vendorC_platform',
    llm_model_name: 'claude-opus-4.5',
    lines_added: 42,
    lines_deleted: 4,
    prompted_suggest_count: null,
    prompted_accept_count: null,
    prompt_count: null,
    session_count: null,
    active_seconds: null,
    tokens_input: null,
    tokens_output: null,
    cost_microcents: 75_000_000,
  },
];
const CLIENTS = (['proto', 'json'] as const).flatMap((encoding) =>
  (['none', 'gzip'] as const).flatMap((compression) =>
    (['delta', 'cumulative'] as const).map((temporality): Client => ({ encoding, compression, temporality })),
  ),
);

describe('the metrics of a real exporter', () => {
  test.each(CLIENTS)('in $encoding, $compression, $temporality give the same rows', async (client) => {
    await runMetrics(client);
    expect(await usages()).toEqual(EXPECTED);
  });

  test.each([CLIENTS[0]!, CLIENTS[7]!])(
    'are all there after a 503 and a restart ($encoding, $temporality)',
    async (client) => {
      const proxy = await startProxy({ failFirst: 2 });
      await runMetrics(client, USER, proxy.base);
      await runMetrics(client, { ...USER, 'session.id': 's-2' }, proxy.base);
      await proxy.close();
      expect(proxy.failed).toBe(2);
      const [decisions, model] = await usages();
      expect(decisions).toMatchObject({ session_count: 2, prompted_suggest_count: 8, prompted_accept_count: 6 });
      expect(model).toMatchObject({ lines_added: 84, cost_microcents: 150_000_000 });
    },
  );
});

describe('requests', () => {
  test('that are sent again, in any order, count once', async () => {
    for (const client of [CLIENTS[0]!, CLIENTS[1]!]) {
      const proxy = await startProxy({});
      await runMetrics(client);
      const once = await usages();
      for (const table of ['otlp_seen', 'otlp_sums', 'otlp_streams', 'otlp_due_days', 'ai_usages'])
        await app.store.pool.query(`delete from ${table}`);
      await runMetrics(client, USER, proxy.base);
      const sent = proxy.bodies;
      expect(sent.length).toBeGreaterThanOrEqual(2);
      for (const each of [...sent].toReversed().flatMap((body) => [body, body])) {
        expect((await post('metrics', each.body, each.headers)).status).toBe(200);
      }
      expect(await usages()).toEqual(once);
      await proxy.close();
      for (const table of ['otlp_seen', 'otlp_sums', 'otlp_streams', 'otlp_due_days', 'ai_usages'])
        await app.store.pool.query(`delete from ${table}`);
    }
  });

  test('with logs count cost and prompts by the logs and lines by the metrics', async () => {
    await runMetrics(CLIENTS[0]!);
    for (const encoding of ['proto', 'json'] as const) await runLogs({ ...CLIENTS[0]!, encoding });
    const [decisions, model] = await usages();
    expect(decisions).toMatchObject({ prompt_count: 2, session_count: 1 });
    // 0.10 dollars in the log of one request, sent by both encodings; the metrics' 0.75 are the same money again
    expect(model).toMatchObject({
      cost_microcents: 10_000_000,
      lines_added: 42,
      tokens_input: 1200,
      tokens_output: 80,
    });
    const { rows } = await app.store.pool.query('select sha, source_em, tool_em from ai_commit_claims');
    expect(rows).toEqual([{ sha: 'ab'.repeat(20), source_em: 'otlp_commit', tool_em: 'claude-code' }]);
  });

  test('keep secrets out of the database, whatever carries them', async () => {
    await runMetrics(CLIENTS[0]!);
    await runLogs(CLIENTS[0]!);
    await runLogs({ ...CLIENTS[0]!, encoding: 'json' });
    await usages();
    const folder = mkdtempSync(join(tmpdir(), 'strata-otlp-'));
    const file = join(folder, 'dump');
    await backup(app.store, file);
    const { gunzipSync } = await import('node:zlib');
    const bytes = readFileSync(file);
    const dump = bytes[0] === 0x1f ? gunzipSync(bytes) : bytes;
    expect(dump.includes('ada@example.com')).toBe(true);
    expect(dump.includes(SECRET)).toBe(false);
    expect(app.logged()).not.toContain(SECRET);
    rmSync(folder, { recursive: true });
  });
});

/** A process of Claude Code that logs two prompts, a request, a decision and a commit, with secrets wherever it can. */
async function runLogs(client: Client): Promise<void> {
  const config = configOf(client, 'logs');
  const exporter = client.encoding === 'proto' ? new ProtoLogExporter(config) : new JsonLogExporter(config);
  const provider = new LoggerProvider({
    resource: resourceFromAttributes({ 'service.name': 'claude-code' }),
    processors: [new BatchLogRecordProcessor({ exporter })],
  });
  const logger = provider.getLogger('com.anthropic.claude_code.events');
  const emit = (name: string, sequence: number, attributes: Record<string, string | number>) =>
    logger.emit({
      body: `claude_code.${name} ${SECRET}`,
      attributes: { ...USER, 'event.name': name, 'event.sequence': sequence, ...attributes },
    });
  emit('user_prompt', 1, { prompt: SECRET, prompt_length: 30 });
  emit('user_prompt', 2, { prompt: SECRET, 'prompt.id': 'p' });
  emit('api_request', 3, {
    model: 'claude-opus-4-5-20251101',
    cost_usd: 0.1,
    input_tokens: 1200,
    output_tokens: 80,
    request_id: 'req_1',
    output: SECRET,
  });
  emit('tool_result', 4, {
    tool_name: 'Bash',
    tool_input: SECRET,
    tool_parameters: SECRET,
    arguments: SECRET,
    'file.path': SECRET,
    git_commit_id: 'ab'.repeat(20),
  });
  await provider.forceFlush();
  await provider.shutdown();
}

describe('what is not right', () => {
  const metrics = (points: readonly object[], temporality: unknown = 1) => ({
    resourceMetrics: [
      {
        resource: { attributes: [{ key: 'service.name', value: { stringValue: 'claude-code' } }] },
        scopeMetrics: [
          {
            metrics: [
              {
                name: 'claude_code.lines_of_code.count',
                sum: { aggregationTemporality: temporality, dataPoints: points },
              },
            ],
          },
        ],
      },
    ],
  });
  const point = (agoMs: number, value: number) => ({
    attributes: [{ key: 'type', value: { stringValue: 'added' } }],
    startTimeUnixNano: `${Date.now() - agoMs - 1000}000000`,
    timeUnixNano: `${Date.now() - agoMs}000000`,
    asInt: String(value),
  });

  test('single points are rejected in a partial success', async () => {
    const late = [point(8 * 86_400_000, 7), point(8 * 86_400_000 + 1, 7), point(-7_200_000, 9)];
    const body = metrics([point(0, 5), ...late, point(0, -3), { ...point(0, 1), asInt: '9223372036854775807' }]);
    const answer = await post('metrics', Buffer.from(JSON.stringify(body)), { 'content-type': 'application/json' });
    expect(answer).toMatchObject({ status: 200, type: expect.stringMatching(/^application\/json/) });
    expect(JSON.parse(answer.text)).toEqual({
      partialSuccess: {
        rejectedDataPoints: '5',
        errorMessage: [
          'the time of a point lies more than 7 days back (2 times)',
          'the time of a point lies more than an hour ahead (1 time)',
          'claude_code.lines_of_code.count is -3; accepted is a number from 0 to 2147483647 (1 time)',
          'claude_code.lines_of_code.count is 9223372036854776000; accepted is a number from 0 to 2147483647 (1 time)',
        ].join('; '),
      },
    });
    expect(await usages()).toMatchObject([{ who: null, lines_added: 5 }]);
  });

  test('a temporality that is not said rejects its points', async () => {
    const body = metrics([point(0, 5)], 0);
    const { text } = await post('metrics', Buffer.from(JSON.stringify(body)), { 'content-type': 'application/json' });
    expect(JSON.parse(text).partialSuccess.rejectedDataPoints).toBe('1');
  });

  test('a smaller value of a cumulative stream is no reset, and another start is another stream', async () => {
    const at = Date.now();
    const stream = (start: number, after: number, value: number) => ({
      ...point(0, value),
      startTimeUnixNano: `${at - start}000000`,
      timeUnixNano: `${at - start + after}000000`,
    });
    const points = [stream(9000, 1000, 10), stream(9000, 2000, 4), stream(9000, 3000, 12), stream(5000, 1000, 3)];
    for (const each of [...points, ...points.toReversed()]) {
      await post('metrics', Buffer.from(JSON.stringify(metrics([each], 2))), { 'content-type': 'application/json' });
    }
    expect(await usages()).toMatchObject([{ lines_added: 15 }]);
  });

  test.each([
    ['no token', {}, 401, 16],
    ['another encoding', { authorization: 'ok', 'content-encoding': 'br' }, 415, 3],
    ['another type', { authorization: 'ok', 'content-type': 'text/plain' }, 415, 3],
    ['another charset', { authorization: 'ok', 'content-type': 'application/json; charset=latin1' }, 415, 3],
    ['no JSON', { authorization: 'ok' }, 400, 3],
    ['no gzip', { authorization: 'ok', 'content-encoding': 'gzip' }, 400, 3],
  ])('%s is refused as google.rpc.Status', async (_, headers, status, code) => {
    const { authorization, ...rest } = headers as Record<string, string>;
    const given = {
      'content-type': 'application/json',
      ...rest,
      ...(authorization === undefined ? { authorization: 'x' } : {}),
    };
    const answer = await post('logs', Buffer.from('nonsense'), given);
    expect(answer.status).toBe(status);
    if (given['content-type'] === 'application/json') expect(JSON.parse(answer.text).code).toBe(code);
  });

  test('JSON that is not UTF-8 is refused: people would become one', async () => {
    const who = { key: 'user.email', value: { stringValue: 'm\u00fcller@example.com' } };
    const ofPerson = JSON.stringify(metrics([{ ...point(0, 5), attributes: [...point(0, 5).attributes, who] }]));
    const answer = await post('metrics', Buffer.from(ofPerson, 'latin1'), { 'content-type': 'application/json' });
    expect([answer.status, JSON.parse(answer.text).message]).toEqual([
      400,
      expect.stringContaining('the body is not UTF-8'),
    ]);
    expect(await usages()).toEqual([]);
  });

  test('of more points than are written at once, each counts once', async () => {
    const points = Array.from({ length: 4_500 }, (_, n) => ({ ...point(n, 1), startTimeUnixNano: String(n) }));
    const body = gzipSync(JSON.stringify(metrics(points)));
    for (let time = 0; time < 2; time++) {
      const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
      expect((await post('metrics', body, headers)).status).toBe(200);
    }
    const days = await usages();
    expect(days.reduce((sum, { lines_added }) => sum + Number(lines_added), 0)).toBe(4_500);
  });

  test('a count pauses after each point, so that others get their turn', () => {
    const points = Array.from({ length: 50 }, () => point(0, 1));
    const body = Buffer.from(JSON.stringify(metrics(points)));
    expect([...countMetrics(decodeJsonMetrics(body), Date.now())].length).toBeGreaterThanOrEqual(50);
  });

  test('a message of more fields than can be read at a stretch is refused', async () => {
    const fields = gzipSync(Buffer.alloc(1_000_000, Buffer.from([0x10, 0x01])));
    const headers = { 'content-type': 'application/x-protobuf', 'content-encoding': 'gzip' };
    expect((await post('metrics', fields, headers)).status).toBe(400);
  });

  test.each([
    ['application/json', 7],
    ['application/x-protobuf', 21],
  ])('a body of %s that unpacks to %i MiB is refused', async (type, size) => {
    const huge = gzipSync(Buffer.alloc(size * 1024 * 1024, 0x20));
    expect((await post('logs', huge, { 'content-type': type, 'content-encoding': 'gzip' })).status).toBe(413);
  });

  test('traces are taken and dropped', async () => {
    expect((await post('traces', Buffer.from([1, 2, 3]), { 'content-type': 'application/x-protobuf' })).status).toBe(
      200,
    );
  });

  test('broken protobuf of any kind is refused or taken, never a fault', async () => {
    let seed = 7;
    const random = (below: number) => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
      return seed % below;
    };
    for (let time = 0; time < 200; time++) {
      const body = Buffer.from(Array.from({ length: random(60) }, () => random(256)));
      const { status } = await post(time % 2 ? 'logs' : 'metrics', body, { 'content-type': 'application/x-protobuf' });
      expect([200, 400]).toContain(status);
    }
  });
});

describe('an ingest token', () => {
  test('can do nothing else, and an API token cannot send telemetry', async () => {
    for (const route of ['GET /api_tokens', 'GET /ai_identities', 'GET /developers']) {
      expect((await app.request({ route, token })).status).toBe(401);
    }
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${app.tokens.admin}` };
    expect((await post('metrics', Buffer.from('{}'), headers)).status).toBe(401);
  });

  test('that is personal says whose use it is, whatever the telemetry names', async () => {
    const own = token;
    token = (await app.operations.ingestTokens.create(OPERATOR, { entity: 'acme', user_email: 'member@example.com' }))
      .token;
    await runMetrics(CLIENTS[0]!);
    token = own;
    await fold();
    const { rows } = await app.store.pool.query(
      `select distinct i.value from ai_usages u join ai_identities i on i.id = u.identity_id`,
    );
    expect(rows).toEqual([{ value: 'member@example.com' }]);
  });

  test('that is shared says nobody where the entity takes the word of personal tokens alone', async () => {
    const strict = await createTestApp();
    const { rows: entities } = await strict.store.pool.query(`select id from entities where slug = 'acme'`);
    await strict.store.pool.query(
      `insert into entity_settings (entity_id, key, value, updated_at) values ($1, 'ai_telemetry_people', '"personal_tokens"', now())`,
      [entities[0].id],
    );
    const made = await strict.operations.ingestTokens.create(OPERATOR, { entity: 'acme' });
    const own = await strict.operations.ingestTokens.create(OPERATOR, {
      entity: 'acme',
      user_email: 'member@example.com',
    });
    const at = `${Date.now() - 60_000}000000`;
    const text = (key: string, stringValue: string) => ({ key, value: { stringValue } });
    const body = (session: string) =>
      JSON.stringify({
        resourceMetrics: [
          {
            resource: { attributes: [text('service.name', 'claude-code')] },
            scopeMetrics: [
              {
                metrics: [
                  {
                    name: 'claude_code.lines_of_code.count',
                    sum: {
                      aggregationTemporality: 1,
                      isMonotonic: true,
                      dataPoints: [
                        {
                          startTimeUnixNano: at,
                          timeUnixNano: at,
                          asInt: '7',
                          attributes: [
                            text('type', 'added'),
                            text('user.email', 'somebody-else@example.com'),
                            text('session.id', session),
                          ],
                        },
                      ],
                    },
                  },
                ],
              },
            ],
          },
        ],
      });
    for (const [holder, session] of [
      [made, 'one'],
      [own, 'two'],
    ] as const) {
      const answer = await strict.server.inject({
        method: 'POST',
        url: '/api/v1/otlp/v1/metrics',
        headers: { authorization: `Bearer ${holder.token}`, 'content-type': 'application/json' },
        payload: body(session),
      });
      expect(answer.statusCode).toBe(200);
    }
    const { rows } = await strict.store.pool.query(
      'select identity_kind_em as kind, identity_value as value from otlp_sums order by 2',
    );
    expect(rows).toEqual([
      { kind: '', value: '' },
      { kind: 'email', value: 'member@example.com' },
    ]);
  });

  test('that is revoked sends nothing any more', async () => {
    const made = await app.operations.ingestTokens.create(OPERATOR, { entity: 'acme' });
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${made.token}` };
    expect((await post('metrics', Buffer.from('{}'), headers)).status).toBe(200);
    await app.operations.ingestTokens.revoke(OPERATOR, made.id);
    expect((await post('metrics', Buffer.from('{}'), headers)).status).toBe(401);
  });

  test('that is wrong is told so, and a header that is missing too', async () => {
    const made = await app.operations.ingestTokens.create(OPERATOR, { entity: 'acme' });
    await app.operations.ingestTokens.revoke(OPERATOR, made.id);
    const unknown = `strata_ingest_${'x'.repeat(43)}`;
    const messageFor = async (authorization: string): Promise<string> => {
      const answer = await post('metrics', Buffer.from('{}'), { 'content-type': 'application/json', authorization });
      expect(answer.status).toBe(401);
      return JSON.parse(answer.text).message;
    };
    for (const secret of [made.token, unknown, app.tokens.admin]) {
      expect(await messageFor(`Bearer ${secret}`)).toMatch(
        /^the token is unknown, revoked or expired, or is none that sends telemetry; expected Authorization: Bearer </,
      );
    }
    for (const none of ['', 'Basic eDp5']) {
      expect(await messageFor(none)).toMatch(/^expected the header Authorization: Bearer </);
    }
  });
});

test('a bucket of rows that is used up asks to come again', async () => {
  const small = await createTestApp({ settings: { otlp_rows_per_minute: 2 } });
  const made = await small.operations.ingestTokens.create(OPERATOR, { entity: 'acme' });
  const body = JSON.stringify({ resourceLogs: [{ scopeLogs: [{ logRecords: [{}, {}, {}] }] }] });
  const answer = await small.server.inject({
    method: 'POST',
    url: '/api/v1/otlp/v1/logs',
    headers: { authorization: `Bearer ${made.token}`, 'content-type': 'application/json' },
    payload: body,
  });
  expect([answer.statusCode, Number(answer.headers['retry-after']) > 0]).toEqual([429, true]);
});

test('a database that is away is a 503, after which clients send again', async () => {
  const away = await createTestApp();
  const made = await away.operations.ingestTokens.create(OPERATOR, { entity: 'acme' });
  await away.store.pool.query('alter table otlp_seen rename to gone');
  const record = {
    attributes: [{ key: 'event.name', value: { stringValue: 'claude_code.user_prompt' } }],
    timeUnixNano: `${Date.now()}000000`,
  };
  const answer = await away.server.inject({
    method: 'POST',
    url: '/api/v1/otlp/v1/logs',
    headers: { authorization: `Bearer ${made.token}`, 'content-type': 'application/json' },
    payload: JSON.stringify({ resourceLogs: [{ scopeLogs: [{ logRecords: [record] }] }] }),
  });
  expect([answer.statusCode, answer.headers['retry-after'], answer.json().code]).toEqual([503, '5', 14]);
});

async function post(signal: string, body: Buffer, headers: Record<string, string>) {
  const answer = await fetch(`${base}/${signal}`, {
    method: 'POST',
    body: new Uint8Array(body),
    headers: { authorization: `Bearer ${token}`, ...headers },
  });
  return { status: answer.status, type: answer.headers.get('content-type'), text: await answer.text() };
}

interface Proxy {
  readonly base: string;
  readonly bodies: { readonly body: Buffer; readonly headers: Record<string, string> }[];
  readonly failed: number;
  close(): Promise<void>;
}
const proxies: HttpServer[] = [];
afterAll(() => {
  for (const proxy of proxies) proxy.close();
});

/** Stands before the service: answers the first requests with 503, keeps what it passed on. */
async function startProxy({ failFirst = 0 }: { failFirst?: number }): Promise<Proxy> {
  const bodies: { body: Buffer; headers: Record<string, string> }[] = [];
  let failed = 0;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks);
      const names = ['content-type', 'content-encoding', 'authorization'];
      const headers = Object.fromEntries(
        names.flatMap((name) => (request.headers[name] === undefined ? [] : [[name, String(request.headers[name])]])),
      );
      const isFailed = failed < failFirst;
      if (!isFailed) bodies.push({ body, headers });
      else failed += 1;
      const url = `${base}${(request.url ?? '').replace(/^\/v1/, '')}`;
      // A failed one is passed on too, as when only the answer was lost: the retry must not count again.
      const forward = httpRequest(
        url,
        { method: 'POST', headers: { ...headers, 'content-length': body.length } },
        (answer) => {
          answer.resume();
          answer.on('end', () => response.writeHead(isFailed ? 503 : (answer.statusCode ?? 500)).end());
        },
      );
      forward.end(body);
    });
  });
  proxies.push(server);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    base: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    bodies,
    get failed() {
      return failed;
    },
    close: () => new Promise((done) => void server.close(() => done())),
  };
}
