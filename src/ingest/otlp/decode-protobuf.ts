// Export requests in protobuf (opentelemetry-proto 1.x): the dozen messages that are needed, field by field, and only as far
// as somebody reads on. The bodies of log records (field 5) are skipped unread.
import { type AttributesDigest, digestOf, scopeDigestOf, VALUE_TEXT } from './attributes-digest.ts';
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
    yield { ...resourceOf(each), metrics: partsOf(each, readMetric) };
  }
}

export function* decodeLogs(bytes: Uint8Array): Generator<ResourceLogs, void, undefined> {
  for (const each of messagesIn(new WireReader(bytes), 1)) {
    yield { ...resourceOf(each), records: partsOf(each, readRecord) };
  }
}

/** A field may come anywhere in its message: what all parts share is read first, and the message then once more. */
function resourceOf(reader: WireReader): Pick<ResourceMetrics, 'resource' | 'digest'> {
  const message = sharedIn(reader);
  return { resource: attributesOf(message.again(), 1), digest: digestIn(message, 1) };
}

/** The resource of a part, or the scope: field 1 of both. */
function sharedIn(reader: WireReader): WireReader {
  let message = NO_MESSAGE;
  for (const each of messagesIn(reader.again(), 1)) message = requireShort(each);
  return message;
}

const NO_MESSAGE = new WireReader(new Uint8Array());

/** The metrics or records of all scopes. */
function* partsOf<T>(
  reader: WireReader,
  read: (message: WireReader, scopeDigest: AttributesDigest) => T,
): Generator<T, void, undefined> {
  for (const scoped of messagesIn(reader.again(), 2)) {
    const scopeDigest = scopeDigestIn(scoped);
    for (const each of messagesIn(scoped.again(), 2)) yield read(each, scopeDigest);
  }
}

function scopeDigestIn(scoped: WireReader): AttributesDigest {
  return scopeDigestOf(() => {
    const reader = sharedIn(scoped);
    let name = '';
    let version = '';
    const names = reader.again();
    eachField(names, (field, wire) => {
      if (wire !== WIRE.bytes) return false;
      if (field === 1) name = names.string();
      else if (field === 2) version = names.string();
      else return false;
      return true;
    });
    return { name, version, attributes: pairsOf(reader, 3, 1) };
  });
}

/** gauge, sum, histogram, exponential histogram */
const POINT_READERS: Readonly<Record<number, (reader: WireReader) => MetricPoint>> = {
  5: readNumberPoint,
  7: readNumberPoint,
  9: readHistogram(5, 9),
  10: readHistogram(5, 1),
};

function readMetric(reader: WireReader, scopeDigest: AttributesDigest): Metric {
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
    ? { name, scopeDigest, temporality: 'unspecified', points: [] }
    : { name, scopeDigest, temporality: readTemporality(data), points: pointsOf(data, readPoint) };
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

const newPoint = (digest: AttributesDigest): Draft & { attributes: Record<string, AttributeValue> } => ({
  attributes: {},
  digest,
  startNanos: '0',
  timeNanos: '0',
  value: 0,
});

function readNumberPoint(reader: WireReader): MetricPoint {
  const point = newPoint(digestIn(reader, 7));
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
    const point = newPoint(digestIn(reader, attributes));
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
  return {
    timeNanos: timeNanos === '0' ? observedNanos : timeNanos,
    attributes,
    digest: digestIn(reader, 6),
    eventName,
  };
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

/** The key comes first, as every client writes it: values of keys that are not allowed are not read here. */
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

/** Of the attributes in a field, read once more: of most points and records nobody wants it. */
const digestIn = (reader: WireReader, attributes: number): AttributesDigest =>
  digestOf(() => pairsOf(reader, attributes, 0));

function* pairsOf(reader: WireReader, wanted: number, depth: number): Generator<[string, string]> {
  for (const each of messagesIn(reader.again(), wanted)) {
    let key = '';
    let value: WireReader = NO_MESSAGE;
    eachField(each, (field, wire) => {
      if (wire !== WIRE.bytes) return false;
      if (field === 1) key = each.string();
      else if (field === 2) value = each.message();
      else return false;
      return true;
    });
    yield [key, textOf(value, depth)];
  }
}

function textOf(reader: WireReader, depth: number): string {
  let text: string = VALUE_TEXT.none;
  eachField(reader, (field, wire) => {
    if (field === 1 && wire === WIRE.bytes) text = VALUE_TEXT.text(reader.string());
    else if (field === 2 && wire === WIRE.varint) text = VALUE_TEXT.bool(reader.varint() !== 0n);
    else if (field === 3 && wire === WIRE.varint) text = VALUE_TEXT.int(BigInt.asIntN(64, reader.varint()));
    else if (field === 4 && wire === WIRE.fixed64) text = VALUE_TEXT.double(reader.double());
    else if (field === 5 && wire === WIRE.bytes) {
      const list = reader.message();
      text = VALUE_TEXT.list(depth, () => Array.from(messagesIn(list, 1), (each) => textOf(each, depth + 1)));
    } else if (field === 6 && wire === WIRE.bytes) {
      const map = reader.message();
      text = VALUE_TEXT.map(depth, () => pairsOf(map, 1, depth + 1));
    } else if (field === 7 && wire === WIRE.bytes) text = VALUE_TEXT.bytes(reader.bytes());
    else return false;
    return true;
  });
  return text;
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
