// Trackers that are connected by themselves. The tracker is asked before anything is written, and its token is kept
// sealed; what it has is collected by jobs from then on.

import { collectQueueOptions } from '../../domain/collect/collect-queue.ts';
import { type ErrorCode, StrataError } from '../../domain/errors.ts';
import { HostError, type HostFailure } from '../../domain/repos/code-host.ts';
import { TRACKER_KINDS } from '../../domain/work/issue.ts';
import {
  CONNECTED_KINDS,
  type ConnectedKind,
  readTrackerSettings,
  type TrackerAccount,
  type TrackerSettings,
  trackerKeyOf,
} from '../../domain/work/tracker-site.ts';
import { ensureStreams, forgetDenials } from '../../storage/collect/streams.ts';
import { inTransaction } from '../../storage/database/in-transaction.ts';
import { enqueue } from '../../storage/queue/queue.ts';
import {
  disconnectTracker,
  type ListedTracker,
  listConnectedTrackers,
  storeTracker,
  trackerSecretContext,
} from '../../storage/work/trackers.ts';
import { OPERATOR } from '../access/actor.ts';
import type { Grant } from '../access/grant.ts';
import type { OperationParts } from '../operation-parts.ts';

export interface NewTracker {
  readonly tracker_em: ConnectedKind;
  readonly token: string;
  readonly site_url?: string | undefined;
  readonly email?: string | undefined;
  readonly projects?: readonly string[] | undefined;
  readonly points_fields?: readonly string[] | undefined;
  readonly token_expires_at?: Date | undefined;
}

export interface TrackerRecord {
  readonly id: number;
  readonly tracker_em: ConnectedKind;
  readonly name: string;
  readonly site_url: string;
  readonly email: string | null;
  readonly settings: TrackerSettings;
  readonly token_expires_at: string | null;
  readonly verified_at: string | null;
  readonly created_at: string;
  readonly created_by: string | null;
  readonly issue_count: number;
  readonly sprint_count: number;
  readonly collected_until: string | null;
  readonly is_backfilling: boolean;
  readonly wait_until: string | null;
  readonly last_quota_exceeded_at: string | null;
  readonly error_em: string | null;
  readonly error_detail: string | null;
}

export interface AddedTracker {
  readonly tracker: TrackerRecord;
  readonly account_name: string;
  readonly project_count: number;
}

export interface TrackerOperations {
  /** A site that is connected already gets the new token and choices. */
  add(grant: Grant<'admin'>, tracker: NewTracker, signal: AbortSignal): Promise<AddedTracker>;
  list(grant: Grant<'manager'>): Promise<TrackerRecord[]>;
  /** What was collected stays. */
  remove(grant: Grant<'admin'>, trackerId: number): Promise<void>;
}

const VERIFICATION_MILLISECONDS = 10_000;
const HEADER_SAFE = /^[\x21-\x7e]+$/;

/** Parameters that a kind cannot do without. */
const NEEDS: Record<ConnectedKind, readonly ('site_url' | 'email')[]> = {
  jira: ['site_url', 'email'],
  jira_server: ['site_url'],
  azure_boards: ['site_url'],
  linear: [],
};
const OWN_SITE: Partial<Record<ConnectedKind, string>> = { linear: 'https://api.linear.app' };

const REFUSALS: Record<HostFailure, { readonly code: ErrorCode; readonly parameter: string; readonly advice: string }> =
  {
    rejected: { code: 'provider_rejected', parameter: 'token', advice: 'send a new token' },
    insufficient_scope: {
      code: 'provider_scope',
      parameter: 'token',
      advice: 'give its account the right, or send another token',
    },
    rate_limited: { code: 'provider_quota', parameter: 'token', advice: 'repeat the call after that time' },
    unreachable: {
      code: 'provider_unreachable',
      parameter: 'site_url',
      advice: 'check site_url and the network, then repeat the call',
    },
    timeout: {
      code: 'provider_unreachable',
      parameter: 'site_url',
      advice: 'check site_url, or repeat the call later',
    },
    refused_address: { code: 'provider_unreachable', parameter: 'site_url', advice: 'send another site_url' },
    unexpected_answer: {
      code: 'provider_mismatch',
      parameter: 'site_url',
      advice: 'send the right site_url and tracker_em',
    },
  };

export function createTrackerOperations(parts: OperationParts): TrackerOperations {
  const { store, now } = parts;
  const sites = () => {
    if (parts.trackerSites === undefined) throw new Error('there are no connectors to trackers');
    return parts.trackerSites;
  };

  return {
    async add({ actor, entity }, input, signal) {
      const { secrets } = parts;
      if (secrets === undefined) throw new Error('there is no key to seal tokens with');
      const account = readAccount(input, now());
      const limit = AbortSignal.timeout(parts.verificationMilliseconds ?? VERIFICATION_MILLISECONDS);
      const verified = await sites()
        .verify(account, AbortSignal.any([signal, limit]))
        .catch((error: unknown) => {
          throw error instanceof HostError ? explain(error) : error;
        });
      const streams = await sites().streamsOf(account.kind);
      const hostKey = trackerKeyOf(account.kind, account.site_url, verified.workspace);
      const id = await inTransaction(store.db, async (trx) => {
        const trackerId = await storeTracker(
          trx,
          {
            entity_id: entity.id,
            kind: account.kind,
            host_key: hostKey,
            site_url: account.site_url,
            name: verified.name,
            email: account.email,
            token_sealed: secrets.seal(account.token, trackerSecretContext(entity.id, account.kind, hostKey)),
            token_expires_at: input.token_expires_at ?? null,
            settings: account.settings,
            created_by: actor === OPERATOR ? null : actor.user_id,
          },
          now(),
        );
        await forgetDenials(trx, { entityId: entity.id, source: 'tracker', connectionId: trackerId }, now());
        await ensureStreams(trx, { entityId: entity.id, hostKey, trackerId }, streams, { since: null, now: now() });
        const payload = { entity_id: entity.id, source: 'tracker' as const, connection_id: trackerId };
        await enqueue(trx, 'collect', payload, collectQueueOptions(payload));
        return trackerId;
      });
      const listed = await listConnectedTrackers(store.db, entity.id);
      const tracker = toRecord(listed.find((row) => row.id === id)!);
      return { tracker, account_name: verified.account_name, project_count: verified.project_count };
    },

    list: async ({ entity }) => (await listConnectedTrackers(store.db, entity.id)).map(toRecord),

    async remove({ entity }, trackerId) {
      const isRemoved = await inTransaction(store.db, (trx) => disconnectTracker(trx, entity.id, trackerId, now()));
      if (!isRemoved) {
        throw new StrataError('not_found', `${entity.slug} has no tracker ${trackerId}; GET /trackers lists them`);
      }
    },
  };
}

function readAccount(input: NewTracker, now: Date): TrackerAccount {
  const kind = input.tracker_em;
  const { product } = TRACKER_KINDS[kind];
  const missing = NEEDS[kind].filter((name) => input[name] === undefined);
  if (missing.length > 0) {
    throw new StrataError('missing_conditional_parameter', `${missing.join(', ')}: needed for ${kind} (${product})`, {
      errors: Object.fromEntries(missing.map((name) => [name, [`is missing; ${product} cannot do without it`]])),
    });
  }
  if (!HEADER_SAFE.test(input.token)) {
    const message = 'has blanks or letters that no token has; expected the token alone';
    throw new StrataError('invalid_parameter', `token: ${message}`, { errors: { token: [message] } });
  }
  if (input.token_expires_at !== undefined && input.token_expires_at <= now) {
    const message = `the token expired at ${input.token_expires_at.toISOString()}; make a new one`;
    throw new StrataError('unprocessable', message, { errors: { token_expires_at: ['lies in the past'] } });
  }
  const url = new URL(input.site_url ?? OWN_SITE[kind]!);
  url.search = '';
  url.hash = '';
  const { projects, points_fields } = input;
  return {
    kind,
    site_url: url.href.replace(/\/+$/, ''),
    email: input.email ?? null,
    token: input.token,
    settings: { projects: projects ?? [], points_fields: points_fields ?? [] },
  };
}

/** Which parameter to change, and how. */
function explain(error: HostError): StrataError {
  const { code, parameter, advice } = REFUSALS[error.failure];
  return new StrataError(code, `${error.message}; ${advice}`, {
    errors: { [parameter]: [error.message] },
    cause: error,
    ...(error.retryAfterSeconds === null ? {} : { retryAfterSeconds: error.retryAfterSeconds }),
  });
}

const toRecord = (row: ListedTracker): TrackerRecord => ({
  id: row.id,
  tracker_em: CONNECTED_KINDS.find((kind) => kind === row.kind)!,
  name: row.name,
  site_url: row.site_url ?? '',
  email: row.email,
  settings: readTrackerSettings(row.settings as Record<string, unknown>),
  token_expires_at: row.token_expires_at,
  verified_at: row.verified_at,
  created_at: row.created_at,
  created_by: row.created_by_email,
  issue_count: row.issue_count,
  sprint_count: row.sprint_count,
  collected_until: row.collected_until,
  is_backfilling: row.is_backfilling,
  wait_until: row.wait_until,
  last_quota_exceeded_at: row.last_quota_exceeded_at,
  error_em: row.error_em,
  error_detail: row.failure_detail,
});
