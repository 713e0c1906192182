// Export requests in JSON: lowerCamelCase names, 64-bit numbers as text or number, integer enums. Unknown keys are
// ignored, and bodies of log records are not looked at.
import { decodeUtf8 } from '../../kit/text/utf8.ts';
import { type AttributesDigest, digestOf, scopeDigestOf, VALUE_TEXT } from './attributes-digest.ts';
import { temporalityOf } from './decode-protobuf.ts';
import {
  type Attributes,
  type AttributeValue,
  addAttribute,
  type LogRecord,
  MalformedTelemetry,
  type Metric,
  type MetricPoint,
  type ResourceLogs,
  type ResourceMetrics,
} from './model.ts';

type Json = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function objectsOf(parent: Json, name: string): Json[] {
  const value = parent[name];
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value) || !value.every(isObject)) throw new MalformedTelemetry(`${name} is not a list of objects`);
  return value;
}

const objectOf = (parent: Json, name: string): Json => {
  const value = parent[name];
  return isObject(value) ? value : {};
};

/** A clock in nanoseconds: text where a number would lose digits. */
function nanosOf(value: unknown, name: string): string {
  if (value === undefined || value === null) return '0';
  if (typeof value === 'string' && /^\d{1,20}$/.test(value)) return value;
  if (typeof value === 'number' && Number.isFinite(value) && value >= 0) return BigInt(Math.round(value)).toString();
  throw new MalformedTelemetry(`${name} is not a time in nanoseconds`);
}

/** Null where there is nothing; NaN for what is no number, so that whoever counts can say so. */
function numberOf(value: unknown): number | null {
  if (value === undefined || value === null) return null;
  if (typeof value === 'number') return value;
  return typeof value === 'string' && value.trim() !== '' ? Number(value) : Number.NaN;
}

function anyValue(value: Json): AttributeValue | null {
  if (typeof value.stringValue === 'string') return value.stringValue;
  if (typeof value.boolValue === 'boolean') return value.boolValue;
  return numberOf(value.intValue) ?? numberOf(value.doubleValue);
}

function attributesOf(parent: Json): Attributes {
  const attributes: Record<string, AttributeValue> = {};
  for (const each of objectsOf(parent, 'attributes')) {
    if (typeof each.key === 'string') addAttribute(attributes, each.key, anyValue(objectOf(each, 'value')));
  }
  return attributes;
}

/** As the digest has them; what is malformed in values that nothing else reads is left out. */
function* pairsOf(parent: Json, name: string, depth: number): Generator<[string, string]> {
  for (const each of listOf(parent, name)) {
    if (typeof each.key === 'string') yield [each.key, textOf(objectOf(each, 'value'), depth)];
  }
}

const listOf = (parent: Json, name: string): Json[] => {
  const value = parent[name];
  return Array.isArray(value) ? value.filter(isObject) : [];
};

function textOf(value: Json, depth: number): string {
  if (typeof value.stringValue === 'string') return VALUE_TEXT.text(value.stringValue);
  if (typeof value.boolValue === 'boolean') return VALUE_TEXT.bool(value.boolValue);
  if (isInteger(value.intValue)) return VALUE_TEXT.int(BigInt(value.intValue));
  const double = numberOf(value.doubleValue);
  if (double !== null) return VALUE_TEXT.double(double);
  if (isObject(value.arrayValue)) {
    const { arrayValue } = value;
    return VALUE_TEXT.list(depth, () => listOf(arrayValue, 'values').map((each) => textOf(each, depth + 1)));
  }
  if (isObject(value.kvlistValue)) {
    const { kvlistValue } = value;
    return VALUE_TEXT.map(depth, () => pairsOf(kvlistValue, 'values', depth + 1));
  }
  return typeof value.bytesValue === 'string'
    ? VALUE_TEXT.bytes(Buffer.from(value.bytesValue, 'base64'))
    : VALUE_TEXT.none;
}

const isInteger = (value: unknown): value is string | number =>
  typeof value === 'number' ? Number.isInteger(value) : typeof value === 'string' && /^-?\d{1,20}$/.test(value);

const digestIn = (parent: Json): AttributesDigest => digestOf(() => pairsOf(parent, 'attributes', 0));

const scopeDigestIn = (scoped: Json): AttributesDigest =>
  scopeDigestOf(() => {
    const scope = objectOf(scoped, 'scope');
    return { name: wordOf(scope.name), version: wordOf(scope.version), attributes: pairsOf(scope, 'attributes', 1) };
  });

const wordOf = (value: unknown): string => (typeof value === 'string' ? value : '');

function readRoot(bytes: Uint8Array): Json {
  const text = decodeUtf8(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  if (text === null) throw new MalformedTelemetry('the body is not UTF-8');
  let root: unknown;
  try {
    root = JSON.parse(text);
  } catch {
    throw new MalformedTelemetry('the body is not JSON');
  }
  if (!isObject(root)) throw new MalformedTelemetry('the body is not a JSON object');
  return root;
}

const KINDS = ['sum', 'gauge', 'histogram', 'exponentialHistogram'] as const;

function readMetric(metric: Json, scopeDigest: AttributesDigest): Metric {
  const kind = KINDS.find((name) => isObject(metric[name]));
  const data = kind === undefined ? {} : objectOf(metric, kind);
  return {
    name: wordOf(metric.name),
    scopeDigest,
    temporality: temporalityOf(readTemporality(data.aggregationTemporality)),
    points: pointsOf(data),
  };
}

function* pointsOf(data: Json): Generator<MetricPoint, void, undefined> {
  for (const point of objectsOf(data, 'dataPoints')) {
    yield {
      attributes: attributesOf(point),
      digest: digestIn(point),
      startNanos: nanosOf(point.startTimeUnixNano, 'startTimeUnixNano'),
      timeNanos: nanosOf(point.timeUnixNano, 'timeUnixNano'),
      value: numberOf(point.asDouble) ?? numberOf(point.asInt) ?? numberOf(point.sum) ?? 0,
    };
  }
}

const NAMED_TEMPORALITIES: Readonly<Record<string, number>> = {
  AGGREGATION_TEMPORALITY_DELTA: 1,
  AGGREGATION_TEMPORALITY_CUMULATIVE: 2,
};

const readTemporality = (value: unknown): number =>
  typeof value === 'string' ? (NAMED_TEMPORALITIES[value] ?? numberOf(value) ?? 0) : (numberOf(value) ?? 0);

export function* decodeJsonMetrics(bytes: Uint8Array): Generator<ResourceMetrics, void, undefined> {
  for (const each of objectsOf(readRoot(bytes), 'resourceMetrics')) {
    const resource = objectOf(each, 'resource');
    yield {
      resource: attributesOf(resource),
      digest: digestIn(resource),
      metrics: partsOf(each, 'scopeMetrics', 'metrics', readMetric),
    };
  }
}

export function* decodeJsonLogs(bytes: Uint8Array): Generator<ResourceLogs, void, undefined> {
  for (const each of objectsOf(readRoot(bytes), 'resourceLogs')) {
    const resource = objectOf(each, 'resource');
    yield {
      resource: attributesOf(resource),
      digest: digestIn(resource),
      records: partsOf(each, 'scopeLogs', 'logRecords', readRecord),
    };
  }
}

/** The metrics or records of all scopes. */
function* partsOf<T>(
  of: Json,
  scopes: string,
  parts: string,
  read: (part: Json, scopeDigest: AttributesDigest) => T,
): Generator<T, void, undefined> {
  for (const scoped of objectsOf(of, scopes)) {
    const scopeDigest = scopeDigestIn(scoped);
    for (const part of objectsOf(scoped, parts)) yield read(part, scopeDigest);
  }
}

function readRecord(record: Json): LogRecord {
  const timeNanos = nanosOf(record.timeUnixNano, 'timeUnixNano');
  return {
    timeNanos: timeNanos === '0' ? nanosOf(record.observedTimeUnixNano, 'observedTimeUnixNano') : timeNanos,
    attributes: attributesOf(record),
    digest: digestIn(record),
    eventName: wordOf(record.eventName),
  };
}
