// Writes down what a failed page means for its stream and its token.
import type { Scope, StreamRow } from '../domain/collect/stream.ts';
import { HostError } from '../domain/repos/code-host.ts';
import { storeRawAnswers } from '../storage/collect/raw-answers.ts';
import { writeQuotaExceeded } from '../storage/collect/repo-progress.ts';
import { denyStream, type SyncStreamRow, updateStream } from '../storage/collect/streams.ts';
import type { Verdict } from './judge-failure.ts';
import { recordTokenFailure } from './open-token.ts';
import type { TokenSession, WalkEnd } from './token-session.ts';

const DENIED_MS = 86_400_000;
const LONGEST_DETAIL = 500;

export const shortDetail = (detail: string): string => detail.slice(0, LONGEST_DETAIL);

interface Failed {
  readonly row: SyncStreamRow;
  readonly stream: StreamRow;
  readonly scope: Scope;
  readonly verdict: Verdict;
  readonly failure: { readonly error: unknown; readonly name: string };
}

/** The row as it stands then, and how the walk ends; null goes on. */
export async function noteVerdict(
  session: TokenSession,
  { row, stream, scope, verdict, failure }: Failed,
): Promise<{ row: SyncStreamRow; end: WalkEnd | null }> {
  const { db, token, budgets } = session;
  const now = session.now();
  const raw = session.keepsRaw ? session.answers.list() : [];
  const rawPlace = { entityId: token.entityId, hostKey: session.hostKey, streamId: row.id, repoId: row.repo_id };
  await storeRawAnswers(db, rawPlace, raw, null);
  const calls = { calls_total: row.calls_total + session.answers.count() };
  const detail = shortDetail(failure.error instanceof Error ? failure.error.message : String(failure.error));
  const shown = { ...calls, failures: row.failures + 1, failure_em: failure.name, failure_detail: detail };
  const release = { now, isReleased: true };
  switch (verdict.kind) {
    case 'wait': {
      if (failure.error instanceof HostError) budgets.wait(stream.resource, failure.error, now);
      await session.storeBudgets();
      await recordTokenFailure(db, token, 'rate_limited', now);
      if (row.tracker_id === null) {
        const place = { entityId: token.entityId, hostKey: session.hostKey, repoId: row.repo_id };
        await writeQuotaExceeded(db, place, now);
      }
      await updateStream(db, row, calls, release);
      return { row, end: 'paused' };
    }
    case 'give_up_token':
      await recordTokenFailure(db, token, failure.error instanceof HostError ? failure.error.failure : null, now);
      await updateStream(db, row, calls, release);
      return { row, end: 'no_token' };
    case 'deny': {
      const until = new Date(now.getTime() + DENIED_MS);
      const lack =
        verdict.failure === 'gone'
          ? `${row.stream} of ${scope.path} is not there (${detail}); it needs ${stream.right.needs}`
          : `without ${stream.right.needs} there are no ${stream.right.brings}`;
      const denial = { failure: verdict.failure, detail: lack, until, now };
      const isLeftToOthers = await denyStream(db, token, row.id, denial);
      const change = { ...shown, failures: 0, failure_em: verdict.failure, failure_detail: lack };
      await updateStream(db, row, isLeftToOthers ? change : { ...change, next_due_at: until }, release);
      return { row, end: 'left' };
    }
    case 'shrink': {
      const change = { ...shown, page_size: verdict.pageSize, good_pages: 0 };
      return { row: await updateStream(db, row, change, { now, isReleased: false }), end: null };
    }
    case 'restart': {
      const change = { ...shown, cursor: null };
      return { row: await updateStream(db, row, change, { now, isReleased: false }), end: null };
    }
    case 'retry': {
      const next_due_at = new Date(now.getTime() + verdict.afterSeconds * 1000);
      await updateStream(db, row, { ...shown, page_size: verdict.pageSize, good_pages: 0, next_due_at }, release);
      return { row, end: 'left' };
    }
  }
}
