// The activity trail: recorded where calls and commands are dispatched, listed for admins.
import type { Caller } from '../../domain/access/caller.ts';
import {
  type Activity,
  type CredentialKind,
  type Outcome,
  shortParameters,
  shortText,
} from '../../domain/activity/activity.ts';
import { type RangeInput, readDateRange } from '../../domain/calendar/date-range.ts';
import { StrataError } from '../../domain/errors.ts';
import { type ActivityFilter, insertActivities, listActivities } from '../../storage/activity/activities.ts';
import { type Actor, OPERATOR } from '../access/actor.ts';
import type { AccessOperations, Grant } from '../access/grant.ts';
import type { OperationParts } from '../operation-parts.ts';
import { createActivityRecorder } from './recorder.ts';

export interface ActivityInput {
  /** Null where nobody was recognised, as at a sign-in that failed. */
  readonly actor: Actor | null;
  /** Where it happened: an entity, or SERVICE_ENTITY_ID. */
  readonly entityId: number;
  /** `POST /releases`, `strata token revoke`, `sign in`. */
  readonly operation: string;
  readonly outcome: Outcome;
  readonly resource?: string | null;
  /** What it was given, without secrets; long values are cut. */
  readonly parameters?: Iterable<readonly [string, unknown]>;
  /** Of the client. */
  readonly address?: string | null;
  readonly trace?: string | null;
  /** The user of the machine, for what the operator does. */
  readonly operatorName?: string;
}

export interface ActivityRecord extends Omit<Activity, 'entity_id' | 'caller_entity_id' | 'occurred_at'> {
  readonly id: number;
  readonly occurred_at: string;
  readonly entity: string | null;
  readonly caller_entity: string | null;
  readonly user_email: string | null;
}

export interface ActivityListInput extends RangeInput {
  readonly user_email?: string | undefined;
  readonly credential_kind?: CredentialKind | undefined;
  readonly credential_id?: string | undefined;
  readonly operation?: string | undefined;
  readonly outcome_em?: string | undefined;
  readonly resource?: string | undefined;
  readonly before_id?: number | undefined;
}

export interface ActivityList {
  readonly activities: ActivityRecord[];
  readonly per_page: number;
  /** For `before_id` of the next call; null at the end. */
  readonly next_before_id: number | null;
}

export interface ActivityOperations {
  /** Resolves when it is stored. Never fails: what cannot be stored is tried again, and logged in the end. */
  record(input: ActivityInput): Promise<void>;
  list(grant: Grant<'admin'>, input: ActivityListInput): Promise<ActivityList>;
  /** Of one entity, or of all and of the service itself. */
  listForOperator(input: ActivityListInput & { readonly entity?: string | undefined }): Promise<ActivityRecord[]>;
  close(): Promise<void>;
}

const PER_PAGE = 50;
const MOST_FOR_OPERATOR = 1_000;

export function createActivityOperations(
  { store: { db }, log, now }: OperationParts,
  access: Pick<AccessOperations, 'enterEntity'>,
): ActivityOperations {
  const recorder = createActivityRecorder({
    write: (activities) => insertActivities(db, activities),
    onError(error, lost) {
      log.warn({ err: error }, 'the activity trail could not be written; trying again');
      for (const activity of lost) log.error({ activity }, 'an activity is not in the trail');
    },
  });
  const find = async (filter: Pick<ActivityFilter, 'entityId' | 'limit'>, zone: string, input: ActivityListInput) => {
    const range = readDateRange(input, zone, now(), null);
    const rows = await listActivities(db, {
      ...filter,
      startsAt: range?.startsAt,
      endsBefore: range?.endsBefore,
      userEmail: input.user_email?.toLowerCase(),
      credentialKind: input.credential_kind,
      credentialId: input.credential_id,
      operation: input.operation,
      outcome: input.outcome_em,
      resource: input.resource?.toLowerCase(),
      beforeId: input.before_id,
    });
    return rows.map(
      ({ entity_id: _entity, caller_entity_id: _caller, ...row }): ActivityRecord => ({
        ...row,
        // As the writer below has it.
        outcome_em: row.outcome_em as Outcome,
        parameters: row.parameters as Record<string, string>,
      }),
    );
  };

  return {
    record: (input) => recorder.record(activityOf(input, now())),

    async list(grant, input) {
      const found = await find({ entityId: grant.entity.id, limit: PER_PAGE + 1 }, grant.settings.time_zone, input);
      const activities = found.slice(0, PER_PAGE);
      const next_before_id = found.length > PER_PAGE ? activities.at(-1)!.id : null;
      return { activities, per_page: PER_PAGE, next_before_id };
    },

    async listForOperator({ entity, ...input }) {
      const grant = entity === undefined ? null : await access.enterEntity(OPERATOR, entity, 'admin');
      const filter = { entityId: grant?.entity.id ?? null, limit: MOST_FOR_OPERATOR };
      return find(filter, grant?.settings.time_zone ?? 'UTC', input);
    },

    close: () => recorder.close(),
  };
}

function activityOf(input: ActivityInput, now: Date): Activity {
  const { actor, resource, address, trace } = input;
  return {
    entity_id: input.entityId,
    occurred_at: now,
    ...doerOf(actor, input.operatorName),
    address: address ?? null,
    operation: shortText(input.operation),
    resource: resource === undefined || resource === null ? null : shortText(resource.toLowerCase()),
    parameters: shortParameters(input.parameters ?? []),
    outcome_em: input.outcome,
    trace: trace ?? null,
  };
}

type Doer = Pick<Activity, 'credential_kind' | 'credential_id' | 'user_id' | 'caller_entity_id'>;

function doerOf(actor: Actor | null, operatorName: string | undefined): Doer {
  if (actor === null) return { credential_kind: 'none', credential_id: null, user_id: null, caller_entity_id: null };
  if (actor === OPERATOR) {
    const name = operatorName === undefined ? null : shortText(operatorName);
    return { credential_kind: 'operator', credential_id: name, user_id: null, caller_entity_id: null };
  }
  return { ...credentialOf(actor), user_id: actor.user_id, caller_entity_id: actor.entity_id };
}

const credentialOf = ({ via }: Caller): Pick<Doer, 'credential_kind' | 'credential_id'> => ({
  credential_kind: via.kind,
  credential_id: via.kind === 'token' ? String(via.token_id) : via.session_id,
});

/** How a call ended that threw. */
export const outcomeOf = (error: unknown): Outcome => (error instanceof StrataError ? error.code : 'internal');
