// Reads kept answers again, in the order in which they came, so that a changed rule is applied without asking the host.
// What is stored already is not made older: rows follow the newest version of each item, as ever.
import type { Collected } from '../domain/collect/collected.ts';
import type { Collectors, OpenCollector, Replay, Scope } from '../domain/collect/stream.ts';
import { HostError } from '../domain/repos/code-host.ts';
import type { Log } from '../kit/log.ts';
import type { SecretBox } from '../kit/sealed-secret.ts';
import { listTokens } from '../storage/collect/overview.ts';
import { findKeptAnswer, listRawPages, type RawPage, readAnswersOfPage } from '../storage/collect/raw-answers.ts';
import { readRepoScope, readScope } from '../storage/collect/scopes.ts';
import { findStream, type SyncStreamRow, type TokenKey } from '../storage/collect/streams.ts';
import type { Database } from '../storage/database/handle.ts';
import { type OpenToken, openToken } from './open-token.ts';
import { storePage } from './store-page.ts';

export interface ReplayParts {
  readonly db: Database;
  readonly collectors: Collectors;
  readonly secrets: SecretBox;
  readonly log: Log;
  readonly signal: AbortSignal;
}

export interface ReplayResult {
  readonly pages: number;
  /** Of which an answer is no longer kept, or whose repo or connection is gone. */
  readonly skipped: number;
  readonly touchedRepos: readonly number[];
  readonly isWiderScopeTouched: boolean;
}

const AT_ONCE = 100;

interface OpenedToken extends OpenToken {
  readonly token: TokenKey;
}

export async function replayAnswers(parts: ReplayParts, entityId: number): Promise<ReplayResult> {
  const tokens = await openTokens(parts, entityId);
  const touchedRepos = new Set<number>();
  let [pages, skipped, isWiderScopeTouched] = [0, 0, false];
  let after: { at: string; id: number } | null = null;
  for (;;) {
    const batch: RawPage[] = await listRawPages(parts.db, entityId, after, AT_ONCE);
    if (batch.length === 0) break;
    for (const page of batch) {
      parts.signal.throwIfAborted();
      after = { at: page.requested_at, id: page.id };
      const opened = tokens.find(({ hostKey }) => hostKey === page.host_key);
      const isRead = opened !== undefined && (await replayPage(parts, opened, page));
      if (!isRead) {
        skipped += 1;
        continue;
      }
      pages += 1;
      if (page.repo_id === null) isWiderScopeTouched = true;
      else touchedRepos.add(page.repo_id);
    }
  }
  return { pages, skipped, touchedRepos: [...touchedRepos], isWiderScopeTouched };
}

async function openTokens(parts: ReplayParts, entityId: number): Promise<OpenedToken[]> {
  const opened: OpenedToken[] = [];
  for (const { source, id } of await listTokens(parts.db, entityId)) {
    const token: TokenKey = { entityId, source, connectionId: id };
    const found = await openToken(parts.db, token, parts);
    if (found !== null) opened.push({ ...found, token });
  }
  return opened;
}

/** False where it cannot be read any more. */
async function replayPage(parts: ReplayParts, opened: OpenedToken, page: RawPage): Promise<boolean> {
  const { db, signal } = parts;
  const { token } = opened;
  const stream = page.stream_id === null ? null : await findStream(db, token.entityId, page.stream_id);
  if (stream === undefined) return false;
  const scope = stream === null ? await readRepoScope(db, token, page.repo_id!) : await readScope(db, token, stream);
  if (scope === undefined) return false;
  const at = new Date(page.requested_at);
  const open = parts.collectors.replay(opened.account, await answersOf(db, token.entityId, page), at);
  try {
    const collected = await readPage(open, { page, stream, scope, signal });
    if (collected === null) return true;
    const place = {
      entityId: token.entityId,
      hostKey: opened.hostKey,
      repoId: page.repo_id,
      organizationExternalId: stream?.organization_external_id ?? null,
      trackerId: stream?.tracker_id ?? null,
      trackerKind: opened.trackerKind,
      path: scope.path,
      walkStartedAt: at,
    };
    await storePage(db, place, collected, at, async () => undefined);
    return true;
  } catch (error) {
    if (!(error instanceof HostError)) throw error;
    parts.log.warn({ err: error, page: page.id }, 'kept answers could not be read again');
    return false;
  }
}

async function readPage(
  open: OpenCollector,
  { page, stream, scope, signal }: { page: RawPage; stream: SyncStreamRow | null; scope: Scope; signal: AbortSignal },
): Promise<Collected | null> {
  const { request } = page;
  if (request.kind === 'item') return open.fetchItem(request.itemKind, { scope, key: request.key, signal });
  const changed = new Set(request.changed);
  const found = await open.page(stream!.stream, {
    scope,
    cursor: request.cursor,
    since: request.since === null ? null : new Date(request.since),
    until: request.until === null ? null : new Date(request.until),
    pageSize: request.pageSize,
    isLight: request.isLight,
    changed: async (items) =>
      new Set(items.map(({ external_id }) => external_id).filter((external_id) => changed.has(external_id))),
    keep: () => undefined,
    signal,
  });
  return found.collected;
}

/** Its own first, each once and in their order; then what another page was answered to the same question. */
async function answersOf(db: Database, entityId: number, page: RawPage): Promise<Replay> {
  const own = await readAnswersOfPage(db, entityId, page.id);
  return async (asked) => {
    const place = own.findIndex(
      ({ method, address, requestBody }) =>
        method === asked.method && address === asked.address && requestBody === asked.requestBody,
    );
    if (place >= 0) return own.splice(place, 1)[0]!;
    return findKeptAnswer(db, { entityId, hostKey: page.host_key, at: page.requested_at }, asked);
  };
}
