// Webhooks of Bitbucket, Cloud and Data Center: the same proof and the same names of events, other bodies.
import { z } from 'zod';
import { type Delivery, type Hint, isSignedBody, NO_HINT, readJson, type WebhookKind } from './webhook.ts';

const cloud = z.looseObject({
  repository: z.looseObject({ uuid: z.string() }).nullish(),
  pullrequest: z.looseObject({ id: z.int() }).nullish(),
});
const repository = z.looseObject({ id: z.int() });
const server = z.looseObject({
  repository: repository.nullish(),
  pullRequest: z.looseObject({ id: z.int(), toRef: z.looseObject({ repository }) }).nullish(),
});

interface Named {
  readonly repo: string | null;
  readonly number: number | null;
}

/** Beginning of the event's name → what it is about. */
const MEANINGS: readonly (readonly [beginning: string, meaning: Pick<Hint, 'streams' | 'isPush'>])[] = [
  ['pullrequest:', { streams: [], isPush: false }],
  ['pr:', { streams: [], isPush: false }],
  ['repo:push', { streams: [], isPush: true }],
  ['repo:refs_changed', { streams: [], isPush: true }],
  ['repo:commit_status', { streams: ['pipelines'], isPush: false }],
];

const bitbucketKind = (idHeader: string, read: (delivery: Delivery) => Named): WebhookKind => ({
  secret: 'text',
  isGenuine: ({ headers, body }, secret) => isSignedBody(headers['x-hub-signature'], body, secret),
  deliveryId: ({ headers }) => headers[idHeader] ?? null,
  eventName: ({ headers }) => headers['x-event-key'] ?? '',
  readHint(delivery) {
    const event = this.eventName(delivery);
    const meaning = MEANINGS.find(([beginning]) => event.startsWith(beginning))?.[1];
    if (meaning === undefined) return null;
    const { repo, number } = read(delivery);
    return {
      ...NO_HINT,
      ...meaning,
      repo_external_id: repo,
      items: number === null ? [] : [{ kind: 'pull_request', key: String(number) }],
    };
  },
});

export const bitbucketWebhook = bitbucketKind('x-request-uuid', (delivery) => {
  const found = cloud.parse(readJson(delivery));
  return { repo: found.repository?.uuid ?? null, number: found.pullrequest?.id ?? null };
});

export const bitbucketServerWebhook = bitbucketKind('x-request-id', (delivery) => {
  const found = server.parse(readJson(delivery));
  const repo = found.repository ?? found.pullRequest?.toRef.repository;
  return { repo: repo == null ? null : String(repo.id), number: found.pullRequest?.id ?? null };
});
