// Stacks, axes and ticks are pure functions; what holds for any data is checked on any data.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type ChartData, foldSmallSeries, OTHER, type Series } from '../../web/src/charts/chart-data.ts';
import { lineDash, seriesColor } from '../../web/src/charts/colors.ts';
import { tickIndices, valueDomain, valueTicks } from '../../web/src/charts/layout/axis.ts';
import { isLonely, linePath, splitAtOpen } from '../../web/src/charts/layout/paths.ts';
import { layOutPlot } from '../../web/src/charts/layout/plot.ts';
import { stackSeries, toShares } from '../../web/src/charts/layout/stack.ts';
import { addDays } from '../../web/src/text/dates.ts';

const named = (values: readonly (readonly (number | null)[])[]): Series[] =>
  values.map((row, index) => ({ name: `s${index}`, title: `S${index}`, total: null, values: row }));

const chart = (values: readonly (readonly (number | null)[])[], unit = 'lines', precision = 0): ChartData => ({
  intervalName: 'daily',
  intervals: (values[0] ?? []).map((_, index) => {
    const day = addDays('2026-09-01', index);
    return { start: day, end: day, isOpen: false };
  }),
  series: named(values),
  unit,
  precision,
});

const value = fc.option(fc.double({ min: -1e6, max: 1e6, noNaN: true }));
const table = fc
  .tuple(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 10 }))
  .chain(([intervals, series]) =>
    fc.array(fc.array(value, { minLength: intervals, maxLength: intervals }), { minLength: series, maxLength: series }),
  );

describe('a stack', () => {
  test('has a layer as high as each value, and no two overlap', () => {
    fc.assert(
      fc.property(table, (values) => {
        const count = values[0]!.length;
        const layers = stackSeries(named(values), count);
        for (let index = 0; index < count; index++) {
          const column = layers.map((row) => row[index]!);
          for (const [at, { low, high }] of column.entries()) {
            expect(high - low).toBeCloseTo(Math.abs(values[at]![index] ?? 0), 3);
          }
          const solid = column.filter(({ low, high }) => high - low > 1e-6).sort((a, b) => a.low - b.low);
          for (const [at, layer] of solid.entries())
            if (at > 0) expect(layer.low).toBeGreaterThanOrEqual(solid[at - 1]!.high - 1e-6);
        }
      }),
    );
  });

  test('as shares, each interval with anything in it makes 100 %', () => {
    fc.assert(
      fc.property(table, (values) => {
        const positive = values.map((row) => row.map((one) => (one === null ? null : Math.abs(one))));
        const shares = toShares(named(positive), positive[0]!.length);
        for (const index of positive[0]!.keys()) {
          const total = positive.reduce((sum, row) => sum + (row[index] ?? 0), 0);
          const share = shares.reduce((sum, { values: row }) => sum + (row[index] ?? 0), 0);
          expect(share).toBeCloseTo(total === 0 ? 0 : 100, 5);
        }
      }),
    );
  });

  test('folding small series changes no total', () => {
    fc.assert(
      fc.property(table, fc.integer({ min: 1, max: 8 }), (values, most) => {
        const folded = foldSmallSeries(chart(values), most);
        expect(folded.series.length).toBeLessThanOrEqual(Math.max(most + 1, Math.min(values.length, most + 1)));
        for (const index of values[0]!.keys()) {
          const sum = (rows: readonly (readonly (number | null)[])[]) =>
            rows.reduce((all, row) => all + (row[index] ?? 0), 0);
          expect(sum(folded.series.map((series) => series.values))).toBeCloseTo(sum(values), 3);
        }
      }),
    );
  });

  test('folds into one series that says how many it holds, and keeps the order of the rest', () => {
    const folded = foldSmallSeries(chart([[1], [9], [2], [8], [3]]), 2);
    expect(folded.series.map(({ name, title }) => [name, title])).toEqual([
      ['s1', 'S1'],
      ['s3', 'S3'],
      [OTHER, '3 others'],
    ]);
  });

  test('keeps the largest whatever it is called, and folds what the answer had no room for', () => {
    const data = chart([[1], [9], [2], [8], [3]]);
    const called = (at: number, more: object = {}) => ({
      ...data,
      series: data.series.map((series, index) =>
        index === at ? { ...series, name: 'Other', title: 'Other', ...more } : series,
      ),
    });
    const titles = (of: ChartData) => foldSmallSeries(of, 2).series.map(({ title }) => title);
    expect(titles(called(1))).toEqual(['Other', 'S3', '3 others']);
    expect(titles(called(0))).toEqual(['S1', 'S3', '3 others']);
    expect(titles(called(1, { isRest: true }))).toEqual(['S3', 'S4', 'All others']);
  });

  test('gives the colour of the rest to the rest, and not to a team of its name', () => {
    const [team, rest] = [{ name: 'Other' }, { name: 'Other', isRest: true as const }];
    expect(seriesColor(0, 3, 'categories', team)).toBe('var(--series-1)');
    expect(seriesColor(2, 3, 'categories', rest)).toBe('var(--series-rest)');
    const folded = foldSmallSeries(chart([[1], [9], [2], [8], [3]]), 2).series[2]!;
    expect(seriesColor(2, 3, 'categories', folded)).toBe('var(--series-rest)');
  });

  test('folds what is unknown into unknown, and not what one of them knows', () => {
    const data = chart([
      [9, 9, 9],
      [null, null, 1],
      [null, 2, null],
    ]);
    const unknown = [
      [false, false, false],
      [true, true, false],
      [false, false, true],
    ];
    const series = data.series.map((each, at) => ({ ...each, unknown: unknown[at]! }));
    const other = foldSmallSeries({ ...data, series }, 1).series[1]!;
    expect(other).toMatchObject({ values: [null, 2, 1], unknown: [true, false, false] });
    expect(other).not.toHaveProperty('isUnknown');
    const allUnknown = series.map((each) => ({ ...each, isUnknown: true as const }));
    expect(foldSmallSeries({ ...data, series: allUnknown }, 1).series[1]).toMatchObject({ isUnknown: true });
  });
});

describe('an axis', () => {
  const values = fc.array(fc.double({ min: -1e9, max: 1e9, noNaN: true }), { minLength: 1, maxLength: 50 });

  test('holds every value', () => {
    fc.assert(
      fc.property(values, fc.boolean(), (given, mayBreak) => {
        const { low, high } = valueDomain(given, mayBreak);
        expect(low).toBeLessThanOrEqual(Math.min(...given) + 1e-6);
        expect(high).toBeGreaterThanOrEqual(Math.max(...given) - 1e-6);
        expect(high).toBeGreaterThan(low);
      }),
    );
  });

  test('begins at 0 unless the spread is small, and says when it does not', () => {
    expect(valueDomain([10, 60], true)).toMatchObject({ low: 0, isBroken: false });
    expect(valueDomain([98, 99, 100], true)).toMatchObject({ isBroken: true });
    expect(valueDomain([98, 99, 100], true).low).toBeGreaterThan(90);
    expect(valueDomain([98, 99, 100], false)).toMatchObject({ low: 0, isBroken: false });
    expect(valueDomain([0, 0], true)).toEqual({ low: 0, high: 1, isBroken: false });
  });

  test('whole statistics have whole ticks', () => {
    expect(valueTicks({ low: 0, high: 2, isBroken: false }, 5, true)).toEqual([0, 1, 2]);
    expect(valueTicks({ low: 0, high: 2, isBroken: false }, 5, false)).toContain(0.5);
  });

  test('labels of days never overlap', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 400 }), fc.integer({ min: 40, max: 2_000 }), (count, width) => {
        const indices = tickIndices(count, width, 76);
        const step = width / Math.max(1, count);
        for (const [at, index] of indices.entries()) {
          expect(index).toBeLessThan(count);
          if (at > 0) expect((index - indices[at - 1]!) * step).toBeGreaterThanOrEqual(Math.min(76, width) - 1e-6);
        }
      }),
    );
  });
});

describe('a plot', () => {
  const size = { width: 800, height: 300 };

  test('finds the interval under any pointer', () => {
    const data = chart([Array.from({ length: 13 }, (_, index) => index)]);
    const plot = layOutPlot({ data, form: 'bars', size, ghost: [] });
    for (const index of data.intervals.keys()) expect(plot.indexAt(plot.centre(index))).toBe(index);
    expect([plot.indexAt(-50), plot.indexAt(5_000)]).toEqual([0, 12]);
  });

  test('makes room for the comparison', () => {
    const data = chart([[1, 2]]);
    expect(layOutPlot({ data, form: 'lines', size, ghost: [90, 10] }).domain.high).toBeGreaterThanOrEqual(90);
  });

  test('a line has a gap where a value is missing', () => {
    const data = chart([[1, 2, null, 4, null, 6]], '%', 1);
    const plot = layOutPlot({ data, form: 'lines', size, ghost: [] });
    const path = linePath(plot, data.series[0]!.values, 'lines');
    expect(path.match(/M/g)).toHaveLength(3);
    expect([3, 5].map((index) => isLonely(data.series[0]!.values, index))).toEqual([true, true]);
  });

  test('the unfinished interval is drawn apart, from the last finished point', () => {
    expect(splitAtOpen([1, 2, 3], 2)).toEqual({ done: [1, 2, null], open: [null, 2, 3] });
  });
});

test('neighbouring series differ in colour and in dash', () => {
  for (let index = 1; index < 8; index++) {
    expect(seriesColor(index, 8, 'categories', { name: 'a' })).not.toBe(
      seriesColor(index - 1, 8, 'categories', { name: 'b' }),
    );
    expect(lineDash(index)).not.toBe(lineDash(index - 1));
  }
  const marks = Array.from({ length: 21 }, (_, index) => [
    seriesColor(index, 21, 'categories', { name: 'a' }),
    lineDash(index),
  ]);
  expect(new Set(marks.map(String)).size).toBe(21);
  expect(seriesColor(4, 5, 'degrees', { name: 'Power' })).toBe('var(--degrees-5)');
  expect(seriesColor(3, 4, 'categories', { name: 'No issue' })).toBe('var(--series-rest)');
});
