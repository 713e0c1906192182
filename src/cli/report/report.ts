// `strata report SEGMENT`: a statistic as a chart in the terminal, a table, JSON or CSV.
import { LLM_PROVIDER_IDS } from '../../domain/ai/providers.ts';
import { ACCEPTED_DATES, isAcceptedDate } from '../../domain/calendar/accepted-dates.ts';
import { StrataError } from '../../domain/errors.ts';
import { formatResourcePath, parseResourcePaths } from '../../domain/resource-path.ts';
import {
  AGGREGATIONS,
  INTERVAL_CHOICES,
  SEGMENT_ALIASES,
  SEGMENT_IDS,
  type SegmentId,
  TIME_STATISTICS,
} from '../../domain/segments.ts';
import { nearestName } from '../../kit/text/nearest-name.ts';
import { OPERATOR } from '../../operations/access/actor.ts';
import type { Grant, ReportInput } from '../../operations/index.ts';
import type { OperationsOfReports } from '../../operations/report-operations.ts';
import { isColored, paint, widthOf } from '../terminal/text.ts';
import { DEFAULT_ENTITY, optionText, type Verb, type VerbCall } from '../verb.ts';
import { chartLines, csvLines, headingLines, type ReportView, tableText } from './views.ts';

const FORMATS = ['chart', 'table', 'json', 'csv'] as const;
/** Reports reach over a hundred years at most. */
const MOST_DAYS = 36_500;

export const report: Verb = {
  name: 'report',
  summary: 'Show a statistic over time: as a chart, a table, JSON or CSV.',
  arguments: [
    { name: '[segment]', description: 'The statistic, such as commit_count (default: none, all Diff Delta).' },
  ],
  options: [
    { flags: '--resource-path <path>', description: `Entity, organization or repo (default: ${DEFAULT_ENTITY}).` },
    { flags: '--days <number>', description: 'Days up to today (default: 90).' },
    { flags: '--start <date>', description: 'First day, YYYY-MM-DD.' },
    { flags: '--end <date>', description: 'Last day, YYYY-MM-DD.' },
    { flags: '--by <what>', description: `One series for each: ${AGGREGATIONS.join(', ')}.` },
    { flags: '--team <slug>', description: 'Only this team.' },
    { flags: '--committer <who>', description: 'Only these people, with commas: user names or e-mail addresses.' },
    { flags: '--ai-provider <name>', description: 'Only what this provider did, in statistics about AI.' },
    { flags: '--time-statistic <which>', description: `For statistics of times: ${TIME_STATISTICS.join(', ')}.` },
    { flags: '--interval <length>', description: `${INTERVAL_CHOICES.join(', ')} (default: auto).` },
    { flags: '--format <format>', description: `${FORMATS.join(', ')} (default: chart).` },
  ],
  configuration: 'store',
  isReadOnly: true,
  run: async (call) => {
    const format = oneOf('--format', optionText(call, 'format') ?? 'chart', FORMATS);
    const input = readInput(call, format);
    const paths = parseResourcePaths(optionText(call, 'resourcePath') ?? DEFAULT_ENTITY);
    await call.parts.withReports(call.flags, async (operations) => {
      const grant = await operations.access.enter(OPERATOR, paths, 'member');
      const answer = await operations.reports.run(grant, input);
      for (const warning of answer.warnings) call.err(`strata: ${warning}`);
      if (format === 'json') call.out(JSON.stringify(answer, null, 2));
      else if (format === 'csv') for (const line of csvLines(answer.series_segments)) call.out(line);
      else {
        const [info] = await operations.reports.introspect(grant, answer.segment_em);
        if (info === undefined) throw new Error(`there is no description of ${answer.segment_em}`);
        const view: ReportView = {
          title: info.title,
          description: info.description,
          unit: answer.unit,
          precision: answer.value_precision,
          scope: paths.map(formatResourcePath).join(', '),
          interval: answer.interval_em,
          range: answer.range,
          contributors: answer.context.contributors,
          isSum: info.interval_combination === 'sum',
          series: answer.series_segments,
          width: widthOf(process.stdout),
        };
        const colours = paint(isColored(process.stdout));
        for (const line of headingLines(view, colours)) call.out(line);
        call.out('');
        if (answer.unavailable_reason !== undefined) {
          call.out(`There are no figures: ${answer.unavailable_reason}.`);
        } else if (!Object.values(view.series).some((points) => points.some(({ y }) => y !== null && y !== 0))) {
          call.out(`There is no data in this range. ${await newestData(operations, grant, input)}`);
        } else if (format === 'table') call.out(tableText(view));
        else for (const line of chartLines(view, colours)) call.out(line);
      }
    });
  },
};

function readInput(call: VerbCall, format: (typeof FORMATS)[number]): ReportInput {
  const days = optionText(call, 'days');
  if (days !== undefined && (!/^[1-9]\d{0,4}$/.test(days) || Number(days) > MOST_DAYS)) {
    throw refuse('--days', days, `a whole number from 1 to ${MOST_DAYS}`);
  }
  if (days !== undefined && (call.options.start !== undefined || call.options.end !== undefined)) {
    throw refuse('--days', days, 'either --days, which ends today, or --start and --end');
  }
  const by = optionText(call, 'by');
  const statistic = optionText(call, 'timeStatistic');
  const provider = optionText(call, 'aiProvider');
  const interval = optionText(call, 'interval');
  return {
    segment_by: segmentOf(call.args[0] ?? 'none'),
    days_ago: days === undefined ? undefined : Number(days),
    start_date: dateOf('--start', optionText(call, 'start')),
    end_date: dateOf('--end', optionText(call, 'end')),
    aggregate_by: by === undefined ? undefined : oneOf('--by', by, AGGREGATIONS),
    team_slug: optionText(call, 'team'),
    committer_user_name: optionText(call, 'committer')?.split(','),
    ai_provider: provider === undefined ? undefined : oneOf('--ai-provider', provider, LLM_PROVIDER_IDS),
    interval: interval === undefined ? undefined : oneOf('--interval', interval, INTERVAL_CHOICES),
    time_statistic: statistic === undefined ? undefined : oneOf('--time-statistic', statistic, TIME_STATISTICS),
    fill_all_dates: format !== 'json',
  };
}

/** When there was anything last, and how to see it. */
async function newestData(
  operations: Pick<OperationsOfReports, 'reports'>,
  grant: Grant<'member'>,
  input: ReportInput,
): Promise<string> {
  const { series_segments } = await operations.reports.run(grant, {
    ...input,
    days_ago: undefined,
    start_date: '1970-01-01',
    end_date: undefined,
    fill_all_dates: false,
    suppress_aggregation: true,
    aggregate_by: undefined,
  });
  const points = Object.values(series_segments).flatMap((each) => each.filter(({ y }) => y !== null && y !== 0));
  const last = points.toSorted((a, b) => (a.end_date < b.end_date ? -1 : 1)).at(-1);
  return last === undefined ? 'There is none at any time.' : `The newest is of ${last.x}: try --end ${last.end_date}.`;
}

const refuse = (flag: string, text: string, accepted: string): StrataError =>
  new StrataError('invalid_parameter', `${flag}: ${JSON.stringify(text)} is not accepted; expected ${accepted}`);

function segmentOf(text: string): SegmentId {
  const found = SEGMENT_IDS.find((segment) => segment === text);
  if (found !== undefined) return found;
  if (Object.hasOwn(SEGMENT_ALIASES, text)) return SEGMENT_ALIASES[text as keyof typeof SEGMENT_ALIASES];
  const near = nearestName(text, [...SEGMENT_IDS, ...Object.keys(SEGMENT_ALIASES)]);
  const nearest =
    near !== null && Object.hasOwn(SEGMENT_ALIASES, near)
      ? SEGMENT_ALIASES[near as keyof typeof SEGMENT_ALIASES]
      : near;
  const hint = nearest === null ? 'accepted' : `did you mean ${nearest}? Accepted`;
  // The list is long: what was meant comes first.
  const message = `segment: ${JSON.stringify(text)} is not accepted; ${hint} are ${SEGMENT_IDS.join(', ')}`;
  throw new StrataError('invalid_parameter', message);
}

function oneOf<T extends string>(flag: string, text: string, accepted: readonly T[]): T {
  const found = accepted.find((each) => each === text);
  if (found === undefined) throw refuse(flag, text, `one of ${accepted.join(', ')}`);
  return found;
}

function dateOf(flag: string, text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  if (!isAcceptedDate(text, new Date())) throw refuse(flag, text, `a date ${ACCEPTED_DATES} as YYYY-MM-DD`);
  return text;
}
