// Times as people read them, in the entity's zone.

const LONG: Intl.DateTimeFormatOptions = {
  year: 'numeric',
  month: 'long',
  day: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
  timeZoneName: 'short',
};
const SHORT: Intl.DateTimeFormatOptions = { year: 'numeric', month: 'short', day: 'numeric' };

// Making a format takes a thousand times as long as using it.
const formats = new Map<string, { long: Intl.DateTimeFormat; short: Intl.DateTimeFormat }>();

function formatsOf(timeZone: string) {
  let known = formats.get(timeZone);
  if (known === undefined) {
    known = {
      long: new Intl.DateTimeFormat('en-US', { ...LONG, timeZone }),
      short: new Intl.DateTimeFormat('en-US', { ...SHORT, timeZone }),
    };
    formats.set(timeZone, known);
  }
  return known;
}

/** October 5, 2026 9:00 AM UTC */
export function humanTime(time: string, zone: string): string {
  const parts = new Map<string, string>();
  for (const { type, value } of formatsOf(zone).long.formatToParts(Date.parse(time))) parts.set(type, value);
  const part = (name: Intl.DateTimeFormatPartTypes) => parts.get(name) ?? '';
  return (
    `${part('month')} ${part('day')}, ${part('year')} ` +
    `${part('hour')}:${part('minute')} ${part('dayPeriod')} ${part('timeZoneName')}`
  );
}

/** Oct 5, 2026 */
export const shortDate = (time: string, zone: string): string => formatsOf(zone).short.format(Date.parse(time));

const UNITS: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['year', 365 * 86_400],
  ['month', 30 * 86_400],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
];
/** Made when a time is first put into words: it loads the words of a language. */
let relative: Intl.RelativeTimeFormat | undefined;

/** 3 days ago */
export function timeInWords(time: string, now: Date): string {
  const seconds = (Date.parse(time) - now.getTime()) / 1000;
  const [unit, length] = UNITS.find(([, least]) => Math.abs(seconds) >= least) ?? ['second', 1];
  relative ??= new Intl.RelativeTimeFormat('en-US');
  return relative.format(Math.trunc(seconds / length), unit);
}
