// Webhooks: who sent it, and what it hints at. A delivery never brings data: it says what to look at again, so that its
// order, its repetition and its age do not matter.
import { createHmac, timingSafeEqual } from 'node:crypto';

export interface Delivery {
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** As it came: signatures are over these bytes. */
  readonly body: Buffer;
}

/** What may have changed. */
export interface Hint {
  /** The host's id of the repo; null where the event is about an organization. */
  readonly repo_external_id: string | null;
  readonly organization_external_id: string | null;
  /** Streams whose fresh walk begins soon. */
  readonly streams: readonly string[];
  /** How long that waits, where a look is dear and one event seldom comes alone; else it is soon. */
  readonly delayMinutes?: number;
  /** Items to fetch by themselves, by kind and key. */
  readonly items: readonly { readonly kind: string; readonly key: string }[];
  /** Commits may be new. */
  readonly isPush: boolean;
}

export interface WebhookKind {
  /** What the host takes for a secret: any text, or a key for signatures that begins with `whsec_`. */
  readonly secret: 'text' | 'signing_key';
  isGenuine(delivery: Delivery, secret: string, now: Date): boolean;
  /** Null where the host gives none: then nothing can be told apart, and the delivery is taken. */
  deliveryId(delivery: Delivery): string | null;
  eventName(delivery: Delivery): string;
  /** Null for an event that says nothing to us. Throws where the body is not what the host sends. */
  readHint(delivery: Delivery): Hint | null;
}

/** Compares in constant time, whatever the lengths. */
export function isSame(given: string, expected: string): boolean {
  const [a, b] = [given, expected].map((text) => createHmac('sha256', 'compare').update(text).digest());
  return timingSafeEqual(a!, b!);
}

/** A hint that names nothing, to be filled. */
export const NO_HINT: Hint = {
  repo_external_id: null,
  organization_external_id: null,
  streams: [],
  items: [],
  isPush: false,
};

/** The password of basic authentication, whatever the name; for hosts that sign nothing. */
export function hasPassword(authorization: string | undefined, secret: string): boolean {
  const encoded = /^basic (.+)$/i.exec(authorization ?? '')?.[1];
  if (encoded === undefined) return false;
  const text = Buffer.from(encoded, 'base64').toString('utf8');
  return isSame(text.slice(text.indexOf(':') + 1), secret);
}

export const readJson = ({ body }: Delivery): unknown => JSON.parse(body.toString('utf8'));

/** `sha256=…` in hexadecimal digits, over the bytes of the body. */
export const isSignedBody = (signature: string | undefined, body: Buffer, secret: string): boolean =>
  signature !== undefined && isSame(signature, `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`);
