// Sends what waits in the outbox. It is queued with every mail, and looks by itself now and then: for mail
// that could not be sent, and for mail written before a mail server was configured.
import { MailRefusedError } from '../domain/mail/mail.ts';
import { listDueMail, MOST_MAIL_ATTEMPTS, markMail } from '../storage/mail/outbox.ts';
import type { Task } from './task.ts';

const MAILS_PER_RUN = 500;
const LONGEST_ERROR = 500;

export const sendMail: Task<'send_mail'> = {
  description: 'Sends the mail that waits in the outbox, if a mail server is configured.',
  cron: { pattern: '*/5 * * * *', payload: {} },
  async run(_payload, { log, signal }, { store, mail: sender, now }) {
    if (sender === undefined) return;
    for (const mail of await listDueMail(store.db, MAILS_PER_RUN)) {
      signal.throwIfAborted();
      const { entity_id, id } = mail;
      try {
        await sender.send(mail);
        await markMail(store.db, mail, { sent_at: now() });
        log.info({ entity_id, mail_id: id, kind: mail.kind }, 'mail was sent');
      } catch (error) {
        const last_error = String(error).slice(0, LONGEST_ERROR);
        log.warn({ entity_id, mail_id: id, err: error }, 'mail could not be sent');
        if (error instanceof MailRefusedError) {
          const attempt_count = error.isPermanent ? MOST_MAIL_ATTEMPTS : mail.attempt_count + 1;
          await markMail(store.db, mail, { attempt_count, last_error });
          continue;
        }
        // The server cannot be reached: that says nothing about the mail, and the next one would wait as long.
        await markMail(store.db, mail, { attempt_count: mail.attempt_count, last_error });
        return;
      }
    }
  },
};
