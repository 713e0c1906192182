// A token that works on streams: a connection to a code host, or a tracker with a token of its own.
import type { CollectAccount, Collectors, StreamRow } from '../domain/collect/stream.ts';
import type { HostFailure } from '../domain/repos/code-host.ts';
import { TRACKER_KINDS, type TrackerKind } from '../domain/work/issue.ts';
import type { Log } from '../kit/log.ts';
import { SealedWithAnotherKey, type SecretBox } from '../kit/sealed-secret.ts';
import type { TokenKey } from '../storage/collect/streams.ts';
import type { Database } from '../storage/database/handle.ts';
import { findConnection, openAccount, recordHostFailure } from '../storage/repos/provider-connections.ts';
import { findTracker, trackerSecretContext, updateTracker } from '../storage/work/trackers.ts';

export interface OpenToken {
  readonly hostKey: string;
  readonly account: CollectAccount;
  readonly streams: readonly StreamRow[];
  /** Whose issues the streams bring. */
  readonly trackerKind: TrackerKind | null;
  /** Why it did not work when it was last used. */
  readonly failure: string | null;
}

/** Which tracker a code host's own issues belong to. */
const TRACKER_OF_HOST: Readonly<Record<string, TrackerKind>> = { hostC: 'github', hostD: 'gitlab' };

export interface TokenParts {
  readonly collectors: Collectors;
  readonly secrets: SecretBox;
  readonly log: Log;
}

/** Null where it is gone, opens nothing, or cannot be read until its key is back. */
export async function openToken(db: Database, token: TokenKey, parts: TokenParts): Promise<OpenToken | null> {
  try {
    return await findToken(db, token, parts);
  } catch (error) {
    if (!(error instanceof SealedWithAnotherKey)) throw error;
    const { entityId: entity_id, source, connectionId: id } = token;
    // Looked at every minute, and told when the service started.
    parts.log.debug({ entity_id, source, id }, `nothing is collected: ${error.message}`);
    return null;
  }
}

async function findToken(
  db: Database,
  token: TokenKey,
  { collectors, secrets }: TokenParts,
): Promise<OpenToken | null> {
  if (token.source === 'host') {
    const connection = await findConnection(db, token.entityId, token.connectionId);
    if (connection === undefined) return null;
    const host = openAccount(connection, secrets);
    return {
      hostKey: connection.host_key,
      account: { source: 'host', host },
      streams: collectors.streamsOf(host.provider),
      trackerKind: TRACKER_OF_HOST[host.provider] ?? null,
      failure: connection.error_em,
    };
  }
  const tracker = await findTracker(db, token.entityId, token.connectionId);
  const kind = (Object.keys(TRACKER_KINDS) as TrackerKind[]).find((name) => name === tracker?.kind);
  if (tracker === undefined || tracker.token_sealed === null || kind === undefined) return null;
  const context = trackerSecretContext(token.entityId, kind, tracker.host_key);
  return {
    hostKey: tracker.host_key,
    account: {
      source: 'tracker',
      kind,
      site_url: tracker.site_url ?? '',
      email: tracker.email,
      token: secrets.open(tracker.token_sealed, context),
      settings: tracker.settings as Record<string, unknown>,
    },
    streams: collectors.streamsOf(kind),
    trackerKind: kind,
    failure: tracker.error_em,
  };
}

/** With its owner, so that a person can see it and other tokens take over. */
export async function recordTokenFailure(
  db: Database,
  token: TokenKey,
  failure: HostFailure | null,
  now: Date,
): Promise<void> {
  const { entityId, connectionId } = token;
  if (token.source === 'host') {
    await recordHostFailure(db, { entityId, connectionId }, failure, now);
    return;
  }
  const isQuota = failure === 'rate_limited';
  const quota = isQuota ? { last_quota_exceeded_at: now } : {};
  await updateTracker(db, { entityId, trackerId: connectionId }, { error_em: isQuota ? null : failure, ...quota });
}
