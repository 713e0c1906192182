// Section 13 of the specification: what each statistic means, how it can be split, and whether the entity
// has the data for it.
import { z } from 'zod';
import { DISPLAY_NAMES } from '../../domain/display-names.ts';
import { AGGREGATIONS, DATA_KINDS, SEGMENT_ALIASES, SEGMENT_IDS } from '../../domain/segments.ts';
import { describeMissing } from '../../operations/reports/missing-data.ts';
import { endpoint } from '../endpoint.ts';
import { p } from '../params/index.ts';
import { r } from '../returns.ts';
import { missing } from './missing.ts';

const PAGES = ['code', 'work', 'reviews', 'delivery', 'ai'] as const;

/** Subject of the catalogue → what it is called, and its page. */
const CATEGORIES: Readonly<Record<string, { readonly title: string; readonly page: (typeof PAGES)[number] }>> = {
  code: { title: 'Code', page: 'code' },
  commits: { title: 'Commits and people', page: 'work' },
  issues: { title: 'Issues and sprints', page: 'work' },
  pull_requests: { title: 'Pull requests', page: 'reviews' },
  delivery: { title: 'Releases and defects', page: 'delivery' },
  ai_credit: { title: 'Work credited to AI', page: 'ai' },
  ai_usage: { title: 'Use of AI tools', page: 'ai' },
  ai_cohorts: { title: 'Work by use of AI', page: 'ai' },
};
const OTHER = { title: 'Other', page: 'code' } as const;

const segment = z.object({
  segment_em: z.enum(SEGMENT_IDS),
  title: z.string(),
  description: z.string(),
  category: z.string(),
  category_title: z.string(),
  page: z.enum(PAGES).describe('Page of the dashboard that it belongs to.'),
  is_addition: z.boolean().describe('Beyond the statistics of the specification.'),
  unit: z.string(),
  value_precision: z.int(),
  is_multi_series: z.boolean(),
  series: z.array(z.string()).describe('Names of the series, or what there is one of each for.'),
  aggregation_options: z.array(z.enum(AGGREGATIONS)),
  default_aggregation: z.enum(AGGREGATIONS),
  interval_combination: z.string().describe('How the items of an interval become its value.'),
  divided_by: z.string().nullable().describe('What values are divided by; null where nothing is divided.'),
  higher_is_better: z.boolean().nullable(),
  companion_segment_em: z.enum(SEGMENT_IDS).describe('The statistic to read beside it.'),
  projectable: z.boolean(),
  has_time_statistics: z.boolean().describe('Whether time_statistic offers more than the mean.'),
  data_requirements: z.array(z.enum(DATA_KINDS)),
  is_available: z.boolean(),
  unavailable_reason: z.string().optional(),
  missing: z.array(missing).describe('Kinds of data that it lacks.'),
});

const names = Object.fromEntries(
  Object.keys(DISPLAY_NAMES).map((kind) => [kind, z.record(z.string(), z.string())]),
) as Record<keyof typeof DISPLAY_NAMES, z.ZodRecord<z.ZodString, z.ZodString>>;

export const introspectSegments = endpoint({
  route: 'GET /segment_introspections',
  action: 'action_get_resource',
  group: 'Segment introspection',
  summary: 'What the statistics of reports mean',
  access: 'token',
  params: {
    segment_em: p.oneOf(SEGMENT_IDS, SEGMENT_ALIASES).optional().describe('One statistic; all when absent.').ourName(),
    resource_path: p
      .resourcePath('entity')
      .optional()
      .describe('Whose data decides about availability; the token’s entity when absent.')
      .ourName(),
  },
  returns: r.envelope({
    segments: z.array(segment),
    display_names: z.object(names).describe('Kind of value → wire value → words for people.'),
  }),
  fails: ['not_found'],
  revalidates: true,
  async run({ params, caller, ops }) {
    const entity = params.resource_path?.entity ?? caller.entity_slug;
    const grant = await ops.access.enterEntity(caller, entity, 'member');
    const found = await ops.reports.introspect(grant, params.segment_em ?? null);
    const segments = found.map((each) => ({
      ...each,
      category_title: (CATEGORIES[each.category] ?? OTHER).title,
      page: (CATEGORIES[each.category] ?? OTHER).page,
      missing: each.missing.map(describeMissing),
      series: [...each.series],
      aggregation_options: [...each.aggregation_options],
      data_requirements: [...each.data_requirements],
    }));
    const lacking = segments.filter(({ is_available }) => !is_available).length;
    const what = segments.length === 1 ? '1 statistic' : `${segments.length} statistics`;
    return {
      response_detail: `${what}, ${lacking} without the data they need`,
      segments,
      display_names: DISPLAY_NAMES,
    };
  },
});
