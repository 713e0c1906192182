// Mail that waits to be sent. It is written in the transaction that causes it, so that nobody is told of
// what did not happen.
import { sql } from 'kysely';
import { StrataError } from '../../domain/errors.ts';
import { mailLimitOf } from '../../domain/mail/mail-limits.ts';
import type { Database } from '../database/handle.ts';
import { enqueue } from '../queue/queue.ts';

export interface Mail {
  /** What it is about, for the operator's list: `survey_invitation`, for instance. */
  readonly kind: string;
  readonly recipient: string;
  readonly subject: string;
  readonly body_text: string;
}

export async function addMail(trx: Database, entityId: number, mails: readonly Mail[]): Promise<void> {
  await refuseFlood(trx, entityId, mails);
  if (mails.length === 0) return;
  const column = (name: keyof Mail) => mails.map((mail) => mail[name]);
  await sql`
    insert into outgoing_mail (entity_id, kind, recipient, subject, body_text)
    select ${entityId}::bigint, x.*
    from unnest(${column('kind')}::text[], ${column('recipient')}::text[], ${column('subject')}::text[],
      ${column('body_text')}::text[]) as x`.execute(trx);
  await enqueue(trx, 'send_mail', {}, { jobKey: 'send_mail', queueName: 'send_mail' });
}

const DAY_MS = 86_400_000;

/** Throws when an entity, or somebody it writes to, would have more mail of a kind in a day than is allowed. */
async function refuseFlood(trx: Database, entityId: number, mails: readonly Mail[]): Promise<void> {
  for (const kind of new Set(mails.map((mail) => mail.kind))) {
    const limit = mailLimitOf(kind);
    const recipients = mails.filter((mail) => mail.kind === kind).map(({ recipient }) => recipient);
    const since = new Date(Date.now() - DAY_MS).toISOString();
    const { rows } = await sql<{ recipient: string; count: number }>`
      select recipient, count(*) as count from outgoing_mail
      where entity_id = ${entityId} and kind = ${kind} and created_at > ${since}::timestamptz
      group by recipient`.execute(trx);
    const before = new Map(rows.map(({ recipient, count }) => [recipient, count]));
    let total = 0;
    for (const count of before.values()) total += count;
    if (total + recipients.length > limit.perEntity) {
      throw tooMuch(`an entity may have ${limit.perEntity} mails of the kind ${kind} written in 24 hours`);
    }
    const flooded = recipients.find((recipient) => (before.get(recipient) ?? 0) >= limit.perRecipient);
    if (flooded !== undefined) {
      throw tooMuch(`${flooded} has got ${limit.perRecipient} mails of the kind ${kind} in 24 hours, and gets no more`);
    }
  }
}

const tooMuch = (why: string): StrataError =>
  new StrataError('rate_limited', `${why}; nothing was done, try again later`, { retryAfterSeconds: 3_600 });

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
