// Export requests in JSON: lowerCamelCase names, 64-bit numbers as text or number, integer enums. Unknown keys are
// ignored, and bodies of log records are not looked at.
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

function readRoot(bytes: Uint8Array): Json {
  let root: unknown;
  try {
    root = JSON.parse(new TextDecoder('utf-8').decode(bytes));
  } catch {
    throw new MalformedTelemetry('the body is not JSON');
  }
  if (!isObject(root)) throw new MalformedTelemetry('the body is not a JSON object');
  return root;
}

const KINDS = ['sum', 'gauge', 'histogram', 'exponentialHistogram'] as const;

function readMetric(metric: Json): Metric {
  const kind = KINDS.find((name) => isObject(metric[name]));
  const data = kind === undefined ? {} : objectOf(metric, kind);
  return {
    name: typeof metric.name === 'string' ? metric.name : '',
    temporality: temporalityOf(readTemporality(data.aggregationTemporality)),
    points: pointsOf(data),
  };
}

function* pointsOf(data: Json): Generator<MetricPoint, void, undefined> {
  for (const point of objectsOf(data, 'dataPoints')) {
    yield {
      attributes: attributesOf(point),
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
    yield {
      resource: attributesOf(objectOf(each, 'resource')),
      metrics: partsOf(each, 'scopeMetrics', 'metrics', readMetric),
    };
  }
}

export function* decodeJsonLogs(bytes: Uint8Array): Generator<ResourceLogs, void, undefined> {
  for (const each of objectsOf(readRoot(bytes), 'resourceLogs')) {
    yield {
      resource: attributesOf(objectOf(each, 'resource')),
      records: partsOf(each, 'scopeLogs', 'logRecords', readRecord),
    };
  }
}

/** The metrics or records of all scopes. */
function* partsOf<T>(of: Json, scopes: string, parts: string, read: (part: Json) => T): Generator<T, void, undefined> {
  for (const scope of objectsOf(of, scopes)) for (const part of objectsOf(scope, parts)) yield read(part);
}

function readRecord(record: Json): LogRecord {
  const timeNanos = nanosOf(record.timeUnixNano, 'timeUnixNano');
  return {
    timeNanos: timeNanos === '0' ? nanosOf(record.observedTimeUnixNano, 'observedTimeUnixNano') : timeNanos,
    attributes: attributesOf(record),
    eventName: typeof record.eventName === 'string' ? record.eventName : '',
  };
}
