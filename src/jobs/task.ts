// What a background task is: one file each, listed in tasks.ts.

import type { AiCollectors } from '../domain/ai/collector.ts';
import type { Collectors } from '../domain/collect/stream.ts';
import type { MailSender } from '../domain/mail/mail.ts';
import type { CodeHosts } from '../domain/repos/code-host.ts';
import type { RepoSource } from '../domain/repos/source.ts';
import type { LinkParts } from '../domain/surveys/link.ts';
import type { TaskName, TaskPayloads } from '../domain/tasks.ts';
import type { SecretBox } from '../kit/sealed-secret.ts';
import type { Store } from '../storage/database/handle.ts';
import type { JobContext } from '../storage/queue/worker.ts';

import type { ImportSettings } from './import/refs.ts';

export type { JobContext };

/** What tasks are given in addition to their payload. */
export interface JobParts {
  readonly store: Store;
  /** In the order in which they are searched for a repo. */
  readonly sources: readonly RepoSource[];
  readonly imports: ImportSettings;
  /** Clone passwords that this machine keeps. */
  readonly credentials?: { remove(addresses: readonly string[]): Promise<number> };
  /** Left out while no mail server is configured. */
  readonly mail?: MailSender;
  /** For links in mail. */
  readonly links?: LinkParts;
  /** For the tasks that ask code hosts. */
  readonly codeHosts?: CodeHosts;
  /** For the tasks that collect from code hosts and trackers. */
  readonly collectors?: Collectors;
  /** Whether answers of hosts are kept as they came, and for how long. */
  readonly keepsRawAnswers?: boolean;
  readonly rawAnswerDays?: number;
  /** For the tasks that ask providers of AI tools. */
  readonly aiCollectors?: AiCollectors;
  /** Opens the sealed tokens of connections. */
  readonly secrets?: SecretBox;
  /** Left out, all of it is kept. */
  readonly activityRetentionDays?: number;
  now(): Date;
}

export interface Task<T extends TaskName> {
  readonly description: string;
  /** Times at which it is queued by itself: five cron fields in UTC, and the payload. */
  readonly cron?: { readonly pattern: string; readonly payload: TaskPayloads[T] };
  run(payload: TaskPayloads[T], job: JobContext, parts: JobParts): Promise<void>;
}
