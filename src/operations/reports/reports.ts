// Reports: reads what is asked for, has metrics compute it, and writes the answer in wire spelling.
import type { AuditType } from '../../domain/audit-types.ts';
import { seriesTitle } from '../../domain/display-names.ts';
import { formatResourcePath, type ResourcePath } from '../../domain/resource-path.ts';
import type { Aggregation, IntervalName, SegmentId } from '../../domain/segments.ts';
import type { DateRange } from '../../metrics/intervals.ts';
import { describeSegments, type SegmentDescription } from '../../metrics/introspect.ts';
import type { Point } from '../../metrics/points.ts';
import type { ReportRemarks } from '../../metrics/remarks/remark-on.ts';
import { createReports, type ExplainedPoint, type ReportReach, type ReportResult } from '../../metrics/reports.ts';
import type { Card } from '../../metrics/summarize.ts';
import { readDataState } from '../../storage/repos/data-state.ts';
import { listChartedTeams } from '../../storage/teams/teams.ts';
import type { Grant } from '../access/grant.ts';
import type { OperationParts } from '../operation-parts.ts';
import type { ReportInput } from './input.ts';
import { describeMissing, type MissingData } from './missing-data.ts';
import { pointPage } from './point-page.ts';
import { countOwnTeams, createRequestReader, type ReadRequest } from './read-request.ts';

export interface ReportPoint extends Point {
  /** Lists the records behind it. */
  readonly url: string;
  /** The page of the dashboard that shows it. */
  readonly page_url: string;
}

export interface ReportSeriesRecord {
  /** As in series_segments. */
  readonly name: string;
  readonly title: string;
  readonly total: number | null;
  readonly unit: string;
  /** Of what had no room or was too small to be shown. */
  readonly is_rest?: true;
  /** Of a team of which the caller sees only some. */
  readonly contributors?: { readonly covered: number; readonly total: number };
  readonly has_ai_evidence?: false;
}

export interface Report {
  readonly context: {
    readonly entity: string;
    readonly organization?: string;
    readonly repo?: string;
    readonly team?: string;
    readonly contributors: { readonly covered: number; readonly total: number };
    readonly range: { readonly start_date: string; readonly end_date: string };
    readonly data: { readonly version: string; readonly first_on: string | null; readonly last_on: string | null };
    readonly withheld?: { readonly floor: number; readonly contributors: number };
  } & ReportReach &
    ReportRemarks;
  readonly aggregated_by: Aggregation;
  /** What the dates asked for come to, in the entity's zone. */
  readonly range: DateRange;
  readonly interval_em: IntervalName;
  readonly segment_em: SegmentId;
  readonly series_segments: Record<string, ReportPoint[]>;
  /** In the order in which they are shown. */
  readonly series: ReportSeriesRecord[];
  readonly unit: string;
  readonly value_precision: number;
  /** Why there are no figures: what the statistic needs is missing. */
  readonly unavailable_reason?: string;
  readonly missing?: MissingData[];
  readonly calculated_summary_stats?: Card[];
  readonly warnings: readonly string[];
}

export interface ReportOperations {
  run(grant: Grant<'member'>, input: ReportInput): Promise<Report>;
  /** Of each of the statistics, in their order. */
  runSeveral(
    grant: Grant<'member'>,
    input: Omit<ReportInput, 'segment_by'>,
    segments: readonly SegmentId[],
  ): Promise<Report[]>;
  /** The records that a point counts, each with its contribution. */
  explain(grant: Grant<'member'>, input: ReportInput, point: ExplainedPlace): Promise<ExplainedPoint>;
  introspect(grant: Grant<'member'>, segment: SegmentId | null): Promise<SegmentDescription[]>;
}

export interface ExplainedPlace {
  /** The only one when absent. */
  readonly series?: string | undefined;
  readonly days: DateRange;
}

/** Of several reports of one call: the call has one turn among the requests of all entities, so it takes few connections. */
const AT_ONCE = 3;

export function createReportOperations({ store, now, derivation }: OperationParts): ReportOperations {
  const reports = createReports(store);
  const readRequest = createRequestReader({ store, derivation });
  async function run(grant: Grant<'member'>, input: ReportInput): Promise<Report> {
    const read = await readRequest(grant, input, now());
    return reportToRecord(grant, input, read, await reports.report(read.request));
  }
  return {
    run,

    async runSeveral(grant, input, segments) {
      const found = new Map<SegmentId, Report>();
      const waiting = [...new Set(segments)];
      const worker = async (): Promise<void> => {
        for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
          found.set(next, await run(grant, { ...input, segment_by: next }));
        }
      };
      try {
        await Promise.all(Array.from({ length: AT_ONCE }, worker));
      } finally {
        // After a refusal nobody wants the rest.
        waiting.length = 0;
      }
      return segments.map((segment) => found.get(segment)!);
    },

    async explain(grant, input, point) {
      const { request } = await readRequest(grant, input, now());
      return reports.explain(request, point);
    },

    async introspect({ entity }, segment) {
      const [{ repo_count }, teams] = await Promise.all([
        readDataState(store.db, entity.id),
        listChartedTeams(store.db, entity.id, null),
      ]);
      const counts = { teamCount: countOwnTeams(teams), repoCount: repo_count };
      return describeSegments(store, entity.id, segment, counts);
    },
  };
}

function reportToRecord(
  grant: Grant<'member'>,
  input: ReportInput,
  { request, paths, team, contributors: seen, partlySeenTeams, data }: ReadRequest,
  result: ReportResult,
): Report {
  const one = (read: (path: ResourcePath) => string | null): string | null => {
    const names = [...new Set(paths.map(read))];
    return names.length === 1 ? (names[0] ?? null) : null;
  };
  // What nobody's sight narrows covers everybody.
  const isWhole = !result.isOfPeople && result.withheld === null;
  const contributors = isWhole ? { ...seen, covered: seen.total } : seen;
  const ofTeam = (group: string) =>
    result.aggregation === 'team' && result.isOfPeople ? partlySeenTeams.get(group) : undefined;
  const organization = one((path) => path.organization);
  const repo = one((path) => path.repo);
  const addressOf = pointAddress(grant.paths, input, {
    audit: result.audit,
    aggregation: result.aggregation,
    range: request.range,
  });
  const pageOf = pointPage(grant.paths, input, { aggregation: result.aggregation, range: request.range });
  return {
    context: {
      entity: grant.entity.slug,
      ...(organization === null ? {} : { organization }),
      ...(repo === null ? {} : { repo }),
      ...(team === null ? {} : { team }),
      contributors,
      range: { start_date: request.range.from, end_date: request.range.to },
      data,
      ...(result.withheld === null ? {} : { withheld: result.withheld }),
      ...result.reach,
      ...result.remarks,
    },
    aggregated_by: result.aggregation,
    range: request.range,
    interval_em: result.interval,
    segment_em: input.segment_by,
    series_segments: Object.fromEntries(
      result.series.map(({ name, points, audits }) => {
        const address = addressOf(name, audits);
        const page = pageOf(name);
        return [name, points.map((point) => ({ url: address(point), page_url: page(point), ...point }))];
      }),
    ),
    series: result.series.map(({ name, group, isRest, total, isUnknown }) => ({
      name,
      title: seriesTitle(name),
      total,
      unit: result.unit,
      ...(isRest ? { is_rest: true as const } : {}),
      ...(ofTeam(group) === undefined ? {} : { contributors: ofTeam(group)! }),
      ...(isUnknown ? { has_ai_evidence: false as const } : {}),
    })),
    unit: result.unit,
    value_precision: result.precision,
    ...(result.unavailableReason === null ? {} : { unavailable_reason: result.unavailableReason }),
    ...(result.missing.length === 0 ? {} : { missing: result.missing.map(describeMissing) }),
    ...(result.cards === null ? {} : { calculated_summary_stats: [...result.cards] }),
    warnings: result.warnings,
  };
}

/** Series → point → the address that lists the records behind it. */
function pointAddress(
  paths: readonly ResourcePath[],
  input: ReportInput,
  report: { readonly audit: AuditType; readonly aggregation: Aggregation; readonly range: DateRange },
): (series: string, audits: ReadonlyMap<string, AuditType>) => (point: Point) => string {
  const query = new URLSearchParams({
    resource_path: paths.map(formatResourcePath).join(','),
    segment_by: input.segment_by,
    aggregate_by: report.aggregation,
    report_start_date: report.range.from,
    report_end_date: report.range.to,
  });
  if (input.interval !== undefined && input.interval !== 'auto') query.set('interval', input.interval);
  if (input.team_slug !== undefined) query.set('team_slug', input.team_slug);
  if (input.committer_identifier !== undefined) query.set('committer_identifier', input.committer_identifier);
  if (input.committer_user_name !== undefined) query.set('committer_user_name', input.committer_user_name.join(','));
  if (input.ai_provider !== undefined) query.set('ai_provider', input.ai_provider);
  if (input.default_branch_only === true) query.set('default_branch_only', 'true');
  if (input.time_statistic !== undefined && input.time_statistic !== 'mean') {
    query.set('time_statistic', input.time_statistic);
  }
  const common = `${query}`;
  return (series, audits) => {
    const ofSeries = `${common}&${new URLSearchParams({ series })}`;
    return ({ start_date, end_date }) => {
      const type = audits.get(start_date) ?? report.audit;
      return `/api/v1/audits?resource_type=${type}&${ofSeries}&start_date=${start_date}&end_date=${end_date}`;
    };
  };
}
