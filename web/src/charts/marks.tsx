// The marks of a chart by its form. Each is a link to the records behind it.
import { formatInterval } from '../text/dates.ts';
import { formatWithUnit } from '../text/numbers.ts';
import styles from './chart.module.css';
import type { ChartProps } from './chart-props.ts';
import { isHatched, lineDash, seriesColor } from './colors.ts';
import { areaPath, isLonely, linePath, splitAtOpen } from './layout/paths.ts';
import type { Plot } from './layout/plot.ts';

interface MarksProps extends ChartProps {
  readonly plot: Plot;
}

/** Beyond that many points a line shows dots at the pointer only. */
const MOST_DOTS = 600;

export function Marks(props: MarksProps) {
  switch (props.form) {
    case 'bars':
    case 'stacked bars':
    case 'share bars':
      return (
        <>
          <Bars {...props} />
          {props.form !== 'share bars' && <Ghost {...props} />}
        </>
      );
    case 'stacked area':
      return (
        <>
          <Areas {...props} />
          <Dots {...props} />
        </>
      );
    case 'lines':
    case 'steps':
      return (
        <>
          <Ghost {...props} />
          <Lines {...props} />
          <Dots {...props} />
        </>
      );
  }
}

/** The comparison: dashed, behind everything. */
function Ghost({ plot, ghost, form }: MarksProps) {
  if (ghost.every((value) => value === null)) return null;
  return (
    <g>
      <path className={styles.ghost} d={linePath(plot, ghost, form)} />
      {ghost.map((value, index) =>
        value === null || !isLonely(ghost, index) ? null : (
          <circle
            // biome-ignore lint/suspicious/noArrayIndexKey: a point has no other name than its place
            key={index}
            className={styles.ghostDot}
            cx={plot.centre(index)}
            cy={plot.y(value)}
            r={3}
          />
        ),
      )}
    </g>
  );
}

function Bars({ plot, data, scheme, hrefOf, today, selected, form }: MarksProps) {
  const count = data.series.length;
  return (
    <g>
      <defs>
        <pattern id="hatch" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
          <rect width="2" height="6" className={styles.hatchStripe} />
        </pattern>
      </defs>
      {plot.series.map((series, at) => {
        const original = data.series[at]!;
        const color = seriesColor(at, count, scheme, series);
        return (
          <g key={series.name}>
            {plot.layers[at]!.map(({ low, high }, index) => {
              const interval = data.intervals[index]!;
              if (high === low) return null;
              const isSelected = selected?.name === series.name && selected.start === interval.start;
              const place = {
                x: plot.centre(index) - plot.barWidth / 2,
                y: plot.y(high),
                width: plot.barWidth,
                height: Math.max(1, plot.y(low) - plot.y(high) - (count > 1 && plot.y(low) - plot.y(high) > 3 ? 1 : 0)),
              };
              return (
                <a
                  key={interval.start}
                  href={hrefOf(original, index) ?? undefined}
                  tabIndex={-1}
                  draggable={false}
                  className={styles.mark}
                  data-selected={isSelected || undefined}
                  data-open={interval.isOpen || undefined}
                  aria-label={`${formatInterval(interval.start, interval.end, today)}, ${series.title}: ${formatWithUnit(original.values[index], data)}`}
                >
                  <rect {...place} fill={color} rx={count === 1 ? Math.min(3, plot.barWidth / 4) : 0} />
                  {(isHatched(at) && scheme === 'categories' && form !== 'bars') || interval.isOpen ? (
                    <rect {...place} fill="url(#hatch)" className={styles.hatch} />
                  ) : null}
                </a>
              );
            })}
          </g>
        );
      })}
    </g>
  );
}

function Areas({ plot, scheme }: MarksProps) {
  return (
    <g>
      {plot.series.map((series, at) => (
        <path
          key={series.name}
          className={styles.area}
          d={areaPath(plot, plot.layers[at]!)}
          fill={seriesColor(at, plot.series.length, scheme, series)}
        />
      ))}
    </g>
  );
}

function Lines({ plot, data, scheme, form }: MarksProps) {
  const openFrom = data.intervals.findIndex(({ isOpen }) => isOpen);
  const count = plot.series.length;
  return (
    <g>
      {plot.series.map((series, at) => {
        const color = seriesColor(at, count, scheme, series);
        const { done, open } = splitAtOpen(series.values, openFrom === -1 ? series.values.length : openFrom);
        return (
          <g key={series.name} stroke={color}>
            <path
              className={styles.line}
              d={linePath(plot, done, form)}
              strokeDasharray={count > 1 ? lineDash(at) : undefined}
            />
            {openFrom !== -1 && <path className={styles.openLine} d={linePath(plot, open, form)} />}
          </g>
        );
      })}
    </g>
  );
}

/** Invisible until the pointer is near, but links all the same. */
function Dots({ plot, data, scheme, hrefOf, today, hovered, selected, form }: MarksProps) {
  const count = plot.series.length;
  const showsAll = count * data.intervals.length <= MOST_DOTS;
  return (
    <g>
      {plot.series.map((series, at) =>
        series.values.map((value, index) => {
          const interval = data.intervals[index];
          if (value === null || interval === undefined || (!showsAll && index !== hovered)) return null;
          const isSelected = selected?.name === series.name && selected.start === interval.start;
          const height = form === 'stacked area' ? plot.layers[at]![index]!.high : value;
          const isMarked = index === hovered || isSelected || isLonely(series.values, index);
          return (
            <a
              key={`${series.name} ${interval.start}`}
              href={hrefOf(data.series[at]!, index) ?? undefined}
              tabIndex={-1}
              draggable={false}
              className={styles.mark}
              data-selected={isSelected || undefined}
              aria-label={`${formatInterval(interval.start, interval.end, today)}, ${series.title}: ${formatWithUnit(value, data)}`}
            >
              <circle className={styles.hit} cx={plot.centre(index)} cy={plot.y(height)} r={10} />
              <circle
                className={isMarked ? styles.dot : styles.hiddenDot}
                cx={plot.centre(index)}
                cy={plot.y(height)}
                r={isSelected ? 5 : 3.5}
                fill={seriesColor(at, count, scheme, series)}
              />
            </a>
          );
        }),
      )}
    </g>
  );
}
