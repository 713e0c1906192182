// Days on which developers do not work, recorded and removed by range. Only business days of the entity's
// calendar can be days off: weekends and holidays are free anyway.

import { createBusinessClock } from '../../domain/calendar/business-time.ts';
import { requireOrder, todayIn } from '../../domain/calendar/date-range.ts';
import { entityCalendar } from '../../domain/calendar/entity-calendar.ts';
import { StrataError } from '../../domain/errors.ts';
import { inTransaction } from '../../storage/database/in-transaction.ts';
import { type DayOffRow, deleteDaysOff, insertDaysOff, listTimeOff } from '../../storage/people/time-off.ts';
import type { Grant } from '../access/grant.ts';
import { type Paging, PER_PAGE, pagingOf } from '../delivery/list-scope.ts';
import type { OperationParts } from '../operation-parts.ts';
import { findResources } from '../repos/find-resources.ts';
import { type CommitterNames, findNamedCommitters } from './developers.ts';

export interface TimeOffInput extends CommitterNames {
  /** `YYYY-MM-DD`. */
  readonly start_date: string;
  /** Included; one day when it is left out. */
  readonly end_date?: string | undefined;
}

export interface TimeOffOfOne {
  readonly user_name: string;
  readonly days_off_in_range_count: number;
  readonly full_success: boolean;
}

export interface TimeOffResult {
  readonly start_date: string;
  readonly end_date: string;
  readonly people: readonly TimeOffOfOne[];
}

export interface TimeOffOperations {
  /** Counts the days off that the range then has. */
  record(grant: Grant<'manager'>, input: TimeOffInput): Promise<TimeOffResult>;
  /** Counts the days that were removed. */
  remove(grant: Grant<'manager'>, input: TimeOffInput): Promise<TimeOffResult>;
  /** Of the people named, or of all; without a range those from today on. */
  list(grant: Grant<'manager'>, input: TimeOffListInput): Promise<TimeOffPage>;
}

export interface TimeOffListInput extends CommitterNames {
  readonly start_date?: string | undefined;
  readonly end_date?: string | undefined;
  readonly page: number;
}

export interface TimeOffPage extends Paging {
  readonly start_date: string;
  readonly end_date: string;
  readonly days_off: readonly DayOffRow[];
}

const LONGEST_DAYS = 1_830; // five years
const DAY_MS = 86_400_000;

export function createTimeOffOperations({ store: { db }, now }: OperationParts): TimeOffOperations {
  const prepare = async ({ entity, settings, paths }: Grant<'manager'>, input: TimeOffInput) => {
    await findResources(db, entity.id, paths);
    const days = readRange(input);
    const people = await findNamedCommitters(db, entity.id, input);
    const clock = createBusinessClock(entityCalendar(settings));
    return { entityId: entity.id, people, range: days, workdays: days.filter((day) => clock.isBusinessDay(day)) };
  };
  const result = (range: readonly string[], people: TimeOffOfOne[]): TimeOffResult => ({
    start_date: range[0]!,
    end_date: range.at(-1)!,
    people,
  });

  return {
    async record(grant, input) {
      const { entityId, people, range, workdays } = await prepare(grant, input);
      const ids = people.map(({ id }) => id);
      const added = await inTransaction(db, (trx) => insertDaysOff(trx, entityId, ids, workdays));
      const each = people.map(({ id, committer_user_name }) => ({
        user_name: committer_user_name,
        days_off_in_range_count: workdays.length,
        full_success: workdays.length > 0 && added.get(id) === workdays.length,
      }));
      return result(range, each);
    },

    async remove(grant, input) {
      const { entityId, people, range, workdays } = await prepare(grant, input);
      const days = { first: range[0]!, last: range.at(-1)!, workdays };
      const ids = people.map(({ id }) => id);
      const removed = await inTransaction(db, (trx) => deleteDaysOff(trx, entityId, ids, days));
      const each = people.map(({ id, committer_user_name }) => {
        const own = removed.get(id) ?? { days: 0, workdays: 0 };
        return {
          user_name: committer_user_name,
          days_off_in_range_count: own.days,
          full_success: own.days > 0 && own.workdays === workdays.length,
        };
      });
      return result(range, each);
    },

    async list({ entity, settings, paths }, input) {
      await findResources(db, entity.id, paths);
      const isNamed = input.committer_user_name !== undefined || input.committer_identifier !== undefined;
      const people = isNamed ? await findNamedCommitters(db, entity.id, input) : null;
      const first = input.start_date ?? input.end_date ?? todayIn(settings.time_zone, now());
      const last = input.end_date ?? yearAfter(first);
      requireOrder(first, last);
      const rootIds = people?.map(({ id }) => id) ?? null;
      const page = { limit: PER_PAGE, offset: (input.page - 1) * PER_PAGE };
      const { rows, total } = await listTimeOff(db, entity.id, { rootIds, first, last }, page);
      return { ...pagingOf(input.page, total), start_date: first, end_date: last, days_off: rows };
    },
  };
}

const yearAfter = (day: string): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + 366 * DAY_MS).toISOString().slice(0, 10);

const refuse = (message: string): StrataError =>
  new StrataError('unprocessable', `end_date: ${message}`, { errors: { end_date: [message] } });

/** Every calendar day of the range. */
function readRange({ start_date: first, end_date: last = first }: TimeOffInput): string[] {
  const from = Date.parse(`${first}T00:00:00Z`);
  const count = Math.round((Date.parse(`${last}T00:00:00Z`) - from) / DAY_MS) + 1;
  if (count < 1) throw refuse(`"${last}" is before start_date "${first}"; expected the same day or a later one`);
  if (count > LONGEST_DAYS) {
    throw refuse(`"${last}" is ${count - 1} days after start_date; expected at most ${LONGEST_DAYS - 1}`);
  }
  return Array.from({ length: count }, (_, index) => new Date(from + index * DAY_MS).toISOString().slice(0, 10));
}
