// Releases and defects of the days and repos shown, for the strip under a chart.
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { defectsQuery, releasesQuery } from '../api/queries.ts';
import type { ChartEvent } from '../charts/chart-data.ts';
import { useAfterFirstChart } from './after-first-chart.ts';
import { chartEvents } from './chart-events.ts';
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
  const zone = page.entity.time_zone;
  return useMemo(
    () =>
      releases === undefined && defects === undefined
        ? NONE
        : chartEvents({ releases: releases ?? [], defects: defects ?? [] }, zone),
    [releases, defects, zone],
  );
}
