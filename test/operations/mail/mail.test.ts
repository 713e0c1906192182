import { createServer, type Server, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createSmtpSender } from '../../../src/connectors/mail/smtp-sender.ts';
import type { MailSender } from '../../../src/domain/mail/mail.ts';
import { sendMail } from '../../../src/jobs/send-mail.ts';
import { silentLog } from '../../../src/kit/log.ts';
import { OPERATOR } from '../../../src/operations/index.ts';
import { countJobs } from '../../../src/storage/queue/queue.ts';
import { createTestApp, type TestApp } from '../../support/app.ts';
import { importSettings } from '../../support/import-settings.ts';

interface Received {
  readonly from: string;
  readonly to: string;
  readonly text: string;
}

/** Enough of RFC 5321 to take a mail, refuse a recipient for good (5xx) or for now (4xx). */
class SmtpDouble {
  readonly received: Received[] = [];
  refusal: '550 no such user' | '451 try again' | null = null;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  constructor() {
    this.#server = createServer((socket) => this.#talk(socket));
  }

  listen(port = 0): Promise<number> {
    return new Promise((resolve) => {
      this.#server.listen(port, '127.0.0.1', () => resolve((this.#server.address() as { port: number }).port));
    });
  }

  close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    return new Promise((resolve) => this.#server.close(() => resolve()));
  }

  #talk(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on('error', () => undefined);
    let [from, to, text, rest] = ['', '', '', ''];
    let isData = false;
    const say = (line: string) => socket.write(`${line}\r\n`);
    say('220 double ESMTP');
    socket.on('data', (chunk) => {
      const lines = (rest + chunk.toString('utf8')).split('\r\n');
      rest = lines.pop() ?? '';
      for (const line of lines) {
        if (isData) {
          if (line !== '.') {
            text += `${line.replace(/^\.\./, '.')}\n`;
            continue;
          }
          isData = false;
          this.received.push({ from, to, text });
          say('250 taken');
        } else if (/^EHLO/i.test(line)) say('250 double');
        else if (/^MAIL FROM:/i.test(line)) {
          from = /<(.*)>/.exec(line)?.[1] ?? '';
          say('250 ok');
        } else if (/^RCPT TO:/i.test(line)) {
          to = /<(.*)>/.exec(line)?.[1] ?? '';
          say(this.refusal ?? '250 ok');
        } else if (/^DATA/i.test(line)) {
          [isData, text] = [true, ''];
          say('354 go on');
        } else if (/^QUIT/i.test(line)) {
          say('221 bye');
          socket.end();
        } else say('250 ok');
      }
    });
  }
}

let app: TestApp;
let double: SmtpDouble;
let port: number;

beforeEach(async () => {
  app = await createTestApp();
  double = new SmtpDouble();
  port = await double.listen();
});
afterEach(() => double.close());

const invite = (emails: string) =>
  app.request({
    route: 'POST /teams',
    json: { name: `Team\r\nBcc: x@evil.org ${emails}`, developer_members: emails, invite_developers: true },
  });

const run = (mail: MailSender | undefined) =>
  sendMail.run(
    {},
    {
      jobId: '0',
      jobKey: 'send_mail',
      attempt: 1,
      maxAttempts: 25,
      signal: new AbortController().signal,
      log: silentLog,
    },
    {
      store: app.store,
      sources: [],
      imports: importSettings('/nonexistent'),
      now: () => new Date(),
      ...(mail === undefined ? {} : { mail }),
    },
  );

const sender = () => createSmtpSender(`smtp://127.0.0.1:${port}`, 'Strata <strata@example.org>');
const outbox = async (isSentToo = true) =>
  (await app.operations.mail.list(OPERATOR, { isSentToo })).map(({ recipient, state }) => [recipient, state]).sort();

describe('mail in the outbox', () => {
  test('is queued with the change that causes it, and sent by SMTP once', async () => {
    await invite('new@example.com');
    expect((await countJobs(app.store.db)).find(({ task }) => task === 'send_mail')?.waiting).toBe(1);
    await run(sender());
    expect(double.received).toHaveLength(1);
    expect(double.received[0]).toMatchObject({ from: 'strata@example.org', to: 'new@example.com' });
    expect(double.received[0]?.text).toMatch(/^From: Strata <strata@example\.org>$/m);
    expect(double.received[0]?.text).toMatch(/^To: new@example\.com$/m);
    expect(double.received[0]?.text).toMatch(/you were added to the team/);
    expect(await outbox()).toEqual([['new@example.com', 'sent']]);
    await run(sender());
    expect(double.received).toHaveLength(1);
  });

  test('has no header that somebody smuggled in through the name of a team', async () => {
    await invite('new@example.com');
    await run(sender());
    const [headers = ''] = double.received[0]!.text.split('\n\n');
    expect(headers).toMatch(/^Subject: You are in the team/m);
    expect(headers).not.toMatch(/^Bcc/m);
  });

  test('stays while no mail server is configured', async () => {
    await invite('new@example.com');
    await run(undefined);
    expect(await outbox(false)).toEqual([['new@example.com', 'waiting']]);
  });

  test('is given up when the server refuses it for good, and tried again when it does not', async () => {
    await invite('gone@example.com');
    double.refusal = '451 try again';
    await run(sender());
    expect(await outbox()).toEqual([['gone@example.com', 'waiting']]);
    double.refusal = '550 no such user';
    await run(sender());
    expect(await outbox()).toEqual([['gone@example.com', 'failed']]);
    expect((await app.operations.mail.list(OPERATOR, { isSentToo: false }))[0]?.last_error).toContain('no such user');
    double.refusal = null;
    await run(sender());
    expect(double.received).toEqual([]);
  });

  test('waits for a server that cannot be reached, however long that takes', async () => {
    await invite('new@example.com');
    const broken = sender();
    await double.close();
    for (let attempt = 0; attempt < 12; attempt++) await run(broken);
    expect(await outbox()).toEqual([['new@example.com', 'waiting']]);
    double = new SmtpDouble();
    port = await double.listen();
    await run(sender());
    expect(double.received).toHaveLength(1);
  });
});
