// Export requests in protobuf (opentelemetry-proto 1.x): the dozen messages that are needed, field by field, and only as far
// as somebody reads on. The bodies of log records (field 5) are skipped unread.
import {
  ALLOWED_ATTRIBUTES,
  type Attributes,
  type AttributeValue,
  addAttribute,
  type LogRecord,
  MalformedTelemetry,
  type Metric,
  type MetricPoint,
  type ResourceLogs,
  type ResourceMetrics,
  type Temporality,
} from './model.ts';
import { eachField, messagesIn, WIRE, WireReader } from './wire-reader.ts';

export function* decodeMetrics(bytes: Uint8Array): Generator<ResourceMetrics, void, undefined> {
  for (const each of messagesIn(new WireReader(bytes), 1)) {
    yield { resource: resourceOf(each), metrics: partsOf(each, readMetric) };
  }
}

export function* decodeLogs(bytes: Uint8Array): Generator<ResourceLogs, void, undefined> {
  for (const each of messagesIn(new WireReader(bytes), 1)) {
    yield { resource: resourceOf(each), records: partsOf(each, readRecord) };
  }
}

/** A field may come anywhere in its message: what all parts share is read first, and the message then once more. */
function resourceOf(reader: WireReader): Attributes {
  let resource: Attributes = {};
  for (const each of messagesIn(reader.again(), 1)) resource = attributesOf(requireShort(each), 1);
  return resource;
}

/** The metrics or records of all scopes. */
function* partsOf<T>(reader: WireReader, read: (message: WireReader) => T): Generator<T, void, undefined> {
  for (const scope of messagesIn(reader.again(), 2)) for (const each of messagesIn(scope, 2)) yield read(each);
}

/** gauge, sum, histogram, exponential histogram */
const POINT_READERS: Readonly<Record<number, (reader: WireReader) => MetricPoint>> = {
  5: readNumberPoint,
  7: readNumberPoint,
  9: readHistogram(5, 9),
  10: readHistogram(5, 1),
};

function readMetric(reader: WireReader): Metric {
  let name = '';
  let data: WireReader | null = null;
  let readPoint = readNumberPoint;
  eachField(reader, (field, wire) => {
    if (wire !== WIRE.bytes) return false;
    if (field === 1) name = reader.string();
    else if (POINT_READERS[field] !== undefined) {
      readPoint = POINT_READERS[field];
      data = reader.message();
    } else return false;
    return true;
  });
  return data === null
    ? { name, temporality: 'unspecified', points: [] }
    : { name, temporality: readTemporality(data), points: pointsOf(data, readPoint) };
}

function readTemporality(data: WireReader): Temporality {
  let code = 0;
  const reader = data.again();
  eachField(reader, (field, wire) => {
    if (field !== 2 || wire !== WIRE.varint) return false;
    code = reader.int32();
    return true;
  });
  return temporalityOf(code);
}

function* pointsOf(data: WireReader, read: typeof readNumberPoint): Generator<MetricPoint, void, undefined> {
  for (const each of messagesIn(data.again(), 1)) yield read(requireShort(each));
}

/** One point or record is read at a stretch; what a tool counts takes a thousandth of it. */
const LONGEST_PART = 1024 * 1024;

function requireShort(reader: WireReader): WireReader {
  if (reader.size <= LONGEST_PART) return reader;
  throw new MalformedTelemetry(`a point or record is larger than ${LONGEST_PART} bytes`);
}

export const temporalityOf = (code: number): Temporality =>
  code === 1 ? 'delta' : code === 2 ? 'cumulative' : 'unspecified';

type Draft = { -readonly [N in keyof MetricPoint]: MetricPoint[N] };

const newPoint = (): Draft & { attributes: Record<string, AttributeValue> } => ({
  attributes: {},
  startNanos: '0',
  timeNanos: '0',
  value: 0,
});

function readNumberPoint(reader: WireReader): MetricPoint {
  const point = newPoint();
  eachField(reader, (field, wire) => {
    if (field === 7 && wire === WIRE.bytes) readKeyValue(reader.message(), point.attributes);
    else if (field === 2 && wire === WIRE.fixed64) point.startNanos = String(reader.fixed64());
    else if (field === 3 && wire === WIRE.fixed64) point.timeNanos = String(reader.fixed64());
    else if (field === 4 && wire === WIRE.fixed64) point.value = reader.double();
    else if (field === 6 && wire === WIRE.fixed64) point.value = reader.sfixed64();
    else return false;
    return true;
  });
  return point;
}

/** Of a histogram its sum is what is counted. */
function readHistogram(sum: number, attributes: number): (reader: WireReader) => MetricPoint {
  return (reader) => {
    const point = newPoint();
    eachField(reader, (field, wire) => {
      if (field === attributes && wire === WIRE.bytes) readKeyValue(reader.message(), point.attributes);
      else if (field === 2 && wire === WIRE.fixed64) point.startNanos = String(reader.fixed64());
      else if (field === 3 && wire === WIRE.fixed64) point.timeNanos = String(reader.fixed64());
      else if (field === sum && wire === WIRE.fixed64) point.value = reader.double();
      else return false;
      return true;
    });
    return point;
  };
}

function readRecord(reader: WireReader): LogRecord {
  requireShort(reader);
  const attributes: Record<string, AttributeValue> = {};
  let timeNanos = '0';
  let observedNanos = '0';
  let eventName = '';
  eachField(reader, (field, wire) => {
    if (field === 1 && wire === WIRE.fixed64) timeNanos = String(reader.fixed64());
    else if (field === 11 && wire === WIRE.fixed64) observedNanos = String(reader.fixed64());
    else if (field === 6 && wire === WIRE.bytes) readKeyValue(reader.message(), attributes);
    else if (field === 12 && wire === WIRE.bytes) eventName = reader.string();
    else return false;
    return true;
  });
  return { timeNanos: timeNanos === '0' ? observedNanos : timeNanos, attributes, eventName };
}

function attributesOf(reader: WireReader, wanted: number): Attributes {
  const attributes: Record<string, AttributeValue> = {};
  eachField(reader, (field, wire) => {
    if (field !== wanted || wire !== WIRE.bytes) return false;
    readKeyValue(reader.message(), attributes);
    return true;
  });
  return attributes;
}

/** The key comes first, as every client writes it: values of keys that are not allowed are skipped unread. */
function readKeyValue(reader: WireReader, to: Record<string, AttributeValue>): void {
  let key = '';
  let value: AttributeValue | null = null;
  eachField(reader, (field, wire) => {
    if (wire !== WIRE.bytes) return false;
    if (field === 1) key = reader.string();
    else if (field === 2 && ALLOWED_ATTRIBUTES.has(key)) value = readAnyValue(reader.message());
    else return false;
    return true;
  });
  addAttribute(to, key, value);
}

/** Lists, maps and bytes are nothing that is counted by. */
function readAnyValue(reader: WireReader): AttributeValue | null {
  let value: AttributeValue | null = null;
  eachField(reader, (field, wire) => {
    if (field === 1 && wire === WIRE.bytes) value = reader.string();
    else if (field === 2 && wire === WIRE.varint) value = reader.varint() !== 0n;
    else if (field === 3 && wire === WIRE.varint) value = reader.int64();
    else if (field === 4 && wire === WIRE.fixed64) value = reader.double();
    else return false;
    return true;
  });
  return value;
}
