// One statistic in full: its chart, the statistic to read beside it, breakdowns, definition, records.
import { useParams } from '@tanstack/react-router';
import { useEffect, useMemo, useRef, useState } from 'react';
import type { Segment } from '../../api/queries.ts';
import { TURNS, useAfterFirstChart, useHeldTurns } from '../../report/after-first-chart.ts';
import { isEmptyFromTheStart } from '../../report/empty/why-empty.ts';
import { HowComputed } from '../../report/evidence/how-computed.tsx';
import { ExportMenu } from '../../report/export/export-menu.tsx';
import { Figure } from '../../report/figure.tsx';
import { Headline } from '../../report/headline.tsx';
import { hereWith, type PageContext, PageProvider, usePage } from '../../report/page-context.ts';
import { chosenAggregation } from '../../report/report-params.ts';
import { useEvents } from '../../report/use-events.ts';
import { useReport } from '../../report/use-report.ts';
import { LinkButton } from '../../ui/controls/button.tsx';
import { createLatePart, Late } from '../../ui/late-part.tsx';
import { Empty } from '../../ui/surfaces/empty.tsx';
import { Notice } from '../../ui/surfaces/notice.tsx';
import layout from '../../ui/surfaces/page.module.css';
import { Panel } from '../../ui/surfaces/panel.tsx';
import { pageLink } from '../../url/links.ts';
import { parseView, writeView } from '../../url/view.ts';
import { Breakdown } from './breakdown.tsx';
import { Companion } from './companion.tsx';
import { Controls } from './controls.tsx';
import { Remarks } from './remarks.tsx';
import styles from './statistic.module.css';

/** Fetched when the chart is there, so that the first point that is opened does not wait for it. */
const drawer = createLatePart(async () => (await import('../../report/evidence/drawer.tsx')).EvidenceDrawer);

const CHART_HEIGHT = 300;
const NO_POINT = { at: null, tab: 'records', kind: null } as const;

export function StatisticPage() {
  const { segment: name } = useParams({ strict: false });
  const page = usePage();
  const segment = name === undefined ? undefined : page.segments.get(name);
  if (segment === undefined) {
    return (
      <>
        <title>{`No such statistic · ${page.entity.name} · Strata`}</title>
        <Empty title="There is no such statistic" text={`“${name}” is not the name of a statistic of this version.`}>
          <LinkButton href={pageLink(page.entity.slug, 'statistics', page.view)}>All statistics</LinkButton>
        </Empty>
      </>
    );
  }
  return <Statistic key={segment.segment_em} segment={segment} />;
}

/** The page as it is without its drawer; the same value whichever point is open, so that what reads it stays drawn. */
function useClosed(page: PageContext): PageContext {
  const { me, entity, segments, names, imports, today, path, go } = page;
  const written = writeView({ ...page.view, ...NO_POINT });
  return useMemo(
    () => ({ me, entity, segments, names, imports, today, path, go, view: parseView(written) }),
    [me, entity, segments, names, imports, today, path, go, written],
  );
}

function Statistic({ segment }: { readonly segment: Segment }) {
  const page = usePage();
  const { view, entity, names } = page;
  const by = chosenAggregation(segment, view);
  const figures = useReport(segment, by);
  const events = useEvents({ isWaiting: figures.isOld });
  const [hovered, setHovered] = useState<number | null>(null);
  const holder = useRef<HTMLDivElement>(null);
  const closed = useClosed(page);
  const companion = page.segments.get(segment.companion_segment_em);
  const { first_on: firstDay, last_on: lastDay } = page.imports.data;
  const isEmpty = (each: Segment): boolean =>
    isEmptyFromTheStart({ segment: each, firstDay, lastDay, days: figures.days });
  useHeldTurns(figures.isOld);
  const isCompanionsTurn = useAfterFirstChart(TURNS.companion);
  const isBreakdownsTurn = useAfterFirstChart(TURNS.breakdown);
  const isEnd = useAfterFirstChart(TURNS.end);
  useEffect(() => {
    if (isEnd && document.visibilityState === 'visible') void drawer.fetch();
  }, [isEnd]);
  return (
    <div className={layout.page} data-drawer={view.at === null ? undefined : ''}>
      <title>{`${segment.title} · ${entity.name} · Strata`}</title>
      <header className={styles.head}>
        <p className={styles.crumb}>
          <a href={pageLink(entity.slug, segment.page, view)}>
            {names.category[segment.category] ?? segment.category_title}
          </a>
        </p>
        <h1>{segment.title}</h1>
        <p className={styles.description}>
          {segment.description}
          {segment.higher_is_better === null ? '' : segment.higher_is_better ? ' More is better.' : ' Less is better.'}
        </p>
      </header>
      <section className={styles.main} ref={holder} aria-label={segment.title}>
        {!isEmpty(segment) && (
          <div className={styles.bar}>
            <Headline figures={figures} />
            <div className={styles.controls}>
              <Controls figures={figures} />
              <ExportMenu figures={figures} holder={holder} />
            </div>
          </div>
        )}
        <Figure
          figures={figures}
          height={CHART_HEIGHT}
          hovered={hovered}
          onHover={setHovered}
          events={events}
          target="here"
          isCaptionShown
        />
        {!isEmpty(segment) && <Remarks figures={figures} />}
      </section>
      <PageProvider value={closed}>
        {isCompanionsTurn &&
          companion !== undefined &&
          companion !== segment &&
          !(isEmpty(segment) && isEmpty(companion)) && (
            <Companion companion={companion} hovered={hovered} onHover={setHovered} isWaiting={figures.isOld} />
          )}
        {isBreakdownsTurn && !isEmpty(segment) && <Breakdown segment={segment} by={by} isWaiting={figures.isOld} />}
      </PageProvider>
      {isEnd ? (
        <Panel title="How it is computed">
          <HowComputed segment={segment} />
        </Panel>
      ) : (
        <div className={styles.later} data-later="" />
      )}
      {view.at === null ? null : segment.is_available ? (
        <Late part={drawer} with={{ figures }} />
      ) : (
        <Notice>
          There are no records behind a statistic without data. <a href={hereWith(page, { at: null })}>Close</a>
        </Notice>
      )}
    </div>
  );
}
