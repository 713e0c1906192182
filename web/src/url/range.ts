// The range of days that a page shows: how the address writes it, and which days it means.
import { addDays, addMonths, countDays, isDay } from '../text/dates.ts';

export interface Days {
  readonly start: string;
  readonly end: string;
}

export type Comparison = 'prev' | 'year' | 'none';

/** The ranges that the keys 1 to 6 choose, in their order. */
export const RANGE_PRESETS = [
  { range: '30d', label: '30 days' },
  { range: '90d', label: '90 days' },
  { range: '6m', label: '6 months' },
  { range: '12m', label: '12 months' },
  { range: 'ytd', label: 'This year' },
  { range: 'all', label: 'All time' },
] as const;

const COUNTED = /^([1-9]\d{0,4})([dm])$/;

/** The text as the address should have it, or undefined where it is not a range. */
export function parseRange(text: string): string | undefined {
  if (text === 'ytd' || text === 'all') return text;
  const counted = COUNTED.exec(text);
  if (counted !== null) return Number(counted[1]) <= (counted[2] === 'd' ? 36_500 : 1_200) ? text : undefined;
  const [start = '', end = '', ...rest] = text.split('..');
  return rest.length === 0 && isDay(start) && isDay(end) && start <= end ? text : undefined;
}

/** `firstDay` is the first day that has data; without it, "all" is ten years. */
export function resolveRange(range: string, today: string, firstDay: string | null): Days {
  if (range === 'ytd') return { start: `${today.slice(0, 4)}-01-01`, end: today };
  if (range === 'all') {
    const start = firstDay ?? addMonths(today, -120);
    return { start: start < today ? start : today, end: today };
  }
  const counted = COUNTED.exec(range);
  if (counted !== null) {
    const count = Number(counted[1]);
    if (counted[2] === 'd') return { start: addDays(today, 1 - count), end: today };
    return { start: addDays(addMonths(today, -count), 1), end: today };
  }
  const [start, end] = range.split('..') as [string, string];
  return { start, end };
}

/** Without days to come: half a month is not held against a whole one. */
export const passedDays = ({ start, end }: Days, today: string): Days => ({
  start,
  end: start <= today && today < end ? today : end,
});

/**
 * The days to compare with: the period of equal length that ends the day before, as in the summaries of the API, or the
 * same days a year before. Daily points that are drawn meet the same weekday: the shift is a whole number of weeks, so that
 * a Monday stands above a Monday.
 */
export function comparisonDays({ start, end }: Days, comparison: Comparison, isDaily: boolean): Days | null {
  if (comparison === 'none') return null;
  if (comparison === 'year') {
    if (isDaily) return { start: addDays(start, -364), end: addDays(end, -364) };
    return { start: addMonths(start, -12), end: addMonths(end, -12) };
  }
  const length = countDays(start, end);
  const shift = isDaily ? Math.ceil(length / 7) * 7 : length;
  const before = { start: addDays(start, -shift), end: addDays(end, -shift) };
  return before.start < FIRST_DAY ? null : before;
}

/** The API takes no earlier one. */
const FIRST_DAY = '1970-01-01';

/** One length earlier or later; never past today. */
export function shiftRange(days: Days, direction: -1 | 1, today: string): string {
  const length = countDays(days.start, days.end);
  const end = addDays(days.end, direction * length);
  const last = end > today ? today : end;
  return `${addDays(last, 1 - length)}..${last}`;
}

export function describeRange(range: string): string {
  const preset = RANGE_PRESETS.find((row) => row.range === range);
  if (preset !== undefined) return preset.label;
  const counted = COUNTED.exec(range);
  if (counted === null) return 'Chosen days';
  return `${counted[1]} ${counted[2] === 'd' ? 'day' : 'month'}${counted[1] === '1' ? '' : 's'}`;
}

const LENGTHS_BY_DAY = 45;
const LENGTHS_BY_WEEK = 200;

/** How long the intervals are when nobody chooses, by the rule of the API. */
export const intervalOf = ({ start, end }: Days): 'daily' | 'weekly' | 'monthly' => {
  const length = countDays(start, end);
  return length <= LENGTHS_BY_DAY ? 'daily' : length <= LENGTHS_BY_WEEK ? 'weekly' : 'monthly';
};

/** As many points of a chosen length as the API gives. */
const MOST_POINTS = 400;

/** Intervals of these lengths that the days touch, at most. */
const POINTS: Readonly<Record<'day' | 'week' | 'month', (days: Days) => number>> = {
  day: ({ start, end }) => countDays(start, end),
  // The first and the last week may be cut off.
  week: ({ start, end }) => Math.ceil((countDays(start, end) + 6) / 7),
  month: ({ start, end }) => monthOf(end) - monthOf(start) + 1,
};

const monthOf = (day: string): number => Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7));

/** Whether the API shows the days in intervals of this length. */
export const offersGrain = (grain: 'day' | 'week' | 'month', days: Days): boolean => POINTS[grain](days) <= MOST_POINTS;
