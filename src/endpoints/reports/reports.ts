// Section 12 of the specification: chart data over time.
import { z } from 'zod';
import { LLM_PROVIDER_ALIASES, LLM_PROVIDER_IDS } from '../../domain/ai/providers.ts';
import {
  AGGREGATIONS,
  INTERVAL_CHOICES,
  INTERVALS,
  SEGMENT_ALIASES,
  SEGMENT_IDS,
  TIME_STATISTICS,
} from '../../domain/segments.ts';
import { endpoint } from '../endpoint.ts';
import { p } from '../params/index.ts';
import { recordsToCsv } from '../records-to-csv.ts';
import { r } from '../returns.ts';
import { TextAnswer } from '../text-answer.ts';
import { missing } from './missing.ts';

const point = z.object({
  url: z.string().describe('Lists the records behind the point.'),
  page_url: z.string().describe('Page of the dashboard that shows the point with its records.'),
  x: z.string().describe('Label of the interval.'),
  y: z.number().nullable(),
  start_date: z.string(),
  end_date: z.string(),
  projected: z.literal(true).optional().describe('The value is scaled to the whole interval.'),
});

const card = z.object({
  key: z.string(),
  title: z.string(),
  unit: z.string(),
  value_precision: z.int(),
  value: z.number().nullable(),
  weekday_count: z.int().describe('Weekdays of the range without holidays.'),
  value_per_weekday: z.number().nullable().describe('Only of sums.'),
  previous_value: z.number().nullable().describe('The same over the period of equal length before.'),
  previous_value_per_weekday: z.number().nullable(),
  percent_change: z.number().nullable(),
  detail: z.string().describe('A sentence for people.'),
  unavailable_reason: z.string().optional().describe('Why there is no value: what the figure needs is missing.'),
  low: z.number().nullable().optional().describe('On cards of figures that rest on evidence of AI: what is sure.'),
  high: z.number().nullable().optional().describe('The same, counting all lines of commits with evidence.'),
  by_source: z
    .record(z.string(), z.number())
    .optional()
    .describe('On the card ai_coverage: percent of changed lines credited to AI, by source of the evidence.'),
});

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
    resource_path: p.resourcePaths().describe('Whose work: an entity, organizations or repos of it.'),
    segment_by: p.oneOf(SEGMENT_IDS, SEGMENT_ALIASES).default('none').describe('The statistic.'),
    team_slug: p.string().optional().describe('Only the work of this team.'),
    aggregate_by: p
      .oneOf(AGGREGATIONS)
      .optional()
      .describe('One series for each; chosen by whether several teams or repos are in scope when absent.')
      .ourName(),
    ai_provider: p
      .oneOf(LLM_PROVIDER_IDS, LLM_PROVIDER_ALIASES)
      .optional()
      .alias('ai_usage_provider_em')
      .describe('Only what this provider did, in statistics about AI.')
      .ourName(),
    default_branch_only: p
      .boolean()
      .default(false)
      .describe('Of commits only those that the default branch of their repo leads to.')
      .ourName(),
    committer_identifier: p
      .string()
      .optional()
      .alias('committer')
      .describe('Only this person: user name, host id or e-mail address.')
      .ourName(),
    committer_user_name: p
      .strings()
      .optional()
      .alias('committer_user_names', 'contributor_user_names')
      .describe('Only these people.')
      .ourName(),
    days_ago: p
      .integer({ min: 1, max: 36_500 })
      .optional()
      .describe('Days up to today; 90 when no range is given.')
      .ourName(),
    start_date: p.date().optional().alias('beginning_date').describe('First day, in the entity’s zone.').ourName(),
    end_date: p.date().optional().alias('ending_date').describe('Last day; today when absent.').ourName(),
    generate_summary_stats: p.boolean().default(false).describe('Adds calculated_summary_stats.').ourName(),
    fill_all_dates: p.boolean().default(false).describe('Also points without data, as 0 or null.').ourName(),
    project_final_point: p
      .boolean()
      .default(false)
      .describe('Scales the last interval to its whole length, for statistics that are sums.')
      .ourName(),
    suppress_aggregation: p.boolean().default(false).describe('The same as aggregate_by=none.').ourName(),
    time_statistic: p.oneOf(TIME_STATISTICS).default('mean').describe('For statistics of times.').ourName(),
    interval: p
      .oneOf(INTERVAL_CHOICES)
      .default('auto')
      .describe('Length of an interval; at most 400 points. By the length of the range when absent.')
      .ourName(),
    format: p.oneOf(['json', 'csv']).default('json').describe('CSV has a row for each point.').ourName(),
  },
  returns: r.object({
    context: z.object({
      entity: z.string(),
      organization: z.string().optional(),
      repo: z.string().optional(),
      team: z.string().optional(),
      contributors: z
        .object({ covered: z.int(), total: z.int() })
        .describe('How many of the contributors asked for the caller may see.'),
      range: z.object({ start_date: z.string(), end_date: z.string() }),
      data: z
        .object({ version: z.string(), first_on: z.string().nullable(), last_on: z.string().nullable() })
        .describe('State of the entity’s data, and the days of its first and last commit.'),
      withheld: z
        .object({ floor: z.int(), contributors: z.int() })
        .optional()
        .describe('Figures of fewer people than the setting small_group_floor asks for are not shown.'),
      ai_range: z
        .object({ low: z.number().nullable(), high: z.number().nullable() })
        .optional()
        .describe(
          'Between which figures one lies that rests on evidence of AI, over all dates of the report: counting only what is sure (exact records, and commits of AI agents), and counting all lines of commits with evidence.',
        ),
      lines_left_out: z
        .object({
          lines: z.int().describe('Changed lines that the statistic does not count.'),
          percent: z.number().describe('Of the changed lines of all files.'),
          by_category: z.record(z.string(), z.int()).describe('Category of the files → lines left out.'),
        })
        .optional()
        .describe(
          'In statistics of lines: what is left out because of the kind of file it is in, over all dates of the report. The setting `line_statistics_categories` says which kinds count.',
        ),
      agent_work_left_out: z
        .object({ commits: z.int(), diff_delta: z.number() })
        .optional()
        .describe('Work of AI agents that no person is known to have directed, in statistics that count by people.'),
      usage_sources: z
        .record(z.string(), z.number())
        .optional()
        .describe(
          'In statistics of AI usage: the figure over all dates, before it is divided, by the source that was chosen for each person, day and provider: `submitted`, `import`, `provider_api`, `otlp`.',
        ),
    }),
    aggregated_by: z.enum(AGGREGATIONS),
    interval_em: z.enum(INTERVALS),
    segment_em: z.enum(SEGMENT_IDS),
    series_segments: z.record(z.string(), z.array(point)).describe('Name of a series → its points.'),
    series: z
      .array(
        z.object({
          name: z.string().describe('As in series_segments.'),
          title: z.string().describe('For people.'),
          total: z.number().nullable().describe('Over the whole range; of ratios and times worked out anew.'),
          unit: z.string(),
        }),
      )
      .describe('In the order in which they are shown.'),
    unit: z.string(),
    value_precision: z.int().describe('Decimals to show.'),
    unavailable_reason: z
      .string()
      .optional()
      .describe('Why all points are null: the entity has no data of a kind that the statistic needs.'),
    missing: z.array(missing).optional().describe('Kinds of data that the statistic lacks.'),
    calculated_summary_stats: z.array(card).optional(),
  }),
  fails: ['not_found', 'unprocessable'],
  revalidates: true,
  textAnswer: { contentType: 'text/csv', fileName: 'Name of the file; only with format=csv.', facts: {} },
  async run({ params: { format, ...params }, grant, ops, warn }) {
    const { warnings, range, ...report } = await ops.reports.run(grant, params);
    for (const warning of warnings) warn(warning);
    if (format === 'json') return report;
    const rows = report.series.flatMap(({ name, title, unit }) =>
      (report.series_segments[name] ?? []).map(({ start_date, end_date, x, y }) => ({
        series: title,
        start_date,
        end_date,
        x,
        y,
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
