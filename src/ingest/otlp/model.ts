// Telemetry as both encodings decode to it: only what is counted, and only attributes of the allow-list. Bodies,
// prompts, tool input and paths are skipped while decoding, so that nothing further on can store them. What is not on the
// list still tells series apart, so it goes into a digest.
import { isStorable } from '../../kit/text/is-storable.ts';
import type { AttributesDigest } from './attributes-digest.ts';

/** Attributes that are read, on resources, points and log records. All others are dropped where they are decoded. */
export const ALLOWED_ATTRIBUTES: ReadonlySet<string> = new Set([
  // who
  'user.email',
  'user.account_uuid',
  'user.account_id',
  'user.id',
  'enduser.id',
  'organization.id',
  'installation.id',
  // which session and record
  'session.id',
  'conversation.id',
  'gen_ai.conversation.id',
  'event.name',
  'event.sequence',
  'event.timestamp',
  'event.kind',
  'request_id',
  'client_request_id',
  'prompt.id',
  'response_id',
  // which tool and model
  'service.name',
  'model',
  'gen_ai.request.model',
  'gen_ai.response.model',
  // what is counted
  'type',
  'gen_ai.token.type',
  'decision',
  'outcome',
  'tool_name',
  'function_name',
  'source',
  'cost_usd',
  'cost_usd_micros',
  'input_tokens',
  'output_tokens',
  'cache_read_tokens',
  'cache_creation_tokens',
  'input_token_count',
  'output_token_count',
  'cached_token_count',
  'cached_content_token_count',
  'thoughts_token_count',
  // a commit that the agent made
  'git_commit_id',
]);

export type AttributeValue = string | number | boolean;
export type Attributes = Readonly<Record<string, AttributeValue>>;

export type Temporality = 'delta' | 'cumulative' | 'unspecified';

export interface MetricPoint {
  readonly attributes: Attributes;
  readonly digest: AttributesDigest;
  /** Nanoseconds since 1970, as text: they do not fit a number. */
  readonly startNanos: string;
  readonly timeNanos: string;
  /** NaN where there is one that is no number. */
  readonly value: number;
}

/** Like all lists here, its points are decoded while they are read: there may be a hundred thousand. */
export interface Metric {
  readonly name: string;
  /** Of name, version and attributes of the scope that it was made in. */
  readonly scopeDigest: AttributesDigest;
  readonly temporality: Temporality;
  readonly points: Iterable<MetricPoint>;
}

export interface LogRecord {
  readonly timeNanos: string;
  readonly attributes: Attributes;
  readonly digest: AttributesDigest;
  /** Set by newer clients instead of an attribute. */
  readonly eventName: string;
}

export interface ResourceMetrics {
  readonly resource: Attributes;
  readonly digest: AttributesDigest;
  readonly metrics: Iterable<Metric>;
}

export interface ResourceLogs {
  readonly resource: Attributes;
  readonly digest: AttributesDigest;
  readonly records: Iterable<LogRecord>;
}

/** What cannot be decoded; the sender is at fault. */
export class MalformedTelemetry extends Error {}

const LONGEST_VALUE = 300;

/** Adds what the list allows; a text that is long or cannot be stored is not one of those that are counted by. */
export function addAttribute(to: Record<string, AttributeValue>, key: string, value: AttributeValue | null): void {
  if (value === null || !ALLOWED_ATTRIBUTES.has(key)) return;
  if (typeof value === 'string' && (value.length > LONGEST_VALUE || !isStorable(value))) return;
  to[key] = value;
}
