// Fetches single items again that a webhook named: their state now, whatever the hint said.
import { HostError } from '../domain/repos/code-host.ts';
import { delayRefetch, endRefetch, listRefetches, type Refetch } from '../storage/collect/hooks.ts';
import { readRepoScope } from '../storage/collect/scopes.ts';
import { storePage } from './store-page.ts';
import type { TokenSession } from './token-session.ts';

const MOST_AT_ONCE = 50;
const RETRY_MS = 60_000;
/** The nightly comparison finds what stays broken. */
const MOST_TRIES = 5;

/** False when the token has to wait. */
export async function refetchItems(session: TokenSession): Promise<boolean> {
  const { db, token } = session;
  if (token.source !== 'host') return true;
  for (const item of await listRefetches(db, token, session.now(), MOST_AT_ONCE)) {
    session.signal.throwIfAborted();
    try {
      await refetch(session, item);
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

async function refetch(session: TokenSession, item: Refetch): Promise<void> {
  const { db, token } = session;
  const scope = await readRepoScope(db, token, item.repo_id);
  if (scope === undefined) return;
  const { signal } = session;
  const collected = await session.open.fetchItem(item.item_kind, { scope, key: item.item_key, signal });
  // One that is gone keeps its rows: what happened has happened.
  if (collected === null) return;
  const now = session.now();
  const place = {
    entityId: token.entityId,
    hostKey: session.hostKey,
    repoId: item.repo_id,
    organizationExternalId: null,
    trackerId: null,
    trackerKind: session.trackerKind,
    path: scope.path,
    walkStartedAt: now,
  };
  await storePage(db, place, collected, now, async () => undefined);
  session.touchedRepos.add(item.repo_id);
}
