// Developers: the people of an entity, whether their activity is processed, and the seats that this uses.

import { todayIn } from '../../domain/calendar/date-range.ts';
import { StrataError } from '../../domain/errors.ts';
import { type ProcessingStatus, usesSeat } from '../../domain/people/processing-status.ts';
import type { Database } from '../../storage/database/handle.ts';
import { inTransaction } from '../../storage/database/in-transaction.ts';
import {
  countSeats,
  type DeveloperRow,
  type DeveloperSort,
  listDevelopers,
  lockSeats,
  setProcessingStatuses,
} from '../../storage/people/developers.ts';
import { lockPeople } from '../../storage/people/lock-people.ts';
import { listRepoIds } from '../../storage/repos/resources.ts';
import { type DeveloperTeamRow, listTeamsOfDevelopers } from '../../storage/teams/members.ts';
import type { Grant } from '../access/grant.ts';
import { enqueueDerivationsOf } from '../delivery/enqueue-derivation.ts';
import type { OperationParts } from '../operation-parts.ts';
import { findResources } from '../repos/find-resources.ts';
import { findCommitters, requireKnown } from './resolve-committer.ts';

export interface DeveloperListInput {
  readonly committer_user_name?: readonly string[] | undefined;
  readonly committer_identifier?: readonly string[] | undefined;
  readonly git_provider_ids?: readonly string[] | undefined;
  readonly processing_status?: ProcessingStatus | undefined;
  readonly start_date?: Date | undefined;
  readonly sort_by: DeveloperSort;
  readonly page: number;
}

export interface DeveloperRecord {
  readonly id: number;
  readonly committer_user_name: string;
  readonly full_name: string;
  readonly git_provider_id: string | null;
  readonly is_ai_agent: boolean;
  readonly last_commit_authored_at: string | null;
  readonly last_commit_committed_at: string | null;
  readonly processing_status_em: ProcessingStatus;
  readonly provider_email: string | null;
  readonly teams: readonly Omit<DeveloperTeamRow, 'committer_id'>[];
  readonly user_id: number | null;
}

export interface SeatRecord {
  readonly used: number;
  readonly limit: number | null;
  readonly expires_on: string | null;
}

export interface DeveloperPage {
  readonly committers: readonly DeveloperRecord[];
  readonly page: number;
  readonly total_pages: number;
  readonly total_count: number;
  readonly seats: SeatRecord;
  /** Names and identifiers that were asked for and belong to nobody. */
  readonly unknown: readonly string[];
}

export interface CommitterNames {
  readonly committer_user_name?: readonly string[] | undefined;
  readonly committer_identifier?: readonly string[] | undefined;
}

export interface DeveloperOperations {
  list(grant: Grant<'member'>, input: DeveloperListInput): Promise<DeveloperPage>;
  /** All of them or none. Conflict when it would use more seats than there are. */
  setProcessing(
    grant: Grant<'admin'>,
    names: CommitterNames,
    status: ProcessingStatus,
  ): Promise<{ committer_user_name: string; processing_status: ProcessingStatus }[]>;
}

const PAGE_SIZE = 50;

export function createDeveloperOperations({ store: { db }, now }: OperationParts): DeveloperOperations {
  return {
    async list({ entity: { id: entityId }, settings, paths }, input) {
      const repoIds = await listRepoIds(db, entityId, await findResources(db, entityId, paths));
      const wanted = [...new Set([...(input.committer_user_name ?? []), ...(input.committer_identifier ?? [])])];
      const found = await findCommitters(db, entityId, wanted);
      const among = (names: readonly string[] | undefined) =>
        names === undefined ? null : names.flatMap((name) => found.get(name)?.id ?? []);
      const { rows, total } = await listDevelopers(db, entityId, {
        repoIds,
        committerIds: intersect(among(input.committer_user_name), among(input.committer_identifier)),
        gitProviderIds: input.git_provider_ids ?? null,
        processingStatus: input.processing_status ?? null,
        authoredSince: input.start_date ?? null,
        sortBy: input.sort_by,
        limit: PAGE_SIZE,
        offset: (input.page - 1) * PAGE_SIZE,
      });
      const { seat_limit, seat_expires_on, time_zone } = settings;
      const today = todayIn(time_zone, now());
      const ids = rows.map(({ id }) => id);
      const teams = await listTeamsOfDevelopers(db, entityId, ids, today);
      return {
        committers: rows.map((row) => developerToRecord(row, teams)),
        page: input.page,
        total_pages: Math.ceil(total / PAGE_SIZE),
        total_count: total,
        seats: { used: await countSeats(db, entityId), limit: seat_limit, expires_on: seat_expires_on },
        unknown: wanted.filter((name) => !found.has(name)),
      };
    },

    async setProcessing({ entity: { id: entityId }, settings }, names, status) {
      const people = await findNamedCommitters(db, entityId, names);
      await inTransaction(db, async (trx) => {
        await lockPeople(trx, entityId);
        await lockSeats(trx, entityId);
        const before = await countSeats(trx, entityId);
        await setProcessingStatuses(
          trx,
          entityId,
          people.map(({ id }) => id),
          status,
        );
        if (usesSeat(status)) requireSeats(before, await countSeats(trx, entityId), settings.seat_limit);
        await enqueueDerivationsOf(
          trx,
          entityId,
          people.map(({ id }) => id),
        );
      });
      return people.map(({ committer_user_name }) => ({ committer_user_name, processing_status: status }));
    },
  };
}

/** Thrown inside the transaction, so that the change is undone. Using fewer seats, or as many, is always allowed. */
export function requireSeats(before: number, after: number, limit: number | null): void {
  if (limit === null || after <= limit || after <= before) return;
  throw new StrataError(
    'conflict',
    `this would use ${after} seats and the entity has ${limit}; set others to not_processing first, ` +
      'or raise the limit with strata settings set seat_limit',
  );
}

/** The people named by either parameter, each once. Unknown names are all listed in the error. */
export async function findNamedCommitters(
  db: Database,
  entityId: number,
  names: CommitterNames,
): Promise<{ id: number; committer_user_name: string }[]> {
  const fields = ['committer_user_name', 'committer_identifier'] as const;
  const asked = fields.flatMap((field) => (names[field] ?? []).map((name) => ({ field, name })));
  if (asked.length === 0) {
    const message = 'is missing; expected the user name, or committer_identifier with a code-host id or e-mail address';
    throw new StrataError('missing_conditional_parameter', `committer_user_name: ${message}`, {
      errors: { committer_user_name: [message] },
    });
  }
  const found = await findCommitters(db, entityId, [...new Set(asked.map(({ name }) => name))]);
  requireKnown(asked, found);
  const byId = new Map([...found.values()].map((person) => [person.id, person]));
  return [...byId.values()].map(({ id, committer_user_name }) => ({ id, committer_user_name }));
}

const intersect = (a: number[] | null, b: number[] | null): number[] | null =>
  a === null ? b : b === null ? a : a.filter((id) => b.includes(id));

export function developerToRecord(row: DeveloperRow, teams: readonly DeveloperTeamRow[]): DeveloperRecord {
  return {
    id: row.id,
    committer_user_name: row.committer_user_name,
    full_name: row.full_name,
    git_provider_id: row.git_provider_id,
    is_ai_agent: row.is_ai_agent,
    last_commit_authored_at: row.last_commit_authored_at,
    last_commit_committed_at: row.last_commit_committed_at,
    processing_status_em: row.processing_status,
    provider_email: row.provider_email,
    teams: teams
      .filter(({ committer_id }) => committer_id === row.id)
      .map(({ committer_id: _committer, ...team }) => team),
    user_id: row.user_id,
  };
}
