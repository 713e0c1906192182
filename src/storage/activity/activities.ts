// The activity trail: written many rows at a time, read newest first, removed when its time is up.
import { sql } from 'kysely';
import type { Activity, CredentialKind } from '../../domain/activity/activity.ts';
import type { Database } from '../database/handle.ts';
import type { Row } from '../database/schema.ts';

/** With the addresses of the users: they stay when a user is removed. */
export async function insertActivities(db: Database, activities: readonly Activity[]): Promise<void> {
  await sql`
    insert into activities (entity_id, occurred_at, user_id, user_email, caller_entity_id, credential_kind, operation,
                            outcome_em, credential_id, address, resource, trace, parameters)
    select given.entity_id, given.occurred_at, given.user_id, users.email, given.caller_entity_id, given.credential_kind,
           given.operation, given.outcome_em, given.credential_id, given.address, given.resource, given.trace,
           given.parameters
    from jsonb_to_recordset(${JSON.stringify(activities)}::jsonb) as given (
      entity_id bigint, occurred_at timestamptz, user_id bigint, caller_entity_id bigint, credential_kind text,
      operation text, outcome_em text, credential_id text, address text, resource text, trace text, parameters jsonb)
    left join users on users.id = given.user_id`.execute(db);
}

export interface ActivityFilter {
  /** Null for all, the service itself included. */
  readonly entityId: number | null;
  readonly startsAt?: Date | undefined;
  readonly endsBefore?: Date | undefined;
  /** In lower case. */
  readonly userEmail?: string | undefined;
  readonly credentialKind?: CredentialKind | undefined;
  readonly credentialId?: string | undefined;
  readonly operation?: string | undefined;
  readonly outcome?: string | undefined;
  /** The resource itself and what lies below it. */
  readonly resource?: string | undefined;
  /** Only what is older than this row. */
  readonly beforeId?: number | undefined;
  readonly limit: number;
}

export type ListedActivityRow = Row<'activities'> & {
  /** Null for the service itself. */
  readonly entity: string | null;
  readonly caller_entity: string | null;
};

const asPrefix = (text: string): string => `${text.replace(/[\\%_]/g, '\\$&')}/%`;

/** Newest first. */
export function listActivities(db: Database, filter: ActivityFilter): Promise<ListedActivityRow[]> {
  const { entityId, startsAt, endsBefore, beforeId, userEmail, credentialKind, credentialId } = filter;
  const { operation, outcome, resource, limit } = filter;
  let rows = db
    .selectFrom('activities')
    .leftJoin('entities', 'entities.id', 'activities.entity_id')
    .leftJoin('entities as callers', 'callers.id', 'activities.caller_entity_id')
    .selectAll('activities')
    .select(['entities.slug as entity', 'callers.slug as caller_entity']);
  if (entityId !== null) rows = rows.where('activities.entity_id', '=', entityId);
  if (startsAt) rows = rows.where('occurred_at', '>=', startsAt.toISOString());
  if (endsBefore) rows = rows.where('occurred_at', '<', endsBefore.toISOString());
  if (beforeId !== undefined) rows = rows.where('activities.id', '<', beforeId);
  if (userEmail !== undefined) rows = rows.where('user_email', '=', userEmail);
  if (credentialKind !== undefined) rows = rows.where('credential_kind', '=', credentialKind);
  if (credentialId !== undefined) rows = rows.where('credential_id', '=', credentialId);
  if (operation !== undefined) rows = rows.where('operation', '=', operation);
  if (outcome !== undefined) rows = rows.where('outcome_em', '=', outcome);
  if (resource !== undefined) {
    rows = rows.where((is) => is.or([is('resource', '=', resource), is('resource', 'like', asPrefix(resource))]));
  }
  return rows.orderBy('activities.id', 'desc').limit(limit).execute();
}

const ROWS_PER_STEP = 5_000;

/** Removes what is older, a few thousand rows per transaction, entity by entity; gives how many there were. */
export async function deleteActivitiesBefore(db: Database, before: Date): Promise<number> {
  const { rows: entities } = await sql<{ entity_id: number }>`
    select distinct entity_id from activities where occurred_at < ${before}`.execute(db);
  let removed = 0;
  for (const { entity_id } of entities) {
    for (;;) {
      const { numAffectedRows = 0n } = await sql`
        delete from activities where entity_id = ${entity_id} and id in (
          select id from activities where entity_id = ${entity_id} and occurred_at < ${before}
          limit ${ROWS_PER_STEP})`.execute(db);
      removed += Number(numAffectedRows);
      if (numAffectedRows < BigInt(ROWS_PER_STEP)) break;
    }
  }
  return removed;
}
