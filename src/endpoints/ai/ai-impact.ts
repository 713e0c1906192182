// The whole picture of AI in a scope, with what limits the conclusions.
import { z } from 'zod';
import { EVIDENCE_CLASSES, type EvidenceClass } from '../../domain/ai/evidence.ts';
import { IMPACT_SEGMENTS } from '../../operations/ai/ai-impact.ts';
import { endpoint } from '../endpoint.ts';
import { p } from '../params/index.ts';
import { r } from '../returns.ts';
import { survivalCurve } from './line-survival.ts';

const percent = z.number().nullable();
const side = z.object({
  commit_count: z.number(),
  active_weeks: z.number(),
  diff_delta: z.number(),
  lines_changed: z.number(),
  churn_line_percent: percent,
  copy_paste_percent: percent,
  moved_percent: percent,
  duplicate_line_count_per_mil: percent,
  old_code_percent: percent.describe('Changed lines that replaced code of more than a year.'),
});
const EVIDENCE = [...(Object.keys(EVIDENCE_CLASSES) as EvidenceClass[]), 'people_only', 'unknown'] as const;

export const readAiImpact = endpoint({
  route: 'GET /ai_impact',
  action: 'action_get_resource',
  group: 'AI usage',
  summary: 'The whole picture of AI in a scope',
  description:
    'How much is known, what AI wrote and whether it lasts, what it costs, and each person’s own 12 weeks before and after ' +
    'their first sign of AI; with caveats that are made from the same data.',
  access: { resource: 'manager' },
  params: {
    resource_path: p.resourcePaths().optional().describe('The token’s entity when it is left out.'),
    days_ago: p.integer({ min: 1, max: 36_500 }).optional().describe('Days up to today; 365 when no range is given.'),
    start_date: p.date().optional().describe('First day.'),
    end_date: p.date().optional().describe('Last day; today when absent.'),
  },
  returns: r.object({
    start_date: z.string(),
    end_date: z.string(),
    figures: z
      .array(
        z.object({
          segment_em: z.enum(IMPACT_SEGMENTS),
          unit: z.string(),
          value: z
            .number()
            .nullable()
            .describe('Over the whole range, as reports have it; null where there is no data.'),
          low: z.number().nullable(),
          high: z.number().nullable().describe('Between which figures the value lies, where it rests on evidence.'),
          unavailable_reason: z.string().nullable(),
        }),
      )
      .describe('Statistics of reports.'),
    evidence: z
      .array(z.object({ evidence: z.enum(EVIDENCE), lines: z.number(), percent }))
      .describe('Changed lines by the strongest evidence of their commit; they add up to all.'),
    survival: z.array(survivalCurve).describe('As GET /line_survival has it, of lines written in these days.'),
    cost: z.object({
      metered_cents: z.number().nullable(),
      seat_cents: z
        .number()
        .nullable()
        .describe('Seats of these days by the setting ai_seat_prices, apart from metered cost; null without prices.'),
      metered_cents_per_merged_pull_request: z
        .number()
        .nullable()
        .describe('Null for organizations and repos, because usage belongs to none, and where people are hidden.'),
    }),
    seats: z.object({ held: z.int(), of_known_people: z.int(), unused_for_30_days: z.int() }),
    unknown: z
      .object({
        identity_count: z.int(),
        cents_cost: z.number(),
        cost_percent: percent,
        lines_added: z.number(),
        lines_percent: percent,
      })
      .describe('Usage since the first day that counts for the entity and for nobody who is known.'),
    adoption: z.object({
      weeks: z.int().describe('On each side of the first week with a sign of AI, which is the first one after.'),
      adopters: z.int().describe('People whose first sign of AI lies in the range.'),
      compared: z.int().describe('Those with commits on both sides and all weeks behind them.'),
      before: side.nullable(),
      after: side.nullable(),
      people: z
        .array(z.object({ committer_user_name: z.string(), first_week: z.string(), before: side, after: side }))
        .describe('Empty where the entity shows no groups of one.'),
    }),
    caveats: z.array(z.string()),
  }),
  fails: ['not_found'],
  run: ({ params, grant, ops }) => ops.aiImpact.read(grant, params),
});
