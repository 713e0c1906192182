// Export requests in protobuf (opentelemetry-proto 1.x): the dozen messages that are needed, field by field. The bodies
// of log records (field 5) are skipped unread.
import {
  ALLOWED_ATTRIBUTES,
  type Attributes,
  type AttributeValue,
  addAttribute,
  type LogRecord,
  type Metric,
  type MetricPoint,
  type ResourceLogs,
  type ResourceMetrics,
  type Temporality,
} from './model.ts';
import { eachField, WIRE, WireReader } from './wire-reader.ts';

export const decodeMetrics = (bytes: Uint8Array): ResourceMetrics[] =>
  repeated(new WireReader(bytes), 1, (resourceMetrics) => {
    let resource: Attributes = {};
    const metrics: Metric[] = [];
    eachField(resourceMetrics, (field, wire) => {
      if (wire !== WIRE.bytes) return false;
      if (field === 1) resource = attributesOf(resourceMetrics.message(), 1);
      else if (field === 2) metrics.push(...repeated(resourceMetrics.message(), 2, readMetric));
      else return false;
      return true;
    });
    return { resource, metrics };
  });

export const decodeLogs = (bytes: Uint8Array): ResourceLogs[] =>
  repeated(new WireReader(bytes), 1, (resourceLogs) => {
    let resource: Attributes = {};
    const records: LogRecord[] = [];
    eachField(resourceLogs, (field, wire) => {
      if (wire !== WIRE.bytes) return false;
      if (field === 1) resource = attributesOf(resourceLogs.message(), 1);
      else if (field === 2) records.push(...repeated(resourceLogs.message(), 2, readRecord));
      else return false;
      return true;
    });
    return { resource, records };
  });

/** The messages that a field of `reader` repeats. */
function repeated<T>(reader: WireReader, wanted: number, read: (message: WireReader) => T): T[] {
  const found: T[] = [];
  eachField(reader, (field, wire) => {
    if (field !== wanted || wire !== WIRE.bytes) return false;
    found.push(read(reader.message()));
    return true;
  });
  return found;
}

function readMetric(reader: WireReader): Metric {
  let name = '';
  let temporality: Temporality = 'unspecified';
  let points: MetricPoint[] = [];
  eachField(reader, (field, wire) => {
    if (wire !== WIRE.bytes) return false;
    if (field === 1) name = reader.string();
    // gauge 5, sum 7, histogram 9, exponential histogram 10
    else if (field === 5 || field === 7 || field === 9 || field === 10) {
      const data = reader.message();
      const readPoint = field === 9 ? readHistogramPoint : field === 10 ? readExponentialPoint : readNumberPoint;
      const found: MetricPoint[] = [];
      eachField(data, (inner, innerWire) => {
        if (inner === 1 && innerWire === WIRE.bytes) found.push(readPoint(data.message()));
        else if (inner === 2 && innerWire === WIRE.varint) temporality = temporalityOf(data.int32());
        else return false;
        return true;
      });
      points = found;
    } else return false;
    return true;
  });
  return { name, temporality, points };
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
const readHistogram =
  (sum: number, attributes: number) =>
  (reader: WireReader): MetricPoint => {
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
const readHistogramPoint = readHistogram(5, 9);
const readExponentialPoint = readHistogram(5, 1);

function readRecord(reader: WireReader): LogRecord {
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
