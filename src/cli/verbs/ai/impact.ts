// `strata ai impact`: the whole picture of AI in an entity, as lines for people or as JSON.
import { counted } from '../../../kit/text/counted.ts';
import { OPERATOR } from '../../../operations/access/actor.ts';
import type { AiImpact, SideFigures } from '../../../operations/ai/ai-impact.ts';
import { JSON_OPTION, optionText, type Verb } from '../../verb.ts';

export const aiImpact: Verb = {
  name: 'ai impact',
  summary:
    'What AI wrote, whether it lasts, what it costs, and people before and after; with what limits the conclusions.',
  options: [
    { flags: '--entity <slug>', description: 'Entity it is about.', required: true },
    { flags: '--start <date>', description: 'First day; a year ago when absent.' },
    { flags: '--end <date>', description: 'Last day; today when absent.' },
    JSON_OPTION,
  ],
  configuration: 'store',
  isReadOnly: true,
  run: (call) =>
    call.parts.withOperations(call.flags, async ({ access, aiImpact: impacts }) => {
      const grant = await access.enterEntity(OPERATOR, optionText(call, 'entity')!, 'manager');
      const impact = await impacts.read(grant, {
        start_date: optionText(call, 'start'),
        end_date: optionText(call, 'end'),
      });
      for (const line of call.options.json ? [JSON.stringify(impact, null, 2)] : impactLines(impact)) call.out(line);
    }),
};

const shown = (value: number | null): string => (value === null ? '–' : String(value));

const SIDES = {
  commit_count: 'commits',
  diff_delta: 'Diff Delta',
  churn_line_percent: 'churn %',
  copy_paste_percent: 'copied %',
  moved_percent: 'moved %',
  duplicate_line_count_per_mil: 'duplicates per 1,000',
  old_code_percent: 'old code %',
} as const satisfies Partial<Record<keyof SideFigures, string>>;

function impactLines({
  start_date,
  end_date,
  figures,
  evidence,
  survival,
  cost,
  adoption,
  caveats,
}: AiImpact): string[] {
  const { before, after } = adoption;
  return [
    `AI from ${start_date} to ${end_date}`,
    ...caveats.map((caveat) => `  ! ${caveat}`),
    '',
    ...figures
      .filter(({ value }) => value !== null)
      .map(({ segment_em, value, unit, low, high }) => {
        const range = low === null && high === null ? '' : ` (${shown(low)} to ${shown(high)})`;
        return `  ${segment_em.padEnd(32)} ${shown(value)} ${unit}${range}`;
      }),
    '',
    ...evidence.map(({ evidence: name, lines, percent }) => `  ${name.padEnd(32)} ${lines} lines, ${shown(percent)} %`),
    '',
    ...survival.map(({ origin, points }) => {
      const ages = points.map(({ age_days, survival_percent }) => `${age_days} d ${shown(survival_percent)} %`);
      return `  lines of ${origin.padEnd(23)} ${ages.join(', ')}`;
    }),
    `  ${'cost'.padEnd(32)} ${shown(cost.metered_cents)} cents metered, ${shown(cost.seat_cents)} cents of seats`,
    ...(before === null || after === null
      ? []
      : [
          '',
          `  ${counted(adoption.compared, 'person', 'people')}, ${adoption.weeks} weeks before and after`,
          ...(Object.keys(SIDES) as (keyof typeof SIDES)[]).map(
            (name) => `  ${SIDES[name].padEnd(32)} ${shown(before[name])} → ${shown(after[name])}`,
          ),
        ]),
  ];
}
