// DateTime and Date. A DateTime must name at least a date; without a time it is the start of that day,
// without a zone it is in the entity's zone. What could be misread is accepted with a warning that says
// how it was read.
import * as chrono from 'chrono-node';
import { DateTime, FixedOffsetZone, IANAZone, type Zone } from 'luxon';
import { ACCEPTED_DATES, isAcceptedDate, isAcceptedInstant } from '../../domain/calendar/accepted-dates.ts';
import { Param, type ReadContext, Refusal, show } from './param.ts';

// A date, then optionally a time, then optionally a zone. The blank in front of `hh:mm` at the end is a
// plus sign that was not percent-encoded in a query.
const DAY = String.raw`(\d{4})-?(\d\d)-?(\d\d)`;
const CLOCK = String.raw`(\d\d):?(\d\d)(?::?(\d\d)(?:[.,](\d{1,9}))?)?`;
const ZONE = String.raw`\s*(Z|UTC|GMT)|\s*([+-])(\d\d)(?::?(\d\d))?|(\s)(\d\d):?(\d\d)|\s+([A-Za-z]+\/[A-Za-z_/+-]+)`;
const ISO = new RegExp(String.raw`^${DAY}(?:(?:T|\s+)${CLOCK}(?:${ZONE})?)?$`, 'i');
const LONGEST = 100;
const SECONDS = /^\d{1,12}$/;
const ACCEPTED = `a date ${ACCEPTED_DATES} with an optional time and zone, such as 2026-10-05T09:00:00Z, 2026-10-05 or October 5, 2026 9:00 AM`;

const toDate = (time: DateTime): Date | null => {
  const inRange = time.isValid && time.year >= 1 && time.year <= 9999;
  return inRange ? time.toJSDate() : null;
};

function readIso(match: RegExpExecArray, givenZone: string): Date | null {
  const part = (index: number): number => Number(match[index] ?? 0);
  const [year, month, day, hour, minute, second] = [part(1), part(2), part(3), part(4), part(5), part(6)];
  const millisecond = Number((match[7] ?? '').slice(0, 3).padEnd(3, '0'));
  if (year < 1 || hour > 23 || minute > 59 || second > 59) return null;
  const wall = new Date(0);
  wall.setUTCFullYear(year, month - 1, day);
  wall.setUTCHours(hour, minute, second, millisecond);
  const isReal = wall.getUTCMonth() === month - 1 && wall.getUTCDate() === day;
  if (!isReal) return null;
  const [utc, sign, bare, region] = [match[8], match[9], match[12], match[15]];
  if (utc !== undefined) return wall;
  if (sign !== undefined) return shift(wall, sign, part(10), part(11));
  if (bare !== undefined) return shift(wall, '+', part(13), part(14));
  const zone = region ?? givenZone;
  if (zone === 'UTC') return wall;
  if (region !== undefined && !IANAZone.isValidZone(region)) return null;
  return toDate(DateTime.fromObject({ year, month, day, hour, minute, second, millisecond }, { zone }));
}

function shift(wall: Date, sign: string, hours: number, minutes: number): Date | null {
  if (hours > 23 || minutes > 59) return null;
  const offset = (hours * 60 + minutes) * 60_000;
  return new Date(wall.getTime() + (sign === '-' ? offset : -offset));
}

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
  const iso = ISO.exec(trimmed);
  if (iso !== null) {
    const read = readIso(iso, context.zone);
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
