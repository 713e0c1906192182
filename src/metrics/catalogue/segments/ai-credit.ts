// Work in commits that is credited to AI, by evidence or by what tools reported for that day.
import { SURVIVAL_DAYS, SURVIVAL_GROUPS, type SurvivalDays, type SurvivalGroup } from '../../../domain/ai/survival.ts';
import { CHURN_WINDOW } from '../../../domain/commits/line-model.ts';
import { linesFollowed, linesStanding, type MeasureName } from '../measures.ts';
import { BY, type SegmentRow } from '../segment-row.ts';

const credited = { combine: 'sum', split: 'model', by: BY.credit, needs: ['commits'], isAboutAi: true } as const;
const percent = { unit: '%', precision: 1, times: 100, combine: 'ratio', needs: ['commits'], isAboutAi: true } as const;

const SURVIVAL_GROUP_NAMES = Object.keys(SURVIVAL_GROUPS) as SurvivalGroup[];
/** One series for each kind of evidence and age: "AI by record, 14 days". */
const bandsOfSurvival = (
  measure: (group: SurvivalGroup, days: SurvivalDays) => MeasureName,
): Record<string, MeasureName> =>
  Object.fromEntries(
    SURVIVAL_GROUP_NAMES.flatMap((group) =>
      SURVIVAL_DAYS.map((days) => [`${SURVIVAL_GROUPS[group].label}, ${days} days`, measure(group, days)]),
    ),
  );

export const AI_CREDIT_SEGMENTS = {
  ai_code_line_percent: {
    ...percent,
    title: 'AI share of changed lines',
    description:
      'Changed lines credited to AI as a share of all changed lines. Lines without evidence are in the total, not credited.',
    value: ['ai_lines', 'ai_lines_by_usage'],
    range: { low: { value: 'ai_lines_sure' }, high: { value: ['ai_lines_at_most', 'ai_lines_by_usage'] } },
    of: 'lines_changed',
    by: BY.code,
    higher_is_better: null,
    companion: 'churn_line_percent',
  },
  ai_commit_rate: {
    ...percent,
    title: 'AI share of commits',
    description:
      'Counted commits with any evidence of AI, whatever files they touch, as a share of all counted commits.',
    value: 'commits_with_evidence',
    range: { low: { value: 'commits_with_sure_evidence' }, high: { value: 'commits_with_evidence' } },
    of: 'commits',
    by: BY.code,
    higher_is_better: null,
    companion: 'churn_line_percent',
  },
  commit_ai_lines_committed_count: {
    ...credited,
    title: 'AI lines committed',
    description: 'Changed lines in commits that are credited to AI, by model.',
    unit: 'lines',
    precision: 0,
    value: ['ai_lines', 'ai_lines_by_usage'],
    range: { low: { value: 'ai_lines_sure' }, high: { value: ['ai_lines_at_most', 'ai_lines_by_usage'] } },
    higher_is_better: null,
    companion: 'churn_line_percent',
  },
  commit_ai_lines_added_count: {
    ...credited,
    title: 'AI lines added in commits',
    description: 'Added and copied lines in commits that are credited to AI, by model.',
    unit: 'lines',
    precision: 0,
    value: ['ai_lines_added', 'ai_lines_added_by_usage'],
    range: {
      low: { value: 'ai_lines_added_sure' },
      high: { value: ['ai_lines_added_at_most', 'ai_lines_added_by_usage'] },
    },
    higher_is_better: null,
    companion: 'duplicate_line_count_per_mil',
  },
  commit_ai_lines_deleted_count: {
    ...credited,
    title: 'AI lines deleted in commits',
    description: 'Deleted lines in commits that are credited to AI, by model.',
    unit: 'lines',
    precision: 0,
    value: ['ai_lines_deleted', 'ai_lines_deleted_by_usage'],
    range: {
      low: { value: 'ai_lines_deleted_sure' },
      high: { value: ['ai_lines_deleted_at_most', 'ai_lines_deleted_by_usage'] },
    },
    higher_is_better: null,
    companion: 'commit_ai_lines_added_count',
  },
  commit_count_with_ai_lines: {
    title: 'Commits with AI',
    description: 'Counted commits with any evidence of AI, whatever files they touch.',
    unit: 'commits',
    precision: 0,
    value: 'commits_with_evidence',
    range: { low: { value: 'commits_with_sure_evidence' }, high: { value: 'commits_with_evidence' } },
    combine: 'sum',
    by: BY.credit,
    needs: ['commits'],
    isAboutAi: true,
    higher_is_better: null,
    companion: 'churn_line_percent',
  },
  delta_from_llms: {
    ...credited,
    title: 'Diff Delta from AI',
    description: 'Diff Delta credited to AI, by model.',
    unit: 'Diff Delta',
    precision: 0,
    value: ['ai_delta', 'ai_delta_by_usage'],
    range: { low: { value: 'ai_delta_sure' }, high: { value: ['ai_delta_at_most', 'ai_delta_by_usage'] } },
    higher_is_better: null,
    companion: 'ai_defect_rate',
  },
  delta_per_ai_dollar: {
    title: 'Diff Delta per AI dollar',
    description: 'Diff Delta credited to AI for each dollar spent on AI tools.',
    unit: 'Diff Delta per dollar',
    precision: 1,
    value: ['ai_delta', 'ai_delta_by_usage'],
    range: { low: { value: 'ai_delta_sure' }, high: { value: ['ai_delta_at_most', 'ai_delta_by_usage'] } },
    of: 'ai_cost_dollars',
    combine: 'ratio',
    by: BY.usage,
    needs: ['commits', 'ai_usage'],
    isAboutAi: true,
    higher_is_better: true,
    companion: 'ai_defect_rate',
  },
  ai_churn_line_percent: {
    ...percent,
    title: 'Churn of AI lines',
    description: `Lines credited to AI that were rewritten or deleted within ${CHURN_WINDOW}, as a share of the lines credited to AI by evidence; at the day on which they were.`,
    value: 'ai_lines_churned',
    of: 'ai_lines',
    by: BY.credit,
    higher_is_better: false,
    companion: 'churn_line_percent',
  },
  ai_evidence_coverage_percent: {
    ...percent,
    title: 'Evidence coverage',
    description:
      'Changed lines of commits with evidence of who wrote them, as a share of all changed lines. The rest is unknown: it is not the work of people alone.',
    value: 'lines_with_evidence',
    of: 'lines_changed',
    by: BY.code,
    higher_is_better: null,
    companion: 'ai_code_line_percent',
  },
  line_survival_percent: {
    ...percent,
    title: 'Lines that last',
    description: `Lines written in the interval that stand after ${SURVIVAL_DAYS.join(', ')} days, of those that were followed so long, by the evidence of AI in their commit. A line that is deleted or rewritten is gone; one that is moved lives on.`,
    bands: bandsOfSurvival(linesStanding),
    ofBands: bandsOfSurvival(linesFollowed),
    combine: 'ratio by series',
    by: BY.code,
    higher_is_better: null,
    companion: 'ai_evidence_coverage_percent',
  },
} as const satisfies Record<string, SegmentRow>;
