// Answers of hosts as they came, compressed, for as long as the operator keeps them, with what was asked for.
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { sql } from 'kysely';
import type { RawRequest } from '../../domain/collect/raw-request.ts';
import type { KeptAnswer } from '../../domain/collect/stream.ts';
import type { Database } from '../database/handle.ts';

export interface RawAnswer extends KeptAnswer {
  readonly receivedAt: Date;
}

export interface RawPlace {
  readonly entityId: number;
  readonly hostKey: string;
  readonly streamId: number | null;
  readonly repoId: number | null;
}

const compress = promisify(gzip);
const expand = promisify(gunzip);
const FASTEST = { level: 1 };

/** Without a request, of a page that failed: such answers are kept to be looked at. */
export async function storeRawAnswers(
  db: Database,
  place: RawPlace,
  answers: readonly RawAnswer[],
  asked: { readonly request: RawRequest; readonly at: Date } | null,
): Promise<void> {
  if (answers.length === 0) return;
  const pageId = asked === null ? null : await storePage(db, place, asked);
  const rows = await Promise.all(
    answers.map(async (answer) => ({
      entity_id: place.entityId,
      stream_id: place.streamId,
      page_id: pageId,
      host_key: place.hostKey,
      received_at: answer.receivedAt,
      method: answer.method,
      address: answer.address,
      request_body: answer.requestBody,
      status: answer.status,
      headers: JSON.stringify(answer.headers),
      body: await compress(answer.body, FASTEST),
      byte_count: answer.body.byteLength,
    })),
  );
  await db.insertInto('raw_answers').values(rows).execute();
}

async function storePage(
  db: Database,
  { entityId, hostKey, streamId, repoId }: RawPlace,
  { request, at }: { readonly request: RawRequest; readonly at: Date },
): Promise<number> {
  const { id } = await db
    .insertInto('raw_pages')
    .values({
      entity_id: entityId,
      stream_id: streamId,
      repo_id: repoId,
      host_key: hostKey,
      requested_at: at,
      request: JSON.stringify(request),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

export interface RawPage {
  readonly id: number;
  readonly stream_id: number | null;
  readonly repo_id: number | null;
  readonly host_key: string;
  readonly requested_at: string;
  readonly request: RawRequest;
}

/** In the order in which they were asked for. */
export async function listRawPages(
  db: Database,
  entityId: number,
  after: { readonly at: string; readonly id: number } | null,
  most: number,
): Promise<RawPage[]> {
  const { rows } = await sql<RawPage>`
    select id, stream_id, repo_id, host_key, requested_at, request from raw_pages
    where entity_id = ${entityId} and (${after?.at ?? null}::timestamptz is null
      or (requested_at, id) > (${after?.at ?? null}::timestamptz, ${after?.id ?? 0}::bigint))
    order by requested_at, id limit ${most}`.execute(db);
  return rows;
}

interface StoredAnswer {
  readonly method: string;
  readonly address: string;
  readonly request_body: string | null;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>> | null;
  readonly body: Buffer;
}

const opened = async (row: StoredAnswer): Promise<KeptAnswer> => ({
  method: row.method,
  address: row.address,
  requestBody: row.request_body,
  status: row.status,
  headers: row.headers ?? {},
  body: await expand(row.body),
});

export async function readAnswersOfPage(db: Database, entityId: number, pageId: number): Promise<KeptAnswer[]> {
  const rows = await db
    .selectFrom('raw_answers')
    .select(['method', 'address', 'request_body', 'status', 'headers', 'body'])
    .where('entity_id', '=', entityId)
    .where('page_id', '=', pageId)
    .orderBy('id')
    .execute();
  return Promise.all(rows.map((row) => opened(row as StoredAnswer)));
}

/** What another page was answered to the same question: clients remember some answers for a while. */
export async function findKeptAnswer(
  db: Database,
  place: { readonly entityId: number; readonly hostKey: string; readonly at: string },
  asked: { readonly method: string; readonly address: string; readonly requestBody: string | null },
): Promise<KeptAnswer | null> {
  const { rows } = await sql<StoredAnswer>`
    select method, address, request_body, status, headers, body from raw_answers
    where entity_id = ${place.entityId} and host_key = ${place.hostKey} and md5(address) = md5(${asked.address}::text)
      and address = ${asked.address} and method = ${asked.method}
      and request_body is not distinct from ${asked.requestBody}::text
    order by abs(extract(epoch from received_at - ${place.at}::timestamptz)) limit 1`.execute(db);
  return rows[0] === undefined ? null : opened(rows[0]);
}

/** Of all entities. Returns how many answers went. */
export async function removeRawAnswers(db: Database, before: Date): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('raw_answers')
    .where('received_at', '<', before.toISOString())
    .executeTakeFirst();
  await db.deleteFrom('raw_pages').where('requested_at', '<', before.toISOString()).execute();
  return Number(numDeletedRows);
}
