// Releases and defects as signs under the axis. Too many of them become a strip of densities.

import { formatDay } from '../text/dates.ts';
import { countOf } from '../text/numbers.ts';
import styles from './chart.module.css';
import type { ChartData, ChartEvent } from './chart-data.ts';
import type { Plot } from './layout/plot.ts';

interface EventStripProps {
  readonly plot: Plot;
  readonly data: ChartData;
  readonly events: readonly ChartEvent[];
  readonly today: string;
}

const HEIGHT = 22;
const MOST_SIGNS = 30;
const SIGNS = { release: 'M0 -5L5 4L-5 4Z', defect: 'M0 -5L5 0L0 5L-5 0Z' } as const;

export function EventStrip({ plot, data, events }: EventStripProps) {
  const placed = events.flatMap((event) => {
    const index = data.intervals.findIndex(({ start, end }) => start <= event.day && event.day <= end);
    return index === -1 ? [] : [{ event, index }];
  });
  if (placed.length === 0) return null;
  const releases = placed.filter(({ event }) => event.kind === 'release').length;
  const defects = placed.length - releases;
  const label = [releases > 0 ? countOf(releases, 'release') : '', defects > 0 ? countOf(defects, 'defect') : '']
    .filter((text) => text !== '')
    .join(', ');
  return (
    <svg
      width={plot.size.width}
      height={HEIGHT}
      className={styles.strip}
      role="img"
      aria-label={`${label} in these days`}
    >
      <line className={styles.grid} x1={plot.margins.left} x2={plot.size.width - plot.margins.right} y1={1} y2={1} />
      {placed.length <= MOST_SIGNS
        ? placed.map(({ event, index }) => {
            const { start, end } = data.intervals[index]!;
            const x = plot.centre(index) - plot.step / 2 + plot.step * positionIn(event.day, start, end);
            return (
              <path
                key={`${event.kind} ${event.day} ${event.title}`}
                className={event.kind === 'release' ? styles.release : styles.defect}
                d={SIGNS[event.kind]}
                transform={`translate(${x} 12)`}
              >
                <title>{`${event.title}, ${formatDay(event.day)}`}</title>
              </path>
            );
          })
        : densities(placed.map(({ index }) => index)).map(({ index, count, share }) => (
            <rect
              key={index}
              className={styles.density}
              x={plot.centre(index) - plot.barWidth / 2}
              width={plot.barWidth}
              y={7}
              height={10}
              opacity={0.25 + 0.75 * share}
            >
              <title>{countOf(count, 'event')}</title>
            </rect>
          ))}
    </svg>
  );
}

const positionIn = (day: string, start: string, end: string): number => {
  const [at, from, to] = [day, start, end].map((one) => Date.parse(`${one}T00:00:00Z`)) as [number, number, number];
  return to === from ? 0.5 : 0.08 + 0.84 * ((at - from) / (to - from));
};

function densities(indices: readonly number[]): { index: number; count: number; share: number }[] {
  const counts = new Map<number, number>();
  for (const index of indices) counts.set(index, (counts.get(index) ?? 0) + 1);
  const most = Math.max(...counts.values());
  return [...counts].map(([index, count]) => ({ index, count, share: count / most }));
}
