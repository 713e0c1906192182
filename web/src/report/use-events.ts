// Releases and defects of the days and repos shown, for the strip under a chart.
import { useQuery } from '@tanstack/react-query';
import { defectsQuery, releasesQuery } from '../api/queries.ts';
import type { ChartEvent } from '../charts/event-strip.tsx';
import { dayOfWords } from '../text/dates.ts';
import { useAfterFirstChart } from './after-first-chart.ts';
import { daysOf, usePage } from './page-context.ts';
import { resourcePath } from './report-params.ts';

const NONE: readonly ChartEvent[] = [];

/** `isWaiting`: something more important is under way. */
export function useEvents({ isWaiting = false }: { readonly isWaiting?: boolean } = {}): readonly ChartEvent[] {
  const page = usePage();
  const hasChart = useAfterFirstChart();
  const enabled = hasChart && !isWaiting;
  const days = daysOf(page);
  const params = {
    resource_path: resourcePath(page.entity.slug, page.view.in),
    start_date: days.start,
    end_date: days.end,
    ...(page.view.team === null ? {} : { team_slug: page.view.team }),
  };
  const { data: releases } = useQuery({ ...releasesQuery(params), enabled });
  const { data: defects } = useQuery({ ...defectsQuery(params), enabled });
  if (releases === undefined && defects === undefined) return NONE;
  return [
    ...(releases?.releases ?? []).map(
      ({ name, released_at: at }): ChartEvent => ({
        kind: 'release',
        day: at.slice(0, 10),
        title: `Release ${name}`,
        href: null,
      }),
    ),
    ...(defects?.critical_defects ?? []).flatMap(({ defectKey, detectedAt }): ChartEvent[] => {
      const day = dayOfWords(detectedAt);
      return day === null ? [] : [{ kind: 'defect', day, title: `Defect ${defectKey}`, href: null }];
    }),
  ];
}
