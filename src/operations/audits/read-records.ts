// The records of a page, by kind, in the order of their keys.

import type { EntitySettings } from '../../domain/access/entity-settings.ts';
import type { AuditType } from '../../domain/audit-types.ts';
import { todayIn } from '../../domain/calendar/date-range.ts';
import { findRecordQuery, readAuditRecords } from '../../storage/audits/audit-records.ts';
import { readAuditedCommits } from '../../storage/audits/commit-records.ts';
import type { AuditKey } from '../../storage/audits/list-audit-keys.ts';
import { readPullRequests } from '../../storage/audits/pull-request-records.ts';
import type { Database } from '../../storage/database/handle.ts';
import { listDevelopers } from '../../storage/people/developers.ts';
import { listTeamsOfDevelopers } from '../../storage/teams/members.ts';
import { listTeams } from '../../storage/teams/teams.ts';
import { developerToRecord } from '../people/developers.ts';
import { readTeamRecords } from '../teams/records.ts';

export type AuditRecord = object;

interface RecordContext {
  readonly db: Database;
  readonly entityId: number;
  readonly rules: EntitySettings;
  readonly now: Date;
  readonly staleBefore: Date;
}

type Reader = (context: RecordContext, keys: readonly AuditKey[]) => Promise<AuditRecord[]>;

const idsOf = (keys: readonly AuditKey[]): number[] => keys.map(Number);

/** Kinds whose records are more than the rows of one query. */
const READERS: Readonly<Partial<Record<AuditType, Reader>>> = {
  async commits({ db, entityId }, keys) {
    const commits = await readAuditedCommits(db, entityId, idsOf(keys));
    return commits.map(({ full_name, user_name, ...commit }) => ({
      ...commit,
      contributor: { full_name, username: user_name },
    }));
  },

  pull_requests: ({ db, entityId, staleBefore }, keys) => readPullRequests(db, entityId, idsOf(keys), staleBefore),

  async committers({ db, entityId, rules, now }, keys) {
    const ids = idsOf(keys);
    const { rows } = await listDevelopers(db, entityId, {
      repoIds: null,
      committerIds: ids,
      gitProviderIds: null,
      processingStatus: null,
      authoredSince: null,
      sortBy: 'id',
      limit: ids.length,
      offset: 0,
    });
    const teams = await listTeamsOfDevelopers(db, entityId, ids, todayIn(rules.time_zone, now));
    return inOrder(ids, rows).map((row) => developerToRecord(row, teams));
  },

  async teams({ db, entityId, rules, now }, keys) {
    const today = todayIn(rules.time_zone, now);
    const areSeatsPaid = rules.seat_expires_on === null || today <= rules.seat_expires_on;
    const teams = inOrder(idsOf(keys), await listTeams(db, entityId));
    return readTeamRecords(db, entityId, teams, today, areSeatsPaid);
  },
};

function inOrder<T extends { readonly id: number }>(ids: readonly number[], rows: readonly T[]): T[] {
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

export async function readRecords(
  context: RecordContext,
  type: AuditType,
  keys: readonly AuditKey[],
): Promise<AuditRecord[]> {
  if (keys.length === 0) return [];
  const reader = READERS[type];
  if (reader !== undefined) return reader(context, keys);
  const query = findRecordQuery(type);
  if (query === undefined) throw new Error(`records of ${type} cannot be read`);
  return readAuditRecords(context.db, context.entityId, query, keys);
}
