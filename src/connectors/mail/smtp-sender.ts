// Sends mail through the SMTP server that the operator configured.
import { createTransport } from 'nodemailer';
import { MailRefusedError, type MailSender } from '../../domain/mail/mail.ts';

const CONNECT_MS = 10_000;
const SILENCE_MS = 30_000;

/** `url` is `smtp://user:password@host:port` or `smtps://…`; STARTTLS is used where the server offers it. */
export function createSmtpSender(url: string, from: string): MailSender {
  const transport = createTransport({
    url,
    connectionTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    socketTimeout: SILENCE_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    async send({ recipient, subject, body_text }) {
      try {
        await transport.sendMail({ from, to: { name: '', address: recipient }, subject, text: body_text });
      } catch (error) {
        // What the server says about the envelope or the text is about this mail; the rest about the server.
        const { code, responseCode } = error as { code?: unknown; responseCode?: unknown };
        const isRefusal = code === 'EENVELOPE' || code === 'EMESSAGE';
        if (!isRefusal) throw error;
        const isPermanent = typeof responseCode !== 'number' || responseCode >= 500;
        throw new MailRefusedError(error instanceof Error ? error.message : String(error), isPermanent);
      }
    },
  };
}
