// Service hooks of Azure DevOps and Azure Boards. They are not signed: the secret is the password of basic authentication,
// or the header `X-Strata-Secret`, and the address itself is not guessable.
import { z } from 'zod';
import { type Delivery, type Hint, hasPassword, isSame, NO_HINT, readJson, type WebhookKind } from './webhook.ts';

const repository = z.looseObject({ id: z.string() });
const pullRequest = z.looseObject({ pullRequestId: z.int(), repository: repository.nullish() });
const payload = z.looseObject({
  id: z.string().nullish(),
  eventType: z.string(),
  resource: z
    .looseObject({
      pullRequestId: z.int().nullish(),
      pullRequest: pullRequest.nullish(),
      repository: repository.nullish(),
    })
    .nullish(),
});

/** Beginning of the event's type → what it is about. */
const HOST_MEANINGS: readonly (readonly [beginning: string, meaning: Pick<Hint, 'streams' | 'isPush'>])[] = [
  ['git.pullrequest.', { streams: [], isPush: false }],
  ['ms.vss-code.git-pullrequest-comment', { streams: [], isPush: false }],
  ['git.push', { streams: [], isPush: true }],
  ['build.complete', { streams: ['builds'], isPush: false }],
  ['ms.vss-release.deployment-completed', { streams: ['deployments'], isPush: false }],
];

function read(delivery: Delivery): z.infer<typeof payload> | null {
  try {
    return payload.parse(readJson(delivery));
  } catch {
    return null;
  }
}

const proofAndName = {
  secret: 'text',
  isGenuine: ({ headers }: Delivery, secret: string) =>
    hasPassword(headers.authorization, secret) || isSame(headers['x-strata-secret'] ?? '', secret),
  deliveryId: (delivery: Delivery) => read(delivery)?.id ?? null,
  eventName: (delivery: Delivery) => read(delivery)?.eventType ?? '',
} as const;

export const azureDevopsWebhook: WebhookKind = {
  ...proofAndName,
  readHint(delivery) {
    const { eventType, resource } = payload.parse(readJson(delivery));
    const meaning = HOST_MEANINGS.find(([beginning]) => eventType.startsWith(beginning))?.[1];
    if (meaning === undefined) return null;
    const number = resource?.pullRequestId ?? resource?.pullRequest?.pullRequestId;
    const repo = resource?.repository ?? resource?.pullRequest?.repository;
    return {
      ...NO_HINT,
      ...meaning,
      repo_external_id: repo?.id ?? null,
      items: number == null ? [] : [{ kind: 'pull_request', key: String(number) }],
    };
  },
};

export const azureBoardsWebhook: WebhookKind = {
  ...proofAndName,
  readHint(delivery) {
    const { eventType } = payload.parse(readJson(delivery));
    return eventType.startsWith('workitem.') ? { ...NO_HINT, streams: ['issues'] } : null;
  },
};
