// Walks a stream: page after page, each stored with the cursor behind it, until the walk ends, the time is up or the
// token has to wait.
import { isDeepStrictEqual } from 'node:util';
import type { RawRequest } from '../domain/collect/raw-request.ts';
import {
  type Cursor,
  OVERLAP_MINUTES,
  type Page,
  type PageRequest,
  type Scope,
  type StreamRow,
} from '../domain/collect/stream.ts';
import { HostError } from '../domain/repos/code-host.ts';
import type { CollectedPullRequest } from '../domain/reviews/pull-request.ts';
import { storeRawAnswers } from '../storage/collect/raw-answers.ts';
import { writePullRequestCounts } from '../storage/collect/repo-progress.ts';
import { type SyncStreamRow, startFresh, updateStream } from '../storage/collect/streams.ts';
import { findChangedPullRequests } from '../storage/reviews/pull-requests.ts';
import { failureName, judgeFailure } from './judge-failure.ts';
import { noteVerdict, shortDetail } from './note-verdict.ts';
import { type PagePlace, storePage } from './store-page.ts';
import type { TokenSession, WalkEnd } from './token-session.ts';

const MINUTE_MS = 60_000;
/** Tries of a single item, before it is requested without what makes it heavy. */
const TRIES_OF_ONE = 5;
/** Named as a failure of a walk that goes on. */
const LEFT_OUT = 'incomplete';
/** After so many good pages a larger one is tried. */
const GROW_AFTER = 10;

export async function walkStream(
  session: TokenSession,
  taken: SyncStreamRow,
  stream: StreamRow,
  scope: Scope,
): Promise<WalkEnd> {
  let row = taken;
  for (;;) {
    session.signal.throwIfAborted();
    if (session.isTimeUp() || session.budgets.blockedUntil(stream.resource, session.now()) !== null) {
      await updateStream(session.db, row, {}, { now: session.now(), isReleased: true });
      return 'paused';
    }
    session.answers.begin();
    let end: WalkEnd | null;
    try {
      const reached = await takePage(session, row, stream, scope);
      row = reached.row;
      end = reached.isEnd ? 'finished' : null;
    } catch (error) {
      if (session.signal.aborted || (error instanceof Error && error.name === 'StreamTakenOver')) throw error;
      const verdict = judgeFailure({
        error,
        pageSize: pageSizeOf(row, stream),
        failures: row.failures + 1,
        hasCursor: row.cursor !== null,
        lot: session.random(),
      });
      session.log.warn(
        { err: error, stream: row.stream, repo: scope.path, verdict: verdict.kind, failures: row.failures + 1 },
        'a page could not be collected',
      );
      const failure = { error, name: failureName(error) };
      const noted = await noteVerdict(session, { row, stream, scope, verdict, failure });
      row = noted.row;
      end = noted.end;
    }
    if (end !== null) return end;
  }
}

const pageSizeOf = (row: SyncStreamRow, stream: StreamRow): number =>
  Math.min(row.page_size ?? stream.pageSize.first, stream.pageSize.most);

interface Reached {
  readonly row: SyncStreamRow;
  readonly isEnd: boolean;
}

async function takePage(session: TokenSession, row: SyncStreamRow, stream: StreamRow, scope: Scope): Promise<Reached> {
  const { db, token } = session;
  const pageSize = pageSizeOf(row, stream);
  const cursor = row.cursor as Cursor | null;
  const since = sinceOf(row, stream);
  const until = stream.order === 'oldest_first' && row.mode === 'backfill' ? dateOf(row.walk_top) : null;
  const kept: CollectedPullRequest[] = [];
  const stale: string[] = [];
  const requestedAt = session.now();
  const request = {
    scope,
    cursor,
    since,
    until,
    pageSize,
    isLight: pageSize === 1 && row.failures >= TRIES_OF_ONE,
    changed: async (items: Parameters<PageRequest<never>['changed']>[0]) => {
      const found =
        row.repo_id === null
          ? new Set(items.map(({ external_id }) => external_id))
          : await findChangedPullRequests(db, { entityId: token.entityId, repoId: row.repo_id }, items);
      stale.push(...found);
      return found;
    },
    keep: (found: CollectedPullRequest) => kept.push(found),
    signal: session.signal,
  };
  const page = await session.open.page(stream.name, request).catch(async (error: unknown) => {
    await storeKept(session, row, scope, kept);
    throw error;
  });
  checkPage(page, cursor);
  const isEnd = page.next === null || isOutside(page, stream, since, until);
  const now = session.now();
  const top =
    dateOf(row.walk_top) ??
    session.answers.hostTime() ??
    page.newest ??
    new Date(now.getTime() - OVERLAP_MINUTES * MINUTE_MS);
  const startedAt = dateOf(row.walk_started_at) ?? now;
  const isFirst = row.cursor === null && row.walk_top === null;
  const goodPages = row.good_pages + 1;
  const dueAt = session.pace.dueAt(stream, row, now);
  const change = {
    ...place(row, { isEnd, top, next: page.next, dueAt, startedAt, now }),
    failures: 0,
    ...leftOutOf(row, page, isFirst),
    page_size: goodPages % GROW_AFTER === 0 ? Math.min(pageSize * 2, stream.pageSize.most) : pageSize,
    good_pages: goodPages,
    walk_items: (isFirst ? 0 : row.walk_items) + page.itemCount,
    walk_expected: page.expected ?? row.walk_expected,
    items_total: row.items_total + page.itemCount,
    pages_total: row.pages_total + 1,
    calls_total: row.calls_total + session.answers.count(),
  };
  let reached = row;
  await storePage(db, placeOf(session, row, scope, startedAt), page.collected, now, async (trx) => {
    reached = await updateStream(trx, row, change, { now, isReleased: isEnd });
    if (row.mode === 'backfill' && isFirst) {
      await startFresh(trx, row, { watermark: top, dueAt });
    }
    const raw = session.keepsRaw ? session.answers.list() : [];
    const rawPlace = { entityId: token.entityId, hostKey: session.hostKey, streamId: row.id, repoId: row.repo_id };
    await storeRawAnswers(trx, rawPlace, raw, { request: rawRequest(request, stale), at: requestedAt });
  });
  session.budgets.succeed(stream.resource);
  await session.storeBudgets();
  // That everything has been collected once is news too, even if the last page brought nothing.
  const isFirstEnd = isEnd && row.finished_at === null && row.watermark === null;
  if (row.repo_id === null && (page.itemCount > 0 || isFirstEnd)) session.isWiderScopeTouched = true;
  if (row.repo_id !== null) {
    if (page.itemCount > 0) session.touchedRepos.add(row.repo_id);
    if (page.collected.pull_requests !== undefined) {
      await writePullRequestCounts(db, { entityId: token.entityId, repoId: row.repo_id }, isEnd ? now : null);
    }
  }
  return { row: reached, isEnd };
}

/** What this walk has left out so far. A failure that is over is forgotten. */
function leftOutOf(row: SyncStreamRow, { leftOut = [] }: Page, isFirst: boolean) {
  const before = !isFirst && row.failure_em === LEFT_OUT ? [row.failure_detail] : [];
  const all = [...before, ...leftOut];
  return { failure_em: all.length === 0 ? null : LEFT_OUT, failure_detail: shortDetail(all.join('; ')) };
}

const placeOf = (session: TokenSession, row: SyncStreamRow, scope: Scope, walkStartedAt: Date): PagePlace => ({
  entityId: session.token.entityId,
  hostKey: session.hostKey,
  repoId: row.repo_id,
  organizationExternalId: row.organization_external_id,
  trackerId: row.tracker_id,
  trackerKind: session.trackerKind,
  path: scope.path,
  walkStartedAt,
});

/** Of a page that failed or was stopped: what was complete. The cursor stays. */
async function storeKept(
  session: TokenSession,
  row: SyncStreamRow,
  scope: Scope,
  kept: readonly CollectedPullRequest[],
): Promise<void> {
  if (kept.length === 0) return;
  const now = session.now();
  await storePage(session.db, placeOf(session, row, scope, now), { pull_requests: kept }, now, async (trx) => {
    await updateStream(trx, row, {}, { now, isReleased: false });
  });
}

const rawRequest = (
  {
    cursor,
    since,
    until,
    pageSize,
    isLight,
  }: Pick<PageRequest<never>, 'cursor' | 'since' | 'until' | 'pageSize' | 'isLight'>,
  changed: readonly string[],
): RawRequest => ({
  kind: 'page',
  cursor,
  since: since?.toISOString() ?? null,
  until: until?.toISOString() ?? null,
  pageSize,
  isLight,
  changed,
});

const dateOf = (time: string | null): Date | null => (time === null ? null : new Date(time));

/** Changes since then are wanted; null wants everything. */
function sinceOf(row: SyncStreamRow, stream: StreamRow): Date | null {
  if (stream.order === 'census') return null;
  if (row.mode === 'backfill') return dateOf(row.since);
  const watermark = dateOf(row.watermark);
  return watermark === null ? null : new Date(watermark.getTime() - stream.overlapMinutes * MINUTE_MS);
}

function isOutside(page: Page, stream: StreamRow, since: Date | null, until: Date | null): boolean {
  if (stream.order === 'newest_first') return since !== null && page.oldest !== null && page.oldest < since;
  return until !== null && page.newest !== null && page.newest > until;
}

/** A list that does not move on would never end, and one that ends without a word would look complete. */
function checkPage(page: Page, cursor: Cursor | null): void {
  if (page.next === null) return;
  if (cursor !== null && isDeepStrictEqual(page.next, cursor)) {
    throw new HostError('unexpected_answer', 'the host leads to the same page again');
  }
  if (page.itemCount === 0) throw new HostError('unexpected_answer', 'the host leads on from an empty page');
}

interface Step {
  readonly isEnd: boolean;
  readonly top: Date;
  readonly next: Cursor | null;
  readonly dueAt: Date;
  readonly startedAt: Date;
  readonly now: Date;
}

/** The watermark moves when the walk is complete, to the host's time at its beginning. */
function place(row: SyncStreamRow, { isEnd, top, next, dueAt, startedAt, now }: Step) {
  if (!isEnd) return { cursor: next, walk_top: top, walk_started_at: startedAt };
  const done = { cursor: null, walk_top: null, walk_started_at: null, finished_at: now };
  if (row.mode === 'backfill') return { ...done, next_due_at: null };
  return { ...done, watermark: top, next_due_at: dueAt };
}
