// Webhooks of Jira, Cloud and Data Center: signed, or with the secret as the password of basic authentication where the
// server is too old to sign.
import { z } from 'zod';
import { hasPassword, isSignedBody, NO_HINT, readJson, type WebhookKind } from './webhook.ts';

const payload = z.looseObject({ webhookEvent: z.string() });

/** Beginning of the event's name → streams of the tracker. */
const MEANINGS: readonly (readonly [beginning: string, streams: readonly string[]])[] = [
  ['jira:issue_', ['issues']],
  ['issuelink_', ['issues']],
  ['sprint_', ['sprints', 'issues']],
  ['board_', ['sprints']],
];

export const jiraWebhook: WebhookKind = {
  secret: 'text',
  isGenuine: ({ headers, body }, secret) =>
    headers['x-hub-signature'] === undefined
      ? hasPassword(headers.authorization, secret)
      : isSignedBody(headers['x-hub-signature'], body, secret),
  deliveryId: ({ headers }) => headers['x-atlassian-webhook-identifier'] ?? null,
  eventName(delivery) {
    const found = payload.safeParse(parsed(() => readJson(delivery)));
    return found.success ? found.data.webhookEvent : '';
  },
  readHint(delivery) {
    const { webhookEvent } = payload.parse(readJson(delivery));
    const streams = MEANINGS.find(([beginning]) => webhookEvent.startsWith(beginning))?.[1];
    return streams === undefined ? null : { ...NO_HINT, streams };
  },
};

function parsed(read: () => unknown): unknown {
  try {
    return read();
  } catch {
    return null;
  }
}
