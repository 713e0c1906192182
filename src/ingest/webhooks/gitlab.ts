// Webhooks of GitLab: proven by a secret that comes along, by a signature over id, time and body, or by both.
import { createHmac } from 'node:crypto';
import { z } from 'zod';
import { type Delivery, type Hint, isSame, NO_HINT, readJson, type WebhookKind } from './webhook.ts';

const numbered = z.looseObject({ iid: z.int() });
const payload = z.looseObject({
  object_kind: z.string(),
  project: z.looseObject({ id: z.int() }).nullish(),
  project_id: z.int().nullish(),
  object_attributes: z.looseObject({ iid: z.int().nullish() }).nullish(),
  merge_request: numbered.nullish(),
});

/** How far a signed time may be off. */
const MOST_SKEW_MS = 5 * 60_000;
const KEY_PREFIX = 'whsec_';

/** Kind of object → what to look at again, in addition to the merge request that it is about. */
const MEANINGS: Readonly<Record<string, Pick<Hint, 'streams' | 'isPush'>>> = {
  merge_request: { streams: [], isPush: false },
  note: { streams: [], isPush: false },
  issue: { streams: ['issues'], isPush: false },
  work_item: { streams: ['issues', 'iterations'], isPush: false },
  pipeline: { streams: ['pipelines'], isPush: false },
  deployment: { streams: ['deployments'], isPush: false },
  push: { streams: [], isPush: true },
  tag_push: { streams: [], isPush: true },
  release: { streams: [], isPush: true },
};

/** `v1,` and the signature in base64; several may stand side by side while a key is changed. */
function isSigned({ headers, body }: Delivery, secret: string, now: Date): boolean {
  const { 'webhook-id': id, 'webhook-timestamp': time, 'webhook-signature': given } = headers;
  if (id === undefined || time === undefined || given === undefined || !secret.startsWith(KEY_PREFIX)) return false;
  if (!(Math.abs(Number(time) * 1000 - now.getTime()) <= MOST_SKEW_MS)) return false;
  const key = Buffer.from(secret.slice(KEY_PREFIX.length), 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${time}.`).update(body).digest('base64');
  return given.split(' ').some((each) => isSame(each, `v1,${signature}`));
}

export const gitlabWebhook: WebhookKind = {
  secret: 'signing_key',
  isGenuine(delivery, secret, now) {
    const { 'x-gitlab-token': token, 'webhook-signature': signature } = delivery.headers;
    if (token === undefined && signature === undefined) return false;
    return (
      (token === undefined || isSame(token, secret)) && (signature === undefined || isSigned(delivery, secret, now))
    );
  },
  deliveryId: ({ headers }) =>
    headers['webhook-id'] ?? headers['idempotency-key'] ?? headers['x-gitlab-event-uuid'] ?? null,
  eventName: ({ headers }) => headers['x-gitlab-event'] ?? '',
  readHint(delivery) {
    const { object_kind, project, project_id, object_attributes, merge_request } = payload.parse(readJson(delivery));
    const meaning = MEANINGS[object_kind];
    if (meaning === undefined) return null;
    const id = project?.id ?? project_id;
    const number = object_kind === 'merge_request' ? object_attributes?.iid : merge_request?.iid;
    const isComment = object_kind === 'note' && number == null;
    return {
      ...NO_HINT,
      isPush: meaning.isPush,
      repo_external_id: id == null ? null : String(id),
      // A comment that is not on a merge request is on an issue, or on nothing that is collected.
      streams: isComment ? ['issues'] : meaning.streams,
      items: number == null || meaning.streams.length > 0 ? [] : [{ kind: 'pull_request', key: String(number) }],
    };
  },
};
