// Takes telemetry in: decodes, counts, and writes what several requests brought together in one transaction, or one large
// request in several. A request is answered when its points are stored, so that a client which got an answer need not send
// them again; one that fails part-way is sent again, and what is stored counts once.

import { StrataError } from '../../domain/errors.ts';
import { type CountedTelemetry, countLogs, countMetrics, providerOf } from '../../ingest/otlp/count-points.ts';
import { decodeJsonLogs, decodeJsonMetrics } from '../../ingest/otlp/decode-json.ts';
import { decodeLogs, decodeMetrics } from '../../ingest/otlp/decode-protobuf.ts';
import { MalformedTelemetry } from '../../ingest/otlp/model.ts';
import { runInSlices } from '../../kit/run-in-slices.ts';
import { trustsNamesInTelemetry } from '../../storage/access/entity-settings.ts';
import type { IngestHolder } from '../../storage/ai/ingest-tokens.ts';
import { readAccountProviders, type SumPart, storeTelemetry, type TelemetryBatch } from '../../storage/ai/telemetry.ts';
import { inTransaction } from '../../storage/database/in-transaction.ts';
import { isTransientConnectionError } from '../../storage/database/retrying-pool.ts';
import { enqueue } from '../../storage/queue/queue.ts';
import type { OperationParts } from '../operation-parts.ts';

export const TELEMETRY_SIGNALS = ['metrics', 'logs', 'traces'] as const;
export type TelemetrySignal = (typeof TELEMETRY_SIGNALS)[number];

export interface Telemetry {
  readonly signal: TelemetrySignal;
  readonly isJson: boolean;
  readonly body: Uint8Array;
}

export interface TakenTelemetry {
  /** Points and records that came. */
  readonly received: number;
  readonly rejected: number;
  /** Why they were; '' where none was. */
  readonly reason: string;
}

/** What is known of a request before it is stored, for limits by rows. */
export interface ReadTelemetry extends TakenTelemetry {
  /** Resolves when it is stored. */
  store(): Promise<void>;
}

export interface TelemetryOperations {
  /** Throws invalid_parameter for what cannot be decoded. */
  read(holder: IngestHolder, telemetry: Telemetry): Promise<ReadTelemetry>;
}

const ACCOUNTS_MS = 60_000;
/** Points that are prepared and written at a stretch. */
const MOST_AT_ONCE = 2_000;
const FOLD_AFTER_MS = 10_000;

/** Of an entity: the provider of an account, and whether telemetry says whose it is. */
interface Rules {
  readonly providers: Map<string, string>;
  readonly trustsNames: boolean;
}

interface Waiting {
  readonly batch: TelemetryBatch;
  done(): void;
  fail(error: unknown): void;
}

export function createTelemetryOperations({ store: { db }, now }: OperationParts): TelemetryOperations {
  const accounts = new Map<number, Rules & { untilMs: number }>();
  const queues = new Map<number, Waiting[]>();
  const foldQueuedAt = new Map<number, number>();

  async function rulesOf(entityId: number): Promise<Rules> {
    const entry = accounts.get(entityId);
    if (entry !== undefined && entry.untilMs > now().getTime()) return entry;
    const rules = {
      providers: await readAccountProviders(db, entityId),
      trustsNames: await trustsNamesInTelemetry(db, entityId),
    };
    accounts.set(entityId, { ...rules, untilMs: now().getTime() + ACCOUNTS_MS });
    return rules;
  }

  /** Writes what waits, and what comes meanwhile in the next transaction, until nothing waits. */
  async function drain(entityId: number): Promise<void> {
    for (let all = queues.get(entityId)!; all.length > 0; all = queues.get(entityId)!) {
      const waiting = takeUpTo(all, MOST_AT_ONCE);
      queues.set(entityId, all.slice(waiting.length));
      await write(entityId, waiting);
    }
    queues.delete(entityId);
  }

  /** Together; where that fails, each alone, so that nobody's request fails for what another brought. */
  async function write(entityId: number, waiting: readonly Waiting[]): Promise<void> {
    try {
      const batch: TelemetryBatch = {
        points: waiting.flatMap(({ batch: { points } }) => points),
        streams: waiting.flatMap(({ batch: { streams } }) => streams),
        commits: waiting.flatMap(({ batch: { commits } }) => commits),
      };
      await inTransaction(db, (trx) => storeTelemetry(trx, entityId, batch, now()));
      await queueFold(entityId);
      for (const { done } of waiting) done();
    } catch (error) {
      // A database that is away takes none of them.
      if (waiting.length > 1 && !isTransientConnectionError(error)) {
        for (const each of waiting) await write(entityId, [each]);
        return;
      }
      for (const { fail } of waiting) fail(error);
    }
  }

  /** Folded soon, and not for every request; a job of each minute folds what this misses. */
  async function queueFold(entityId: number): Promise<void> {
    const nowMs = now().getTime();
    if (nowMs - (foldQueuedAt.get(entityId) ?? 0) < FOLD_AFTER_MS) return;
    foldQueuedAt.set(entityId, nowMs);
    await enqueue(
      db,
      'fold_telemetry',
      { entity_id: entityId },
      { jobKey: `fold telemetry ${entityId}`, jobKeyMode: 'preserve_run_at', runAt: new Date(nowMs + FOLD_AFTER_MS) },
    );
  }

  return {
    async read(holder, { signal, isJson, body }) {
      const counted = await decode(signal, isJson, body, now().getTime());
      return {
        received: counted.received,
        rejected: counted.rejected,
        reason: counted.reason,
        async store() {
          for (const part of partsOf(counted)) {
            const batch = toBatch(part, holder, await rulesOf(holder.entity_id));
            await new Promise<void>((done, fail) => {
              const waiting = queues.get(holder.entity_id);
              if (waiting !== undefined) {
                waiting.push({ batch, done, fail });
                return;
              }
              queues.set(holder.entity_id, [{ batch, done, fail }]);
              void drain(holder.entity_id);
            });
          }
        },
      };
    },
  };
}

type CountedPart = Pick<CountedTelemetry, 'points' | 'streams' | 'commits'>;

/** The first of those that wait, and further ones as long as they are few together. */
function takeUpTo(waiting: readonly Waiting[], most: number): readonly Waiting[] {
  let size = 0;
  const end = waiting.findIndex(({ batch }) => {
    size += batch.points.length + batch.streams.length + batch.commits.length;
    return size > most;
  });
  return end === -1 ? waiting : waiting.slice(0, Math.max(1, end));
}

/** A request in parts that can be prepared and written at a stretch; most are one. */
function* partsOf({ points, streams, commits }: CountedTelemetry): Generator<CountedPart, void, undefined> {
  const longest = Math.max(points.length, streams.length, commits.length);
  for (let at = 0; at < longest; at += MOST_AT_ONCE) {
    const end = at + MOST_AT_ONCE;
    yield { points: points.slice(at, end), streams: streams.slice(at, end), commits: commits.slice(at, end) };
  }
}

const NOTHING: CountedTelemetry = { points: [], streams: [], commits: [], rejected: 0, reason: '', received: 0 };

async function decode(
  signal: TelemetrySignal,
  isJson: boolean,
  body: Uint8Array,
  nowMs: number,
): Promise<CountedTelemetry> {
  try {
    if (signal === 'metrics') {
      return await runInSlices(countMetrics(isJson ? decodeJsonMetrics(body) : decodeMetrics(body), nowMs));
    }
    if (signal === 'logs') {
      return await runInSlices(countLogs(isJson ? decodeJsonLogs(body) : decodeLogs(body), nowMs));
    }
    // Nothing is counted from traces; a client that is refused would log errors forever.
    return NOTHING;
  } catch (error) {
    if (error instanceof MalformedTelemetry) throw new StrataError('invalid_parameter', error.message);
    throw error;
  }
}

/** Whose use it is: of the owner of a personal token; else of whomever the client names, if the entity takes its word. */
function toBatch(counted: CountedPart, holder: IngestHolder, { providers, trustsNames }: Rules): TelemetryBatch {
  type Counted = CountedTelemetry['points'][number]['amounts'][number] | CountedTelemetry['streams'][number];
  const subject = (each: Counted): Omit<SumPart, 'signal_em'> => {
    const named = trustsNames ? each.identity : null;
    const own = holder.user_email === null ? named : { kind_em: 'email', value: holder.user_email };
    return {
      used_on: each.used_on,
      session_hash: each.session_hash,
      quantity_em: each.quantity,
      tool_em: each.tool_em,
      ai_provider_em: providers.get(each.account) ?? providerOf(each.tool_em),
      llm_model_name: each.llm_model_name,
      identity_kind_em: own?.kind_em ?? '',
      identity_value: own?.value.toLowerCase() ?? '',
      amount: each.amount,
    };
  };
  return {
    points: counted.points.map(({ used_on, hash, former_hash, amounts }) => ({
      used_on,
      hash,
      former_hash,
      parts: amounts.map((each) => ({ ...subject(each), signal_em: each.signal })),
    })),
    streams: counted.streams.map((each) => ({
      ...subject(each),
      stream_hash: each.stream_hash,
      former_hash: each.former_hash,
    })),
    commits: counted.commits.map((each) => ({ ...each, ai_provider_em: providerOf(each.tool_em) })),
  };
}
