// The table of webhooks, by the name in their address.
import type { GitProvider } from '../../domain/repos/code-host.ts';
import type { TrackerKind } from '../../domain/work/issue.ts';
import { azureBoardsWebhook, azureDevopsWebhook } from './azure.ts';
import { bitbucketServerWebhook, bitbucketWebhook } from './bitbucket.ts';
import { githubWebhook } from './github.ts';
import { gitlabWebhook } from './gitlab.ts';
import { jiraWebhook } from './jira.ts';
import { linearWebhook } from './linear.ts';
import type { WebhookKind } from './webhook.ts';

export const WEBHOOK_KINDS: Partial<Record<GitProvider | TrackerKind, WebhookKind>> = {
  devops_suite: azureDevopsWebhook,
  devops_suite_on_prem: azureDevopsWebhook,
  hostB: bitbucketWebhook,
  hostB_server: bitbucketServerWebhook,
  hostC: githubWebhook,
  hostD: gitlabWebhook,
  azure_boards: azureBoardsWebhook,
  jira: jiraWebhook,
  jira_server: jiraWebhook,
  linear: linearWebhook,
};
