// How the records of a point become its value, as one line: "412 ÷ 3,950 changed lines = 10.4 %". The line
// is computed from the explanation, not copied from the chart, so it shows when the two disagree.
import type { Explanation } from '../../api/queries.ts';
import { countOf, formatValue, formatWithUnit, type ValueFormat } from '../../text/numbers.ts';
import { wireWords } from '../../text/words.ts';

export interface SumLine {
  readonly text: string;
  /** Null where one number cannot be worked out of totals, as for a median. */
  readonly value: number | null;
}

const STATISTIC_WORDS: ReadonlyMap<string, string> = new Map([
  ['median', 'Median'],
  ['p75', '75th percentile'],
  ['p90', '90th percentile'],
]);

export function writeSumLine(explanation: Explanation, format: ValueFormat): SumLine {
  const { parts, divisor, times, combination } = explanation;
  const counted = parts.filter(({ part }) => part === 'value');
  const sum = counted.reduce((total, part) => total + part.total, 0);
  const records = recordWords(counted);
  const statistic = STATISTIC_WORDS.get(combination);
  if (statistic !== undefined) return { text: `${statistic} of ${records}`, value: null };
  if (divisor === null) {
    const value = sum * times;
    return { text: `${formatWithUnit(value, format)} from ${records}`, value };
  }
  const value = divisor.total === null || divisor.total === 0 ? null : (sum / divisor.total) * times;
  const scale = times === 1 || format.unit === '%' ? '' : ` × ${formatPlain(times)}`;
  const divided = `${formatPlain(sum)} ÷ ${divisor.total === null ? '–' : formatPlain(divisor.total)} ${divisor.name}${scale}`;
  return { text: `${divided} = ${formatValue(value, format)}`, value };
}

const recordWords = (parts: Explanation['parts']): string => {
  const most = parts.reduce((count, { record_count: records }) => Math.max(count, records), 0);
  const type = wireWords(parts[0]?.resource_type ?? 'records');
  return countOf(most, type.replace(/s$/, ''), type);
};

const formatPlain = (value: number): string =>
  formatValue(value, { unit: '', precision: Number.isInteger(value) ? 0 : 2 });

/** Points are rounded on the wire to two decimals, or to as many as they are shown with. */
export function isSamePoint(value: number | null, point: number | null, precision: number): boolean {
  if (value === null || point === null) return true;
  return Math.abs(value - point) <= 0.500001 * 10 ** -Math.max(2, precision) + Math.abs(point) * 1e-9;
}
