// A report as lines of text: a chart, a table or CSV. One series is drawn bar by bar; several are drawn as one
// line each on a common scale, so that they can be compared at a glance.
import { csvCell, textTable } from '../../kit/text/text-table.ts';
import { bar, type Painter, plainText, wrapWords } from '../terminal/text.ts';

export interface ReportView {
  readonly title: string;
  readonly description: string;
  readonly unit: string;
  readonly precision: number;
  /** Resource paths, as asked for. */
  readonly scope: string;
  readonly interval: string;
  readonly range: { readonly from: string; readonly to: string };
  readonly contributors: { readonly covered: number; readonly total: number };
  /** Whether points add up. */
  readonly isSum: boolean;
  readonly series: Points;
  /** Of the terminal. */
  readonly width: number;
}

export type Points = Readonly<
  Record<
    string,
    readonly {
      x: string;
      y: number | null;
      start_date: string;
      end_date: string;
      /** Present where a 0 is unknown. */
      has_ai_evidence?: false | undefined;
    }[]
  >
>;

const BAR_WIDTH = 50;
const MOST_COLUMNS = 60;
/** Narrower ones say nothing; the terminal wraps them. */
const LEAST_COLUMNS = 10;
const TEXT_WIDTH = 100;

/** What is left beside names and figures, each with two spaces. */
const roomFor = (most: number, { width }: ReportView, beside: number): number =>
  Math.max(LEAST_COLUMNS, Math.min(most, width - beside - 4));
const LEVELS = ['·', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

const show = (value: number | null, precision: number): string =>
  value === null
    ? '-'
    : value.toLocaleString('en-US', { minimumFractionDigits: precision, maximumFractionDigits: precision });

const numbersOf = (points: Points[string]): number[] => points.flatMap(({ y }) => (y === null ? [] : [y]));

/** What one number says of a series: all of it where points add up, else the latest. */
function figureOf(points: Points[string], isSum: boolean): number | null {
  const values = numbersOf(points);
  return isSum ? values.reduce((sum, value) => sum + value, 0) : (values.at(-1) ?? null);
}

export function headingLines(view: ReportView, colours: Painter): string[] {
  const saysUnit = view.title.toLowerCase().includes(view.unit.toLowerCase());
  const { covered, total } = view.contributors;
  const width = Math.min(TEXT_WIDTH, view.width);
  const people = covered === total ? '' : `, ${covered} of ${total} contributors`;
  return [
    colours.heading(saysUnit ? view.title : `${view.title} (${view.unit})`),
    ...wrapWords(`${plainText(view.scope)}, ${view.range.from} to ${view.range.to}, ${view.interval}${people}`, width),
    ...wrapWords(view.description, width).map(colours.faint),
  ];
}

export function chartLines(view: ReportView, colours: Painter): string[] {
  const entries = Object.entries(view.series);
  const [only] = entries;
  if (only === undefined) return [];
  return entries.length === 1 ? barLines(only, view, colours) : compareLines(entries, view, colours);
}

function barLines([name, points]: [string, Points[string]], view: ReportView, colours: Painter): string[] {
  const most = Math.max(0, ...numbersOf(points));
  const labelWidth = Math.max(...points.map(({ x }) => x.length));
  const values = points.map(({ y }) => show(y, view.precision));
  const valueWidth = Math.max(...values.map((value) => value.length));
  const barWidth = roomFor(BAR_WIDTH, view, labelWidth + valueWidth);
  const total = view.isSum ? [`${'total'.padStart(labelWidth)}  ${show(figureOf(points, true), view.precision)}`] : [];
  return [
    ...(name === view.title ? [] : [colours.strong(plainText(name))]),
    ...points.map(({ x, y }, index) => {
      const drawn = colours.chart(bar(most === 0 ? 0 : Math.max(0, y ?? 0) / most, barWidth));
      return `${x.padStart(labelWidth)}  ${values[index]!.padStart(valueWidth)}  ${drawn}`.trimEnd();
    }),
    ...total,
  ];
}

function compareLines(entries: readonly [string, Points[string]][], view: ReportView, colours: Painter): string[] {
  const most = Math.max(0, ...entries.flatMap(([, points]) => numbersOf(points)));
  const names = entries.map(([name]) => plainText(name));
  const nameWidth = Math.max(...names.map((name) => name.length));
  const figures = entries.map(([, points]) => show(figureOf(points, view.isSum), view.precision));
  const heading = view.isSum ? 'total' : 'latest';
  const figureWidth = Math.max(heading.length, ...figures.map((figure) => figure.length));
  const room = roomFor(MOST_COLUMNS, view, nameWidth + figureWidth);
  const points = entries[0]![1];
  const span = `${points[0]?.x ?? ''} → ${points.at(-1)?.x ?? ''}, highest ${show(most, view.precision)}`;
  return [
    `${' '.repeat(nameWidth)}  ${heading.padStart(figureWidth)}  ${colours.faint(span)}`,
    ...entries.map(([, each], index) => {
      const line = colours.chart(levelsOf(each, most, room));
      return `${names[index]!.padEnd(nameWidth)}  ${figures[index]!.padStart(figureWidth)}  ${line}`;
    }),
    colours.faint('--format table shows every figure.'),
  ];
}

/** One letter for each point, or for several neighbours where there are too many; 0 is a dot, no value a gap. */
function levelsOf(points: Points[string], most: number, room: number): string {
  const step = Math.ceil(points.length / room);
  let line = '';
  for (let index = 0; index < points.length; index += step) {
    const values = numbersOf(points.slice(index, index + step));
    const value = values.reduce((sum, each) => sum + each, 0) / Math.max(1, values.length);
    if (values.length === 0) line += ' ';
    else line += value <= 0 || most === 0 ? LEVELS[0] : LEVELS[Math.max(1, Math.round((value / most) * 8))];
  }
  return line;
}

export function tableText(view: ReportView): string {
  const names = Object.keys(view.series);
  const [first] = Object.values(view.series);
  if (first === undefined) return '';
  const cells = names.map((name) => {
    const values = view.series[name]!.map(({ y }) => show(y, view.precision));
    if (view.isSum) values.push(show(figureOf(view.series[name]!, true), view.precision));
    const width = Math.max(plainText(name).length, ...values.map((value) => value.length));
    return { heading: plainText(name).padStart(width), values: values.map((value) => value.padStart(width)) };
  });
  const labels = [...first.map(({ x }) => x), ...(view.isSum ? ['total'] : [])];
  return textTable(
    ['', ...cells.map(({ heading }) => heading)],
    labels.map((label, index) => [label, ...cells.map(({ values }) => values[index] ?? '')]),
  );
}

export function csvLines(series: Points): string[] {
  return [
    'series,start_date,end_date,value',
    ...Object.entries(series).flatMap(([name, points]) =>
      points.map(({ start_date, end_date, y, has_ai_evidence }) => {
        const value = has_ai_evidence === false ? '' : (y ?? '');
        return `${csvCell(name)},${start_date},${end_date},${value}`;
      }),
    ),
  ];
}
