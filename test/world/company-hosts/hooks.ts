// What a host sends when something happens to a pull request, with its proof.
import { createHmac } from 'node:crypto';
import type { CompanyRepo, Pull } from '../company/company.ts';
import { azureId } from './azure-company.ts';
import { uuidOf } from './bitbucket-company.ts';

export interface SentHook {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

interface Event {
  readonly repo: CompanyRepo;
  readonly pull: Pull;
  /** The host's id of the delivery; the same when it is sent again. */
  readonly id: string;
  readonly secret: string;
  readonly now: Date;
}

const sign = (body: string, secret: string) => `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
const json = { 'content-type': 'application/json' };
const send = (body: object, headers: (text: string) => Record<string, string>): SentHook => {
  const text = JSON.stringify(body);
  return { body: text, headers: { ...json, ...headers(text) } };
};

const azure = ({ repo, pull, id, secret }: Event) =>
  send(
    {
      id,
      eventType: 'git.pullrequest.updated',
      resource: { pullRequestId: pull.number, repository: { id: azureId(repo.id) } },
    },
    () => ({ authorization: `Basic ${Buffer.from(`strata:${secret}`).toString('base64')}` }),
  );

/** By the name of the host. */
export const HOOKS: Readonly<Record<string, (event: Event) => SentHook>> = {
  github: ({ repo, pull, id, secret }) =>
    send({ action: 'edited', repository: { id: repo.id }, pull_request: { number: pull.number } }, (text) => ({
      'x-github-event': 'pull_request',
      'x-github-delivery': id,
      'x-hub-signature-256': sign(text, secret),
    })),
  gitlab: ({ repo, pull, id, secret, now }) =>
    send(
      { object_kind: 'merge_request', project: { id: repo.id }, object_attributes: { iid: pull.number } },
      (text) => {
        const time = Math.floor(now.getTime() / 1000);
        const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
        const signature = createHmac('sha256', key).update(`${id}.${time}.${text}`).digest('base64');
        return {
          'x-gitlab-event': 'Merge Request Hook',
          'webhook-id': id,
          'webhook-timestamp': String(time),
          'webhook-signature': `v1,${signature}`,
        };
      },
    ),
  azure_devops: azure,
  azure_devops_server: azure,
  bitbucket: ({ repo, pull, id, secret }) =>
    send({ repository: { uuid: uuidOf(repo.id) }, pullrequest: { id: pull.number } }, (text) => ({
      'x-event-key': 'pullrequest:updated',
      'x-request-uuid': id,
      'x-hub-signature': sign(text, secret),
    })),
  bitbucket_server: ({ repo, pull, id, secret }) =>
    send({ pullRequest: { id: pull.number, toRef: { repository: { id: repo.id } } } }, (text) => ({
      'x-event-key': 'pr:modified',
      'x-request-id': id,
      'x-hub-signature': sign(text, secret),
    })),
};
