// Grid, value labels and day labels; also what a chart shows while it waits for data.
import { formatTick } from '../text/dates.ts';
import { formatCompact } from '../text/numbers.ts';
import styles from './chart.module.css';
import type { ChartData, Form } from './chart-data.ts';
import type { Plot } from './layout/plot.ts';

export interface AxesProps {
  readonly plot: Plot;
  readonly data: ChartData;
  readonly form: Form;
  readonly hovered: number | null;
  readonly today: string;
}

export function Axes({ plot, data, form, hovered, today }: AxesProps) {
  const { margins, size } = plot;
  const bottom = size.height - margins.bottom;
  const unit = form === 'share bars' ? '%' : data.unit;
  const largest = Math.max(...plot.ticks.map(Math.abs));
  const labelBefore = (position: number): string | null => {
    const index = plot.labelled[position - 1];
    // Months say their year once; days of the present year need none.
    if (index === undefined) return data.intervalName === 'monthly' ? null : today;
    return data.intervals[index]?.start ?? null;
  };
  return (
    <g>
      {plot.ticks.map((tick) => (
        <g key={tick}>
          <line
            className={tick === 0 ? styles.baseline : styles.grid}
            x1={margins.left}
            x2={size.width - margins.right}
            y1={plot.y(tick)}
            y2={plot.y(tick)}
          />
          <text className={styles.label} x={margins.left - 8} y={plot.y(tick)} dy="0.32em" textAnchor="end">
            {formatCompact(tick, unit, largest)}
          </text>
        </g>
      ))}
      {plot.domain.isBroken && (
        <path className={styles.broken} d={`M${margins.left - 4} ${bottom - 2}l4 -3l-4 -3l4 -3`}>
          <title>The axis does not begin at 0</title>
        </path>
      )}
      {plot.labelled.map((index, position) => {
        const interval = data.intervals[index];
        if (interval === undefined) return null;
        return (
          <text
            key={interval.start}
            className={styles.label}
            x={plot.centre(index)}
            y={bottom + 16}
            textAnchor="middle"
          >
            {formatTick(interval.start, data.intervalName, labelBefore(position))}
          </text>
        );
      })}
      {hovered !== null && hovered < data.intervals.length && (
        <rect
          className={styles.crosshair}
          x={plot.centre(hovered) - plot.step / 2}
          y={margins.top}
          width={plot.step}
          height={bottom - margins.top}
        />
      )}
    </g>
  );
}
