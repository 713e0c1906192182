// The records behind one point of a report: the statistic's own plan without the aggregation, as records of
// one kind with what each contributes; on request also those that were left out, with the reason.
import type { AuditType } from '../../domain/audit-types.ts';
import type { Aggregation, IntervalChoice, SegmentId, TimeStatistic } from '../../domain/segments.ts';
import type { ExplainedRecord } from '../../metrics/explain-point.ts';
import { listExclusions } from '../../storage/audits/exclusions.ts';
import type { AuditQuery } from '../../storage/audits/list-audit-keys.ts';
import type { Database } from '../../storage/database/handle.ts';
import type { Grant } from '../access/grant.ts';
import type { ReportOperations } from '../reports/reports.ts';

/** Which point: what the report was asked for, the name of its series, and the point's first and last day. */
export interface PointInput {
  readonly segment_by: SegmentId;
  readonly series?: string | undefined;
  readonly aggregate_by?: Aggregation | undefined;
  readonly ai_provider?: string | undefined;
  readonly default_branch_only?: boolean | undefined;
  readonly time_statistic?: TimeStatistic | undefined;
  readonly interval?: IntervalChoice | undefined;
  readonly report_start_date?: string | undefined;
  readonly report_end_date?: string | undefined;
  readonly start_date: string;
  readonly end_date: string;
  readonly team_slug?: string | undefined;
  readonly committer_identifier?: string | undefined;
  readonly committer_user_name?: readonly string[] | undefined;
  readonly include_excluded: boolean;
}

export interface Contribution {
  /** `value` is counted; the others are what the count is divided by. */
  readonly part: ExplainedRecord['part'];
  readonly measure: string;
  readonly contribution: number;
  readonly members?: readonly string[];
}

export interface RecordExplanation {
  /** Of the count, before anything is divided; 0 for what only divides, and for what was left out. */
  readonly contribution: number;
  readonly contributions: readonly Contribution[];
  readonly excluded_because?: string;
}

export interface PointExplanation {
  readonly segment_em: SegmentId;
  readonly series: string;
  readonly unit: string;
  readonly combination: string;
  readonly times: number;
  /** What the count is divided by; null where nothing is divided. */
  readonly divisor: { readonly name: string; readonly total: number | null } | null;
  /** Why the report has no figures, and so its point no records. */
  readonly unavailable_reason?: string;
  readonly start_date: string;
  readonly end_date: string;
  /** Sums over all pages; where members are counted, each once. */
  readonly parts: {
    readonly part: ExplainedRecord['part'];
    readonly measure: string;
    readonly resource_type: AuditType;
    readonly record_count: number;
    readonly total: number;
  }[];
}

export interface ExplainedKeys {
  readonly explanation: PointExplanation;
  readonly byId: ReadonlyMap<number, RecordExplanation>;
  readonly warnings: readonly string[];
}

export async function explainKeys(
  reports: Pick<ReportOperations, 'explain'>,
  grant: Grant<'member'>,
  point: PointInput,
  type: AuditType,
): Promise<ExplainedKeys> {
  const { report_start_date, report_end_date, start_date, end_date, include_excluded: _, series, ...asked } = point;
  const report = {
    ...asked,
    start_date: report_start_date ?? start_date,
    end_date: report_end_date ?? end_date,
  };
  const days = { from: start_date, to: end_date };
  const { records, unavailableReason, ...explained } = await reports.explain(grant, report, { series, days });
  const types: AuditType[] = [...new Set(records.map((record) => record.record_type))];
  const warnings = unavailableReason === null ? [] : [`this statistic has no figures: ${unavailableReason}`];
  if (records.length > 0 && !types.includes(type)) {
    warnings.push(`resource_type: the point is not made of ${type}; ask for ${types.join(' or ')}`);
  }
  return {
    explanation: {
      segment_em: point.segment_by,
      ...explained,
      ...(unavailableReason === null ? {} : { unavailable_reason: unavailableReason }),
      start_date,
      end_date,
      parts: sumParts(records),
    },
    byId: explanationsOf(records.filter((record) => record.record_type === type)),
    warnings,
  };
}

function explanationsOf(records: readonly ExplainedRecord[]): Map<number, RecordExplanation> {
  const byId = new Map<number, RecordExplanation>();
  for (const { record_id, record_type: _, ...contribution } of records) {
    const known = byId.get(record_id);
    const counted = contribution.part === 'value' ? contribution.contribution : 0;
    byId.set(record_id, {
      contribution: (known?.contribution ?? 0) + counted,
      contributions: [...(known?.contributions ?? []), contribution],
    });
  }
  return byId;
}

function sumParts(records: readonly ExplainedRecord[]): PointExplanation['parts'] {
  const parts = new Map<
    string,
    { ids: Set<number>; total: number; members: Set<string> | null; of: ExplainedRecord }
  >();
  for (const record of records) {
    const key = JSON.stringify([record.part, record.measure, record.record_type]);
    let sum = parts.get(key);
    if (sum === undefined) {
      sum = { ids: new Set(), total: 0, members: record.members === undefined ? null : new Set(), of: record };
      parts.set(key, sum);
    }
    sum.ids.add(record.record_id);
    sum.total += record.contribution;
    for (const member of record.members ?? []) sum.members?.add(member);
  }
  return [...parts.values()].map(({ ids, total, members, of }) => ({
    part: of.part,
    measure: of.measure,
    resource_type: of.record_type,
    record_count: ids.size,
    total: members === null ? total : members.size,
  }));
}

/** Records of the kind, in the scope and on the days of the point, that it does not count. */
export async function addExcluded(db: Database, query: AuditQuery, explained: ExplainedKeys): Promise<ExplainedKeys> {
  const byId = new Map(explained.byId);
  for (const { id, reason } of await listExclusions(db, query)) {
    if (!byId.has(id)) byId.set(id, { contribution: 0, contributions: [], excluded_because: reason });
  }
  return { ...explained, byId };
}
