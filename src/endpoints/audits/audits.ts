// Section 8 of the specification: the raw records behind reports.
import { z } from 'zod';
import { AUDIT_TYPES, ISSUE_PROVIDERS, PULL_REQUEST_PHASES } from '../../domain/audit-types.ts';
import { StrataError } from '../../domain/errors.ts';
import {
  AGGREGATIONS,
  INTERVAL_CHOICES,
  SEGMENT_ALIASES,
  SEGMENT_IDS,
  TIME_STATISTICS,
} from '../../domain/segments.ts';
import type { PointInput } from '../../operations/audits/index.ts';
import { endpoint } from '../endpoint.ts';
import { p } from '../params/index.ts';
import { recordsToCsv } from '../records-to-csv.ts';
import { r } from '../returns.ts';
import { TextAnswer } from '../text-answer.ts';
import { AUDIT_RECORDS, EXPLAINED, explanation } from './records.ts';

const date = () => p.date().optional();

const listOf = <S extends z.ZodRawShape>(record: z.ZodObject<S>) => z.array(record.extend(EXPLAINED)).optional();

const lists = {
  commits: listOf(AUDIT_RECORDS.commits),
  committers: listOf(AUDIT_RECORDS.committers),
  issues: listOf(AUDIT_RECORDS.issues),
  pull_requests: listOf(AUDIT_RECORDS.pull_requests),
  teams: listOf(AUDIT_RECORDS.teams),
  tags: listOf(AUDIT_RECORDS.tags),
  releases: listOf(AUDIT_RECORDS.releases),
  critical_defects: listOf(AUDIT_RECORDS.critical_defects),
  ai_usages: listOf(AUDIT_RECORDS.ai_usages),
  reviews: listOf(AUDIT_RECORDS.reviews),
  comments: listOf(AUDIT_RECORDS.comments),
  sprints: listOf(AUDIT_RECORDS.sprints),
} satisfies Record<keyof typeof AUDIT_RECORDS, z.ZodType>;

const POINT = 'Explains a point of a report: ';

export const listAudits = endpoint({
  route: 'GET /audits',
  action: 'action_audit_list',
  group: 'Data audits',
  summary: 'List the records behind reports',
  description:
    'The array is named after the type. Filters combine; one that the type does not have is refused, and the answer ' +
    'says which types have it. Newest first, and always in the same order. Lists need an admin; the records behind a ' +
    'point of a report are for everybody who sees the report, as far as its figures reach.',
  access: { resource: 'admin', lower: { given: 'segment_by', resource: 'member' } },
  params: {
    resource_path: p.resourcePaths().describe('Whose records; an organization or a repo narrows the list.'),
    resource_type: p
      .oneOf(AUDIT_TYPES)
      .describe('Beside the six kinds of the specification, those that points of reports are made of.'),
    team_slug: p.string().optional().describe('Of developers who were in the team at the time.'),
    committer_identifier: p
      .string()
      .optional()
      .alias('committer')
      .ourName()
      .describe('User name, code-host id or e-mail address: author, assignee, reviewer or deployer.'),
    committer_user_name: p
      .strings()
      .optional()
      .alias('committer_user_names', 'contributor_user_names')
      .ourName()
      .describe('One of these developers.'),
    start_date: date()
      .alias('beginning_date')
      .ourName()
      .describe('By authorship of commits, opening of pull requests and issues, last commit of committers.'),
    end_date: date().alias('ending_date').ourName().describe('Inclusive; today when only the start is given.'),
    days_ago: p.integer({ min: 1, max: 36_500 }).optional().ourName().describe('Instead of dates.'),
    resolved_start_date: date().ourName().describe('Pull requests closed, issues resolved, on or after the day.'),
    resolved_end_date: date().describe('The same, on or before the day.'),
    critical_defects_only: p.boolean().optional().ourName().describe('Only issues that are critical defects.'),
    issue_key: p
      .string()
      .optional()
      .alias('issue_number')
      .ourName()
      .describe('`PROJ-1234`, or `1234` for that number in any project.'),
    issue_provider_em: p.oneOf(ISSUE_PROVIDERS, { jira: 'tracker_a', github: 'hostC' }).optional().ourName(),
    issue_status: p.string().optional().ourName().describe('As the tracker names it, in any case.'),
    tag_name_contains: p.string().optional().alias('tag').ourName().describe('Part of a tag’s name, in any case.'),
    pull_request_number: p.integer({ min: 1 }).optional().alias('number').ourName(),
    sha: p.shaPrefix().optional().ourName(),
    phase_em: p
      .oneOf(PULL_REQUEST_PHASES)
      .optional()
      .alias('pull_request_phase')
      .ourName()
      .describe('Stale: open, and nothing happened for ten business days.'),
    segment_by: p
      .oneOf(SEGMENT_IDS, SEGMENT_ALIASES)
      .optional()
      .ourName()
      .describe(`${POINT}its statistic. A point’s url has all that is needed, its days as start_date and end_date.`),
    series: p.string({ max: 1000 }).optional().ourName().describe(`${POINT}its series; the only one when absent.`),
    aggregate_by: p.oneOf(AGGREGATIONS).optional().ourName().describe(`${POINT}as in the report.`),
    ai_provider: p.string().optional().ourName().describe(`${POINT}as in the report.`),
    default_branch_only: p.boolean().optional().ourName().describe(`${POINT}as in the report.`),
    time_statistic: p.oneOf(TIME_STATISTICS).optional().ourName().describe(`${POINT}as in the report.`),
    interval: p.oneOf(INTERVAL_CHOICES).optional().ourName().describe(`${POINT}as in the report.`),
    report_start_date: date().ourName().describe(`${POINT}first day of the report; that of the point when absent.`),
    report_end_date: date().ourName().describe(`${POINT}last day of the report.`),
    include_excluded: p
      .boolean()
      .default(false)
      .ourName()
      .describe(`${POINT}also lists records of its scope and days that it does not count, with the reason.`),
    page: p.page(),
    format: p.oneOf(['json', 'csv']).default('json').ourName().describe('CSV has the paging in its headers.'),
  },
  returns: r.object({
    ...lists,
    explanation: explanation.optional(),
    page: z.int().min(1),
    page_count: z.int().min(0),
    per_page: z.int().min(1),
    total_count: z.int().min(0),
  }),
  fails: ['unprocessable', 'missing_conditional_parameter'],
  textAnswer: {
    contentType: 'text/csv',
    fileName: 'Name of the file; only with format=csv, as the others here.',
    facts: {
      page: 'Number of this page.',
      page_count: 'Number of pages.',
      per_page: 'Records of a page.',
      total_count: 'Records in all.',
    },
  },
  async run({ params: { resource_path: _, page, format, ...input }, grant, ops, warn }) {
    const point = readPoint(input);
    const { records, warnings, ...more } = await ops.audits.list(grant, input, page, point);
    for (const warning of warnings) warn(warning);
    if (format === 'json') return { [input.resource_type]: records, ...more };
    const schema = AUDIT_RECORDS[input.resource_type];
    const columns = point === undefined ? schema : z.object({ ...schema.shape, ...EXPLAINED });
    const { page_count, per_page, total_count } = more;
    return new TextAnswer({
      contentType: 'text/csv; charset=utf-8',
      text: recordsToCsv(columns, records),
      fileName: `${input.resource_type}-${page}.csv`,
      facts: { page: more.page, page_count, per_page, total_count },
    });
  },
});

interface PointParams extends Omit<PointInput, 'segment_by' | 'start_date' | 'end_date'> {
  readonly segment_by?: PointInput['segment_by'] | undefined;
  readonly start_date?: string | undefined;
  readonly end_date?: string | undefined;
}

/** Undefined when no point is to be explained. */
function readPoint(params: PointParams): PointInput | undefined {
  const { segment_by, start_date, end_date } = params;
  const ofPoint = [
    'series',
    'aggregate_by',
    'ai_provider',
    'default_branch_only',
    'time_statistic',
    'interval',
    'report_start_date',
    'report_end_date',
  ] as const;
  const needs = (field: string, message: string): StrataError =>
    new StrataError('missing_conditional_parameter', `${field}: ${message}`, { errors: { [field]: [message] } });
  if (segment_by === undefined) {
    const stray = ofPoint.find((name) => params[name] !== undefined);
    if (stray !== undefined || params.include_excluded) {
      throw needs(stray ?? 'include_excluded', 'explains a point of a report, which needs segment_by');
    }
    return undefined;
  }
  if (start_date === undefined) throw needs('start_date', 'is missing; expected the first day of the point');
  if (end_date === undefined) throw needs('end_date', 'is missing; expected the last day of the point');
  return { ...params, segment_by, start_date, end_date };
}
