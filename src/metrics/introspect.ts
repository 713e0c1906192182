// What can be said about a statistic without computing it, and whether an entity has the data for it.
import { AI_COHORT_TITLES } from '../domain/ai/cohort.ts';
import { AGE_BUCKETS, CATEGORIES } from '../domain/commits/line-model.ts';
import { type Aggregation, type DataKind, isAddedSegment, SEGMENT_IDS, type SegmentId } from '../domain/segments.ts';
import { listDataKinds } from '../storage/audits/data-kinds.ts';
import type { Store } from '../storage/database/handle.ts';
import { missingData, missingKinds } from './availability.ts';
import { type Combination, divisorOf, type SegmentRow, type Split } from './catalogue/segment-row.ts';
import { SEGMENTS, type Subject, subjectOf } from './catalogue/segments/index.ts';

export interface SegmentDescription {
  readonly segment_em: SegmentId;
  readonly title: string;
  readonly description: string;
  readonly category: Subject;
  /** Not among the statistics of the specification. */
  readonly is_addition: boolean;
  readonly unit: string;
  readonly value_precision: number;
  readonly is_multi_series: boolean;
  /** Names of the series where they are fixed; else what they are. */
  readonly series: readonly string[];
  readonly aggregation_options: readonly Aggregation[];
  readonly default_aggregation: Aggregation;
  readonly interval_combination: Combination;
  /** What values are divided by, in words; null where nothing is divided. */
  readonly divided_by: string | null;
  readonly higher_is_better: boolean | null;
  readonly companion_segment_em: SegmentId;
  readonly projectable: boolean;
  readonly has_time_statistics: boolean;
  readonly data_requirements: readonly DataKind[];
  readonly is_available: boolean;
  readonly unavailable_reason?: string;
  readonly missing: readonly DataKind[];
}

const SERIES_OF_SPLIT: Record<Split, readonly string[]> = {
  ai_cohort: Object.values(AI_COHORT_TITLES),
  category: CATEGORIES.map(({ label }) => label),
  committer: ['one per developer'],
  issue_key: ['one per issue', 'No issue'],
  issue_type: ['one per issue type', 'No issue'],
  model: ['one per model'],
  not_counted: ['one per reason'],
  provider: ['one per provider'],
  pull_request_phase: ['Preparing', 'Under review', 'After merge', 'No pull request'],
  release_phase: ['Released', 'Awaiting release', 'In development'],
  repo: ['one per repo'],
  source: ['one per source of evidence'],
  sprint_name: ['one per sprint', 'No sprint'],
  team: ['one per team'],
};
// The labels of code ages are those of the bands; this keeps the two lists from drifting apart.
const AGE_LABELS: readonly string[] = AGE_BUCKETS.map(({ label }) => label);

export function seriesOf(row: SegmentRow): readonly string[] {
  const bands = Object.keys(row.bands ?? {});
  const own = row.split === undefined ? [] : SERIES_OF_SPLIT[row.split];
  const names = [...new Set([...own, ...bands])];
  if (names.length === 0) return [row.title];
  return names.toSorted((a, b) => AGE_LABELS.indexOf(a) - AGE_LABELS.indexOf(b));
}

export const isMultiSeries = (row: SegmentRow): boolean => row.split !== undefined || row.bands !== undefined;
export const isProjectable = (row: SegmentRow): boolean => row.combine === 'sum';

/** What a scope has several of, or not. */
export interface GroupCounts {
  readonly teamCount: number;
  readonly repoCount: number;
}

/** Several teams, else several repos, where the statistic can be told apart by them. */
export function defaultAggregation(row: SegmentRow, { teamCount, repoCount }: GroupCounts): Aggregation {
  if (isMultiSeries(row)) return 'none';
  if (teamCount > 1 && row.by.includes('team')) return 'team';
  if (repoCount > 1 && row.by.includes('repo')) return 'repo';
  return 'none';
}

function describeSegment(segment: SegmentId, has: ReadonlySet<DataKind>, counts: GroupCounts): SegmentDescription {
  const row = SEGMENTS[segment];
  const reason = missingData(row, 'none', has);
  return {
    segment_em: segment,
    title: row.title,
    description: row.description,
    category: subjectOf(segment),
    is_addition: isAddedSegment(segment),
    unit: row.unit,
    value_precision: row.precision,
    is_multi_series: isMultiSeries(row),
    series: seriesOf(row),
    aggregation_options: row.by,
    default_aggregation: defaultAggregation(row, counts),
    interval_combination: row.combine,
    divided_by: divisorOf(row),
    higher_is_better: row.higher_is_better,
    companion_segment_em: row.companion,
    projectable: isProjectable(row),
    has_time_statistics: row.combine === 'mean',
    data_requirements: row.needs,
    is_available: reason === null,
    ...(reason === null ? {} : { unavailable_reason: reason }),
    missing: missingKinds(row, 'none', has),
  };
}

/** One statistic, or all of them. */
export async function describeSegments(
  store: Store,
  entityId: number,
  segment: SegmentId | null,
  counts: GroupCounts,
): Promise<SegmentDescription[]> {
  const has = await listDataKinds(store.db, entityId);
  return (segment === null ? SEGMENT_IDS : [segment]).map((each) => describeSegment(each, has, counts));
}
