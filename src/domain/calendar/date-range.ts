// The range of a list: start_date and end_date, both inclusive and in the entity's zone, or days_ago.
import { DateTime } from 'luxon';
import { StrataError } from '../errors.ts';
import { placeOf } from './place.ts';

export interface RangeInput {
  /** YYYY-MM-DD, as is the end. */
  readonly start_date?: string | undefined;
  readonly end_date?: string | undefined;
  readonly days_ago?: number | undefined;
}

export interface DateRange {
  readonly start_date: string;
  readonly end_date: string;
  readonly startsAt: Date;
  /** The first moment that is no longer in it. */
  readonly endsBefore: Date;
}

const DEFAULT_DAYS = 90;

const DAY_MS = 86_400_000;

/** Not before 1970, the first date that is taken. */
const daysBefore = (date: string, days: number): string =>
  new Date(Math.max(0, Date.parse(`${date}T00:00:00Z`) - days * DAY_MS)).toISOString().slice(0, 10);

/** The day that it is there. */
export const todayIn = (zone: string, now: Date): string => DateTime.fromJSDate(now, placeOf(zone)).toISODate() ?? '';

/** For the days that a list or report is asked for. */
export function requireOrder(start: string, end: string): void {
  if (start <= end) return;
  const message = `${start} is after the end ${end}; expected a start on or before the end`;
  throw new StrataError('invalid_parameter', `start_date: ${message}`, { errors: { start_date: [message] } });
}

/** Dates win over days_ago. `whenBlank` is a number of days, or null for no range at all. */
export function readDateRange(input: RangeInput, zone: string, now: Date, whenBlank: number | null): DateRange | null {
  const { start_date, end_date } = input;
  const days = input.days_ago ?? whenBlank;
  if (start_date === undefined && end_date === undefined && days === null) return null;
  const place = placeOf(zone);
  const end = end_date ?? todayIn(zone, now);
  const length = end_date === undefined && start_date === undefined ? Math.max(1, days ?? 1) : DEFAULT_DAYS;
  const start = start_date ?? daysBefore(end, length - 1);
  requireOrder(start, end);
  const beginningOf = (date: string): Date => DateTime.fromISO(date, place).toJSDate();
  return {
    start_date: start,
    end_date: end,
    // Worked out only where they are asked for.
    get startsAt() {
      return beginningOf(start);
    },
    get endsBefore() {
      return beginningOf(daysBefore(end, -1));
    },
  };
}
