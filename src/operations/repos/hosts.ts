// How collecting from code hosts and trackers stands, for people.
import { daysLeft, expiryWarning } from '../../domain/collect/token-expiry.ts';
import { listLockedTokens } from '../../storage/collect/locked-tokens.ts';
import {
  listBudgets,
  listDenials,
  listStreams,
  listTokens,
  type StreamOverview,
} from '../../storage/collect/overview.ts';
import { sumReconciliations } from '../../storage/collect/reconciliations.ts';
import { enqueue } from '../../storage/queue/queue.ts';
import type { Actor } from '../access/actor.ts';
import type { AccessOperations } from '../access/grant.ts';
import type { OperationParts } from '../operation-parts.ts';

export interface TokenState {
  readonly source: 'host' | 'tracker';
  readonly id: number;
  readonly host: string;
  readonly owner: string | null;
  readonly state: string;
  readonly budgets: readonly string[];
  readonly token_expires_at: string | null;
  readonly warnings: readonly string[];
}

export interface StreamState {
  readonly place: string;
  readonly stream: string;
  readonly mode: string;
  /** From 0 to 1; null where nobody knows how much there is. */
  readonly share: number | null;
  readonly items: number;
  readonly state: string;
  /** Seconds that the walk under way still takes, by its pace so far. */
  readonly seconds_left: number | null;
  readonly finished_at: string | null;
}

/** How the last nightly comparison with a host went. */
export interface ReconcileState {
  readonly host: string;
  readonly compared_at: string;
  readonly compared: number;
  readonly differed: number;
}

export interface HostStates {
  readonly tokens: readonly TokenState[];
  readonly streams: readonly StreamState[];
  readonly comparisons: readonly ReconcileState[];
}

export interface HostOperations {
  list(actor: Actor, entity: string): Promise<HostStates>;
  /** Has kept answers read again in the background, by the rules of this version. */
  replay(actor: Actor, entity: string): Promise<void>;
}

export function createHostOperations(
  parts: OperationParts,
  access: Pick<AccessOperations, 'enterEntity'>,
): HostOperations {
  const { db } = parts.store;
  return {
    async replay(actor, entitySlug) {
      const { entity } = await access.enterEntity(actor, entitySlug, 'admin');
      const jobKey = `replay:${entity.id}`;
      await enqueue(db, 'replay_answers', { entity_id: entity.id }, { queueName: jobKey, jobKey });
    },

    async list(actor, entitySlug) {
      const { entity } = await access.enterEntity(actor, entitySlug, 'member');
      const now = parts.now();
      const [tokens, budgets, streams, denials, comparisons, locked] = await Promise.all([
        listTokens(db, entity.id),
        listBudgets(db, entity.id),
        listStreams(db, entity.id),
        listDenials(db, entity.id, now),
        sumReconciliations(db, entity.id),
        parts.secrets === undefined ? [] : listLockedTokens(db, parts.secrets, entity.id),
      ]);
      return {
        tokens: tokens.map((token) => {
          const own = budgets.filter((row) => row.source === token.source && row.connection_id === token.id);
          const waits = own.filter(({ wait_until }) => wait_until !== null && Date.parse(wait_until) > now.getTime());
          const denied = denials.filter((row) => row.source === token.source && row.connection_id === token.id);
          const days = daysLeft(token.token_expires_at, now);
          const lock = locked.find(({ source, id }) => source === token.source && id === token.id);
          return {
            source: token.source,
            id: token.id,
            host: token.host_key,
            owner: token.owner,
            state:
              lock?.why ??
              token.error_em ??
              (waits.length > 0 ? `waits until ${waits.map(({ wait_until }) => wait_until).sort()[0]}` : 'works'),
            budgets: own.map(({ resource, quota, remaining, reset_at }) =>
              quota === null || remaining === null
                ? `${resource}: no limit`
                : `${resource}: ${remaining} of ${quota}${reset_at === null ? '' : `, anew ${reset_at}`}`,
            ),
            token_expires_at: token.token_expires_at,
            warnings: [...(days === null ? [] : [expiryWarning(days)]), ...new Set(denied.map(({ detail }) => detail))],
          };
        }),
        comparisons: comparisons
          .filter(({ compared }) => compared > 0)
          .map(({ host_key, started_at, compared, differed }) => ({
            host: host_key,
            compared_at: started_at,
            compared,
            differed,
          })),
        streams: streams.map((stream) =>
          streamState(
            stream,
            now,
            denials.some(({ stream_id }) => stream_id === stream.id),
          ),
        ),
      };
    },
  };
}

function streamState(stream: StreamOverview, now: Date, isDenied: boolean): StreamState {
  const { walk_items, walk_expected, is_walking, mode } = stream;
  const isDone = mode === 'backfill' && stream.next_due_at === null && stream.finished_at !== null;
  const share = isDone
    ? 1
    : is_walking && walk_expected !== null && walk_expected > 0
      ? Math.min(1, walk_items / walk_expected)
      : null;
  const elapsed = stream.walk_started_at === null ? 0 : (now.getTime() - Date.parse(stream.walk_started_at)) / 1000;
  return {
    place: stream.place,
    stream: stream.stream,
    mode,
    share,
    items: stream.items_total,
    state: stateOf(stream, now, { isDone, isDenied }),
    seconds_left: share === null || share === 0 || isDone ? null : Math.round((elapsed / share) * (1 - share)),
    finished_at: stream.finished_at,
  };
}

function stateOf(
  stream: StreamOverview,
  now: Date,
  { isDone, isDenied }: { readonly isDone: boolean; readonly isDenied: boolean },
): string {
  if (isDone) return 'complete';
  if (isDenied) return `not readable: ${stream.failure_detail}`;
  if (stream.failures > 0) return `${stream.failure_em}, again ${stream.next_due_at}: ${stream.failure_detail}`;
  if (stream.is_walking) return 'under way';
  if (stream.next_due_at === null) return 'after the backfill has begun';
  return Date.parse(stream.next_due_at) <= now.getTime() ? 'due' : `next ${stream.next_due_at}`;
}
