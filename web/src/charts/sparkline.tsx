// The course of a statistic in the space of a word.
import { useMemo } from 'react';
import styles from './chart.module.css';
import type { ChartData, Form } from './chart-data.ts';
import { isLonely, linePath, splitAtOpen } from './layout/paths.ts';
import { layOutPlot } from './layout/plot.ts';
import { useWidth } from './use-width.ts';

interface SparklineProps {
  readonly data: ChartData;
  readonly form: Form;
  readonly height: number;
}

const MARGINS = { top: 4, right: 2, bottom: 2, left: 2 };

export function Sparkline({ data, form, height }: SparklineProps) {
  const [box, width] = useWidth<HTMLDivElement>();
  const plot = useMemo(
    () => layOutPlot({ data, form, size: { width, height }, ghost: [], margins: MARGINS }),
    [data, form, width, height],
  );
  const isBars = form === 'bars' || form === 'stacked bars';
  const openFrom = data.intervals.findIndex(({ isOpen }) => isOpen);
  return (
    <div className={styles.sparkline} ref={box} style={{ height }}>
      {width > 0 && (
        <svg width={width} height={height} aria-hidden="true">
          {isBars
            ? data.intervals.map(({ start, isOpen }, index) => {
                const top = Math.max(0, ...plot.layers.map((row) => row[index]!.high));
                return (
                  <rect
                    key={start}
                    className={isOpen ? styles.sparkOpen : styles.sparkBar}
                    x={plot.centre(index) - plot.barWidth / 2}
                    width={plot.barWidth}
                    y={Math.min(plot.y(top), height - MARGINS.bottom - 1)}
                    height={Math.max(1, plot.y(0) - plot.y(top))}
                    rx={Math.min(2, plot.barWidth / 4)}
                  />
                );
              })
            : plot.series.slice(0, 1).map((series) => {
                const { done, open } = splitAtOpen(series.values, openFrom === -1 ? series.values.length : openFrom);
                return (
                  <g key={series.name}>
                    <path className={styles.sparkLine} d={linePath(plot, done, form)} />
                    {openFrom !== -1 && <path className={styles.sparkLineOpen} d={linePath(plot, open, form)} />}
                    {series.values.map((value, index) =>
                      value !== null && isLonely(series.values, index) ? (
                        <circle
                          key={data.intervals[index]!.start}
                          className={styles.sparkDot}
                          cx={plot.centre(index)}
                          cy={plot.y(value)}
                          r={2.5}
                        />
                      ) : null,
                    )}
                  </g>
                );
              })}
        </svg>
      )}
    </div>
  );
}
