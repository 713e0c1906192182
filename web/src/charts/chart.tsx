// A chart: axes, marks, tooltip. One tab stop; arrows move over the points, Enter opens the records behind
// one. Every mark is a link, so the browser's own ways of opening links work.
import { type KeyboardEvent, type PointerEvent, useMemo, useRef, useState } from 'react';
import { formatInterval } from '../text/dates.ts';
import { formatWithUnit } from '../text/numbers.ts';
import { Axes } from './axes.tsx';
import styles from './chart.module.css';
import type { ChartData, Series } from './chart-data.ts';
import type { ChartProps } from './chart-props.ts';
import { EventStrip } from './event-strip.tsx';
import { layOutPlot } from './layout/plot.ts';
import { Marks } from './marks.tsx';
import { Tooltip } from './tooltip.tsx';
import { useWidth } from './use-width.ts';

const MIN_DRAG_PIXELS = 8;

export function Chart(props: ChartProps) {
  const { data, form, title, height, ghost, onHover, hrefOf, onOpen, onZoom, today, events = [] } = props;
  const [box, width] = useWidth<HTMLDivElement>();
  const [row, setRow] = useState(0);
  const [isPinned, setPinned] = useState(false);
  const [drag, setDrag] = useState<{ from: number; to: number } | null>(null);
  const dragStart = useRef<number | null>(null);
  const plot = useMemo(
    () => layOutPlot({ data, form, size: { width, height }, ghost }),
    [data, form, width, height, ghost],
  );
  const last = data.intervals.length - 1;
  // The pointer may rest where the chart of other days had an interval.
  const hovered = props.hovered !== null && props.hovered <= last ? props.hovered : null;
  const activeSeries = data.series[Math.min(row, data.series.length - 1)];

  const open = (index: number): void => {
    const href = activeSeries === undefined ? null : hrefOf(activeSeries, index);
    if (href !== null) onOpen(href);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey || last < 0) return;
    const count = Math.max(1, data.series.length);
    switch (event.key) {
      case 'ArrowLeft':
        onHover(hovered === null ? last : Math.max(0, hovered - 1));
        break;
      case 'ArrowRight':
        onHover(hovered === null ? 0 : Math.min(last, hovered + 1));
        break;
      case 'Home':
        onHover(0);
        break;
      case 'End':
        onHover(last);
        break;
      case 'ArrowUp':
        setRow((row + 1) % count);
        break;
      case 'ArrowDown':
        setRow((row + count - 1) % count);
        break;
      case 'Enter':
        open(hovered ?? last);
        break;
      default:
        return;
    }
    event.preventDefault();
    event.stopPropagation();
  };

  const xOf = (event: PointerEvent): number => event.clientX - event.currentTarget.getBoundingClientRect().left;
  const onPointerMove = (event: PointerEvent): void => {
    if (isPinned) return;
    const index = plot.indexAt(xOf(event));
    if (index !== hovered) onHover(index);
    // Released where the chart did not see it.
    if (event.buttons === 0) dragStart.current = null;
    if (dragStart.current !== null && Math.abs(xOf(event) - dragStart.current) >= MIN_DRAG_PIXELS) {
      setDrag({ from: plot.indexAt(dragStart.current), to: index });
    }
  };
  const endDrag = (): void => {
    if (drag !== null && onZoom !== undefined) {
      const [first, final] = [Math.min(drag.from, drag.to), Math.max(drag.from, drag.to)];
      onZoom(data.intervals[first]!.start, data.intervals[final]!.end);
    }
    dragStart.current = null;
    setDrag(null);
  };

  const spoken = hovered === null || activeSeries === undefined ? '' : speak(data, activeSeries, hovered, today);
  return (
    <div className={styles.box} ref={box}>
      <div
        className={styles.surface}
        role="application"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the chart is one tab stop whose points arrows reach
        tabIndex={0}
        aria-roledescription="chart"
        aria-label={`${title}. Arrow keys move over the points, Enter opens the records of one.`}
        onKeyDown={onKeyDown}
        onPointerMove={onPointerMove}
        onPointerLeave={() => {
          if (!isPinned) onHover(null);
          endDrag();
        }}
        onPointerDown={(event) => {
          if (event.button === 0 && onZoom !== undefined) dragStart.current = xOf(event);
        }}
        onPointerUp={endDrag}
        onPointerCancel={() => {
          dragStart.current = null;
          setDrag(null);
        }}
        onClickCapture={(event) => {
          // The end of a drag is not a click on the mark below it.
          if (drag !== null) {
            event.preventDefault();
            event.stopPropagation();
          }
          setPinned(false);
        }}
        onContextMenu={(event) => {
          event.preventDefault();
          setPinned(!isPinned);
        }}
        onBlur={() => {
          if (!isPinned) onHover(null);
        }}
      >
        <svg width={width} height={height} className={styles.svg} data-chart="">
          <title>{title}</title>
          {width > 0 && (
            <>
              <Axes plot={plot} data={data} form={form} hovered={hovered} today={today} />
              <Marks plot={plot} {...props} hovered={hovered} />
              {drag !== null && (
                <rect
                  className={styles.drag}
                  x={plot.centre(Math.min(drag.from, drag.to)) - plot.step / 2}
                  y={plot.margins.top}
                  width={plot.step * (Math.abs(drag.to - drag.from) + 1)}
                  height={height - plot.margins.top - plot.margins.bottom}
                />
              )}
            </>
          )}
        </svg>
        {hovered !== null && width > 0 && (
          <Tooltip plot={plot} {...props} index={hovered} isPinned={isPinned} activeName={activeSeries?.name ?? ''} />
        )}
      </div>
      {events.length > 0 && width > 0 && <EventStrip plot={plot} data={data} events={events} today={today} />}
      <p className="visually-hidden" aria-live="polite">
        {spoken}
      </p>
    </div>
  );
}

function speak(data: ChartData, series: Series, index: number, today: string): string {
  const { start, end } = data.intervals[index]!;
  const value = series.values[index] ?? null;
  return `${formatInterval(start, end, today)}, ${series.title}: ${series.unknown?.[index] ? 'unknown' : value === null ? 'no value' : formatWithUnit(value, data)}`;
}
