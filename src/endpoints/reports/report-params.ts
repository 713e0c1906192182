// What a report is asked for besides its statistic.
import { LLM_PROVIDER_ALIASES, LLM_PROVIDER_IDS } from '../../domain/ai/providers.ts';
import { AGGREGATIONS, INTERVAL_CHOICES, TIME_STATISTICS } from '../../domain/segments.ts';
import { p } from '../params/index.ts';

export const REPORT_PARAMS = {
  resource_path: p.resourcePaths().describe('Whose work: an entity, organizations or repos of it.'),
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
};
