// Calls for the fuzz beyond the endpoint table: telemetry, webhooks, the pages of surveys, and whatever is served without
// a token. Bodies begin as what a client sends and are changed in one place, in JSON as in bytes.
import { createHmac } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { RESPONSE_PAGE } from '../../src/domain/surveys/link.ts';
import { type Draw, extreme, pick, STRINGS } from './fuzz-calls.ts';

export interface RawCall {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly payload?: string | Buffer;
}

/** What gets a call past the door. */
export interface RawAccess {
  readonly ingestToken: string;
  readonly hook: { readonly path: string; readonly secret: string };
  readonly surveyToken: string;
}

const text = (key: string, value: string) => ({ key, value: { stringValue: value } });
const WHO = [text('user.email', 'ada@example.com'), text('session.id', 's-1')];
const RESOURCE = { attributes: [text('service.name', 'claude-code')] };
const STARTED = '1791190800000000000';
const POINT = {
  attributes: [...WHO, text('type', 'added')],
  startTimeUnixNano: STARTED,
  timeUnixNano: '1791190860000000001',
};
const SUM = { aggregationTemporality: 1, isMonotonic: true, dataPoints: [{ ...POINT, asDouble: 12 }] };
const LOG = {
  timeUnixNano: STARTED,
  attributes: [...WHO, text('event.name', 'api_request'), { key: 'cost_usd', value: { doubleValue: 0.01 } }],
};
const TELEMETRY: readonly unknown[] = [
  {
    resourceMetrics: [
      { resource: RESOURCE, scopeMetrics: [{ metrics: [{ name: 'claude_code.lines_of_code.count', sum: SUM }] }] },
    ],
  },
  { resourceLogs: [{ resource: RESOURCE, scopeLogs: [{ logRecords: [LOG] }] }] },
];
const DELIVERY = {
  action: 'opened',
  repository: { id: 1, full_name: 'o/r' },
  organization: { id: 2 },
  pull_request: { number: 3 },
  issue: { number: 4, pull_request: {} },
};

/** The same value with one part, however deep, replaced. */
function changed(draw: Draw, value: unknown, depth = 0): unknown {
  if (typeof value !== 'object' || value === null || (depth > 0 && draw(6) === 0)) return extreme(draw);
  if (Array.isArray(value)) {
    if (value.length === 0 || draw(8) === 0) return Array(1 + draw(500)).fill(value[0] ?? 1);
    const at = draw(value.length);
    return value.map((item: unknown, index) => (index === at ? changed(draw, item, depth + 1) : item));
  }
  const name = pick(draw, Object.keys(value));
  return { ...value, [name]: changed(draw, Object.entries(value).find(([key]) => key === name)?.[1], depth + 1) };
}

const lengthOf = (bytes: Buffer): Buffer =>
  bytes.length < 128 ? Buffer.from([bytes.length]) : Buffer.from([(bytes.length & 127) | 128, bytes.length >> 7]);
const message = (field: number, ...parts: readonly (Buffer | string)[]): Buffer => {
  const bytes = Buffer.concat(parts.map((part) => Buffer.from(part)));
  return Buffer.concat([Buffer.from([(field << 3) | 2]), lengthOf(bytes), bytes]);
};
const fixed = (field: number, write: (bytes: Buffer) => void): Buffer => {
  const bytes = Buffer.alloc(8);
  write(bytes);
  return Buffer.concat([Buffer.from([(field << 3) | 1]), bytes]);
};
const attribute = (field: number, key: string, value: string): Buffer =>
  message(field, message(1, key), message(2, message(1, value)));
const WIRE_POINT = [
  ...WHO.map(({ key, value }) => attribute(7, key, value.stringValue)),
  attribute(7, 'type', 'added'),
  fixed(2, (bytes) => bytes.writeBigUInt64LE(BigInt(STARTED))),
  fixed(3, (bytes) => bytes.writeBigUInt64LE(1_791_190_860_000_000_001n)),
  fixed(4, (bytes) => bytes.writeDoubleLE(12)),
];
const WIRE_SUM = message(7, message(1, ...WIRE_POINT), Buffer.from([2 << 3, 1]));
/** The metrics of TELEMETRY as protobuf. */
const WIRE_METRICS = message(
  1,
  message(1, attribute(1, 'service.name', 'claude-code')),
  message(2, message(2, message(1, 'claude_code.lines_of_code.count'), WIRE_SUM)),
);

function changedBytes(draw: Draw, bytes: Buffer): Buffer {
  const at = draw(bytes.length);
  const kind = draw(5);
  if (kind === 0) return bytes.subarray(0, at);
  if (kind === 1) return Buffer.concat(Array.from({ length: 1 + draw(400) }, () => bytes));
  if (kind === 2) return Buffer.concat([bytes.subarray(0, at), Buffer.alloc(1 + draw(20), 0xff), bytes.subarray(at)]);
  const copy = Buffer.from(bytes);
  for (let flips = 1 + draw(4); flips > 0; flips--) copy[draw(copy.length)] = draw(256);
  return copy;
}

function drawTelemetry(draw: Draw, { ingestToken }: RawAccess): RawCall {
  const isJson = draw(2) === 0;
  const whole = isJson
    ? Buffer.from(JSON.stringify(drawOf(draw, pick(draw, TELEMETRY))))
    : drawBytes(draw, WIRE_METRICS);
  const encoding = pick(draw, ['identity', 'identity', 'gzip', 'gzip', 'br'] as const);
  const packed = encoding === 'gzip' ? gzipSync(whole) : whole;
  const type = pick(draw, [
    ...Array(8).fill(isJson ? 'application/json' : 'application/x-protobuf'),
    'text/plain',
    'x',
  ]);
  return {
    method: 'POST',
    url: `/api/v1/otlp/v1/${pick(draw, ['metrics', 'logs', 'traces'])}`,
    headers: {
      authorization: `Bearer ${draw(12) === 0 ? 'strata_wrong' : ingestToken}`,
      'content-type': String(type),
      ...(encoding === 'identity' ? {} : { 'content-encoding': encoding }),
    },
    payload: draw(10) === 0 && packed.length > 0 ? changedBytes(draw, packed) : packed,
  };
}

const drawOf = (draw: Draw, value: unknown): unknown => (draw(5) === 0 ? value : changed(draw, value));
const drawBytes = (draw: Draw, bytes: Buffer): Buffer => (draw(5) === 0 ? bytes : changedBytes(draw, bytes));

const EVENTS = ['push', 'pull_request', 'issues', 'issue_comment', 'team', 'ping', 'constructor', '__proto__'];

function drawDelivery(draw: Draw, { hook }: RawAccess): RawCall {
  const bytes = Buffer.from(JSON.stringify(drawOf(draw, DELIVERY)));
  const payload = draw(6) === 0 ? changedBytes(draw, bytes) : bytes;
  const signature = createHmac('sha256', hook.secret).update(payload).digest('hex');
  const part =
    draw(5) === 0
      ? encodeURIComponent(`1-${pick(draw, ['\0', wellFormed(pick(draw, STRINGS)).slice(0, 80)])}`)
      : hook.path;
  return {
    method: 'POST',
    url: `/hooks/${draw(8) === 0 ? pick(draw, ['constructor', 'hostA', '__proto__', '%00']) : 'hostC'}/${part}`,
    headers: {
      'content-type': pick(draw, ['application/json', 'application/x-www-form-urlencoded', 'x']),
      'x-hub-signature-256': draw(8) === 0 ? 'sha256=00' : `sha256=${signature}`,
      'x-github-event': pick(draw, EVENTS),
      ...(draw(6) === 0 ? {} : { 'x-github-delivery': pick(draw, ['1', 'x'.repeat(4_000), `d${draw(1e9)}`]) }),
    },
    payload,
  };
}

const wellFormed = (value: string): string => value.replace(/\p{Surrogate}/gu, '?');
const field = (name: string, value: unknown): string =>
  `${encodeURIComponent(name)}=${encodeURIComponent(wellFormed(typeof value === 'string' ? value : (JSON.stringify(value) ?? '')))}`;

function drawSurveyPage(draw: Draw, { surveyToken }: RawAccess): RawCall {
  const token = draw(3) === 0 ? extreme(draw) : surveyToken;
  const names = ['answers', 'answers[0][question_id]', 'answers[0][value]', 'answers[9]', 'identifier', 'x'];
  const fields = [
    field('token', token),
    ...names.filter(() => draw(2) === 0).map((name) => field(name, extreme(draw))),
  ];
  const encoded = fields.join('&');
  if (draw(2) === 0) return { method: 'GET', url: `${RESPONSE_PAGE}?${encoded.slice(0, 16_000)}`, headers: {} };
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  return { method: 'POST', url: pick(draw, [RESPONSE_PAGE, '/surveys/link']), headers, payload: encoded };
}

const PUBLIC = [
  '/',
  '/sign-in',
  '/sign-in/x',
  '/invitation',
  '/e/acme',
  '/docs',
  '/docs/static/x',
  '/metrics',
  '/healthz',
];

function drawPage(draw: Draw): RawCall {
  const page = pick(draw, [...PUBLIC, '/readyz', '/api/v1/openapi.json', '/assets', '/api/v1', '/nothing']);
  const rest = draw(2) === 0 ? '' : `/${encodeURIComponent(wellFormed(pick(draw, STRINGS)).slice(0, 2_000))}`;
  const query =
    draw(2) === 0 ? '' : `?${pick(draw, ['%', 'a[b', 'a=%zz', 'x'.repeat(20_000), '&&&=', '__proto__[x]=1'])}`;
  const headers =
    draw(3) === 0 ? { [pick(draw, ['accept', 'cookie', 'if-none-match', 'origin'])]: 'x'.repeat(draw(5_000)) } : {};
  return { method: 'GET', url: `${page}${rest}${query}`, headers };
}

const KINDS = [drawTelemetry, drawTelemetry, drawDelivery, drawSurveyPage, drawPage] as const;

export const drawRawCall = (draw: Draw, access: RawAccess): RawCall => pick(draw, KINDS)(draw, access);
