// Where a statistic about AI is unknown and not 0: for days of a group on which code was changed and nothing says who
// wrote it. Evidence before and after shows that its source was running, so a day between the two has a true 0.
import type { Store } from '../../storage/database/handle.ts';
import { SEGMENTS } from '../catalogue/segments/index.ts';
import { FOLDED } from '../compile/source.ts';
import { type NamedSeries, type ReportQuery, runReport } from '../run-report.ts';
import type { Scope } from '../scope.ts';

export interface UnknownDays {
  /** First days of the intervals. */
  readonly starts: ReadonlySet<string>;
  /** Nothing in the whole range says who wrote it. */
  readonly isAll: boolean;
}

/** What the database calls a group → where its figures are unknown. */
export type UnknownGroups = ReadonlyMap<string, UnknownDays>;

const NOTHING_UNKNOWN: UnknownGroups = new Map();

/** Per interval the share of changed lines with evidence; null or absent where no line was changed. */
type Coverage = readonly (number | null | undefined)[];

export async function findUnknown(
  store: Store,
  query: ReportQuery,
  scope: Scope,
  series: readonly NamedSeries[],
): Promise<UnknownGroups> {
  // A provider has a series only where something is credited to it.
  const mayBe = query.row.range !== undefined && query.aggregation !== 'ai_provider';
  if (!mayBe || series.every(({ values }) => query.intervals.every((_, index) => (values[index] ?? 0) > 0))) {
    return NOTHING_UNKNOWN;
  }
  // The groups that share a series are the same in both, so that its days are those of the same people.
  const own = new Set(series.map(({ group }) => group));
  const shownGroups = own.delete(FOLDED) ? own : null;
  const row = SEGMENTS.ai_evidence_coverage_percent;
  const found = await runReport(store, { ...query, row, statistic: 'mean', shownGroups }, scope);
  const coverage = new Map(found.map(({ group, values }) => [group, values]));
  const unknown = new Map<string, UnknownDays>();
  for (const group of new Set(series.map((each) => each.group))) {
    const own = series.filter((each) => each.group === group);
    // A group that the statistic shows and coverage has no room for is taken for one of the others.
    const covered = coverage.get(group) ?? coverage.get(FOLDED);
    if (covered === undefined) continue;
    const places = unknownPlaces(
      covered,
      query.intervals.map((_, index) => own.some(({ values }) => (values[index] ?? 0) > 0)),
    );
    if (places.length === 0) continue;
    unknown.set(group, {
      starts: new Set(places.map((place) => query.intervals[place]!.start)),
      isAll: query.intervals.every((_, index) => !isKnown(covered, index) && own.every(({ values }) => !values[index])),
    });
  }
  return unknown;
}

const isKnown = (coverage: Coverage, index: number): boolean => (coverage[index] ?? 0) > 0;

/** Places with changed lines and without evidence that lie before the first evidence or after the last. */
export function unknownPlaces(coverage: Coverage, isCredited: readonly boolean[]): number[] {
  const known = isCredited.map((credited, index) => credited || isKnown(coverage, index));
  const [first, last] = [known.indexOf(true), known.lastIndexOf(true)];
  return known.flatMap((_, index) =>
    coverage[index] === 0 && (first === -1 || index < first || index > last) ? [index] : [],
  );
}
