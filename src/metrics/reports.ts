// The door of this folder: a report, the records behind one of its points, and what can be said of the statistics.
// What was computed is kept for as long as the entity's data, its settings and the date stay the same.
import type { EntitySettings } from '../domain/access/entity-settings.ts';
import type { AuditType } from '../domain/audit-types.ts';
import { StrataError } from '../domain/errors.ts';
import type { Aggregation, DataKind, IntervalName, SegmentId, TimeStatistic } from '../domain/segments.ts';
import { createByteLru } from '../kit/byte-lru.ts';
import type { Store } from '../storage/database/handle.ts';
import {
  importedDays,
  isOfPeople,
  type KnownData,
  missingKinds,
  needsCommits,
  whyNotImported,
  whyUnavailable,
} from './availability.ts';
import { FACTS } from './catalogue/facts.ts';
import { MEASURES } from './catalogue/measures.ts';
import { divisorOf, type SegmentRow } from './catalogue/segment-row.ts';
import { SEGMENTS } from './catalogue/segments/index.ts';
import { dependsOnNow, planSegment } from './compile/plan-segment.ts';
import { FOLDED } from './compile/source.ts';
import { type ExplainedRecord, explainPoint } from './explain-point.ts';
import { ignoresProvider, ineffectiveScope } from './ineffective-scope.ts';
import { type DateRange, daysIn, type Interval, intervalFor, intervalsOf, wholeRange } from './intervals.ts';
import { defaultAggregation, type GroupCounts, isProjectable } from './introspect.ts';
import { createPoints, markUnknown, type Point } from './points.ts';
import { findUnknown, type UnknownGroups } from './remarks/find-unknown.ts';
import { type ReportRemarks, remarkOn, warningsOfRemarks, warnOfTeamless } from './remarks/remark-on.ts';
import { type FoldedReport, type NamedSeries, type ReportQuery, runFolded, runReport } from './run-report.ts';
import type { Scope } from './scope.ts';
import { type Card, roundTo, summarize } from './summarize.ts';
import { unfinishedWork } from './unfinished-work.ts';

/** All names are resolved and every right is checked; nothing is left to look up but figures and labels. */
export interface ReportRequest {
  readonly segment: SegmentId;
  /** Null: by whether the scope has several teams or repos. */
  readonly aggregation: Aggregation | null;
  readonly counts: GroupCounts;
  readonly range: DateRange;
  /** Null: by the length of the range. */
  readonly interval: IntervalName | null;
  readonly statistic: TimeStatistic;
  readonly scope: Scope;
  readonly settings: EntitySettings;
  /** Contributors that the scope covers. */
  readonly contributorCount: number;
  /** Another one for another state of the entity's data. */
  readonly dataState: string;
  readonly known: KnownData;
  readonly fillsDates: boolean;
  readonly projectsLast: boolean;
  readonly wantsSummary: boolean;
}

export interface ReportResult {
  readonly aggregation: Aggregation;
  readonly interval: IntervalName;
  readonly unit: string;
  readonly precision: number;
  /** What the records behind points are, where their series does not say. */
  readonly audit: AuditType;
  /** Only those with a point. */
  readonly series: readonly ReportSeries[];
  readonly cards: readonly Card[] | null;
  readonly remarks: ReportRemarks;
  readonly reach: ReportReach;
  readonly warnings: readonly string[];
  /** Why there are no figures: what the statistic needs is missing. */
  readonly unavailableReason: string | null;
  readonly missing: readonly DataKind[];
  /** Whether its points change with whom the caller may see: a release is of nobody. */
  readonly isOfPeople: boolean;
  /** Why there are no figures: fewer people than the entity asks for. */
  readonly withheld: { readonly floor: number; readonly contributors: number } | null;
}

/** How far the figures reach, for programs; warnings say it for people. */
export interface ReportReach {
  /** Commits before this day are not all imported. */
  readonly commits_complete_from?: string;
  /** Filters that were asked for and that the statistic does not take. */
  readonly ineffective_parameters?: 'ai_provider'[];
}

export interface ReportSeries {
  readonly name: string;
  /** What the database calls the group; '' where nothing is told apart. */
  readonly group: string;
  /** Of what had no room or was too small to be shown; the name does not tell, a team may be called so too. */
  readonly isRest: boolean;
  readonly points: readonly Point[];
  /** First day of a point → what the records behind it are. */
  readonly audits: ReadonlyMap<string, AuditType>;
  /** Over the whole range, worked out anew where it is no sum of the points. */
  readonly total: number | null;
  /** A statistic about AI, and nothing in the whole range says who wrote the code. */
  readonly isUnknown: boolean;
}

export interface ExplainedPoint {
  readonly series: string;
  readonly unit: string;
  readonly combination: string;
  readonly times: number;
  /** What the count is divided by; null where nothing is divided. The total is null where it is no number of things. */
  readonly divisor: { readonly name: string; readonly total: number | null } | null;
  readonly records: readonly ExplainedRecord[];
  readonly unavailableReason: string | null;
}

export interface Reports {
  report(request: ReportRequest): Promise<ReportResult>;
  /** The records that a point counts, each with its contribution; without a name, of the only series. */
  explain(
    request: ReportRequest,
    point: { readonly series?: string | undefined; readonly days: DateRange },
  ): Promise<ExplainedPoint>;
}

interface PeopleCount {
  /** Groups of enough people, the largest first. */
  large(): Promise<string[]>;
  /** Whether all others are of enough people together. */
  isRestLarge(shown: readonly string[]): Promise<boolean>;
}

/** Ways to tell work apart by who did it. */
const COUNTED_DIMENSIONS: ReadonlySet<string> = new Set(['team', 'repo', 'repo_path', 'committer', 'ai_cohort']);
/** After every date: nothing is known. */
const LATER = '9999-12-31';
const KEPT_BYTES = 32 * 1024 * 1024;
const MOST_DAYS = 36_525;
/** Of an interval that was chosen; more are no chart. */
const MOST_POINTS = 400;

/** A request with what follows from it. */
interface Prepared {
  readonly request: ReportRequest;
  readonly row: SegmentRow;
  readonly aggregation: Aggregation;
  readonly bucket: IntervalName;
  readonly intervals: readonly Interval[];
  /** What an answer depends on besides the clock; null where it depends on that too. */
  readonly key: string | null;
  readonly unavailableReason: string | null;
}

interface Figures extends FoldedReport {
  /** Why there are none; what is not imported shows only when they are read. */
  readonly unavailableReason: string | null;
}

interface Shown {
  readonly prepared: Prepared;
  readonly figures: Figures;
}

const refused = (code: 'invalid_parameter' | 'unprocessable', field: string, message: string): StrataError =>
  new StrataError(code, `${field}: ${message}`, { errors: { [field]: [message] } });

export function createReports(store: Store): Reports {
  const keptSeries = createByteLru<FoldedReport>(KEPT_BYTES);
  const keptTotals = createByteLru<ReadonlyMap<string, number | null>>(KEPT_BYTES / 8);
  const keptCards = createByteLru<Card[]>(KEPT_BYTES / 8);
  const keptRemarks = createByteLru<ReportRemarks>(KEPT_BYTES / 8);
  const keptUnknown = createByteLru<UnknownGroups>(KEPT_BYTES / 8);

  /** Who was active, told apart in one way: the largest first; null where all may be shown. */
  function countPeople({ request }: Prepared, dimension: Aggregation): PeopleCount | null {
    const floor = request.settings.small_group_floor;
    if (floor <= 1 || !COUNTED_DIMENSIONS.has(dimension)) return null;
    const { of: _, ...counted } = SEGMENTS.diff_delta_per_committer;
    const query: ReportQuery = {
      row: { ...counted, value: 'active_committers', combine: 'distinct' },
      aggregation: dimension,
      range: request.range,
      bucket: 'whole',
      intervals: [wholeRange(request.range)],
      statistic: 'mean',
    };
    const count = async (shownGroups: ReadonlySet<string> | null): Promise<Map<string, number>> => {
      const series = await runReport(store, { ...query, shownGroups }, request.scope);
      return new Map(series.map(({ group, values }) => [group, values[0] ?? 0]));
    };
    return {
      async large() {
        const sizes = [...(await count(null))].filter(([group, size]) => group !== FOLDED && size >= floor);
        return sizes.sort(([, a], [, b]) => b - a).map(([group]) => group);
      },
      isRestLarge: async (shown) => ((await count(new Set(shown))).get(FOLDED) ?? 0) >= floor,
    };
  }

  /** With small groups folded, and others with them until what is folded is of enough people. */
  async function runFloored(prepared: Prepared, query: ReportQuery): Promise<FoldedReport> {
    const { split } = prepared.row;
    const ofGroups = countPeople(prepared, prepared.aggregation);
    const ofSplits = split === 'committer' || split === 'team' ? countPeople(prepared, split) : null;
    const [groups, splits] = await Promise.all([ofGroups?.large() ?? null, ofSplits?.large() ?? null]);
    for (;;) {
      const folded = await runFolded(
        store,
        { ...query, shownGroups: groups && new Set(groups), shownSplits: splits && new Set(splits) },
        prepared.request.scope,
      );
      const foldsMore = async (shown: string[] | null, people: PeopleCount | null, isFolded: boolean) => {
        if (shown === null || people === null || shown.length === 0 || !isFolded) return false;
        if (await people.isRestLarge(shown)) return false;
        shown.pop();
        return true;
      };
      const isGroupFolded = folded.series.some(({ group }) => group === FOLDED);
      const isSplitFolded = folded.series.some(({ split: name }) => name === FOLDED);
      const more = [await foldsMore(groups, ofGroups, isGroupFolded), await foldsMore(splits, ofSplits, isSplitFolded)];
      if (!more.includes(true)) return folded;
    }
  }

  async function readSeries(prepared: Prepared): Promise<Figures> {
    const { request, row, intervals, key } = prepared;
    const without = (reason: string | null): Figures => ({
      series: emptySeries(row, intervals),
      kept: null,
      unavailableReason: reason,
    });
    if (prepared.unavailableReason !== null) return without(prepared.unavailableReason);
    let folded = key === null ? undefined : keptSeries.get(key);
    if (folded === undefined) {
      folded = await runFloored(prepared, queryOf(prepared));
      if (key !== null) keptSeries.set(key, folded, key.length + folded.series.length * intervals.length * 32 + 200);
    }
    const { series } = folded;
    const isNothing = series.every(({ values }) => values.every((value) => (value ?? 0) === 0));
    const notImported = isNothing ? whyNotImported(row, request.known, request.range) : null;
    return notImported !== null || series.length === 0 ? without(notImported) : { ...folded, unavailableReason: null };
  }

  /**
   * The series as they are shown. Where nobody of a team has a part in it, a split by team that was not asked for would show
   * nothing of what there is.
   */
  async function readShown(request: ReportRequest): Promise<Shown> {
    const prepared = prepare(request);
    const figures = await readSeries(prepared);
    if (!isTeamChosen(prepared) || figures.unavailableReason !== null || figures.series.some(hasData))
      return { prepared, figures };
    return readShown({ ...request, counts: { ...request.counts, teamCount: 0 } });
  }

  /** Name of a series → its value over the whole range. */
  async function readTotals(
    prepared: Prepared,
    { series, kept, unavailableReason }: Figures,
  ): Promise<ReadonlyMap<string, number | null>> {
    const { request, row, key } = prepared;
    const rounded = (value: number | null | undefined) => (value == null ? null : roundTo(value, row.precision));
    if (row.combine === 'sum') {
      return new Map(series.map(({ name, values }) => [name, rounded(sumOf(values))]));
    }
    if (unavailableReason !== null) return new Map();
    const known = key === null ? undefined : keptTotals.get(key);
    if (known !== undefined) return known;
    const whole = { ...queryOf(prepared), bucket: 'whole' as const, intervals: [wholeRange(request.range)] };
    // Over the whole range other groups may be the largest; a total is of what its points are of.
    const found = await runReport(store, { ...whole, kept }, request.scope);
    const totals = new Map(found.map(({ name, values }) => [name, rounded(values[0])]));
    if (key !== null) keptTotals.set(key, totals, key.length + totals.size * 60 + 100);
    return totals;
  }

  async function readCards({ request, key }: Prepared): Promise<Card[]> {
    const known = key === null ? undefined : keptCards.get(key);
    if (known !== undefined) return known;
    const cards = await summarize(store, request);
    if (key !== null) keptCards.set(key, cards, key.length + JSON.stringify(cards).length);
    return cards;
  }

  async function readRemarks({ request, row, aggregation, key }: Prepared): Promise<ReportRemarks> {
    const known = key === null ? undefined : keptRemarks.get(key);
    if (known !== undefined) return known;
    const remarks = await remarkOn(store, row, aggregation, request.range, request.scope);
    if (key !== null) keptRemarks.set(key, remarks, key.length + 200);
    return remarks;
  }

  async function readUnknown(prepared: Prepared, series: readonly NamedSeries[]): Promise<UnknownGroups> {
    const { request, key, intervals } = prepared;
    const known = key === null ? undefined : keptUnknown.get(key);
    if (known !== undefined) return known;
    const unknown = await findUnknown(store, queryOf(prepared), request.scope, series);
    if (key !== null) keptUnknown.set(key, unknown, key.length + unknown.size * intervals.length * 32 + 100);
    return unknown;
  }

  return {
    async report(request) {
      if (request.statistic !== 'mean' && SEGMENTS[request.segment].combine !== 'mean') {
        const message = `"${request.statistic}" is not offered for ${request.segment}, which is no statistic of times; expected mean`;
        throw refused('unprocessable', 'time_statistic', message);
      }
      const isWithheld = isTooSmall(request);
      const { prepared, figures } = isWithheld ? withhold(prepare(request)) : await readShown(request);
      const { row, aggregation, bucket, intervals } = prepared;
      const { series, unavailableReason } = figures;
      const points = createPoints({
        ...request,
        row,
        bucket,
        intervals,
        fillsDates: request.fillsDates || unavailableReason !== null,
        knownFrom: unavailableReason !== null ? LATER : importedDays(row, request.known).from,
      });
      const totals = isWithheld ? new Map<string, number | null>() : await readTotals(prepared, figures);
      const hasFigures = !isWithheld && unavailableReason === null;
      const remarks = hasFigures ? await readRemarks(prepared) : {};
      const unknown = hasFigures ? await readUnknown(prepared, series) : null;
      const { audit } = FACTS[MEASURES[planSegment(row, aggregation, bucket).questions[0]!.question.measure].fact];
      return {
        aggregation,
        interval: bucket,
        unit: row.unit,
        precision: row.precision,
        audit,
        series: series
          .map((each) => {
            const shown = points(each);
            const days = unknown?.get(each.group);
            return {
              name: each.name,
              group: each.group,
              isRest: each.group === FOLDED || each.split === FOLDED,
              points: shown.map((point) => (days?.starts.has(point.start_date) ? markUnknown(point) : point)),
              audits: new Map(
                intervals.flatMap(({ start }, index) => {
                  const own = each.audits[index];
                  return own === undefined ? [] : [[start, own] as const];
                }),
              ),
              total: totals.get(each.name) ?? (each.values.includes(null) ? null : totalOfNothing(row, shown)),
              isUnknown: days?.isAll ?? false,
            };
          })
          .filter((each) => each.points.length > 0),
        cards: !request.wantsSummary ? null : isWithheld ? [] : await readCards(prepared),
        remarks,
        reach: reachOf(prepared),
        warnings: [
          ...warningsOf(prepared, unavailableReason),
          ...warningsOfRemarks(remarks),
          ...(isTeamChosen(prepared) ? warnOfTeamless(remarks) : []),
        ],
        unavailableReason,
        missing: missingKinds(row, aggregation, request.known.kinds),
        isOfPeople: isOfPeople(row, aggregation, request.scope),
        withheld: isWithheld
          ? { floor: request.settings.small_group_floor, contributors: request.contributorCount }
          : null,
      };
    },

    async explain(request, { series = SEGMENTS[request.segment].title, days }) {
      const { prepared, figures } = await readShown(request);
      const { row, intervals } = prepared;
      const place = intervals.findIndex(({ start, end }) => start === days.from && end === days.to);
      const interval = intervals[place];
      if (interval === undefined) {
        const last = intervals.at(-1);
        const example = last === undefined ? '' : `, such as ${last.start} to ${last.end}`;
        const message = `${days.from} to ${days.to} is no point of this report; expected the days of one of its points${example}`;
        throw refused('invalid_parameter', 'interval', message);
      }
      const { series: all, unavailableReason } = figures;
      const found = all.find((each) => each.name === series);
      if (found === undefined) {
        const message = `"${series}" is not in this report; there are ${all.map((each) => each.name).join(', ')}`;
        throw refused('invalid_parameter', 'series', message);
      }
      const name = request.statistic === 'mean' ? divisorOf(row) : null;
      return {
        series,
        unit: row.unit,
        combination: row.combine === 'mean' ? request.statistic : row.combine,
        times: row.times ?? 1,
        divisor: name === null ? null : { name, total: found.divisors[place] ?? null },
        records:
          unavailableReason === null && !isTooSmall(request)
            ? await explainPoint(store, queryOf(prepared), request.scope, {
                series: found,
                kept: figures.kept,
                interval,
              })
            : [],
        unavailableReason,
      };
    },
  };
}

function prepare(request: ReportRequest): Prepared {
  const row = SEGMENTS[request.segment];
  const aggregation = request.aggregation ?? defaultAggregation(row, request.counts);
  if (!row.by.includes(aggregation)) {
    const message = `"${aggregation}" is not offered for ${request.segment}; expected one of ${row.by.join(', ')}`;
    throw refused('unprocessable', 'aggregate_by', message);
  }
  const { from, to } = request.range;
  if (daysIn(request.range) > MOST_DAYS) {
    throw refused('invalid_parameter', 'start_date', `${from} to ${to} is longer than 100 years`);
  }
  const bucket = request.interval ?? intervalFor(request.range);
  const intervals = intervalsOf(request.range, bucket, request.scope.weekStartsOnSunday);
  if (request.interval !== null && intervals.length > MOST_POINTS) {
    const message = `${bucket} points from ${from} to ${to} are ${intervals.length}; expected at most ${MOST_POINTS}`;
    throw refused('invalid_parameter', 'interval', message);
  }
  const unavailableReason = whyUnavailable(row, aggregation, request.known, request.scope);
  return { request, row, aggregation, bucket, intervals, key: keyOf(request, aggregation), unavailableReason };
}

const queryOf = ({ request, row, aggregation, bucket, intervals }: Prepared) => ({
  row,
  aggregation,
  range: request.range,
  bucket,
  intervals,
  statistic: request.statistic,
});

/** Null where nothing is known. */
const withhold = (prepared: Prepared): Shown => ({
  prepared,
  figures: { series: [], kept: null, unavailableReason: prepared.unavailableReason },
});

/** Whether the split by team was not asked for. */
const isTeamChosen = ({ request, aggregation }: Prepared): boolean =>
  request.aggregation === null && aggregation === 'team';

const hasData = ({ values }: NamedSeries): boolean => values.some((value) => value !== undefined);

const sumOf = (values: NamedSeries['values']): number | null => {
  const known = values.filter((value) => value !== null && value !== undefined);
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0);
};

/** A sum over days that were looked at and had nothing is 0, not unknown: its points say so. */
const totalOfNothing = ({ combine }: SegmentRow, points: readonly Point[]): number | null =>
  combine === 'sum' && points.some(({ y }) => y !== null) ? 0 : null;

const isTooSmall = ({ settings, contributorCount }: ReportRequest): boolean =>
  settings.small_group_floor > 1 && contributorCount < settings.small_group_floor;

function reachOf({ request: { segment, scope, known }, row }: Prepared): ReportReach {
  const { allFrom } = importedDays(row, known);
  return {
    ...(allFrom === null ? {} : { commits_complete_from: allFrom }),
    ...(ignoresProvider(segment, scope) ? { ineffective_parameters: ['ai_provider'] } : {}),
  };
}

function warningsOf({ request, row, aggregation, bucket }: Prepared, unavailableReason: string | null): string[] {
  const warnings: string[] = [];
  if (unavailableReason !== null) warnings.push(`this statistic has no figures: ${unavailableReason}`);
  const { allFrom } = importedDays(row, request.known);
  if (unavailableReason === null && allFrom !== null && request.range.from < allFrom) {
    const what = needsCommits(row) ? 'them' : 'the releases of their tags';
    warnings.push(`commits before ${allFrom} are not all imported: earlier points lack ${what}`);
  }
  if (unavailableReason === null) warnings.push(...unfinishedWork(request.segment, request.known));
  if (isTooSmall(request)) {
    warnings.push(
      `the report covers ${request.contributorCount} contributors, fewer than the ${request.settings.small_group_floor} that this entity asks for; its figures are withheld`,
    );
  }
  if (request.projectsLast && !isProjectable(row)) {
    warnings.push(`project_final_point has no effect: ${request.segment} is not a sum`);
  }
  const hasOtherWeeks = bucket === 'weekly' && request.scope.weekStartsOnSunday;
  if (hasOtherWeeks && isByIsoWeek(row, aggregation)) {
    warnings.push(
      'this statistic counts people by weeks from Monday to Sunday: each point is of the week that begins a day later',
    );
  }
  return [...warnings, ...ineffectiveScope(request.segment, request.scope)];
}

const isByIsoWeek = (row: SegmentRow, aggregation: Aggregation): boolean =>
  planSegment(row, aggregation, 'weekly').questions.some(({ question }) => question.bucket === 'iso week');

/** What stands for the series where nothing gives them names: their dates can be filled. */
function emptySeries({ title, bands, split }: SegmentRow, intervals: readonly Interval[]): NamedSeries[] {
  const empty = { group: '', values: intervals.map(() => undefined), divisors: intervals.map(() => null), audits: [] };
  if (bands === undefined || split !== undefined) return [{ ...empty, name: title, split: '' }];
  return Object.keys(bands).map((name) => ({ ...empty, name, split: name }));
}

function keyOf(
  { segment, scope, range, interval, statistic, settings, dataState, known }: ReportRequest,
  aggregation: Aggregation,
): string | null {
  const { clock, now, daysOff, ...plain } = scope;
  const today = clock.dateOf(now.getTime());
  if (dependsOnNow(SEGMENTS[segment]) && range.to >= today) return null;
  const data = [dataState, [...known.kinds], known.commits, known.releases, known.unseenPeople];
  const asked = [aggregation, range, interval, statistic];
  return JSON.stringify([segment, data, today, asked, plain, [...daysOff], settings]);
}
