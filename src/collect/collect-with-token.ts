// One token works for a while: it takes the most urgent stream that it can see, walks it, and takes the next, until the
// time is up, its budget is spent, or nothing is due.
import type { Collectors } from '../domain/collect/stream.ts';
import type { Log } from '../kit/log.ts';
import type { SecretBox } from '../kit/sealed-secret.ts';
import { readBudgets, storeBudgets } from '../storage/collect/budgets.ts';
import { readScope } from '../storage/collect/scopes.ts';
import {
  countFreshStreams,
  nextDueAt,
  releaseStream,
  StreamTakenOver,
  type TokenKey,
  takeStream,
  updateStream,
} from '../storage/collect/streams.ts';
import type { Database } from '../storage/database/handle.ts';
import { AnswerLog } from './answer-log.ts';
import { Budgets } from './budget.ts';
import { openToken } from './open-token.ts';
import { createPace } from './pace.ts';
import { refetchItems } from './refetch-items.ts';
import { skipUnchanged } from './skip-unchanged.ts';
import type { TokenSession } from './token-session.ts';
import { walkStream } from './walk-stream.ts';

export interface CollectParts {
  readonly db: Database;
  readonly collectors: Collectors;
  readonly secrets: SecretBox;
  readonly keepsRaw: boolean;
  /** How long one job works before it makes room for others. */
  readonly workSeconds: number;
  readonly log: Log;
  readonly signal: AbortSignal;
  now(): Date;
  /** From 0 to 1. */
  random(): number;
}

export interface CollectResult {
  /** When the token has something to do again; null where nothing waits. */
  readonly again: Date | null;
  readonly touchedRepos: readonly number[];
  readonly isWiderScopeTouched: boolean;
  readonly calls: number;
}

/** Tokens that nothing but a new one mends. */
const LASTING = ['rejected', 'refused_address'];

export async function collectWithToken(parts: CollectParts, token: TokenKey): Promise<CollectResult> {
  const nothing = { again: null, touchedRepos: [], isWiderScopeTouched: false, calls: 0 };
  const opened = await openToken(parts.db, token, parts);
  if (opened === null || (opened.failure !== null && LASTING.includes(opened.failure))) return nothing;
  const session = await startSession(parts, token, opened);
  const { streams } = opened;
  await refetchItems(session, 'hint');
  await skipUnchanged(session, streams);
  for (;;) {
    parts.signal.throwIfAborted();
    const now = parts.now();
    const open = streams.filter(({ resource }) => session.budgets.blockedUntil(resource, now) === null);
    if (session.isTimeUp() || open.length === 0) break;
    const taken = await takeStream(parts.db, token, open, now);
    if (taken === undefined) break;
    const stream = streams.find(({ name }) => name === taken.stream)!;
    const scope = await readScope(parts.db, token, taken);
    try {
      // It went between the two statements.
      if (scope === undefined) await updateStream(parts.db, taken, {}, { now, isReleased: true });
      else if ((await walkStream(session, taken, stream, scope)) === 'no_token') {
        return resultOf(session, null);
      }
    } catch (error) {
      if (!(error instanceof StreamTakenOver)) {
        await releaseStream(parts.db, taken).catch(() => undefined);
        throw error;
      }
      parts.log.info({ stream: taken.id }, error.message);
    }
  }
  // Whatever is due goes before the nightly comparison.
  await refetchItems(session, 'comparison');
  await session.storeBudgets();
  return resultOf(session, await whenAgain(session, streams));
}

const resultOf = (session: TokenSession, again: Date | null): CollectResult => ({
  again,
  touchedRepos: [...session.touchedRepos],
  isWiderScopeTouched: session.isWiderScopeTouched,
  calls: session.answers.total(),
});

async function startSession(
  parts: CollectParts,
  token: TokenKey,
  opened: NonNullable<Awaited<ReturnType<typeof openToken>>>,
): Promise<TokenSession> {
  const budgets = new Budgets(await readBudgets(parts.db, token));
  const answers = new AnswerLog();
  const deadline = parts.now().getTime() + parts.workSeconds * 1000;
  const open = parts.collectors.open(opened.account, {
    before: (resource) => budgets.check(resource, parts.now()),
    after(answer) {
      answers.add(answer, parts.now());
      if (answer.budget !== null) budgets.read(answer.budget);
    },
  });
  return {
    ...parts,
    token,
    hostKey: opened.hostKey,
    trackerKind: opened.trackerKind,
    open,
    pace: createPace({
      streams: opened.streams,
      counts: await countFreshStreams(parts.db, token.entityId, opened.hostKey),
      quietCalls: open.quietCalls,
      probe: open.probe,
    }),
    budgets,
    answers,
    touchedRepos: new Set(),
    isWiderScopeTouched: false,
    isTimeUp: () => parts.now().getTime() >= deadline,
    storeBudgets: () => storeBudgets(parts.db, token, budgets.takeChanges(), parts.now()),
  };
}

/** Per budget: when its streams are due, or when it may be drawn on again, whichever is later. */
async function whenAgain(session: TokenSession, streams: readonly { name: string; resource: string }[]) {
  const now = session.now();
  let earliest: Date | null = null;
  for (const resource of new Set(streams.map((stream) => stream.resource))) {
    const names = streams.filter((stream) => stream.resource === resource).map(({ name }) => name);
    const due = await nextDueAt(session.db, session.token, names, now);
    if (due === null) continue;
    const blocked = session.budgets.blockedUntil(resource, now);
    const at = blocked !== null && blocked > due ? blocked : due;
    if (earliest === null || at < earliest) earliest = at;
  }
  return earliest;
}
