// Which chart a statistic gets: decided by how its values are combined, never by its name, so that a new
// statistic has a page without a line of code here.
import type { Segment } from '../api/queries.ts';
import type { Form, Scheme } from '../charts/chart-data.ts';
import type { Aggregation } from '../url/view.ts';

/** Of a statistic with a series for each thing of the data, the introspection says "one per …". */
const hasOpenSeries = ({ series }: Segment): boolean => series.some((name) => name.startsWith('one per '));

export const isCohorts = ({ category }: Segment): boolean => category === 'ai_cohorts';

/** Whether the series of an interval add up to a meaningful whole. */
export const isAdditive = ({ interval_combination: combination }: Segment): boolean => combination === 'sum';

/** Shares of one whole: several named series of one ratio, other than cohorts, whose bases differ. */
const isPartsOfWhole = (segment: Segment): boolean =>
  segment.interval_combination === 'ratio' && segment.is_multi_series && !isCohorts(segment) && !hasOpenSeries(segment);

export function chooseForm(segment: Segment, by: Aggregation, seriesCount: number, wantsShares: boolean): Form {
  switch (segment.interval_combination) {
    case 'sum':
      if (isCohorts(segment)) return 'lines';
      if (seriesCount <= 1) return 'bars';
      return wantsShares ? 'share bars' : 'stacked bars';
    case 'ratio':
      return isPartsOfWhole(segment) && by === 'none' ? 'stacked area' : 'lines';
    case 'snapshot':
      return 'steps';
    default:
      return 'lines';
  }
}

/** A statistic can be shown as shares where its series add up. */
export const offersShares = (segment: Segment, seriesCount: number): boolean =>
  isAdditive(segment) && !isCohorts(segment) && seriesCount > 1;

/** Statistics whose series are ages of code. */
const BY_AGE = new Set(['provenance']);

export function chooseScheme(segment: Segment, by: Aggregation): Scheme {
  if (by === 'ai_cohort' || (isCohorts(segment) && by === 'none')) return 'degrees';
  return BY_AGE.has(segment.segment_em) && by === 'none' ? 'ages' : 'categories';
}

/** Series that a chart shows apart; beyond that the smallest become one. */
export const MOST_SERIES = 8;

/** The other ways to look at a statistic, without the present one. */
export const otherSplits = (segment: Segment, by: Aggregation): Aggregation[] =>
  segment.aggregation_options.filter((option) => option !== 'none' && option !== by && option !== 'repo_path');

/** Somebody may be in several teams, and work of people without one is in none: their sums are not the whole. */
const isByTeam = ({ series }: Segment, by: Aggregation): boolean => by === 'team' || series.includes('one per team');

/** A total over series that do not add up is worked out by the server, at the price of further queries. */
export const hasSummary = (segment: Segment, by: Aggregation): boolean =>
  (segment.is_multi_series || by !== 'none') && (!isAdditive(segment) || isByTeam(segment, by));
