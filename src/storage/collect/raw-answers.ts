// Answers of hosts as they came, compressed, for as long as the operator keeps them.
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Database } from '../database/handle.ts';

export interface RawAnswer {
  readonly method: string;
  readonly address: string;
  readonly requestBody: string | null;
  readonly status: number;
  readonly body: Uint8Array;
  readonly receivedAt: Date;
}

const compress = promisify(gzip);
const FASTEST = { level: 1 };

export async function storeRawAnswers(
  db: Database,
  place: { readonly entityId: number; readonly hostKey: string; readonly streamId: number | null },
  answers: readonly RawAnswer[],
): Promise<void> {
  if (answers.length === 0) return;
  const rows = await Promise.all(
    answers.map(async (answer) => ({
      entity_id: place.entityId,
      stream_id: place.streamId,
      host_key: place.hostKey,
      received_at: answer.receivedAt,
      method: answer.method,
      address: answer.address,
      request_body: answer.requestBody,
      status: answer.status,
      body: await compress(answer.body, FASTEST),
      byte_count: answer.body.byteLength,
    })),
  );
  await db.insertInto('raw_answers').values(rows).execute();
}

/** Of all entities. Returns how many went. */
export async function removeRawAnswers(db: Database, before: Date): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('raw_answers')
    .where('received_at', '<', before.toISOString())
    .executeTakeFirst();
  return Number(numDeletedRows);
}
