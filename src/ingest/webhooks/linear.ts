// Webhooks of Linear: a signature in hexadecimal digits over the body, which holds the time of sending.
import { createHmac } from 'node:crypto';
import { z } from 'zod';
import { isSame, NO_HINT, readJson, type WebhookKind } from './webhook.ts';

const payload = z.looseObject({ type: z.string(), webhookTimestamp: z.number().nullish() });

const MOST_AGE_MS = 60_000;
const STREAMS: Readonly<Record<string, readonly string[]>> = {
  Issue: ['issues'],
  Cycle: ['sprints', 'issues'],
  Project: ['projects'],
};

export const linearWebhook: WebhookKind = {
  secret: 'text',
  isGenuine(delivery, secret, now) {
    const { headers, body } = delivery;
    const signature = createHmac('sha256', secret).update(body).digest('hex');
    if (!isSame(headers['linear-signature'] ?? '', signature)) return false;
    // The signature holds by now, so that the body is Linear's.
    const sentAt = payload.safeParse(readJson(delivery)).data?.webhookTimestamp;
    return sentAt == null || Math.abs(sentAt - now.getTime()) <= MOST_AGE_MS;
  },
  deliveryId: ({ headers }) => headers['linear-delivery'] ?? null,
  eventName: ({ headers }) => headers['linear-event'] ?? '',
  readHint(delivery) {
    const streams = STREAMS[payload.parse(readJson(delivery)).type];
    return streams === undefined ? null : { ...NO_HINT, streams };
  },
};
