// Fetches single items again: those that a webhook named, for their state now, whatever the hint said; and those of the
// nightly comparison, where it is counted how many differ from what was stored. An item is of a repo or of a tracker.
import type { Scope } from '../domain/collect/stream.ts';
import { HostError } from '../domain/repos/code-host.ts';
import { delayRefetch, endRefetch, listRefetches, type Refetch } from '../storage/collect/hooks.ts';
import { storeRawAnswers } from '../storage/collect/raw-answers.ts';
import { countComparison } from '../storage/collect/reconciliations.ts';
import { readRepoScope, readTrackerScope } from '../storage/collect/scopes.ts';
import { digestPullRequest } from '../storage/reviews/digest-pull-request.ts';
import { closeDeletedPullRequest } from '../storage/reviews/pull-requests.ts';
import { digestIssue } from '../storage/work/digest-issue.ts';
import { storePage } from './store-page.ts';
import type { TokenSession } from './token-session.ts';

const MOST_AT_ONCE = 50;
const RETRY_MS = 60_000;
/** The nightly comparison finds what stays broken. */
const MOST_TRIES = 5;

/** False when the token has to wait. */
export async function refetchItems(session: TokenSession, why: 'hint' | 'comparison'): Promise<boolean> {
  const { db, token } = session;
  const isComparison = why === 'comparison';
  for (const item of await listRefetches(db, token, { now: session.now(), most: MOST_AT_ONCE, isComparison })) {
    session.signal.throwIfAborted();
    const resource = session.open.resourceOf(item.item_kind);
    if (session.isTimeUp() || session.budgets.blockedUntil(resource, session.now()) !== null) return false;
    try {
      if (isComparison) await compare(session, item);
      else await refetch(session, item);
      await endRefetch(db, token.entityId, item);
    } catch (error) {
      if (session.signal.aborted) throw error;
      if (error instanceof HostError && error.failure === 'rate_limited') {
        if (error.retryAt !== null) await delayRefetch(db, token.entityId, item, error.retryAt);
        return false;
      }
      session.log.warn({ err: error, item }, 'an item could not be fetched again');
      if (item.failures + 1 >= MOST_TRIES) await endRefetch(db, token.entityId, item);
      else await delayRefetch(db, token.entityId, item, new Date(session.now().getTime() + RETRY_MS));
    }
  }
  return true;
}

/** What differs is stored as it stands at the host, and counted. */
async function compare(session: TokenSession, item: Refetch): Promise<void> {
  const { db, token } = session;
  const { scope_kind: kind, scope_id: id, item_key: key } = item;
  const { entityId } = token;
  const digest = () =>
    kind === 'tracker'
      ? digestIssue(db, { entityId, trackerId: id }, key)
      : digestPullRequest(db, { entityId, repoId: id }, Number(key));
  const before = await digest();
  await refetch(session, item);
  const hasDiffered = before !== (await digest());
  await countComparison(db, { entityId, kind, id }, hasDiffered);
  if (hasDiffered) session.log.info({ item }, 'an item differed from what its host says');
}

async function refetch(session: TokenSession, item: Refetch): Promise<void> {
  const { db, token } = session;
  const repoId = item.scope_kind === 'repo' ? item.scope_id : null;
  const trackerId = item.scope_kind === 'tracker' ? item.scope_id : null;
  const scope =
    trackerId === null
      ? await readRepoScope(db, token, item.scope_id)
      : await readTrackerScope(db, token.entityId, trackerId);
  if (scope === undefined) return;
  const { signal } = session;
  session.answers.begin();
  const requestedAt = session.now();
  const collected = await session.open.fetchItem(item.item_kind, { scope, key: item.item_key, signal });
  if (collected === null) {
    if (repoId !== null && item.item_kind === 'pull_request') await endDeleted(session, scope, item);
    return;
  }
  const now = session.now();
  const place = {
    entityId: token.entityId,
    hostKey: session.hostKey,
    repoId,
    organizationExternalId: null,
    trackerId,
    trackerKind: session.trackerKind,
    path: scope.path,
    walkStartedAt: now,
  };
  await storePage(db, place, collected, now, async (trx) => {
    if (!session.keepsRaw) return;
    const rawPlace = { entityId: token.entityId, hostKey: session.hostKey, streamId: null, repoId };
    const request = { kind: 'item', itemKind: item.item_kind, key: item.item_key } as const;
    await storeRawAnswers(trx, rawPlace, session.answers.list(), { request, at: requestedAt });
  });
  if (repoId === null) session.isWiderScopeTouched = true;
  else session.touchedRepos.add(repoId);
}

/**
 * One that is gone keeps its rows, because what happened has happened; but nobody waits for it any longer. It is gone where the
 * list of the repo is answered: without that, the token may have lost the repo, and the failure is told.
 */
async function endDeleted(session: TokenSession, scope: Scope, item: Refetch): Promise<void> {
  const { db, token, signal } = session;
  const now = session.now();
  const first = { scope, cursor: null, since: now, until: null, pageSize: 1, isLight: false, signal };
  await session.open.page('pull_requests', { ...first, changed: async () => new Set(), keep: () => undefined });
  const place = { entityId: token.entityId, repoId: item.scope_id };
  await closeDeletedPullRequest(db, place, Number(item.item_key), session.answers.hostTime() ?? now);
  session.touchedRepos.add(item.scope_id);
}
