// Whether lines last: curves by evidence of AI, and the triangle of cohorts.
import { z } from 'zod';
import { SURVIVAL_ORIGINS } from '../../operations/ai/line-survival.ts';
import { endpoint } from '../endpoint.ts';
import { p } from '../params/index.ts';
import { r } from '../returns.ts';

const points = z.array(
  z.object({
    age_days: z.int(),
    at_risk: z.number().describe('Lines that were followed so long and still stood.'),
    died: z.number().describe('Of those, deleted or rewritten at this age.'),
    survival_percent: z
      .number()
      .nullable()
      .describe('Kaplan–Meier; null where no line was followed so long, and 0 from the death of the last one on.'),
  }),
);

export const survivalCurve = z.object({ origin: z.enum(SURVIVAL_ORIGINS), lines: z.number(), points });

export const readLineSurvival = endpoint({
  route: 'GET /line_survival',
  action: 'action_get_resource',
  group: 'AI usage',
  summary: 'Whether lines last, by evidence of AI',
  description:
    'Of the lines written in a range of days: which share still stands after 3, 7, 14, 21 and 90 days, by the evidence of AI ' +
    'in the commit that wrote them. A line that is deleted or rewritten dies. One that is moved lives on; ' +
    'one that stands on the last day that was processed is followed no further.',
  access: { resource: 'manager' },
  params: {
    resource_path: p.resourcePaths().optional().describe('The token’s entity when it is left out.'),
    days_ago: p.integer({ min: 1, max: 36_500 }).optional().describe('Days up to today; 365 when no range is given.'),
    start_date: p.date().optional().describe('First day on which the lines were written.'),
    end_date: p.date().optional().describe('Last day; today when absent.'),
  },
  returns: r.object({
    written_from: z.string(),
    written_to: z.string(),
    followed_to: z.string().nullable().describe('Last day that was processed.'),
    curves: z.array(survivalCurve),
    cohorts: z
      .array(z.object({ written_in: z.string(), lines: z.number(), points }))
      .describe('By the month of writing.'),
    caveats: z.array(z.string()),
  }),
  fails: ['not_found'],
  run: ({ params, grant, ops }) => ops.lineSurvival.read(grant, params),
});
