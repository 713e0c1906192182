// Mail as the service hands it to whoever can send it.

export interface OutgoingMail {
  readonly recipient: string;
  readonly subject: string;
  readonly body_text: string;
}

export interface MailSender {
  /** Throws a MailRefusedError when the server will never take this mail, any other error when it may later. */
  send(mail: OutgoingMail): Promise<void>;
}

/** The mail server refused this one mail. `isPermanent` is false where it asks to try again. */
export class MailRefusedError extends Error {
  readonly isPermanent: boolean;
  constructor(message: string, isPermanent: boolean) {
    super(message);
    this.name = 'MailRefusedError';
    this.isPermanent = isPermanent;
  }
}
