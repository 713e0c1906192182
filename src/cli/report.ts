// `strata report SEGMENT`: a statistic as a chart in the terminal, a table, JSON or CSV.
import { StrataError } from '../domain/errors.ts';
import { parseResourcePaths } from '../domain/resource-path.ts';
import { AGGREGATIONS, SEGMENT_ALIASES, SEGMENT_IDS, type SegmentId, TIME_STATISTICS } from '../domain/segments.ts';
import { nearestName } from '../kit/nearest-name.ts';
import { textTable } from '../kit/text-table.ts';
import { OPERATOR } from '../operations/index.ts';
import { bar, paint, plainText } from './terminal-text.ts';
import { optionText, type Verb, type VerbCall } from './verb.ts';

const FORMATS = ['chart', 'table', 'json', 'csv'] as const;
const DEFAULT_ENTITY = 'local';
const BAR_WIDTH = 50;

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
    { flags: '--committer <who>', description: 'Only this person: user name or e-mail address.' },
    { flags: '--time-statistic <which>', description: `For statistics of times: ${TIME_STATISTICS.join(', ')}.` },
    { flags: '--format <format>', description: `${FORMATS.join(', ')} (default: chart).` },
  ],
  configuration: 'store',
  run: (call) =>
    call.parts.withOperations(call.flags, async (operations) => {
      const format = oneOf('--format', optionText(call, 'format') ?? 'chart', FORMATS);
      const days = optionText(call, 'days');
      if (days !== undefined && !/^[1-9]\d{0,4}$/.test(days))
        throw refuse('--days', days, 'a whole number from 1 to 99999');
      const by = optionText(call, 'by');
      const statistic = optionText(call, 'timeStatistic');
      const answer = await operations.reports.run(OPERATOR, {
        resource_path: parseResourcePaths(optionText(call, 'resourcePath') ?? DEFAULT_ENTITY),
        segment_by: segmentOf(call.args[0] ?? 'none'),
        days_ago: days === undefined ? undefined : Number(days),
        start_date: dateOf('--start', optionText(call, 'start')),
        end_date: dateOf('--end', optionText(call, 'end')),
        aggregate_by: by === undefined ? undefined : oneOf('--by', by, AGGREGATIONS),
        team_slug: optionText(call, 'team'),
        committer_identifier: optionText(call, 'committer'),
        time_statistic: statistic === undefined ? undefined : oneOf('--time-statistic', statistic, TIME_STATISTICS),
        fill_all_dates: format !== 'json',
      });
      for (const warning of answer.warnings) call.err(`strata: ${warning}`);
      if (format === 'json') call.out(JSON.stringify(answer, null, 2));
      else if (format === 'csv') printCsv(call, answer.series_segments);
      else {
        const [info] = await operations.reports.introspect(OPERATOR, answer.context.entity, answer.segment_em);
        if (info?.unavailable_reason !== undefined) call.err(`strata: ${info.unavailable_reason}`);
        call.out(`${info?.title ?? answer.segment_em} in ${answer.unit}, ${answer.interval_em}`);
        call.out(info?.description ?? '');
        if (format === 'table') printTable(call, answer.series_segments, answer.value_precision);
        else printChart(call, answer.series_segments, answer.value_precision);
      }
    }),
};

type Points = Readonly<
  Record<string, readonly { x: string; y: number | null; start_date: string; end_date: string }[]>
>;

const show = (value: number | null, precision: number): string =>
  value === null
    ? '-'
    : value.toLocaleString('en-US', { minimumFractionDigits: precision, maximumFractionDigits: precision });

function printChart(call: VerbCall, series: Points, precision: number): void {
  const colours = paint(process.stdout.isTTY === true);
  const entries = Object.entries(series);
  if (entries.length === 0) call.out('There is no data in this range.');
  const most = Math.max(0, ...entries.flatMap(([, points]) => points.map(({ y }) => y ?? 0)));
  for (const [name, points] of entries) {
    const labelWidth = Math.max(...points.map(({ x }) => x.length));
    const values = points.map(({ y }) => show(y, precision));
    const valueWidth = Math.max(...values.map((value) => value.length));
    call.out('');
    call.out(colours.strong(plainText(name)));
    for (const [index, { x, y }] of points.entries()) {
      const drawn = colours.chart(bar(most === 0 ? 0 : Math.max(0, y ?? 0) / most, BAR_WIDTH));
      call.out(`${x.padStart(labelWidth)}  ${values[index]!.padStart(valueWidth)}  ${drawn}`.trimEnd());
    }
  }
}

function printTable(call: VerbCall, series: Points, precision: number): void {
  const names = Object.keys(series);
  const [first] = Object.values(series);
  if (first === undefined) {
    call.out('There is no data in this range.');
    return;
  }
  const rows = first.map(({ x }, index) => [
    x,
    ...names.map((name) => show(series[name]![index]?.y ?? null, precision)),
  ]);
  call.out(textTable(['', ...names.map(plainText)], rows));
}

function printCsv(call: VerbCall, series: Points): void {
  call.out('series,start_date,end_date,value');
  for (const [name, points] of Object.entries(series)) {
    for (const { start_date, end_date, y } of points) call.out(`${csvCell(name)},${start_date},${end_date},${y ?? ''}`);
  }
}

/** Quoted where needed; a leading sign that a spreadsheet would take for a formula is made harmless. */
function csvCell(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

const refuse = (flag: string, text: string, accepted: string): StrataError =>
  new StrataError('invalid_parameter', `${flag}: ${JSON.stringify(text)} is not accepted; expected ${accepted}`);

function segmentOf(text: string): SegmentId {
  const found = SEGMENT_IDS.find((segment) => segment === text);
  if (found !== undefined) return found;
  if (Object.hasOwn(SEGMENT_ALIASES, text)) return SEGMENT_ALIASES[text as keyof typeof SEGMENT_ALIASES];
  const nearest = nearestName(text, SEGMENT_IDS);
  const hint = nearest === null ? '' : ` (did you mean ${nearest}?)`;
  throw refuse('segment', text, `one of ${SEGMENT_IDS.join(', ')}${hint}`);
}

function oneOf<T extends string>(flag: string, text: string, accepted: readonly T[]): T {
  const found = accepted.find((each) => each === text);
  if (found === undefined) throw refuse(flag, text, `one of ${accepted.join(', ')}`);
  return found;
}

function dateOf(flag: string, text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const time = Date.parse(`${text}T00:00:00Z`);
  if (!/^\d{4}-\d\d-\d\d$/.test(text) || Number.isNaN(time)) throw refuse(flag, text, 'a date as YYYY-MM-DD');
  return text;
}
