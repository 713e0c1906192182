// Puts the series of each interval on top of each other. What is positive grows up from 0, what is negative
// down, so that a stack never hides a value behind another.
import type { Series } from '../chart-data.ts';

export interface Layer {
  readonly low: number;
  readonly high: number;
}

/** `layers[series][interval]`; an unknown value has no height. */
export function stackSeries(series: readonly Series[], intervalCount: number): readonly (readonly Layer[])[] {
  const up = new Array<number>(intervalCount).fill(0);
  const down = new Array<number>(intervalCount).fill(0);
  return series.map(({ values }) =>
    Array.from({ length: intervalCount }, (_, index): Layer => {
      const value = values[index] ?? 0;
      if (value < 0) {
        const high = down[index]!;
        down[index] = high + value;
        return { low: down[index]!, high };
      }
      const low = up[index]!;
      up[index] = low + value;
      return { low, high: up[index]! };
    }),
  );
}

/** Each interval as shares of its own total, in percent; an interval without anything stays empty. */
export function toShares(series: readonly Series[], intervalCount: number): Series[] {
  const totals = Array.from({ length: intervalCount }, (_, index) =>
    series.reduce((sum, { values }) => sum + Math.max(0, values[index] ?? 0), 0),
  );
  return series.map((one) => ({
    ...one,
    values: one.values.map((value, index) => {
      const total = totals[index]!;
      return value === null || total === 0 ? null : (Math.max(0, value) / total) * 100;
    }),
  }));
}
