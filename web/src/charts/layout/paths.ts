// Lines and areas as SVG paths. A missing value is a gap, never a line across it.
import { area, curveLinear, curveStepAfter, line } from 'd3-shape';
import type { Form } from '../chart-data.ts';
import type { Plot } from './plot.ts';
import type { Layer } from './stack.ts';

interface Place {
  readonly index: number;
  readonly value: number | null;
}

export function linePath(plot: Plot, values: readonly (number | null)[], form: Form): string {
  const draw = line<Place>()
    .defined(({ value }) => value !== null)
    .x(({ index }) => plot.centre(index))
    .y(({ value }) => plot.y(value ?? 0))
    .curve(form === 'steps' ? curveStepAfter : curveLinear);
  return draw(values.map((value, index) => ({ index, value }))) ?? '';
}

/** The finished part as one path, the way to an unfinished last interval as another. */
export function splitAtOpen(
  values: readonly (number | null)[],
  openFrom: number,
): { readonly done: (number | null)[]; readonly open: (number | null)[] } {
  return {
    done: values.map((value, index) => (index < openFrom ? value : null)),
    open: values.map((value, index) => (index >= openFrom - 1 ? value : null)),
  };
}

export function areaPath(plot: Plot, layers: readonly Layer[]): string {
  const draw = area<Layer>()
    .x((_, index) => plot.centre(index))
    .y0(({ low }) => plot.y(low))
    .y1(({ high }) => plot.y(high));
  return draw([...layers]) ?? '';
}

/** Points that stand alone between gaps: a line through them has no length, so they need a dot. */
export const isLonely = (values: readonly (number | null)[], index: number): boolean =>
  values[index] !== null && (values[index - 1] ?? null) === null && (values[index + 1] ?? null) === null;
