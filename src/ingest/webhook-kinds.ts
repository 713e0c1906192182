// The table of webhooks, by the name in their address.
import type { GitProvider } from '../domain/repos/code-host.ts';
import type { TrackerKind } from '../domain/work/issue.ts';
import { githubWebhook } from './github-webhook.ts';
import type { WebhookKind } from './webhook.ts';

export const WEBHOOK_KINDS: Partial<Record<GitProvider | TrackerKind, WebhookKind>> = {
  hostC: githubWebhook,
};
