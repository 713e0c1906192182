// A report: asks the plan's questions, folds what is too much into Other, and gives named series.
import type { Aggregation, IntervalName, TimeStatistic } from '../domain/segments.ts';
import type { Store } from '../storage/database/handle.ts';
import { type AnyMeasure, MEASURES } from './catalogue/measures.ts';
import type { SegmentRow } from './catalogue/segment-row.ts';
import { bundleQuestions, type Fold, type Plan, planSegment } from './compile/plan-segment.ts';
import { type Dimension, FOLDED, type Question } from './compile/source.ts';
import { type Answer, computeSeries, orderOf, type Series } from './compute-series.ts';
import { addDays, type DateRange, type Interval, weekOf } from './intervals.ts';
import { OTHER, readLabels } from './read-labels.ts';
import { type Frame, MOMENT_BYTES, runQuery } from './run-query.ts';
import type { Scope } from './scope.ts';

export interface ReportQuery {
  readonly row: SegmentRow;
  readonly aggregation: Aggregation;
  readonly range: DateRange;
  readonly bucket: IntervalName | 'whole';
  readonly intervals: readonly Interval[];
  readonly statistic: TimeStatistic;
  /** Groups and splits that may be shown on their own; null: all. */
  readonly shownGroups?: ReadonlySet<string> | null;
  readonly shownSplits?: ReadonlySet<string> | null;
  /** What keeps series of its own, where that is chosen already; null: everything does. */
  readonly kept?: Kept | null;
}

export interface NamedSeries {
  readonly name: string;
  /** What the database calls the group and the split; for asking after the records. */
  readonly group: string;
  readonly split: string;
  readonly values: readonly (number | null | undefined)[];
  readonly divisors: readonly (number | null)[];
  readonly audits: Series['audits'];
}

const MOST_SERIES = 20;
/** A rest of one alone takes no less room under the name Other than under its own. */
const MOST_WITH_REST = MOST_SERIES + 1;

export interface FoldedReport {
  readonly series: readonly NamedSeries[];
  /** What was not folded, also where it has no series; null: everything. */
  readonly kept: Kept | null;
}

export const runReport = async (store: Store, query: ReportQuery, scope: Scope): Promise<readonly NamedSeries[]> =>
  (await runFolded(store, query, scope)).series;

export async function runFolded(store: Store, query: ReportQuery, scope: Scope): Promise<FoldedReport> {
  let plan = planSegment(query.row, query.aggregation, query.bucket);
  let answers = await readAnswers(store, plan, query, scope, {});
  const kept = query.kept === undefined ? chooseKept(plan, answers, query) : query.kept;
  // What is only added up is folded here; what is counted once, however many groups have it, is asked anew.
  if (kept !== null && plan.questions.every(({ question }) => isAdded(question, kept))) {
    answers = foldAnswers(answers, kept);
  } else if (kept !== null) {
    const fold: Fold = { groups: kept.groups !== undefined, splits: kept.splits !== undefined };
    plan = planSegment(query.row, query.aggregation, query.bucket, fold);
    answers = await readAnswers(store, plan, query, scope, {
      ...(kept.groups === undefined ? {} : { keptGroups: kept.groups }),
      ...(kept.splits === undefined ? {} : { keptSplits: kept.splits }),
    });
  }
  return { series: await nameSeries(store, query, plan, answers, scope), kept };
}

/** Whether what is folded adds up: nothing is counted once, or people are, who are never in two of what is folded. */
function isAdded({ measure, group, split }: Question, kept: Kept): boolean {
  const { distinct }: AnyMeasure = MEASURES[measure];
  if (distinct === undefined) return true;
  const folded = [...(kept.groups === undefined ? [] : [group]), ...(kept.splits === undefined ? [] : [split])];
  return distinct.includes('person') && folded.every((dimension) => dimension === 'committer');
}

function foldAnswers(answers: readonly Answer[], kept: Kept): Answer[] {
  const groups = kept.groups === undefined ? null : new Set(kept.groups);
  const splits = kept.splits === undefined ? null : new Set(kept.splits);
  return answers.map(({ planned, rows }) => ({
    planned,
    rows: rows.map((row) => ({
      ...row,
      grp: groups === null || groups.has(row.grp) ? row.grp : FOLDED,
      split: splits === null || planned.question.split === null || splits.has(row.split) ? row.split : FOLDED,
    })),
  }));
}

async function readAnswers(
  store: Store,
  plan: Plan,
  query: ReportQuery,
  scope: Scope,
  kept: Pick<Frame, 'keptGroups' | 'keptSplits'>,
): Promise<Answer[]> {
  const bundles = await Promise.all(
    bundleQuestions(plan.questions).map(async (bundle): Promise<Answer[]> => {
      const [first, ...others] = bundle;
      const { question } = first!;
      // A week counts whole, also where the range begins or ends in the middle of it.
      const range =
        question.bucket === 'iso week'
          ? { from: weekOf(query.range.from), to: addDays(weekOf(query.range.to), 6) }
          : query.range;
      const also = others.map((planned) => planned.question.measure);
      const rows = await runQuery(store, question, scope, { range, intervals: query.intervals, ...kept }, also);
      return bundle.map((planned, index) => ({
        planned,
        rows: index === 0 ? rows : rows.map((row) => ({ ...row, value: row[`value_${index}`] ?? null })),
      }));
    }),
  );
  return bundles.flat();
}

export interface Kept {
  readonly groups?: readonly string[];
  readonly splits?: readonly string[];
}

const countMoments = (moments: Buffer | undefined): number => (moments?.length ?? MOMENT_BYTES) / MOMENT_BYTES;

/**
 * Which groups and splits keep series of their own, largest first; null when all can. A group has as many series as it has
 * splits of its own: five people with a model each are five series, not twenty-five.
 */
function chooseKept(
  plan: Plan,
  answers: readonly Answer[],
  { shownGroups = null, shownSplits = null }: Pick<ReportQuery, 'shownGroups' | 'shownSplits'>,
): Kept | null {
  const groups = new Map<string, number>();
  const splits = new Map<string, number>();
  /** By group, the names of its series. */
  const series = new Map<string, Set<string>>();
  for (const { planned, rows } of answers) {
    const isValue = planned.part === 'value';
    const isSplit = isValue && planned.band === null && planned.question.split !== null;
    for (const { grp, split, value, ends } of rows) {
      const size = isValue ? (value === undefined ? countMoments(ends) : (value ?? 0)) : 0;
      groups.set(grp, (groups.get(grp) ?? 0) + size);
      if (isSplit) splits.set(split, (splits.get(split) ?? 0) + size);
      if (!isValue) continue;
      const own = series.get(grp) ?? new Set();
      series.set(grp, own.add(isSplit ? split : (planned.band ?? '')));
    }
  }
  const isShown = (group: string): boolean => plan.group === null || shownGroups === null || shownGroups.has(group);
  const hidden = [...groups.keys()].filter((group) => !isShown(group));
  // Equal sizes are equal in whatever order their parts were added up.
  const largest = (entries: readonly (readonly [string, number])[], count: number): string[] =>
    entries
      .map(([name, size]) => [name, Number(size.toPrecision(12))] as const)
      .toSorted(([a, sizeA], [b, sizeB]) => sizeB - sizeA || (a < b ? -1 : 1))
      .slice(0, count)
      .map(([name]) => name);
  const ownSplits = [...splits].filter(([split]) => shownSplits === null || shownSplits.has(split));
  const tooManySplits = splits.size > MOST_WITH_REST || ownSplits.length < splits.size;
  let keptSplits = tooManySplits ? largest(ownSplits, MOST_SERIES) : null;
  const ordered = largest(
    [...groups].filter(([group]) => isShown(group)),
    groups.size,
  );
  const countGroups = (ownNames: readonly string[] | null): number => {
    const namesOf = (group: string): string[] =>
      [...(series.get(group) ?? [''])].map((name) => (ownNames === null || ownNames.includes(name) ? name : FOLDED));
    const seriesOf = ordered.map((group) => new Set(namesOf(group)).size);
    return countKept(seriesOf, restSeries(ordered.map(namesOf), hidden.flatMap(namesOf)));
  };
  let count = countGroups(keptSplits);
  // Two repos of many people are not one repo and the rest: where no group fits with all of its splits, these are folded.
  for (let most = Math.min(splits.size, MOST_SERIES) - 1; count === 0 && ordered.length > 0 && most > 0; most--) {
    const fewer = largest(ownSplits, most);
    if (countGroups(fewer) < ordered.length) continue;
    keptSplits = fewer;
    count = ordered.length;
  }
  const keptGroups = ordered.slice(0, Math.max(1, count));
  const tooManyGroups = plan.group !== null && keptGroups.length < groups.size;
  if (!tooManyGroups && keptSplits === null) return null;
  return {
    ...(tooManyGroups ? { groups: keptGroups } : {}),
    ...(keptSplits === null ? {} : { splits: keptSplits }),
  };
}

/** By place, how many series the groups from there on have together with those that are never shown; and at the end these alone. */
function restSeries(names: readonly (readonly string[])[], hidden: readonly string[]): number[] {
  const rest = new Set(hidden);
  const sizes = names.toReversed().map((own) => {
    for (const name of own) rest.add(name);
    return rest.size;
  });
  return [...sizes.toReversed(), new Set(hidden).size];
}

/** How many groups fit with all of their series, and beside them those of the rest. */
function countKept(seriesOf: readonly number[], rest: readonly number[]): number {
  let kept = 0;
  let used = 0;
  for (const [place, own] of seriesOf.entries()) {
    used += own;
    if (used + (rest[place + 1] ?? 0) <= MOST_WITH_REST) kept = place + 1;
  }
  return kept;
}

/**
 * Tools report the activity of one model and the cost of another. A model of which nothing is said has no series beside others; where
 * there is no other, its series say that nothing is known.
 */
function withoutUnknown(series: readonly Series[], { combine, split }: SegmentRow): readonly Series[] {
  if (combine !== 'sum' || split === undefined) return series;
  const known = series.filter(({ values }) => !values.includes(null) || values.some((value) => value != null));
  return known.length === 0 ? series : known;
}

async function nameSeries(
  store: Store,
  query: ReportQuery,
  plan: Plan,
  answers: readonly Answer[],
  scope: Scope,
): Promise<NamedSeries[]> {
  const split: Dimension | null = query.row.split ?? null;
  const groups = new Set<string>();
  const splits = new Set<string>();
  for (const { rows } of answers) {
    for (const row of rows) {
      groups.add(row.grp);
      splits.add(row.split);
    }
  }
  const [groupLabel, splitLabel] = await Promise.all([
    readLabels(store, scope.entityId, plan.group, groups, query.aggregation === 'repo_path'),
    readLabels(store, scope.entityId, split, splits, false),
  ]);
  const splitOfLabel = new Map([...splits].map((value) => [splitLabel(value), value]));
  const series = computeSeries(plan, answers, query.intervals, scope, query.statistic, (_, value) => splitLabel(value));
  const size = ({ values }: Series): number => values.reduce<number>((sum, value) => sum + Math.abs(value ?? 0), 0);
  return withoutUnknown(series, query.row)
    .toSorted(
      (a, b) =>
        Number(a.group === FOLDED || a.name === OTHER) - Number(b.group === FOLDED || b.name === OTHER) ||
        orderOf(plan, a.name) - orderOf(plan, b.name) ||
        size(b) - size(a) ||
        (a.group + a.name < b.group + b.name ? -1 : 1),
    )
    .map(({ group, name, values, divisors, audits }) => {
      const groupName = plan.group === null ? '' : groupLabel(group);
      return {
        name: [groupName, name].filter((part) => part !== '').join(' - ') || query.row.title,
        group,
        split:
          query.row.bands !== undefined && Object.hasOwn(query.row.bands, name)
            ? name
            : (splitOfLabel.get(name) ?? name),
        values,
        divisors,
        audits,
      };
    });
}
