// The records behind one point: the plan of its statistic with one row per record instead of one per cell.
// What the records contribute, put together by the statistic's combination word, is the point again.
import type { Store } from '../storage/database/handle.ts';
import { type AnyFact, type AuditType, FACTS } from './catalogue/facts.ts';
import { type AnyMeasure, MEASURES, type MeasureName } from './catalogue/measures.ts';
import { type Part, planSegment } from './compile/plan-segment.ts';
import { FOLDED } from './compile/source.ts';
import { lengthOf } from './compute-series.ts';
import { addDays, type Interval, weekOf, weeksOf } from './intervals.ts';
import { readLabels } from './read-labels.ts';
import { type CellRow, runQuery } from './run-query.ts';
import type { Kept, NamedSeries, ReportQuery } from './run-report.ts';
import type { Scope } from './scope.ts';

export interface ExplainedRecord {
  /** Whether it is counted, or what the count is divided by. */
  readonly part: Part;
  readonly measure: MeasureName;
  readonly record_type: AuditType;
  readonly record_id: number;
  /** In the statistic's unit, before it is divided. */
  readonly contribution: number;
  /** What is counted once however many records have it, for statistics of different members. */
  readonly members?: readonly string[];
}

export async function explainPoint(
  store: Store,
  query: ReportQuery,
  scope: Scope,
  point: { readonly series: NamedSeries; readonly kept: Kept | null; readonly interval: Interval },
): Promise<ExplainedRecord[]> {
  const { series, kept, interval } = point;
  // A group or split that was kept may have no series of its own: what is folded is asked for as the report did.
  const plan = planSegment(
    query.row,
    query.aggregation,
    query.bucket,
    { groups: kept?.groups !== undefined, splits: kept?.splits !== undefined },
    'records',
  );
  // With what is folded, so that a category called Other is told from it.
  const splitsShown = [series.split, ...(kept?.splits === undefined ? [] : [FOLDED])];
  const splitLabel = await readLabels(store, scope.entityId, query.row.split ?? null, splitsShown, false);
  const records: ExplainedRecord[] = [];
  for (const { part, band, question } of plan.questions) {
    if (band !== null && band !== series.split) continue;
    const measure: AnyMeasure = MEASURES[question.measure];
    const fact: AnyFact = FACTS[measure.fact];
    const weeks = new Set(weeksOf(interval));
    const range =
      question.bucket === 'iso week'
        ? { from: weekOf(interval.start), to: addDays(weekOf(interval.end), 6) }
        : { from: interval.start, to: interval.end };
    const rows = await runQuery(store, question, scope, {
      range,
      intervals: [interval],
      keptGroups: kept?.groups ?? [],
      keptSplits: kept?.splits ?? [],
    });
    for (const row of rows) {
      if (row.grp !== series.group) continue;
      if (question.split !== null && splitLabel(row.split) !== splitLabel(series.split)) continue;
      if (question.bucket === 'iso week' && !weeks.has(row.bucket)) continue;
      const contribution = contributionOf(row, measure, interval, scope);
      // What adds nothing to a sum is not behind it: of the commits of a day, those that updated no line.
      if (query.row.combine === 'sum' && contribution === 0 && row.members === undefined) continue;
      records.push({
        part,
        measure: question.measure,
        record_type: row.record_type ?? fact.audit,
        record_id: row.record_id!,
        contribution,
        ...(row.members === undefined ? {} : { members: row.members }),
      });
    }
  }
  return records;
}

function contributionOf(row: CellRow, measure: AnyMeasure, interval: Interval, scope: Scope): number {
  if (row.begins_ms === undefined || row.ends_ms === undefined) return (row.value ?? 0) / (measure.scale ?? 1);
  if (measure.clipped !== true) return lengthOf(measure, row.begins_ms, row.ends_ms, scope);
  const from = scope.clock.startOf(interval.start);
  const to = scope.clock.startOf(addDays(interval.end, 1));
  return lengthOf(measure, Math.max(row.begins_ms, from), Math.min(row.ends_ms, to), scope);
}
