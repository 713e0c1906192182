// Mail that waits to be sent. It is written in the transaction that causes it, so that nobody is told of
// what did not happen.
import type { Database } from '../database/handle.ts';
import { enqueue } from '../queue/queue.ts';

export interface Mail {
  /** What it is about, for the operator's list: `survey_invitation`, for instance. */
  readonly kind: string;
  readonly recipient: string;
  readonly subject: string;
  readonly body_text: string;
}

const ROWS_PER_STATEMENT = 1000;

export async function addMail(trx: Database, entityId: number, mails: readonly Mail[]): Promise<void> {
  for (let at = 0; at < mails.length; at += ROWS_PER_STATEMENT) {
    const rows = mails.slice(at, at + ROWS_PER_STATEMENT).map((mail) => ({ entity_id: entityId, ...mail }));
    await trx.insertInto('outgoing_mail').values(rows).execute();
  }
  if (mails.length > 0) await enqueue(trx, 'send_mail', {}, { jobKey: 'send_mail', queueName: 'send_mail' });
}

/** Whether such a mail was written to somebody since then, so that nobody is flooded. */
export async function hasMailSince(
  db: Database,
  entityId: number,
  mail: Pick<Mail, 'kind' | 'recipient' | 'subject'>,
  since: Date,
): Promise<boolean> {
  const found = await db
    .selectFrom('outgoing_mail')
    .select('id')
    .where('entity_id', '=', entityId)
    .where('kind', '=', mail.kind)
    .where('recipient', '=', mail.recipient)
    .where('subject', '=', mail.subject)
    .where('created_at', '>', since.toISOString())
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
}
