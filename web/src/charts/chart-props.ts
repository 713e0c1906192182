// What a chart is given; its marks and its tooltip take the same.
import type { ChartData, ChartEvent, Form, Interval, Scheme, Series } from './chart-data.ts';

export interface ChartProps {
  readonly data: ChartData;
  readonly form: Form;
  readonly scheme: Scheme;
  readonly title: string;
  readonly height: number;
  readonly today: string;
  /** The comparison, by interval; empty for none. */
  readonly ghost: readonly (number | null)[];
  /** The intervals that it was in. */
  readonly ghostIntervals: readonly Interval[];
  readonly events?: readonly ChartEvent[];
  /** Index of the interval under the pointer, shared by charts of one page. */
  readonly hovered: number | null;
  readonly onHover: (index: number | null) => void;
  readonly hrefOf: (series: Series, index: number) => string | null;
  readonly onOpen: (href: string) => void;
  /** Dragging over intervals chooses their days. */
  readonly onZoom?: (start: string, end: string) => void;
  readonly selected?: { readonly name: string; readonly start: string } | null;
}
