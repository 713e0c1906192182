// The outbox, for the operator: what waits, what was sent, and why something could not be.
import { listMail, MOST_MAIL_ATTEMPTS } from '../../storage/mail/outbox.ts';
import { type Actor, OPERATOR } from '../access/actor.ts';
import { type AccessOperations, requireSuperAdmin } from '../access/grant.ts';
import type { OperationParts } from '../operation-parts.ts';

export interface MailRecord {
  readonly id: number;
  readonly entity: string;
  readonly kind: string;
  readonly recipient: string;
  readonly subject: string;
  readonly body_text: string;
  readonly state: 'waiting' | 'sent' | 'failed';
  readonly created_at: string;
  readonly sent_at: string | null;
  readonly last_error: string | null;
}

export interface MailOperations {
  list(actor: Actor, filter: { entity?: string | undefined; isSentToo: boolean }): Promise<MailRecord[]>;
}

export function createMailOperations(
  { store: { db } }: OperationParts,
  access: Pick<AccessOperations, 'enterEntity'>,
): MailOperations {
  return {
    async list(actor, { entity, isSentToo }) {
      if (actor !== OPERATOR && entity === undefined) requireSuperAdmin(actor);
      const found = entity === undefined ? null : (await access.enterEntity(actor, entity, 'admin')).entity;
      const rows = await listMail(db, { entityId: found?.id ?? null, isSentToo });
      return rows.map((row) => ({
        id: row.id,
        entity: row.entity,
        kind: row.kind,
        recipient: row.recipient,
        subject: row.subject,
        body_text: row.body_text,
        state: row.sent_at !== null ? 'sent' : row.attempt_count >= MOST_MAIL_ATTEMPTS ? 'failed' : 'waiting',
        created_at: row.created_at,
        sent_at: row.sent_at,
        last_error: row.last_error,
      }));
    },
  };
}
