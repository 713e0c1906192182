// Webhooks of GitHub.
import { z } from 'zod';
import { type Delivery, type Hint, isSignedBody, type WebhookKind } from './webhook.ts';

const payload = z.looseObject({
  repository: z.object({ id: z.int() }).optional(),
  organization: z.object({ id: z.int() }).optional(),
  pull_request: z.object({ number: z.int() }).optional(),
  issue: z.object({ number: z.int(), pull_request: z.unknown().optional() }).optional(),
});
type Payload = z.infer<typeof payload>;

interface Meaning {
  readonly streams: readonly string[];
  readonly delayMinutes?: number;
  readonly isPush?: true;
}

/** Event → what to look at again, in addition to the pull request that it is about. */
const MEANINGS: Readonly<Record<string, Meaning>> = {
  pull_request: { streams: [] },
  pull_request_review: { streams: ['review_comments'] },
  pull_request_review_comment: { streams: ['review_comments'] },
  pull_request_review_thread: { streams: [] },
  issues: { streams: ['issues', 'issue_events'] },
  issue_comment: { streams: ['conversation_comments'] },
  deployment: { streams: ['deployments'] },
  deployment_status: { streams: ['deployments'] },
  workflow_run: { streams: ['workflow_runs'] },
  team: { streams: ['teams'] },
  membership: { streams: ['teams'] },
  member: { streams: ['teams'] },
  // All items of all projects are read, so once in ten minutes must do.
  projects_v2_item: { streams: ['projects'], delayMinutes: 10 },
  projects_v2: { streams: ['projects'], delayMinutes: 10 },
  push: { streams: [], isPush: true },
  release: { streams: [], isPush: true },
};

const readPayload = ({ headers, body }: Delivery): Payload => {
  const text = body.toString('utf8');
  const isForm = headers['content-type']?.startsWith('application/x-www-form-urlencoded') === true;
  return payload.parse(JSON.parse(isForm ? (new URLSearchParams(text).get('payload') ?? '') : text));
};

export const githubWebhook: WebhookKind = {
  secret: 'text',
  isGenuine: ({ headers, body }, secret) => isSignedBody(headers['x-hub-signature-256'], body, secret),
  deliveryId: ({ headers }) => headers['x-github-delivery'] ?? null,
  eventName: ({ headers }) => headers['x-github-event'] ?? '',
  readHint(delivery): Hint | null {
    const event = this.eventName(delivery);
    const meaning = Object.hasOwn(MEANINGS, event) ? MEANINGS[event] : undefined;
    if (meaning === undefined) return null;
    const { repository, organization, pull_request, issue } = readPayload(delivery);
    const number = pull_request?.number ?? (issue?.pull_request == null ? undefined : issue.number);
    return {
      repo_external_id: repository === undefined ? null : String(repository.id),
      organization_external_id: organization === undefined ? null : String(organization.id),
      streams: meaning.streams,
      ...(meaning.delayMinutes === undefined ? {} : { delayMinutes: meaning.delayMinutes }),
      items: number === undefined ? [] : [{ kind: 'pull_request', key: String(number) }],
      isPush: meaning.isPush === true,
    };
  },
};
