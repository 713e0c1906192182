// A statistic as a figure: chart or table, legend, a caption made from the data, or the reason for nothing.
import { useEffect, useState } from 'react';
import { Chart } from '../charts/chart.tsx';
import type { ChartEvent } from '../charts/chart-data.ts';
import { hasValues, hasWork, OTHER, type Series } from '../charts/chart-data.ts';
import { Legend } from '../charts/legend.tsx';
import { TableTwin } from '../charts/table-twin.tsx';
import { formatInterval } from '../text/dates.ts';
import { LinkButton } from '../ui/controls/button.tsx';
import { Empty } from '../ui/surfaces/empty.tsx';
import { pageLink, statisticLink } from '../url/links.ts';
import { parsePoint, type View, writePoint } from '../url/view.ts';
import { markFirstChart } from './after-first-chart.ts';
import { writeCaption } from './caption.ts';
import type { Ghost } from './compared/use-comparison.ts';
import { Failed } from './empty/failed.tsx';
import { useEmptyAnswer } from './empty/use-empty-answer.ts';
import { hasNothingBecauseOutside } from './empty/why-empty.ts';
import { usePrefetch } from './evidence/use-prefetch.ts';
import styles from './figure.module.css';
import { ALL_PROVIDERS_WHY, isOfAllProviders } from './filters/applied-filters.ts';
import { hereWith, usePage } from './page-context.ts';
import type { Figures } from './use-report.ts';

interface FigureProps {
  readonly figures: Figures;
  readonly height: number;
  readonly hovered: number | null;
  readonly onHover: (index: number | null) => void;
  readonly events?: readonly ChartEvent[];
  /** Where its points lead: into the drawer of this page, or to the statistic's own page. */
  readonly target: 'here' | 'own page';
  readonly isCaptionShown?: boolean;
}

/** What stands below a chart, kept free so that nothing moves when it comes: the legend, and the strip of events. */
const LEGEND_HEIGHT = 28;
const STRIP_HEIGHT = 22;

const GHOST_LABELS = { prev: 'period before', year: 'a year before', none: '' } as const;
const SHIFTED_LABELS = { prev: 'same weekdays before', year: 'same weekdays a year before', none: '' } as const;
const NO_GHOST: readonly (number | null)[] = [];

/** With its days: those of a daily line meet the same weekday, and may be others than those of the total before. */
const labelGhost = ({ days }: Ghost, { beforeDays }: Figures, vs: View['vs'], today: string): string =>
  `${(beforeDays?.start === days.start ? GHOST_LABELS : SHIFTED_LABELS)[vs]}: ${formatInterval(days.start, days.end, today)}`;

export function Figure({ figures, height, hovered, onHover, events, target, isCaptionShown = false }: FigureProps) {
  const page = usePage();
  const { view, today, entity } = page;
  const { segment, data, drawn, report, ghost } = figures;
  const [zoomed, setZoomed] = useState(false);
  const prefetch = usePrefetch(report);

  const link = (own: Partial<View>): string =>
    target === 'here'
      ? hereWith(page, own)
      : statisticLink(entity.slug, segment.segment_em, view, {
          by: figures.by === 'none' ? null : figures.by,
          ...figures.asked,
          ...own,
        });
  const hrefOf = (series: Series, index: number): string | null => {
    const start = drawn?.intervals[index]?.start;
    if (start === undefined) return null;
    if (series.name === OTHER) return link({ view: 'table' });
    return link({ at: writePoint({ series: series.name, start }), tab: 'records', kind: null });
  };
  /** A name in the legend leads to the latest records of its series. */
  const latestHrefOf = (series: Series): string | null => {
    const index = series.values.findLastIndex((value) => value !== null && value !== 0);
    return index === -1 ? null : hrefOf(series, index);
  };
  const selected = target === 'here' && view.at !== null ? pointOf(view.at) : null;

  const isEmpty =
    !segment.is_available ||
    report?.unavailable_reason !== undefined ||
    (data !== null && (!hasValues(data) || (!hasWork(data) && isOutsideData(figures))));
  const caption = data === null || isEmpty ? segment.title : writeCaption(segment, data, figures.days, today);
  const ghostLabel = ghost === null ? null : labelGhost(ghost, figures, view.vs, today);
  const hasLegend = segment.is_multi_series || figures.by !== 'none' || figures.isCompared;
  const room = height + (hasLegend ? LEGEND_HEIGHT : 0) + (events === undefined ? 0 : STRIP_HEIGHT);
  const isDrawn = drawn !== null || isEmpty || figures.error !== null;
  useEffect(() => {
    if (isDrawn) markFirstChart();
  }, [isDrawn]);
  return (
    <figure
      className={styles.figure}
      {...prefetch}
      data-old={figures.isOld || undefined}
      data-segment={segment.segment_em}
      data-drawn={isDrawn || undefined}
    >
      {figures.error !== null ? (
        <Failed error={figures.error} height={height} />
      ) : isEmpty ? (
        <EmptyFigure figures={figures} height={height} />
      ) : drawn === null || data === null ? (
        <div className={styles.waiting} style={{ height: room }} aria-busy="true" />
      ) : view.view === 'table' && target === 'here' ? (
        <TableTwin data={data} title={segment.title} today={today} hrefOf={hrefOf} selected={selected} />
      ) : (
        <div style={{ minHeight: room }}>
          <Chart
            data={drawn}
            form={figures.form}
            scheme={figures.scheme}
            title={segment.title}
            height={height}
            today={today}
            ghost={ghost?.values ?? NO_GHOST}
            ghostIntervals={ghost?.intervals ?? []}
            {...(events === undefined ? {} : { events })}
            hovered={zoomed ? null : hovered}
            onHover={(index) => {
              setZoomed(false);
              onHover(index);
            }}
            hrefOf={hrefOf}
            onOpen={(href) => page.go(href)}
            onZoom={(start, end) => {
              setZoomed(true);
              page.go(hereWith(page, { range: `${start}..${end}`, at: null }));
            }}
            selected={selected}
          />
          <Legend
            data={drawn}
            form={figures.form}
            scheme={figures.scheme}
            hrefOf={latestHrefOf}
            ghostLabel={ghostLabel}
          />
        </div>
      )}
      {isOfAllProviders(view, report) && (
        <p className={styles.wide} data-all-providers="">
          {ALL_PROVIDERS_WHY}
        </p>
      )}
      <figcaption className={isCaptionShown && !isEmpty ? styles.caption : 'visually-hidden'}>{caption}</figcaption>
    </figure>
  );
}

const isOutsideData = ({ segment, report, days }: Figures): boolean =>
  report !== undefined &&
  hasNothingBecauseOutside({
    segment,
    firstDay: report.context.data.first_on,
    lastDay: report.context.data.last_on,
    days,
  });

const pointOf = (at: string): { name: string; start: string } => {
  const { series, start } = parsePoint(at);
  return { name: series, start };
};

function EmptyFigure({ figures, height }: { readonly figures: Figures; readonly height: number }) {
  const page = usePage();
  const { view, entity } = page;
  const answer = useEmptyAnswer(figures);
  const { action } = answer;
  return (
    <Empty title={answer.title} text={answer.text} command={answer.command} reason={answer.reason} height={height}>
      {action === null ? null : (
        <LinkButton href={'page' in action ? pageLink(entity.slug, action.page, view) : hereWith(page, action.change)}>
          {action.label}
        </LinkButton>
      )}
    </Empty>
  );
}
