// Row + aggregation → the questions to ask: what is counted, what it is divided by, and how.
import type { Aggregation } from '../../domain/segments.ts';
import { type AnyMeasure, MEASURES, type MeasureName } from '../catalogue/measures.ts';
import type { SegmentRow } from '../catalogue/segment-row.ts';
import type { Bucket, Dimension, Question } from './source.ts';

/** What a question's answer is for. */
export type Part = 'value' | 'of' | 'members';

export interface PlannedQuestion {
  readonly part: Part;
  /** Name of the band it belongs to. */
  readonly band: string | null;
  readonly question: Question;
}

export interface Plan {
  readonly row: SegmentRow;
  readonly group: Dimension | null;
  readonly questions: readonly PlannedQuestion[];
}

const DIMENSIONS: Record<Aggregation, Dimension | null> = {
  none: null,
  ai_cohort: 'ai_cohort',
  ai_provider: 'provider',
  committer: 'committer',
  repo: 'repo',
  repo_path: 'repo',
  team: 'team',
};

export const namesOf = (value: MeasureName | readonly MeasureName[] | undefined): readonly MeasureName[] =>
  value === undefined ? [] : typeof value === 'string' ? [value] : value;

export interface Fold {
  readonly groups: boolean;
  readonly splits: boolean;
}

export function planSegment(
  row: SegmentRow,
  aggregation: Aggregation,
  bucket: Bucket,
  fold: Fold = { groups: false, splits: false },
  wants: Question['wants'] = 'cells',
): Plan {
  const group = DIMENSIONS[aggregation];
  const ask = (part: Part, measure: MeasureName, band: string | null, split: Dimension | null): PlannedQuestion => ({
    part,
    band,
    question: {
      measure,
      bucket: row.per === 'active week' || part === 'members' ? 'iso week' : bucket,
      group,
      split,
      foldsGroups: fold.groups && group !== null,
      foldsSplits: fold.splits && split !== null,
      wants,
      by: isPerPerson(row, aggregation) ? 'people' : null,
    },
  });
  const questions = [
    ...namesOf(row.value).map((name) => ask('value', name, null, row.split ?? null)),
    ...Object.entries(row.bands ?? {}).flatMap(([band, names]) =>
      namesOf(names).map((name) => ask('value', name, band, null)),
    ),
    ...namesOf(row.of).map((name) => ask('of', name, null, null)),
    ...Object.entries(row.ofBands ?? {}).map(([band, name]) => ask('of', name, band, null)),
    ...(row.per === 'cohort member' ? [ask('members', 'active_committer_weeks', null, row.split ?? null)] : []),
  ];
  return { row, group, questions };
}

const countsPeople = (name: MeasureName): boolean => {
  const measure: AnyMeasure = MEASURES[name];
  return measure.distinct?.includes('person') === true;
};

/**
 * Whether it holds work against people, by ratio or by cohort: the work of AI agents that nobody is known to have
 * directed is then left out above the line as below it.
 */
export const isPerPerson = (row: SegmentRow, aggregation: Aggregation): boolean =>
  aggregation === 'ai_cohort' ||
  row.split === 'ai_cohort' ||
  row.per === 'cohort member' ||
  namesOf(row.of).some(countsPeople);

/** Whether its points change without any new data. */
export const dependsOnNow = (row: SegmentRow): boolean =>
  [...namesOf(row.value), ...Object.values(row.bands ?? {}).flatMap(namesOf), ...namesOf(row.of)].some((name) => {
    const measure: AnyMeasure = MEASURES[name];
    return measure.during !== undefined || measure.clipped === true;
  });

/** Questions that one statement can answer: the same rows and groups, with different columns summed. */
export function bundleQuestions(questions: readonly PlannedQuestion[]): PlannedQuestion[][] {
  const bundles = new Map<string, PlannedQuestion[]>();
  for (const [index, planned] of questions.entries()) {
    const { measure: name, ...rest } = planned.question;
    const { sum, count, scale: _, ...measure }: AnyMeasure = MEASURES[name];
    const isAdded = sum !== undefined || count !== undefined;
    const key = isAdded ? JSON.stringify([rest, measure]) : `alone ${index}`;
    bundles.set(key, [...(bundles.get(key) ?? []), planned]);
  }
  return [...bundles.values()];
}
