// The outbox as the sending task and the operator see it.
import { sql } from 'kysely';
import type { Database } from '../database/handle.ts';
import type { Row } from '../database/schema.ts';

/** A mail that was tried so often without success stays where it is. */
export const MOST_MAIL_ATTEMPTS = 10;

export type MailRow = Row<'outgoing_mail'>;
export type ListedMailRow = MailRow & { readonly entity: string };

/** Oldest first, of entities that are not being removed. */
export async function listDueMail(db: Database, limit: number): Promise<MailRow[]> {
  const { rows } = await sql<MailRow>`
    select m.* from outgoing_mail m join entities e on e.id = m.entity_id
    where m.sent_at is null and m.attempt_count < ${MOST_MAIL_ATTEMPTS} and e.state = 'active'
    order by m.attempt_count, m.created_at, m.id limit ${limit}`.execute(db);
  return rows;
}

export async function markMail(
  db: Database,
  { entity_id, id }: Pick<MailRow, 'entity_id' | 'id'>,
  change: { sent_at: Date } | { attempt_count: number; last_error: string },
): Promise<void> {
  // What it said is its recipient's business alone from then on: a link in it may let its reader in.
  const stored = 'sent_at' in change ? { ...change, body_text: '' } : change;
  await db.updateTable('outgoing_mail').set(stored).where('entity_id', '=', entity_id).where('id', '=', id).execute();
}

/** Newest first. */
export async function listMail(
  db: Database,
  filter: { entityId: number | null; isSentToo: boolean },
): Promise<ListedMailRow[]> {
  const { rows } = await sql<ListedMailRow>`
    select m.*, e.slug as entity from outgoing_mail m join entities e on e.id = m.entity_id
    where (${filter.entityId}::bigint is null or m.entity_id = ${filter.entityId})
      and (${filter.isSentToo} or m.sent_at is null)
    order by m.created_at desc, m.id desc limit 1000`.execute(db);
  return rows;
}
