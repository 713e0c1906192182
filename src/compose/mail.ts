// Mail from the configuration: who sends it, and what operations need to know of it.
import type { Config } from '../config/load-config.ts';
import { createSmtpSender } from '../connectors/mail/smtp-sender.ts';
import type { JobParts } from '../jobs/task.ts';
import type { OperationParts } from '../operations/index.ts';

export const createMailSender = ({ smtp_url, mail_from }: Config): Pick<JobParts, 'mail'> =>
  smtp_url === null ? {} : { mail: createSmtpSender(smtp_url, mail_from) };

export const createMailParts = ({ smtp_url, public_url }: Config): Pick<OperationParts, 'mail'> => ({
  mail: { canSend: smtp_url !== null, publicUrl: public_url },
});
