// Where everything of a chart goes, in pixels: a pure function of data, form and size.
import { scaleLinear } from 'd3-scale';
import { type ChartData, type Form, isStacked, type Series } from '../chart-data.ts';
import { type Domain, tickIndices, valueDomain, valueTicks } from './axis.ts';
import { type Layer, stackSeries, toShares } from './stack.ts';

export interface Size {
  readonly width: number;
  readonly height: number;
}

export interface Margins {
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
  readonly left: number;
}

export interface Plot {
  readonly size: Size;
  readonly margins: Margins;
  readonly series: readonly Series[];
  /** For stacks; empty for lines. */
  readonly layers: readonly (readonly Layer[])[];
  readonly domain: Domain;
  readonly ticks: readonly number[];
  readonly labelled: readonly number[];
  /** Width of one interval. */
  readonly step: number;
  readonly barWidth: number;
  readonly centre: (index: number) => number;
  readonly y: (value: number) => number;
  /** Which interval is at a horizontal position. */
  readonly indexAt: (x: number) => number;
}

const MARGINS: Margins = { top: 10, right: 12, bottom: 24, left: 52 };
const TICK_LABEL_WIDTH = 76;
const MOST_BAR_WIDTH = 56;

export interface PlotInput {
  readonly data: ChartData;
  readonly form: Form;
  readonly size: Size;
  /** Values of a comparison, drawn behind; the axis makes room for them. */
  readonly ghost: readonly (number | null)[];
  readonly margins?: Margins;
}

export function layOutPlot({ data, form, size, ghost, margins = MARGINS }: PlotInput): Plot {
  const count = data.intervals.length;
  const series = form === 'share bars' ? toShares(data.series, count) : data.series;
  const layers = isStacked(form) ? stackSeries(series, count) : [];
  const shown = isStacked(form)
    ? layers.flatMap((row) => row.flatMap(({ low, high }) => [low, high]))
    : series.flatMap(({ values }) => values.filter((value) => value !== null));
  const behind = form === 'share bars' ? [] : ghost.filter((value) => value !== null);
  const mayBreak = form === 'lines' || form === 'steps';
  const domain: Domain =
    form === 'share bars' ? { low: 0, high: 100, isBroken: false } : valueDomain([...shown, ...behind], mayBreak);
  const innerWidth = Math.max(1, size.width - margins.left - margins.right);
  const innerHeight = Math.max(1, size.height - margins.top - margins.bottom);
  const step = innerWidth / Math.max(1, count);
  const scale = scaleLinear()
    .domain([domain.low, domain.high])
    .range([margins.top + innerHeight, margins.top]);
  const wholeOnly = form !== 'share bars' && data.precision === 0 && data.unit !== 'cents';
  return {
    size,
    margins,
    series,
    layers,
    domain,
    ticks: valueTicks(domain, innerHeight < 120 ? 3 : 5, wholeOnly),
    labelled: tickIndices(count, innerWidth, TICK_LABEL_WIDTH),
    step,
    barWidth: Math.min(MOST_BAR_WIDTH, Math.max(1, step * (step > 8 ? 0.72 : 0.9))),
    centre: (index) => margins.left + step * (index + 0.5),
    y: (value) => scale(value),
    indexAt: (x) => Math.min(count - 1, Math.max(0, Math.floor((x - margins.left) / step))),
  };
}
