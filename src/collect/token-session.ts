// A token at work: what walking a stream needs, and how a walk can end.
import type { OpenCollector } from '../domain/collect/stream.ts';
import type { TrackerKind } from '../domain/work/issue.ts';
import type { Log } from '../kit/log.ts';
import type { TokenKey } from '../storage/collect/streams.ts';
import type { Database } from '../storage/database/handle.ts';
import type { AnswerLog } from './answer-log.ts';
import type { Budgets } from './budget.ts';
import type { Pace } from './pace.ts';

export interface TokenSession {
  readonly db: Database;
  readonly token: TokenKey;
  readonly hostKey: string;
  readonly trackerKind: TrackerKind | null;
  readonly open: OpenCollector;
  readonly pace: Pace;
  readonly budgets: Budgets;
  readonly answers: AnswerLog;
  readonly keepsRaw: boolean;
  readonly log: Log;
  readonly signal: AbortSignal;
  /** Repos that got rows, for what is derived from them. */
  readonly touchedRepos: Set<number>;
  /** Whether something wider than a repo got rows: a tracker, or an organization with its boards and teams. */
  isWiderScopeTouched: boolean;
  isTimeUp(): boolean;
  storeBudgets(): Promise<void>;
  now(): Date;
  random(): number;
}

export type WalkEnd =
  | 'finished'
  /** Time or budget is up. */
  | 'paused'
  /** It failed, or is left to others: the next stream, please. */
  | 'left'
  /** The token is not accepted. */
  | 'no_token';
