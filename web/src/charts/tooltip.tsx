// What stands at the pointer: the interval, every series with its value, and the comparison.
import { formatInterval } from '../text/dates.ts';
import { formatValue, formatWithUnit } from '../text/numbers.ts';
import styles from './chart.module.css';
import type { Interval } from './chart-data.ts';
import type { ChartProps } from './chart-props.ts';
import { seriesColor } from './colors.ts';
import type { Plot } from './layout/plot.ts';

interface TooltipProps extends ChartProps {
  readonly plot: Plot;
  readonly index: number;
  readonly isPinned: boolean;
  readonly activeName: string;
}

const WIDTH = 220;

export function Tooltip({
  plot,
  data,
  form,
  scheme,
  index,
  today,
  ghost,
  ghostIntervals,
  isPinned,
  activeName,
}: TooltipProps) {
  const { start, end, isOpen } = data.intervals[index]!;
  const centre = plot.centre(index);
  const toLeft = centre + WIDTH + 24 > plot.size.width;
  const before = ghost[index] ?? null;
  const rows = data.series.map((series, at) => ({ series, at, value: series.values[index] ?? null }));
  const shown = rows.length > 9 ? rows.filter(({ value }) => value !== null && value !== 0).slice(0, 9) : rows;
  return (
    <div
      className={styles.tooltip}
      data-pinned={isPinned || undefined}
      style={{ left: toLeft ? Math.max(4, centre - WIDTH - 16) : centre + 16, top: plot.margins.top, width: WIDTH }}
    >
      <p className={styles.tooltipTitle}>
        {formatInterval(start, end, today)}
        {isOpen ? <span className={styles.soFar}>so far</span> : null}
      </p>
      {shown.map(({ series, at, value }) => (
        <p
          key={series.name}
          className={styles.tooltipRow}
          data-active={(rows.length > 1 && series.name === activeName) || undefined}
        >
          <span className={styles.swatch}>
            <svg width="10" height="10" aria-hidden="true">
              <rect width="10" height="10" rx="2" fill={seriesColor(at, rows.length, scheme, series)} />
            </svg>
          </span>
          <span className={styles.tooltipName}>{series.title}</span>
          <span className={styles.tooltipValue}>
            {series.unknown?.[index]
              ? 'unknown'
              : rows.length === 1
                ? formatWithUnit(value, data)
                : formatValue(value, data)}
            {form === 'share bars' && value !== null ? (
              <span className={styles.share}>
                {formatValue(plot.series[at]!.values[index], { unit: '%', precision: 0 })}
              </span>
            ) : null}
          </span>
        </p>
      ))}
      {shown.length < rows.length && (
        <p className={styles.tooltipMore}>{rows.length - shown.length} more in the table</p>
      )}
      {before !== null && (
        <p className={styles.tooltipRow}>
          <span className={styles.ghostSwatch} />
          <span className={styles.tooltipName}>{nameGhost(ghostIntervals[index], today)}</span>
          <span className={styles.tooltipValue}>{formatValue(before, data)}</span>
        </p>
      )}
    </div>
  );
}

const nameGhost = (interval: Interval | undefined, today: string): string =>
  interval === undefined ? 'before' : `before: ${formatInterval(interval.start, interval.end, today)}`;
