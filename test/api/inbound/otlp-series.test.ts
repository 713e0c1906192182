// Series of telemetry: points that differ in any attribute are not retries of each other, whether it is kept or not; and
// the same points are, in either encoding. What a former version counted does not count again after an upgrade.
import type { AddressInfo } from 'node:net';
import type { Attributes } from '@opentelemetry/api';
import { OTLPLogExporter as JsonLogExporter } from '@opentelemetry/exporter-logs-otlp-http';
import { OTLPLogExporter as ProtoLogExporter } from '@opentelemetry/exporter-logs-otlp-proto';
import { OTLPMetricExporter as JsonMetricExporter } from '@opentelemetry/exporter-metrics-otlp-http';
import { OTLPMetricExporter as ProtoMetricExporter } from '@opentelemetry/exporter-metrics-otlp-proto';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BatchLogRecordProcessor, LoggerProvider } from '@opentelemetry/sdk-logs';
import {
  AggregationTemporality,
  MeterProvider,
  PeriodicExportingMetricReader,
  type PushMetricExporter,
  type ResourceMetrics,
} from '@opentelemetry/sdk-metrics';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { countMetrics } from '../../../src/ingest/otlp/count-points.ts';
import { decodeJsonMetrics } from '../../../src/ingest/otlp/decode-json.ts';
import { TASKS } from '../../../src/jobs/tasks.ts';
import { silentLog } from '../../../src/kit/log.ts';
import { OPERATOR } from '../../../src/operations/index.ts';
import { seedEntityId } from '../../operations/seed-records.ts';
import { createTestApp, type TestApp } from '../../support/app.ts';

let app: TestApp;
let base: string;
let entityId: number;
let headers: { authorization: string };

beforeAll(async () => {
  app = await createTestApp();
  entityId = await seedEntityId(app.store, 'acme');
  await app.server.listen({ host: '127.0.0.1', port: 0 });
  base = `http://127.0.0.1:${(app.server.server.address() as AddressInfo).port}/api/v1/otlp/v1`;
  const { token } = await app.operations.ingestTokens.create(OPERATOR, { entity: 'acme' });
  headers = { authorization: `Bearer ${token}` };
});

beforeEach(async () => {
  for (const table of ['otlp_seen', 'otlp_sums', 'otlp_streams', 'otlp_due_days', 'ai_usages']) {
    await app.store.pool.query(`delete from ${table}`);
  }
});

const usage = async (): Promise<Record<string, number>> => {
  await TASKS.fold_telemetry.run(
    { entity_id: entityId },
    { log: silentLog } as Parameters<typeof TASKS.fold_telemetry.run>[1],
    { store: app.store, now: () => new Date() } as Parameters<typeof TASKS.fold_telemetry.run>[2],
  );
  const { rows } = await app.store.pool.query(
    `select sum(lines_added)::int as lines, sum(prompted_suggest_count)::int as suggested,
       sum(tokens_input)::int as tokens from ai_usages`,
  );
  return rows[0];
};

type Temporality = 'delta' | 'cumulative';
const ENCODINGS = ['proto', 'json'] as const;
const TEMPORALITIES: readonly Temporality[] = ['delta', 'cumulative'];
const KINDS = ENCODINGS.flatMap((encoding) => TEMPORALITIES.map((temporality) => ({ encoding, temporality })));

const exporterOf = (encoding: 'proto' | 'json', temporality: Temporality): PushMetricExporter => {
  const temporalityPreference =
    temporality === 'delta' ? AggregationTemporality.DELTA : AggregationTemporality.CUMULATIVE;
  const config = { url: `${base}/metrics`, headers, temporalityPreference };
  return encoding === 'proto' ? new ProtoMetricExporter(config) : new JsonMetricExporter(config);
};

interface Process {
  add(name: string, value: number, attributes: Attributes, scope?: string): void;
  collect(): Promise<ResourceMetrics>;
}

/** A tool that runs: what it counts is collected and sent when a test wants it. */
function startTool(service: string, temporality: Temporality, resource: Attributes = {}): Process {
  const reader = new PeriodicExportingMetricReader({
    exporter: exporterOf('json', temporality),
    exportIntervalMillis: 3_600_000,
  });
  const provider = new MeterProvider({
    resource: resourceFromAttributes({ 'service.name': service, 'session.id': 's', ...resource }),
    readers: [reader],
  });
  return {
    add: (name, value, attributes, scope = 'tool') =>
      provider.getMeter(scope).createCounter(name).add(value, attributes),
    collect: async () => (await reader.collect()).resourceMetrics,
  };
}

const send = (metrics: ResourceMetrics, encoding: 'proto' | 'json', temporality: Temporality): Promise<void> =>
  new Promise((done, fail) => {
    exporterOf(encoding, temporality).export(metrics, ({ code, error }) => (code === 0 ? done() : fail(error)));
  });

const DECISION = 'claude_code.code_edit_tool.decision';
const LINES = 'claude_code.lines_of_code.count';
const accepted = (more: Attributes): Attributes => ({ tool_name: 'Edit', decision: 'accept', ...more });

describe('points of series that differ in an attribute which is not kept', () => {
  test.each(KINDS)('all count: $encoding, $temporality', async ({ encoding, temporality }) => {
    const tool = startTool('claude-code', temporality);
    for (const language of ['TypeScript', 'Python', 'Go']) tool.add(DECISION, 1, accepted({ language }));
    for (const version of [1, 2]) tool.add(LINES, 10, { type: 'added', 'app.version': version });
    for (const scope of ['one', 'two']) tool.add(LINES, 100, { type: 'added' }, scope);
    for (const tags of [['a'], ['a', 'b']]) tool.add(LINES, 1000, { type: 'added', tags });
    for (const model of ['x'.repeat(400), 'y'.repeat(400)]) tool.add(LINES, 10_000, { type: 'added', model });
    const metrics = await tool.collect();
    await send(metrics, encoding, temporality);
    expect(await usage()).toMatchObject({ suggested: 3, lines: 22_220 });
    await send(metrics, encoding, temporality);
    expect(await usage()).toMatchObject({ suggested: 3, lines: 22_220 });
  });

  test.each(TEMPORALITIES)('are the same in both encodings and in any order: %s', async (temporality) => {
    const tool = startTool('copilot-chat', temporality, { 'host.name': 'h', 'process.pid': 7 });
    const tokens = { 'gen_ai.token.type': 'input', tags: ['a', 'b'], share: 0.5, flag: true };
    for (const operation of ['chat', 'edit']) {
      tool.add('gen_ai.client.token.usage', 600, { ...tokens, 'gen_ai.operation.name': operation });
    }
    const metrics = await tool.collect();
    for (const encoding of ENCODINGS) await send(metrics, encoding, temporality);
    expect(await usage()).toMatchObject({ tokens: 1200 });
    for (const { metrics: each } of metrics.scopeMetrics) {
      for (const { dataPoints } of each) {
        for (const point of dataPoints) {
          Object.assign(point, { attributes: Object.fromEntries(Object.entries(point.attributes).toReversed()) });
        }
      }
    }
    for (const encoding of ENCODINGS) await send(metrics, encoding, temporality);
    expect(await usage()).toMatchObject({ tokens: 1200 });
  });

  test('are of different processes where only the resource says so', async () => {
    const at = Date.now();
    for (const pid of [1, 2]) await post(body(at, 5, { resource: { 'process.pid': String(pid) } }));
    expect(await usage()).toMatchObject({ lines: 10 });
  });

  test('nest no deeper than can be read', async () => {
    const nested = JSON.stringify(body(Date.now(), 5, {})).replace(
      '"dataPoints":[{"attributes":[',
      `"dataPoints":[{"attributes":[{"key":"deep","value":${deepText(20_000)}},`,
    );
    expect((await postText(nested)).status).toBe(200);
    expect(await usage()).toMatchObject({ lines: 5 });
  });
});

const deepText = (depth: number): string =>
  `${'{"arrayValue":{"values":['.repeat(depth)}{"stringValue":"x"}${']}}'.repeat(depth)}`;

test.each(ENCODINGS)('log records of one moment that differ in an attribute all count: %s', async (encoding) => {
  const config = { url: `${base}/logs`, headers };
  const exporter = encoding === 'proto' ? new ProtoLogExporter(config) : new JsonLogExporter(config);
  const provider = new LoggerProvider({
    resource: resourceFromAttributes({ 'service.name': 'codex_cli_rs' }),
    processors: [new BatchLogRecordProcessor({ exporter })],
  });
  const timestamp = Date.now();
  for (const call_id of ['a', 'b', 'b']) {
    provider.getLogger('codex').emit({
      timestamp,
      attributes: { 'event.name': 'codex.tool_decision', tool_name: 'apply_patch', decision: 'approved', call_id },
    });
  }
  await provider.forceFlush();
  await provider.shutdown();
  expect(await usage()).toMatchObject({ suggested: 2 });
});

const attributesOf = (values: Readonly<Record<string, string>>) =>
  Object.entries(values).map(([key, stringValue]) => ({ key, value: { stringValue } }));

/** One export of Claude Code, at a time, with a point of each language. */
function body(
  at: number,
  value: number,
  more: { resource?: Record<string, string>; languages?: readonly string[]; temporality?: 1 | 2; start?: number },
): object {
  const { resource = {}, languages = ['ts'], temporality = 1, start = at - 1000 } = more;
  const dataPoints = languages.map((language, index) => ({
    attributes: attributesOf({ type: 'added', language }),
    startTimeUnixNano: `${start}000000`,
    timeUnixNano: `${at}000000`,
    asInt: String(temporality === 1 ? value : value - index),
  }));
  const metrics = [{ name: LINES, sum: { aggregationTemporality: temporality, dataPoints } }];
  const attributes = attributesOf({ 'service.name': 'claude-code', 'session.id': 's', ...resource });
  return { resourceMetrics: [{ resource: { attributes }, scopeMetrics: [{ metrics }] }] };
}

const postText = (text: string) =>
  fetch(`${base}/metrics`, { method: 'POST', body: text, headers: { ...headers, 'content-type': 'application/json' } });
const post = async (content: object): Promise<void> =>
  expect((await postText(JSON.stringify(content))).status).toBe(200);

describe('after an upgrade from a version that told series apart by kept attributes alone', () => {
  /** What that version would have stored of a request. */
  async function storeAsBefore(content: object): Promise<void> {
    await post(content);
    const counting = countMetrics(decodeJsonMetrics(Buffer.from(JSON.stringify(content))), Date.now());
    let step = counting.next();
    while (step.done !== true) step = counting.next();
    const { points, streams } = step.value;
    for (const [table, column, known] of [
      ['otlp_seen', 'point_hash', points.map(({ hash, former_hash }) => [hash, former_hash])],
      ['otlp_streams', 'stream_hash', streams.map(({ stream_hash, former_hash }) => [stream_hash, former_hash])],
    ] as const) {
      for (const [hash, former] of known) {
        await app.store.pool.query(`update ${table} set ${column} = $2 where ${column} = $1`, [hash, former]);
      }
    }
  }

  test('a counter that runs on counts what it grew by, and one that starts anew all of it', async () => {
    const start = Date.now() - 60_000;
    await storeAsBefore(body(start + 1000, 100, { temporality: 2, start }));
    await post(body(start + 2000, 130, { temporality: 2, start, languages: ['ts', 'py'] }));
    expect(await usage()).toMatchObject({ lines: 130 });
    await post(body(start + 3000, 50, { temporality: 2, start: start + 2500, languages: ['ts', 'py'] }));
    expect(await usage()).toMatchObject({ lines: 130 + 50 + 49 });
  });

  test('a request whose answer was lost meanwhile counts once', async () => {
    const at = Date.now();
    await storeAsBefore(body(at, 7, {}));
    await post(body(at, 7, {}));
    expect(await usage()).toMatchObject({ lines: 7 });
    await post(body(at + 1, 7, { languages: ['ts', 'py'] }));
    expect(await usage()).toMatchObject({ lines: 21 });
  });
});

test('advice about cumulative counters says of how many people they are', async () => {
  const grant = await app.operations.access.enterEntity(OPERATOR, 'acme', 'manager');
  for (const [count, people] of [
    [1, '1 person'],
    [2, '2 people'],
  ] as const) {
    await post(body(Date.now(), 3, { temporality: 2, resource: { 'user.email': `${count}@example.com` } }));
    const { telemetry } = await app.operations.aiIdentities.listSources(grant);
    expect(telemetry[0]!.advice).toContain(`cumulative counters of ${people}; `);
  }
});
