// What a report answers, alone or as one of several.
import { z } from 'zod';
import { AGGREGATIONS, INTERVALS, SEGMENT_IDS } from '../../domain/segments.ts';
import { missing } from './missing.ts';

const point = z.object({
  url: z.string().describe('Lists the records behind the point; of one kind, where it counts several.'),
  page_url: z.string().describe('Page of the dashboard that shows the point with its records.'),
  x: z.string().describe('Label of the interval.'),
  y: z.number().nullable(),
  start_date: z.string(),
  end_date: z.string(),
  projected: z.literal(true).optional().describe('The value is scaled to the whole interval.'),
  has_ai_evidence: z
    .literal(false)
    .optional()
    .describe(
      'In statistics that rest on evidence of AI: code was changed, nothing says who wrote it, and no evidence lies both before and after within the dates of the report. The 0 is unknown.',
    ),
});

const card = z.object({
  key: z.string(),
  title: z.string(),
  unit: z.string(),
  value_precision: z.int(),
  value: z.number().nullable(),
  weekday_count: z.int().describe('Weekdays of the range that have come, without holidays.'),
  value_per_weekday: z.number().nullable().describe('Only of sums.'),
  previous_value: z.number().nullable().describe('The same over the period of equal length before.'),
  previous_value_per_weekday: z.number().nullable(),
  percent_change: z.number().nullable(),
  detail: z.string().describe('A sentence for people.'),
  unavailable_reason: z.string().optional().describe('Why there is no value, as for the report.'),
  low: z.number().nullable().optional().describe('On cards of figures that rest on evidence of AI: what is sure.'),
  high: z.number().nullable().optional().describe('The same, counting all lines of commits with evidence.'),
  by_source: z
    .record(z.string(), z.number())
    .optional()
    .describe('On the card ai_coverage: percent of changed lines credited to AI, by source of the evidence.'),
});

export const REPORT_FIELDS = {
  context: z.object({
    entity: z.string(),
    organization: z.string().optional(),
    repo: z.string().optional(),
    team: z.string().optional(),
    contributors: z
      .object({ covered: z.int(), total: z.int() })
      .describe(
        'How many of the contributors asked for the points cover: those whom the caller may see, and all where people do not narrow the statistic. Of repos and organizations, those with commits in them are asked for.',
      ),
    range: z.object({ start_date: z.string(), end_date: z.string() }),
    data: z
      .object({ version: z.string(), first_on: z.string().nullable(), last_on: z.string().nullable() })
      .describe('State of the entity’s data, and the days of its first and last commit.'),
    withheld: z
      .object({ floor: z.int(), contributors: z.int() })
      .optional()
      .describe('Figures of fewer people than the setting small_group_floor asks for are not shown.'),
    commits_complete_from: z
      .string()
      .optional()
      .describe(
        'In statistics of commits, and of releases where tags make them: commits before this day are not all imported for the scope.',
      ),
    ineffective_parameters: z
      .array(z.literal('ai_provider'))
      .optional()
      .describe('Filters that were asked for and that this statistic does not take: its figures are of all.'),
    ai_range: z
      .object({ low: z.number().nullable(), high: z.number().nullable() })
      .optional()
      .describe(
        'Between which figures one lies that rests on evidence of AI, over all dates of the report: counting only what is sure (exact records, and commits of AI agents), and counting all lines of commits with evidence.',
      ),
    has_ai_evidence: z
      .boolean()
      .optional()
      .describe(
        'With `ai_range`: false where no changed line in the dates of the report has evidence of who wrote it. Figures of 0 then mean that it is unknown.',
      ),
    lines_left_out: z
      .object({
        total: z.int().describe('Changed lines that the statistic does not count.'),
        lines: z.int().describe('The same as `total`.'),
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
    copies_left_out: z
      .object({
        commits: z.int().describe('Commits whose work another commit holds, so that it counts once.'),
        by_reason: z
          .record(z.string(), z.int())
          .describe('`rebase_copy`, `cherry_pick_copy` or `squash_source` → commits.'),
      })
      .optional()
      .describe('In statistics of commits: copies that are left out, over all dates of the report.'),
    developers_of_no_team: z
      .object({
        developers: z.int().describe('Those with commits in the range who were in no team then.'),
        total: z.int().describe('All with commits in the range.'),
      })
      .optional()
      .describe('In statistics of commits, split by team: whose work is in no series, because they are in no team.'),
    commits_not_read: z
      .int()
      .optional()
      .describe(
        'In statistics of what commits changed: commits that count and whose lines, or some of them, are missing in the repository. The figures lack them.',
      ),
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
        is_rest: z
          .literal(true)
          .optional()
          .describe(
            'What had no room, or was too small to be shown, in one series. A team of its name is another one.',
          ),
        contributors: z
          .object({ covered: z.int(), total: z.int() })
          .optional()
          .describe(
            'Split by team, where the caller may see only some of a team: how many of how many the series covers.',
          ),
        has_ai_evidence: z
          .literal(false)
          .optional()
          .describe('As at points, for all dates of the report: a total of 0 is unknown.'),
      }),
    )
    .describe('In the order in which they are shown.'),
  unit: z.string(),
  value_precision: z.int().describe('Decimals to show.'),
  unavailable_reason: z
    .string()
    .optional()
    .describe(
      'Why all points are null: the entity has no data of a kind that the statistic needs, its days are before everything that is imported, or the caller may see nobody whom it covers.',
    ),
  missing: z.array(missing).optional().describe('Kinds of data that the statistic lacks.'),
  calculated_summary_stats: z.array(card).optional(),
};
