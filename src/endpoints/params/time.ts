// DateTime and Date. A DateTime must name at least a date; without a time it is the start of that day,
// without a zone it is in the entity's zone. What could be misread is accepted with a warning that says
// how it was read.
import * as chrono from 'chrono-node';
import { DateTime, FixedOffsetZone, type Zone } from 'luxon';
import { ACCEPTED_DATES, isAcceptedDate, isAcceptedInstant } from '../../domain/calendar/accepted-dates.ts';
import { readIsoTime, toDate } from '../../domain/calendar/read-iso-time.ts';
import { Param, type ReadContext, Refusal, show } from './param.ts';

const LONGEST = 100;
const SECONDS = /^\d{1,12}$/;
const ACCEPTED = `a date ${ACCEPTED_DATES} with an optional time and zone, such as 2026-10-05T09:00:00Z, 2026-10-05 or October 5, 2026 9:00 AM`;

/** Natural language, by the library. The whole text must be understood, not just a part of it. */
function readNatural(text: string, context: ReadContext): Date | null {
  const isDayFirst = /^\d{1,2}\.\d{1,2}\.\d{4}\b/.test(text);
  const reader = isDayFirst ? chrono.en.GB : chrono.en.casual;
  const now = DateTime.fromJSDate(context.now, { zone: context.zone });
  const found = reader.parse(text, { instant: context.now, timezone: now.offset });
  const [only] = found;
  if (only === undefined || found.length > 1 || only.text.length !== text.length || only.end) return null;
  const part = only.start;
  const namesDate = (part.isCertain('day') && part.isCertain('month')) || part.isCertain('weekday');
  if (!namesDate) return null;
  const time = (name: 'hour' | 'minute' | 'second' | 'millisecond'): number =>
    part.isCertain('hour') ? (part.get(name) ?? 0) : 0;
  const offset = part.isCertain('timezoneOffset') ? part.get('timezoneOffset') : null;
  const zone: string | Zone = offset === null ? context.zone : FixedOffsetZone.instance(offset);
  const read = DateTime.fromObject(
    {
      year: part.get('year') ?? now.year,
      month: part.get('month') ?? 1,
      day: part.get('day') ?? 1,
      hour: time('hour'),
      minute: time('minute'),
      second: time('second'),
      millisecond: time('millisecond'),
    },
    { zone },
  );
  if (isAmbiguous(text) || !part.isCertain('year')) {
    context.warn(`${show(text)} was read as ${read.toISO()}; write YYYY-MM-DD to be sure`);
  }
  return toDate(read);
}

/** 03/04/2026 is the 4th of March here and the 3rd of April elsewhere. */
function isAmbiguous(text: string): boolean {
  const match = /^(\d{1,2})[/-](\d{1,2})[/-]\d{2,4}/.exec(text);
  return match !== null && match[1] !== match[2] && Number(match[1]) <= 12 && Number(match[2]) <= 12;
}

/** Most of thousands of records have the day of the one before. */
let lastIso: { readonly text: string; readonly zone: string; readonly at: number | null } = {
  text: '',
  zone: '',
  at: null,
};

function readTime(text: string, allowsSeconds: boolean, context: ReadContext): Date | null {
  if (text.length > LONGEST) return null;
  const trimmed = text.trim();
  if (trimmed === lastIso.text && context.zone === lastIso.zone)
    return lastIso.at === null ? null : new Date(lastIso.at);
  const read = readIsoTime(trimmed, context.zone);
  if (read !== undefined) {
    lastIso = { text: trimmed, zone: context.zone, at: read?.getTime() ?? null };
    return read;
  }
  if (!SECONDS.test(trimmed)) return readNatural(trimmed, context);
  return allowsSeconds ? toDate(DateTime.fromSeconds(Number(trimmed), { zone: 'utc' })) : null;
}

/** A list has one context for all its records. */
const zoned = new WeakMap<ReadContext, ReadContext>();

function withZone(context: ReadContext, zone: string): ReadContext {
  const known = zoned.get(context) ?? { ...context, zone };
  if (known.zone !== zone) return { ...context, zone };
  zoned.set(context, known);
  return known;
}

export interface DateTimeOptions {
  /** Also accept whole seconds since 1970, as JSON number or as digits. */
  readonly seconds?: boolean;
  /** Zone of times given without one, where the entity's would move a bare date to the day before. */
  readonly zone?: 'UTC';
}

export function dateTime({ seconds = false, zone }: DateTimeOptions = {}): Param<Date> {
  const accepts = seconds ? `${ACCEPTED}, or whole seconds since 1970` : ACCEPTED;
  return new Param<Date>({
    name: seconds ? 'DateTime or seconds since 1970' : 'DateTime',
    accepts,
    schema: seconds ? { type: ['string', 'integer'] } : { type: 'string' },
    examples: {
      right: ['2026-10-05T09:00:00Z', ...(seconds ? [1_791_190_800] : []), '2026-10-05', 'October 5, 2026 9:00 AM'],
      wrong: [
        ...['noon', 'soon', '2026-02-30', '2026-13-01', '2026-10-05T25:00:00Z', true, ...(seconds ? [] : [17])],
        ...['1969-12-31T23:59:59Z', '1970-01-01T00:00:00+14:00', '0001-01-01T00:00:00+14:00'],
        ...['9999-12-31', '9999-12-31T23:59:59-12:00', ...(seconds ? [253_402_300_799] : [])],
      ],
    },
    isList: false,
    usesZone: true,
    read(value, context) {
      const text = typeof value === 'number' ? String(value) : value;
      const within = zone === undefined ? context : withZone(context, zone);
      const read = typeof text === 'string' ? readTime(text, seconds, within) : null;
      if (read === null || !isAcceptedInstant(read, context.now)) {
        throw new Refusal(`${show(value)} is not accepted; expected ${accepts}`);
      }
      return read;
    },
  });
}

/** A calendar day, kept as `YYYY-MM-DD`: it has no zone until something asks for its instants. */
export function date(): Param<string> {
  const accepts = `a calendar date ${ACCEPTED_DATES} as YYYY-MM-DD, such as 2026-10-05`;
  return new Param<string>({
    name: 'Date',
    accepts,
    schema: { type: 'string', format: 'date' },
    examples: {
      right: ['2026-10-05', '2024-02-29'],
      wrong: [
        ...['2026-02-29', '2026-13-01', '05/10/2026', 'yesterday', '0000-01-01', 20261005],
        ...['0001-01-01', '1969-12-31', '9999-12-31'],
      ],
    },
    isList: false,
    read(value, { now }) {
      const text = typeof value === 'string' ? value.trim() : '';
      if (!isAcceptedDate(text, now)) throw new Refusal(`${show(value)} is not accepted; expected ${accepts}`);
      return text;
    },
  });
}
