// From decoded telemetry to what is counted: amounts of quantities by day, session, model and person, each with the hash
// that tells a retry from a new point. Pure: the same points give the same hashes in every process and order. Both counts
// pause after each point, so that whoever runs them can do something else in between.

import { hash } from 'node:crypto';
import { usageModel } from '../../domain/ai/models.ts';
import { MICROCENTS_PER_CENT, MOST_OF } from '../../domain/ai/usage-limits.ts';
import { type IdentityKind, TELEMETRY_DAYS } from '../../domain/ai/usage-sources.ts';
import { memoize } from '../../kit/remembered.ts';
import { counted } from '../../kit/text/counted.ts';
import type { AttributesDigest } from './attributes-digest.ts';
import type { Attributes, LogRecord, Metric, MetricPoint, ResourceLogs, ResourceMetrics } from './model.ts';
import { type Amount, logMeaning, logName, metricMeaning, OTLP_TOOLS, type Part, type Quantity } from './tool-rows.ts';

export interface CountedIdentity {
  readonly kind_em: IdentityKind;
  readonly value: string;
}

/** What an amount belongs to. */
interface Subject {
  /** UTC day of the point. */
  readonly used_on: string;
  /** Decimal text of a signed 64-bit number. */
  readonly session_hash: string;
  readonly tool_em: string;
  readonly llm_model_name: string;
  /** The account that the telemetry names, for the provider; '' where it names none. */
  readonly account: string;
  readonly identity: CountedIdentity | null;
}

export interface CountedAmount extends Subject {
  readonly signal: 'metric' | 'log';
  readonly quantity: Quantity;
  /** Thousandths; of a cost, millionths of a cent. */
  readonly amount: number;
}

/** Amounts that count together or, if the hash was seen, not at all. */
export interface CountedPoint {
  readonly used_on: string;
  readonly hash: string;
  /** What versions before decision 198 remembered it by; null where that is the same. */
  readonly former_hash: string | null;
  readonly amounts: readonly CountedAmount[];
}

/** The value of a cumulative stream at a time. */
export interface StreamValue extends Subject {
  readonly stream_hash: string;
  readonly former_hash: string;
  readonly quantity: Quantity;
  readonly amount: number;
}

export interface CommitClaim {
  readonly sha: string;
  readonly tool_em: string;
  readonly llm_model_name: string;
}

export interface CountedTelemetry {
  readonly points: readonly CountedPoint[];
  readonly streams: readonly StreamValue[];
  readonly commits: readonly CommitClaim[];
  /** Points or records that were not taken, and why; '' where all were. */
  readonly rejected: number;
  readonly reason: string;
  /** All that came, taken or of no meaning to us. */
  readonly received: number;
}

const DAY_MS = 86_400_000;
const AHEAD_MS = 3_600_000;

/** Of clients that leave the session out. */
const NO_SESSION = '0';
const MICROCENTS_PER_DOLLAR = 100 * MICROCENTS_PER_CENT;
const THOUSANDTHS = 1000;
/** Reasons that an answer names. */
const MOST_REASONS = 5;

/** 64 bits of a digest, as the database has them. */
const hashOf = (text: string): string => hash('sha256', text, 'buffer').readBigInt64BE(0).toString();

class Collector {
  readonly points: CountedPoint[] = [];
  readonly streams: StreamValue[] = [];
  readonly commits: CommitClaim[] = [];
  rejected = 0;
  received = 0;
  /** How often each was given. */
  readonly #reasons = new Map<string, number>();
  readonly #nowMs: number;
  /** The points of a request belong to few sessions. */
  readonly sessionHash = memoize(hashOf);

  constructor(nowMs: number) {
    this.#nowMs = nowMs;
  }

  reject(reason: string): void {
    this.#reasons.set(reason, (this.#reasons.get(reason) ?? 0) + 1);
    this.rejected += 1;
  }

  get reason(): string {
    const all = [...this.#reasons];
    if (all.length <= 1) return all[0]?.[0] ?? '';
    const named = all.slice(0, MOST_REASONS);
    const left = this.rejected - named.reduce((sum, [, times]) => sum + times, 0);
    return [
      ...named.map(([reason, times]) => `${reason} (${counted(times, 'time')})`),
      ...(left === 0 ? [] : [`and ${left} more`]),
    ].join('; ');
  }

  /** The UTC day of a time; null, and rejected, where it is too old or has not come. */
  dayOf(nanos: string): string | null {
    const ms = Number(BigInt(nanos) / 1_000_000n);
    if (ms > this.#nowMs + AHEAD_MS) {
      this.reject('the time of a point lies more than an hour ahead');
      return null;
    }
    if (ms < this.#nowMs - TELEMETRY_DAYS * DAY_MS) {
      this.reject(`the time of a point lies more than ${TELEMETRY_DAYS} days back`);
      return null;
    }
    return new Date(ms).toISOString().slice(0, 10);
  }
}

const amountOf = (quantity: Quantity, value: number): number =>
  Math.round(value * (quantity === 'cost_microcents' ? MICROCENTS_PER_DOLLAR : THOUSANDTHS));

/** Of a value as tools report it: a cost is in dollars. */
const mostOf = (quantity: Quantity): number =>
  quantity === 'cost_microcents' ? MOST_OF[quantity] / MICROCENTS_PER_DOLLAR : MOST_OF[quantity];

/** Why a value cannot be counted; null where it can. */
function refusalOf(what: string, value: number, most: number): string | null {
  if (value >= 0 && value <= most) return null;
  return `${what} is ${Number.isNaN(value) ? 'not a number' : value}; accepted is a number from 0 to ${most}`;
}

const textOf = (attributes: Attributes, ...names: readonly string[]): string => {
  for (const name of names) {
    const value = attributes[name];
    if (value !== undefined && value !== '') return String(value);
  }
  return '';
};

/** An address before an account before an installation; what is no address is no address. */
function identityOf(attributes: Attributes): CountedIdentity | null {
  for (const name of ['user.email', 'enduser.id']) {
    const value = textOf(attributes, name).trim();
    if (value.includes('@')) return { kind_em: 'email', value };
    if (value !== '' && name === 'enduser.id') return { kind_em: 'login', value };
  }
  const account = textOf(attributes, 'user.account_uuid', 'user.account_id');
  if (account !== '') return { kind_em: 'user_id', value: account };
  const install = textOf(attributes, 'user.id', 'installation.id');
  return install === '' ? null : { kind_em: 'install_id', value: install };
}

const sessionOf = (attributes: Attributes): string =>
  textOf(attributes, 'session.id', 'conversation.id', 'gen_ai.conversation.id');

function subjectOf({ sessionHash }: Collector, attributes: Attributes, tool: string, day: string): Subject {
  const identity = identityOf(attributes);
  const session = sessionOf(attributes);
  const model = textOf(attributes, 'model', 'gen_ai.response.model', 'gen_ai.request.model');
  return {
    used_on: day,
    session_hash: session === '' ? NO_SESSION : sessionHash(JSON.stringify([tool, session, identity])),
    tool_em: tool,
    llm_model_name: model === '' ? tool : usageModel(model).model.slice(0, 200),
    account: textOf(attributes, 'organization.id'),
    identity,
  };
}

const sorted = (attributes: Attributes): [string, unknown][] =>
  Object.entries(attributes).toSorted(([a], [b]) => (a < b ? -1 : 1));

/** Of what a request holds, with a pause after each point or record. */
export type Counting = Generator<undefined, CountedTelemetry, undefined>;

export function* countMetrics(resources: Iterable<ResourceMetrics>, nowMs: number): Counting {
  const found = new Collector(nowMs);
  for (const { resource, digest: resourceDigest, metrics } of resources) {
    const service = textOf(resource, 'service.name');
    for (const { points, ...metric } of metrics) {
      yield;
      for (const point of points) {
        yield;
        found.received += 1;
        countPoint(found, { ...metric, service, resource, resourceDigest }, point);
      }
    }
  }
  return found;
}

interface PointSource extends Omit<Metric, 'points'> {
  readonly service: string;
  readonly resource: Attributes;
  readonly resourceDigest: AttributesDigest;
}

function countPoint(found: Collector, source: PointSource, point: MetricPoint): void {
  const { name, temporality, service, resource } = source;
  const attributes = { ...resource, ...point.attributes };
  const meaning = metricMeaning(name, attributes, service);
  if (meaning === null || meaning.parts.length === 0 || point.value === 0) return;
  const most = Math.min(...meaning.parts.map(({ quantity }) => mostOf(quantity)));
  const refusal =
    temporality === 'unspecified' ? `${name} says neither delta nor cumulative` : refusalOf(name, point.value, most);
  if (refusal !== null) {
    found.reject(refusal);
    return;
  }
  const day = found.dayOf(point.timeNanos);
  if (day === null) return;
  const subject = subjectOf(found, attributes, meaning.tool, day);
  const series = [name, source.resourceDigest(), source.scopeDigest(), point.digest()];
  const formerSeries = [name, sorted(resource), sorted(point.attributes)];
  const amounts = meaning.parts.map(({ quantity }) => ({
    ...subject,
    quantity,
    amount: amountOf(quantity, point.value),
  }));
  if (temporality === 'delta') {
    found.points.push({
      used_on: day,
      hash: hashOf(JSON.stringify(['delta', series, point.startNanos, point.timeNanos, point.value])),
      former_hash: hashOf(JSON.stringify(['delta', formerSeries, point.startNanos, point.timeNanos, point.value])),
      amounts: amounts.map((each) => ({ ...each, signal: 'metric' })),
    });
  } else {
    const stream_hash = hashOf(JSON.stringify(['cumulative', series, point.startNanos]));
    const former_hash = hashOf(JSON.stringify(['cumulative', formerSeries, point.startNanos]));
    found.streams.push(...amounts.map((each) => ({ ...each, stream_hash, former_hash })));
  }
}

export function* countLogs(resources: Iterable<ResourceLogs>, nowMs: number): Counting {
  const found = new Collector(nowMs);
  for (const { resource, digest: resourceDigest, records } of resources) {
    const service = textOf(resource, 'service.name');
    yield;
    for (const record of records) {
      yield;
      found.received += 1;
      countRecord(found, { service, resource, resourceDigest }, record);
    }
  }
  return found;
}

function countRecord(found: Collector, source: Omit<PointSource, keyof Metric>, record: LogRecord): void {
  const { service, resource, resourceDigest } = source;
  const attributes = { ...resource, ...record.attributes };
  const name = textOf(attributes, 'event.name') || record.eventName;
  const meaning = logMeaning(name, attributes, service);
  if (meaning === null) return;
  const read = meaning.parts.map((part) => readPart(part, attributes));
  const refusal = read.find(({ refusal }) => refusal !== null)?.refusal ?? null;
  if (refusal !== null) {
    found.reject(`${logName(name, service)}: ${refusal}`);
    return;
  }
  const day = found.dayOf(record.timeNanos);
  if (day === null) return;
  const subject = subjectOf(found, attributes, meaning.tool, day);
  const amounts = read.flatMap(({ quantity, amount }) =>
    amount > 0 ? [{ ...subject, quantity, amount, signal: 'log' as const }] : [],
  );
  const sha = textOf(attributes, 'git_commit_id').toLowerCase();
  if (/^[0-9a-f]{40}$|^[0-9a-f]{64}$/.test(sha)) {
    found.commits.push({ sha, tool_em: subject.tool_em, llm_model_name: subject.llm_model_name });
  }
  if (amounts.length === 0) return;
  found.points.push({ used_on: day, ...recordHash(record, { attributes, resourceDigest, name }), amounts });
}

interface ReadPart {
  readonly quantity: Quantity;
  readonly amount: number;
  /** Why it cannot be counted. */
  readonly refusal: string | null;
}

function readPart({ quantity, amount }: Part, attributes: Attributes): ReadPart {
  if (amount === undefined) return { quantity, amount: amountOf(quantity, 1), refusal: null };
  const { attribute, perUnit = 1, less } = chooseAmount(amount, attributes);
  const value = Number(attributes[attribute] ?? 0);
  // What is part of it is refused where it counts itself.
  const rest = Math.max(0, value - (less === undefined ? 0 : Number(attributes[less] ?? 0)));
  return {
    quantity,
    amount: amountOf(quantity, rest / perUnit),
    refusal: refusalOf(attribute, value, mostOf(quantity) * perUnit),
  };
}

const chooseAmount = (amount: Amount, attributes: Attributes): Amount =>
  attributes[amount.attribute] === undefined && amount.otherwise !== undefined
    ? chooseAmount(amount.otherwise, attributes)
    : amount;

interface RecordSource {
  readonly attributes: Attributes;
  readonly resourceDigest: AttributesDigest;
  readonly name: string;
}

/** By the request it is about, else by its place in the session, else by all that it says. */
function recordHash(
  { timeNanos, digest }: LogRecord,
  { attributes, resourceDigest, name }: RecordSource,
): Pick<CountedPoint, 'hash' | 'former_hash'> {
  const request = textOf(attributes, 'request_id', 'client_request_id', 'response_id');
  const session = sessionOf(attributes);
  if (request !== '') return { hash: hashOf(JSON.stringify(['request', name, session, request])), former_hash: null };
  const sequence = attributes['event.sequence'];
  if (session !== '' && sequence !== undefined) {
    return { hash: hashOf(JSON.stringify(['sequence', session, name, String(sequence)])), former_hash: null };
  }
  return {
    hash: hashOf(JSON.stringify(['record', name, timeNanos, resourceDigest(), digest()])),
    former_hash: hashOf(JSON.stringify(['record', name, timeNanos, sorted(attributes)])),
  };
}

export const providerOf = (tool: string): string => OTLP_TOOLS[tool] ?? 'other';
