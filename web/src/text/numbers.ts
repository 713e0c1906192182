// Numbers as people read them. Decimals come from the statistic; a dash stands for "not known", never for 0.

export interface ValueFormat {
  readonly unit: string;
  readonly precision: number;
}

export const NO_VALUE = '–';
const NARROW_SPACE = '\u202f';
/** The wire counts money in cents; people read dollars. */
const CENTS = 'cents';

// Written out here: a browser's first formatter of numbers costs several milliseconds before the first chart.
const grouped = (digits: string): string => digits.replace(/\B(?=(?:\d{3})+(?!\d))/g, ',');

/** Rounds the number that people would write, not the one that the machine stores: 0.0225 at three decimals is 0.023. */
function toFixed(size: number, digits: number): string {
  const written = String(size);
  return written.includes('e')
    ? size.toFixed(digits)
    : Number(`${Math.round(Number(`${written}e${digits}`))}e-${digits}`).toFixed(digits);
}

function decimals(value: number, digits: number): string {
  const [whole = '', fraction] = toFixed(Math.abs(value), digits).split('.');
  const text = fraction === undefined ? grouped(whole) : `${grouped(whole)}.${fraction}`;
  // -0.04 at one decimal is 0.0, not -0.0.
  return value < 0 && /[1-9]/.test(text) ? `−${text}` : text;
}

/** With at most so many decimals, and none that say nothing. */
const shortened = (value: number, digits: number): string => {
  const text = decimals(value, digits);
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text;
};

const MAGNITUDES: readonly (readonly [string, number])[] = [
  ['k', 1e3],
  ['m', 1e6],
  ['bn', 1e9],
  ['t', 1e12],
];

/** `48k`, `2.5m`. What rounds to a thousand of one magnitude is one of the next. */
function compact(value: number): string {
  const size = Math.abs(value);
  const [sign, unit] = MAGNITUDES.find(([, of]) => Number((size / of).toFixed(1)) < 1_000) ?? MAGNITUDES.at(-1)!;
  return `${shortened(value / unit, 1)}${sign}`;
}

/** The wire has two decimals of every value, so that a mean of a few people is not rounded away. */
const MOST_DECIMALS = 2;

/** With as many decimals as it takes to tell it from 0, which only a true 0 is. */
function notNothing(value: number, precision: number): string {
  for (let digits = precision; digits <= MOST_DECIMALS; digits++) {
    const text = decimals(value, digits);
    if (/[1-9]/.test(text)) return text;
  }
  return decimals(value, precision);
}

/** `48,210`, `10.4 %`, `$42.10`; the unit is left to the caller except where it is one sign. */
export function formatValue(value: number | null | undefined, { unit, precision }: ValueFormat): string {
  if (value === null || value === undefined || Number.isNaN(value)) return NO_VALUE;
  if (unit === CENTS) return formatDollars(value / 100, 2);
  const text = notNothing(value, precision);
  return unit === '%' ? `${text}${NARROW_SPACE}%` : text;
}

const formatDollars = (value: number, digits: number): string =>
  `${value < 0 ? '−' : ''}$${decimals(Math.abs(value), digits)}`;

/** With its unit in words, for sentences: `48,210 lines`. */
export function formatWithUnit(value: number | null | undefined, format: ValueFormat): string {
  const text = formatValue(value, format);
  const words = unitOf(value, format);
  return text === NO_VALUE || words === '' ? text : `${text} ${words}`;
}

/** What stands behind a value, by the number that is shown: 1.04 developers without decimals are 1 developer. */
export const unitOf = (value: number | null | undefined, format: ValueFormat): string =>
  singular(formatValue(value, format) === '1' ? 1 : (value ?? 0), unitWords(format.unit));

/** What stands behind a number, empty where the number already shows it. */
export const unitWords = (unit: string): string => (unit === '%' || unit === CENTS ? '' : unit);

/** What a column of numbers is headed with. */
export const unitHeading = (unit: string): string => (unit === CENTS ? 'dollars' : unit);

/** `commit` for one, `commits` for any other number. */
const singular = (value: number, words: string): string => {
  if (value !== 1) return words;
  const [first = '', ...rest] = words.split(' ');
  return rest.length === 0 && /[^s]s$/.test(first) ? first.slice(0, -1) : words;
};

/** For axes and small cells: `48k`. The largest of an axis decides for all of it: `10k` stands above `8k`, not `8,000`. */
export function formatCompact(value: number, unit: string, largest = value): string {
  const [shown, most] = unit === CENTS ? [value / 100, largest / 100] : [value, largest];
  const text = shown !== 0 && Math.abs(most) >= 10_000 ? compact(shown) : shortened(shown, 3);
  if (unit === CENTS) return `$${text}`;
  return unit === '%' ? `${text}${NARROW_SPACE}%` : text;
}

export const formatCount = (value: number): string => decimals(value, 0);

/** A measure as it was summed: up to three decimals. */
export const formatMeasure = (value: number): string => shortened(value, 3);

export interface Change {
  readonly text: string;
  readonly direction: 'up' | 'down' | 'same';
  /** Null where neither direction is better, or nothing changed. */
  readonly isBetter: boolean | null;
}

/**
 * From one period to the next. Percentages change by points: 10 % after 12 % is 2 points less, not 17 %.
 * Null where there is nothing to compare with.
 */
export function describeChange(
  current: number | null | undefined,
  previous: number | null | undefined,
  { unit, precision }: ValueFormat,
  higherIsBetter: boolean | null,
): Change | null {
  if (current === null || current === undefined || previous === null || previous === undefined) return null;
  const difference = current - previous;
  const inPoints = unit === '%';
  if (!inPoints && previous === 0) return current === 0 ? same('no change') : null;
  const amount = inPoints ? Math.abs(difference) : Math.abs((difference / previous) * 100);
  const text = inPoints ? decimals(amount, precision) : percentText(amount);
  if (Number(text.replaceAll(',', '')) === 0) return same('no change');
  const direction = difference > 0 ? 'up' : 'down';
  const isManyFold = !inPoints && difference > 0 && previous > 0 && amount >= MANY_FOLD_PERCENT;
  return {
    text: inPoints ? `${text} points` : isManyFold ? `${decimals(current / previous, 0)}×` : `${text}${NARROW_SPACE}%`,
    direction,
    isBetter: higherIsBetter === null ? null : (direction === 'up') === higherIsBetter,
  };
}

/** From here on a factor says more than a percentage. */
const MANY_FOLD_PERCENT = 900;

const same = (text: string): Change => ({ text, direction: 'same', isBetter: null });

function percentText(amount: number): string {
  // What is nearly all is not all: 100 % less would be nothing.
  if (amount < 100 && amount >= 99.5) return decimals(Math.floor(amount * 10) / 10, 1);
  return decimals(amount, amount < 10 && amount !== Math.round(amount) ? 1 : 0);
}

/** `1 commit`, `2 commits`, `1,204 commits`. */
export const countOf = (count: number, one: string, many = `${one}s`): string =>
  `${formatCount(count)} ${count === 1 ? one : many}`;
