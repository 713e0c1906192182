// Telemetry of coding tools: summed when it comes in, remembered by hash so that a retry counts once, and folded into
// usage day by day.
import { sql } from 'kysely';
import type { CollectedUsage } from '../../domain/ai/collector.ts';
import type { ActivityCount } from '../../domain/ai/usage-sources.ts';
import type { Database } from '../database/handle.ts';

/** What an amount belongs to. */
interface Subject {
  readonly used_on: string;
  readonly session_hash: string;
  readonly quantity_em: string;
  readonly tool_em: string;
  readonly ai_provider_em: string;
  readonly llm_model_name: string;
  /** '' for nobody. */
  readonly identity_kind_em: string;
  readonly identity_value: string;
  /** Thousandths; of a cost, millionths of a cent. */
  readonly amount: number;
}

export interface SumPart extends Subject {
  readonly signal_em: 'metric' | 'log';
}

/** Counts once, by its hash. */
export interface TelemetryPoint {
  readonly used_on: string;
  readonly hash: string;
  /** Null where an earlier version would have remembered it by the same. */
  readonly former_hash: string | null;
  readonly parts: readonly SumPart[];
}

export interface StreamPart extends Subject {
  readonly stream_hash: string;
  /** Under which an earlier version counted it, with others that it could not tell apart. */
  readonly former_hash: string;
}

export interface TelemetryBatch {
  readonly points: readonly TelemetryPoint[];
  readonly streams: readonly StreamPart[];
  readonly commits: readonly {
    readonly sha: string;
    readonly tool_em: string;
    readonly ai_provider_em: string;
    readonly llm_model_name: string;
  }[];
}

const SUBJECT = sql`session_hash bigint, quantity_em text, tool_em text, ai_provider_em text, llm_model_name text,
  identity_kind_em text, identity_value text, amount bigint`;

type StoredStream = Omit<StreamPart, 'former_hash'>;

const keyOf = ({ amount: _, ...key }: SumPart | StoredStream): string => JSON.stringify(key);

/** What a sum stays at: whoever sends so much means nothing by it, and a sum that cannot be stored would fail others. */
const MOST_AMOUNT = Number.MAX_SAFE_INTEGER;

/** Adds up, or takes the largest of, what has one key; in one order, so that no two writers wait for each other. */
function merge<P extends SumPart | StoredStream>(parts: readonly P[], join: (a: number, b: number) => number): P[] {
  const merged = new Map<string, P>();
  for (const part of parts) {
    const key = keyOf(part);
    const known = merged.get(key);
    merged.set(key, known === undefined ? part : { ...known, amount: join(known.amount, part.amount) });
  }
  return [...merged].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, part]) => part);
}

/**
 * Points that an earlier version counted and whose answer the client missed when it was replaced. Nothing stores such
 * hashes any more, so this finds none once the memory of the upgrade's week is over.
 */
async function findFormerPoints(
  db: Database,
  entityId: number,
  points: readonly TelemetryPoint[],
): Promise<ReadonlySet<string>> {
  const former = points.flatMap(({ used_on, former_hash }) => (former_hash === null ? [] : [{ used_on, former_hash }]));
  if (former.length === 0) return new Set();
  const { rows } = await sql<{ hash: string }>`
    select point_hash::text as hash from otlp_seen
    where entity_id = ${entityId} and seen_on = any(${[...new Set(former.map(({ used_on }) => used_on))]}::date[])
      and point_hash = any(${former.map(({ former_hash }) => former_hash)}::bigint[])`.execute(db);
  return new Set(rows.map(({ hash }) => hash));
}

/**
 * Streams that an earlier version began to count, so that what they hold is counted already. They go on under its hash
 * until their process ends: under another they would count from their start again.
 */
async function findFormerStreams(
  db: Database,
  entityId: number,
  streams: readonly StreamPart[],
): Promise<ReadonlySet<string>> {
  if (streams.length === 0) return new Set();
  const { rows } = await sql<{ hash: string }>`
    select distinct stream_hash::text as hash from otlp_streams
    where entity_id = ${entityId}
      and stream_hash = any(${[...new Set(streams.map(({ former_hash }) => former_hash))]}::bigint[])`.execute(db);
  return new Set(rows.map(({ hash }) => hash));
}

/** In one transaction. Returns how many points were new. */
export async function storeTelemetry(
  db: Database,
  entityId: number,
  batch: TelemetryBatch,
  now: Date,
): Promise<number> {
  const counted = await findFormerPoints(db, entityId, batch.points);
  const points = [...new Map(batch.points.map((point) => [point.hash, point])).values()]
    .filter(({ former_hash }) => former_hash === null || !counted.has(former_hash))
    .toSorted((a, b) => (a.used_on === b.used_on ? (a.hash < b.hash ? -1 : 1) : a.used_on < b.used_on ? -1 : 1));
  const fresh = new Set<string>();
  if (points.length > 0) {
    const { rows } = await sql<{ point_hash: string }>`
      insert into otlp_seen (entity_id, seen_on, point_hash)
      select ${entityId}::bigint, x.seen_on, x.hash
      from unnest(${points.map(({ used_on }) => used_on)}::date[], ${points.map(({ hash }) => hash)}::bigint[]) as x(seen_on, hash)
      on conflict do nothing
      returning point_hash::text`.execute(db);
    for (const { point_hash } of rows) fresh.add(point_hash);
  }
  const sums = merge(
    points.flatMap(({ hash, parts }) => (fresh.has(hash) ? parts : [])),
    (a, b) => Math.min(a + b, MOST_AMOUNT),
  );
  if (sums.length > 0) {
    await sql`
      insert into otlp_sums (entity_id, used_on, session_hash, signal_em, quantity_em, tool_em, ai_provider_em,
        llm_model_name, identity_kind_em, identity_value, amount)
      select ${entityId}::bigint, x.used_on, x.session_hash, x.signal_em, x.quantity_em, x.tool_em, x.ai_provider_em,
        x.llm_model_name, x.identity_kind_em, x.identity_value, x.amount
      from json_to_recordset(${JSON.stringify(sums)}::json) as x(used_on date, signal_em text, ${SUBJECT})
      on conflict (entity_id, used_on, session_hash, signal_em, quantity_em, tool_em, ai_provider_em, llm_model_name,
        identity_kind_em, identity_value) do update
        set amount = least(otlp_sums.amount, ${sql.raw(String(MOST_AMOUNT))} - excluded.amount) + excluded.amount`.execute(
      db,
    );
  }
  const running = await findFormerStreams(db, entityId, batch.streams);
  const streams = merge(
    batch.streams.map(({ former_hash, ...part }) =>
      running.has(former_hash) ? { ...part, stream_hash: former_hash } : part,
    ),
    Math.max,
  );
  if (streams.length > 0) {
    await sql`
      insert into otlp_streams (entity_id, used_on, stream_hash, session_hash, quantity_em, tool_em, ai_provider_em,
        llm_model_name, identity_kind_em, identity_value, amount)
      select ${entityId}::bigint, x.used_on, x.stream_hash, x.session_hash, x.quantity_em, x.tool_em, x.ai_provider_em,
        x.llm_model_name, x.identity_kind_em, x.identity_value, x.amount
      from json_to_recordset(${JSON.stringify(streams)}::json) as x(used_on date, stream_hash bigint, ${SUBJECT})
      on conflict (entity_id, stream_hash, quantity_em, used_on) do update
        set amount = greatest(otlp_streams.amount, excluded.amount)`.execute(db);
  }
  if (batch.commits.length > 0) {
    await sql`
      insert into ai_commit_claims (entity_id, sha, source_em, ai_provider_em, tool_em, llm_model_name, claimed_at)
      select distinct on (x.sha, x.tool_em) ${entityId}::bigint, x.sha, 'otlp_commit', x.ai_provider_em, x.tool_em,
        x.llm_model_name, ${now}::timestamptz
      from json_to_recordset(${JSON.stringify(batch.commits)}::json) as x(
        sha text, tool_em text, ai_provider_em text, llm_model_name text)
      order by x.sha, x.tool_em
      on conflict (entity_id, sha, source_em, tool_em) do nothing`.execute(db);
  }
  const later = await listLaterDays(db, entityId, streams);
  // Last, because others wait for it.
  const days = [...new Set([...[...sums, ...streams].map(({ used_on }) => used_on), ...later])].toSorted();
  if (days.length > 0) {
    await sql`
      insert into otlp_due_days (entity_id, used_on, version)
      select ${entityId}::bigint, x.day, 1 from unnest(${days}::date[]) as x(day)
      on conflict (entity_id, used_on) do update set version = otlp_due_days.version + 1`.execute(db);
  }
  return fresh.size;
}

/** Days whose increase is less than it was, because an earlier value of the stream has come after theirs. */
async function listLaterDays(
  db: Database,
  entityId: number,
  streams: readonly StoredStream[],
): Promise<readonly string[]> {
  if (streams.length === 0) return [];
  const { rows } = await sql<{ used_on: string }>`
    select distinct s.used_on::text
    from unnest(${streams.map(({ stream_hash }) => stream_hash)}::bigint[], ${streams.map(({ quantity_em }) => quantity_em)}::text[],
      ${streams.map(({ used_on }) => used_on)}::date[]) as x(stream_hash, quantity_em, used_on)
    join otlp_streams s on s.entity_id = ${entityId} and s.stream_hash = x.stream_hash and s.quantity_em = x.quantity_em
      and s.used_on > x.used_on`.execute(db);
  return rows.map(({ used_on }) => used_on);
}

export interface DueDay {
  readonly used_on: string;
  readonly version: number;
}

export const listDueEntities = async (db: Database): Promise<number[]> =>
  (await db.selectFrom('otlp_due_days').select('entity_id').distinct().orderBy('entity_id').execute()).map(
    ({ entity_id }) => entity_id,
  );

export const listDueDays = (db: Database, entityId: number): Promise<DueDay[]> =>
  db
    .selectFrom('otlp_due_days')
    .select(['used_on', 'version'])
    .where('entity_id', '=', entityId)
    .orderBy('used_on')
    .execute();

/** Unless something came in the meantime. */
export async function endDueDay(db: Database, entityId: number, { used_on, version }: DueDay): Promise<void> {
  await db
    .deleteFrom('otlp_due_days')
    .where('entity_id', '=', entityId)
    .where('used_on', '=', used_on)
    .where('version', '=', version)
    .execute();
}

interface DayAmount {
  readonly tool_em: string;
  readonly ai_provider_em: string;
  readonly llm_model_name: string;
  readonly identity_kind_em: string;
  readonly identity_value: string;
  readonly quantity_em: string;
  readonly amount: number;
}

/**
 * What telemetry says of a day. A quantity that a session logs counts by its log records; metrics, which say the same
 * again, count where there are none. Metrics without a session are compared by person.
 */
export async function readTelemetryDay(db: Database, entityId: number, day: string): Promise<CollectedUsage[]> {
  const { rows } = await sql<DayAmount>`
    with parts as (
      select s.session_hash, s.signal_em, s.quantity_em, s.tool_em, s.ai_provider_em, s.llm_model_name,
        s.identity_kind_em, s.identity_value, s.amount
      from otlp_sums s where s.entity_id = ${entityId} and s.used_on = ${day}::date
      union all
      select s.session_hash, 'metric', s.quantity_em, s.tool_em, s.ai_provider_em, s.llm_model_name, s.identity_kind_em,
        s.identity_value, greatest(0, s.amount - coalesce((
          select max(b.amount) from otlp_streams b
          where b.entity_id = ${entityId} and b.stream_hash = s.stream_hash and b.quantity_em = s.quantity_em
            and b.used_on < s.used_on), 0))
      from otlp_streams s where s.entity_id = ${entityId} and s.used_on = ${day}::date
    ), logged as materialized (
      select distinct s.session_hash, s.quantity_em, s.tool_em, s.identity_kind_em, s.identity_value
      from otlp_sums s
      where s.entity_id = ${entityId} and s.used_on between ${day}::date - 1 and ${day}::date + 1 and s.signal_em = 'log'
    )
    select p.tool_em, p.ai_provider_em, p.llm_model_name, p.identity_kind_em, p.identity_value, p.quantity_em,
      sum(p.amount)::float8 as amount
    from parts p
    where p.signal_em = 'log' or not exists (
      select from logged l
      where l.quantity_em = p.quantity_em and l.tool_em = p.tool_em and (l.session_hash = p.session_hash
        or p.session_hash = 0 and l.identity_kind_em = p.identity_kind_em and l.identity_value = p.identity_value))
    group by 1, 2, 3, 4, 5, 6 having sum(p.amount) > 0
    order by 1, 2, 3, 4, 5, 6`.execute(db);
  return rows.map(({ quantity_em, amount, identity_kind_em, identity_value, ...row }) => ({
    ...row,
    identity: identity_kind_em === '' ? null : { kind_em: identity_kind_em as 'email', value: identity_value },
    ...(quantity_em === 'cost_microcents'
      ? { cost_microcents: Math.round(amount), is_cost_estimate: true }
      : { [quantity_em as ActivityCount]: Math.round(amount / 1000) }),
  }));
}

/** First days that are kept. */
export interface KeptFrom {
  readonly points: string;
  readonly streams: string;
}

/** Values of so many days are looked at when they have come to lie before those that are kept: some nights may be missed. */
const LOOKED_AT_DAYS = 5;

/**
 * Of a stream the largest value before those days stays, because its next one is held against it: a computer that slept through
 * a holiday sends from where it was. One that has been silent for longer has ended.
 */
export async function forgetTelemetry(db: Database, { points, streams }: KeptFrom): Promise<void> {
  for (const [table, column] of [
    ['otlp_seen', 'seen_on'],
    ['otlp_sums', 'used_on'],
  ] as const) {
    await sql`delete from ${sql.raw(table)} where ${sql.raw(column)} < ${points}::date`.execute(db);
  }
  const ofSameStream = sql`n.entity_id = s.entity_id and n.stream_hash = s.stream_hash and n.quantity_em = s.quantity_em`;
  // By the values that have come to lie before those days: all that are kept are many times as many.
  await sql`
    delete from otlp_streams s using otlp_streams n
    where n.used_on < ${points}::date and n.used_on >= ${points}::date - ${LOOKED_AT_DAYS}::int and ${ofSameStream}
      and s.used_on < ${points}::date and (s.amount, s.used_on) < (n.amount, n.used_on)`.execute(db);
  await sql`
    delete from otlp_streams s
    where s.used_on < ${streams}::date and not exists (
      select from otlp_streams n where ${ofSameStream} and n.used_on >= ${points}::date)`.execute(db);
}

export interface OtlpClients {
  readonly tool_em: string;
  readonly signals: string[];
  readonly person_count: number;
  readonly cumulative_count: number;
}

/** What each tool sent since a day, and from how many of its streams cumulative. */
export async function listOtlpClients(db: Database, entityId: number, since: string): Promise<OtlpClients[]> {
  const { rows } = await sql<OtlpClients>`
    with sent as (
      select tool_em, signal_em, identity_kind_em, identity_value, false as is_cumulative
      from otlp_sums where entity_id = ${entityId} and used_on >= ${since}::date
      union all
      select tool_em, 'metric', identity_kind_em, identity_value, true
      from otlp_streams where entity_id = ${entityId} and used_on >= ${since}::date
    )
    select tool_em, array_agg(distinct signal_em order by signal_em) as signals,
      count(distinct (identity_kind_em, identity_value)) as person_count,
      count(distinct (identity_kind_em, identity_value)) filter (where is_cumulative) as cumulative_count
    from sent group by 1 order by 1`.execute(db);
  return rows;
}

/** Ids of organizations that tokens of providers name → the provider. */
export async function readAccountProviders(db: Database, entityId: number): Promise<Map<string, string>> {
  const { rows } = await sql<{ account: string; provider: string }>`
    select settings ->> 'organization_id' as account, ai_usage_provider_em as provider
    from llm_tokens where entity_id = ${entityId} and settings ? 'organization_id' order by id`.execute(db);
  return new Map(rows.map(({ account, provider }) => [account, provider]));
}
