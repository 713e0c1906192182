// Section 12 of the specification: chart data over time.
import { z } from 'zod';
import { SEGMENT_ALIASES, SEGMENT_IDS } from '../../domain/segments.ts';
import { endpoint } from '../endpoint.ts';
import { p } from '../params/index.ts';
import { recordsToCsv } from '../records-to-csv.ts';
import { r } from '../returns.ts';
import { TextAnswer } from '../text-answer.ts';
import { REPORT_FIELDS } from './report-fields.ts';
import { REPORT_PARAMS } from './report-params.ts';

const CSV_ROW = z.object({
  series: z.string(),
  start_date: z.string(),
  end_date: z.string(),
  x: z.string(),
  y: z.number().nullable(),
  unit: z.string(),
});

export const readReport = endpoint({
  route: 'GET /reports',
  action: 'action_get_resource',
  group: 'Reports',
  summary: 'Chart data of a statistic over time',
  description:
    'One statistic as series of points. GET /segment_introspections tells what each means and how it can be split.',
  access: { resource: 'member' },
  params: {
    ...REPORT_PARAMS,
    segment_by: p.oneOf(SEGMENT_IDS, SEGMENT_ALIASES).default('none').describe('The statistic.'),
    format: p
      .oneOf(['json', 'csv'])
      .default('json')
      .describe('CSV has a row for each point; `y` is empty where it is unknown.')
      .ourName(),
  },
  returns: r.object(REPORT_FIELDS),
  fails: ['not_found', 'unprocessable'],
  revalidates: true,
  textAnswer: { contentType: 'text/csv', fileName: 'Name of the file; only with format=csv.', facts: {} },
  async run({ params: { format, ...params }, grant, ops, warn }) {
    const { warnings, range, ...report } = await ops.reports.run(grant, params);
    for (const warning of warnings) warn(warning);
    if (format === 'json') return report;
    const rows = report.series.flatMap(({ name, title, unit }) =>
      (report.series_segments[name] ?? []).map(({ start_date, end_date, x, y, has_ai_evidence }) => ({
        series: title,
        start_date,
        end_date,
        x,
        // A table has no place for the mark: a 0 that is unknown is left empty.
        y: has_ai_evidence === false ? null : y,
        unit,
      })),
    );
    return new TextAnswer({
      contentType: 'text/csv; charset=utf-8',
      text: recordsToCsv(CSV_ROW, rows),
      fileName: `${report.segment_em}-${range.from}-${range.to}.csv`,
      facts: {},
    });
  },
});
