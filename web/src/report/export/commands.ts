// The same figures outside of the page: as a line for curl and as one for the command line of Strata.
import { writeQuery } from '../../api/call.ts';
import type { Params } from '../../api/schema.ts';

type ReportParams = Params<'GET /reports'>;

/** Single quotes keep the shell away from everything but themselves. */
const quote = (text: string): string => (/^[\w./:@,=-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`);

const listed = (params: ReportParams): [string, string][] =>
  [...new URLSearchParams(writeQuery(params as Readonly<Record<string, unknown>>))].filter(
    ([name]) => name !== 'generate_summary_stats',
  );

export function curlLine(origin: string, params: ReportParams): string {
  const fields = listed(params).map(([name, value]) => `-d ${quote(`${name}=${value}`)}`);
  return [`curl -s -H "Authorization: Bearer $TOKEN" -G ${origin}/api/v1/reports`, ...fields].join(' \\\n  ');
}

/** Flags of `strata report`, by parameter. */
const FLAGS: Readonly<Record<string, string>> = {
  resource_path: '--resource-path',
  start_date: '--start',
  end_date: '--end',
  aggregate_by: '--by',
  team_slug: '--team',
  committer_user_name: '--committer',
  ai_provider: '--ai-provider',
  interval: '--interval',
  time_statistic: '--time-statistic',
};

export function strataLine(params: ReportParams): string {
  const fields = listed(params).flatMap(([name, value]) =>
    FLAGS[name] === undefined ? [] : [`${FLAGS[name]} ${quote(value)}`],
  );
  return ['strata report', String(params.segment_by), ...fields].join(' ');
}

export const csvAddress = (params: ReportParams): string => {
  const { generate_summary_stats: _summary, ...rest } = params as Readonly<Record<string, unknown>>;
  return `/api/v1/reports?${writeQuery({ ...rest, format: 'csv' })}`;
};
