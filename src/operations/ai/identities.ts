// Whom providers and tools name in reports of use: listed with what is theirs, and matched by hand where no rule does.

import { type IdentityStatus, TELEMETRY_DAYS } from '../../domain/ai/usage-sources.ts';
import { StrataError } from '../../domain/errors.ts';
import { counted } from '../../kit/text/counted.ts';
import { listIdentities, setIdentity } from '../../storage/ai/identities.ts';
import { listOtlpClients, type OtlpClients } from '../../storage/ai/telemetry.ts';
import {
  listUsageSources,
  readUnknownShare,
  type UnknownShare,
  type UsageSourceRow,
} from '../../storage/ai/usage-overview.ts';
import { bumpDataVersion } from '../../storage/commits/rollups.ts';
import { inTransaction } from '../../storage/database/in-transaction.ts';
import type { Grant } from '../access/grant.ts';
import type { OperationParts } from '../operation-parts.ts';
import { findCommitters, unknownCommitter } from '../people/resolve-committer.ts';

export interface IdentityRecord {
  readonly id: number;
  readonly ai_provider_em: string;
  readonly kind_em: string;
  readonly value: string;
  readonly display_name: string | null;
  readonly status_em: string;
  readonly committer_user_name: string | null;
  readonly first_seen_on: string;
  readonly last_seen_on: string;
  readonly record_count: number;
  readonly cents_cost: number;
  readonly lines_added: number;
  readonly has_seat: boolean;
}

export interface IdentityChange {
  readonly identity_id: number;
  readonly committer_identifier?: string | undefined;
  readonly status?: Exclude<IdentityStatus, 'matched'> | undefined;
}

export interface AiIdentityOperations {
  list(
    grant: Grant<'manager'>,
    filter: { readonly status: IdentityStatus | null; readonly days: number },
  ): Promise<{ readonly identities: IdentityRecord[]; readonly unknown: UnknownShare }>;
  listSources(grant: Grant<'manager'>): Promise<{
    readonly sources: UsageSourceRow[];
    readonly telemetry: (OtlpClients & { readonly advice: string | null })[];
  }>;
  /** Returns whom it belongs to now, in words. */
  set(grant: Grant<'admin'>, change: IdentityChange): Promise<string>;
}

const DAY_MS = 86_400_000;
const DELTA = 'set OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE=delta';

export function createAiIdentityOperations({ store: { db }, now }: OperationParts): AiIdentityOperations {
  return {
    async list({ entity }, { status, days }) {
      const since = new Date(now().getTime() - days * DAY_MS).toISOString().slice(0, 10);
      const rows = await listIdentities(db, entity.id, { status, since });
      return {
        identities: rows.map(({ row_count, cost_microcents, ...row }) => ({
          ...row,
          record_count: row_count,
          cents_cost: cost_microcents / 1_000_000,
        })),
        unknown: await readUnknownShare(db, entity.id, since),
      };
    },

    async listSources({ entity }) {
      const since = (days: number) => new Date(now().getTime() - days * DAY_MS).toISOString().slice(0, 10);
      const clients = await listOtlpClients(db, entity.id, since(TELEMETRY_DAYS));
      return {
        sources: await listUsageSources(db, entity.id, since(30)),
        telemetry: clients.map((client) => ({
          ...client,
          advice:
            client.cumulative_count === 0
              ? null
              : `cumulative counters of ${counted(client.cumulative_count, 'person', 'people')}; ${DELTA}`,
        })),
      };
    },

    async set({ entity }, { identity_id, committer_identifier, status }) {
      if ((committer_identifier === undefined) === (status === undefined)) {
        const message = 'name either a committer_identifier or a status';
        throw new StrataError('missing_conditional_parameter', message, {
          errors: { committer_identifier: [message] },
        });
      }
      const names = committer_identifier === undefined ? [] : [committer_identifier];
      const committer = (await findCommitters(db, entity.id, names)).get(committer_identifier ?? '');
      if (committer_identifier !== undefined && committer === undefined) {
        throw unknownCommitter(committer_identifier, 'committer_identifier');
      }
      await inTransaction(db, async (trx) => {
        await bumpDataVersion(trx, entity.id);
        const isThere = await setIdentity(trx, entity.id, identity_id, {
          status_em: committer === undefined ? status! : 'matched',
          committer_id: committer?.id ?? null,
          is_chosen: status !== 'unmatched',
        });
        if (!isThere) {
          throw new StrataError(
            'not_found',
            `${entity.slug} has no identity ${identity_id}; GET /ai_identities lists them`,
          );
        }
      });
      return committer?.committer_user_name ?? (status === 'ignored' ? 'nobody: it is ignored' : 'nobody yet');
    },
  };
}
