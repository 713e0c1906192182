// Reads a date with an optional time and zone as people and programs write them after ISO 8601.
import { DateTime, IANAZone } from 'luxon';

// A date, then optionally a time, then optionally a zone. The blank in front of `hh:mm` at the end is a
// plus sign that was not percent-encoded in a query.
const DAY = String.raw`(\d{4})-?(\d\d)-?(\d\d)`;
const CLOCK = String.raw`(\d\d):?(\d\d)(?::?(\d\d)(?:[.,](\d{1,9}))?)?`;
const ZONE = String.raw`\s*(Z|UTC|GMT)|\s*([+-])(\d\d)(?::?(\d\d))?|(\s)(\d\d):?(\d\d)|\s+([A-Za-z]+\/[A-Za-z_/+-]+)`;
const ISO = new RegExp(String.raw`^${DAY}(?:(?:T|\s+)${CLOCK}(?:${ZONE})?)?$`, 'i');

/** Null beyond the years that can be written. */
export const toDate = (time: DateTime): Date | null => {
  const inRange = time.isValid && time.year >= 1 && time.year <= 9999;
  return inRange ? time.toJSDate() : null;
};

/** Null for a date or time that does not exist; undefined for a text of another form. `givenZone` is that of texts without one. */
export function readIsoTime(text: string, givenZone: string): Date | null | undefined {
  const match = ISO.exec(text);
  if (match === null) return undefined;
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
